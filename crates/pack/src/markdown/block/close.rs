//! How blocks are added and closed.

use super::super::document::{Block, Kind, Segment};
use super::super::event::Tag;
use super::super::line::{Line, is_space};
use super::super::{starts, table};
use super::{Leaf, Reader};

impl<'a> Reader<'a> {
    /// Adds a block to the innermost container; gives its index.
    pub(super) fn add(&mut self, kind: Kind<'a>, at: usize) -> usize {
        let depth = self.open.len();
        let gap = self.gap_from.is_some_and(|from| depth > from);
        let parent = self.open.last_mut();
        let list = parent.and_then(|item| {
            item.empty = false;
            item.list
        });
        if let Some(list) = list {
            self.document.blocks[list].loose |= gap;
        }
        self.gap_from = None;
        self.push_block(kind, at)
    }

    pub(super) fn push_block(&mut self, kind: Kind<'a>, at: usize) -> usize {
        let line = self.document.lines.len();
        let list = self.open.last().and_then(|item| item.list);
        self.document.blocks.push(Block { kind, at, first: line, last: line, list, loose: false });
        self.document.blocks.len() - 1
    }

    /// Adds a leaf that has this line as its first.
    pub(super) fn add_with(&mut self, line: Line<'a>, tag: Tag<'a>, leaf: Leaf<'a>) {
        self.add(Kind::Leaf(tag), line.at);
        self.push_line(line);
        self.leaf = leaf;
    }

    pub(super) fn push_line(&mut self, line: Line<'a>) {
        self.push_segment(Segment { start: line.at, end: line.end, pad: line.pad });
    }

    /// Adds a line to the last block.
    pub(super) fn push_segment(&mut self, segment: Segment) {
        self.document.lines.push(segment);
        if let Some(block) = self.document.blocks.last_mut() {
            block.last = self.document.lines.len();
        }
    }

    /// Closes the open leaf and all containers but the outermost `depth`.
    pub(super) fn close_to(&mut self, depth: usize) {
        self.close_leaf();
        while self.open.len() > depth {
            let list = self.open.last().and_then(|item| item.list);
            self.close_item();
            if list.is_some() {
                self.push_block(Kind::Close, 0);
            }
        }
    }

    /// Closes the innermost container, not an item's list.
    pub(super) fn close_item(&mut self) {
        self.open.pop();
        self.push_block(Kind::Close, 0);
    }

    pub(super) fn close_leaf(&mut self) {
        match std::mem::replace(&mut self.leaf, Leaf::None) {
            Leaf::Paragraph => self.take_definitions(),
            Leaf::Indented => self.drop_blank_lines(),
            _ => {}
        }
    }

    fn drop_blank_lines(&mut self) {
        let Some(block) = self.document.blocks.last_mut() else { return };
        // No line of a block before it.
        while let [.., segment] = &self.document.lines[block.first..]
            && self.body[segment.start..segment.end].bytes().all(is_space)
        {
            self.document.lines.pop();
        }
        block.last = self.document.lines.len();
    }

    /// Takes the definitions off the start of the paragraph that is the last block.
    fn take_definitions(&mut self) {
        let Some(block) = self.document.blocks.last_mut() else { return };
        let lines = &self.document.lines[block.first..block.last];
        if lines.is_empty() {
            block.kind = Kind::Gone;
        }
        let starts = |mark| lines.first().is_some_and(|line| self.body[line.start..line.end].starts_with(mark));
        if !starts("[") || starts("[^") {
            return;
        }
        let mut text = String::new();
        for line in lines {
            text.push_str(&self.body[line.start..line.end]);
            text.push('\n');
        }
        let taken = self.document.definitions.take(&text);
        block.first += text[..taken].bytes().filter(|&byte| byte == b'\n').count();
        match self.document.lines.get(block.first) {
            Some(line) => block.at = line.start,
            None => block.kind = Kind::Gone,
        }
    }

    /// Makes the open paragraph a heading if the line underlines it.
    pub(super) fn underline(&mut self, line: Line<'a>) -> bool {
        let Some(level) = starts::underline(line.rest()) else { return false };
        self.take_definitions();
        let Some(block) = self.document.blocks.last_mut() else { return false };
        if block.kind == Kind::Gone {
            // The line is all that is left of the paragraph.
            block.kind = Kind::Leaf(Tag::Paragraph);
            block.at = line.at;
            return false;
        }
        block.kind = Kind::Leaf(Tag::Heading(level));
        self.leaf = Leaf::None;
        true
    }

    /// Starts a table if the line is what stands under a table's head, and the paragraph's last line such a head.
    /// Behind other lines of a paragraph a head must start with a bar.
    pub(super) fn start_table(&mut self, line: Line<'a>) -> bool {
        let Some(columns) = table::columns(line.rest()).filter(|_| line.indent() <= 3) else { return false };
        let (Some(block), Some(&head)) = (self.document.blocks.last_mut(), self.document.lines.last()) else {
            return false;
        };
        let text = &self.body[head.start..head.end];
        let alone = block.last - block.first == 1;
        if !text.contains('|') || !(alone || text.starts_with('|')) || table::cells(text).len() != columns {
            return false;
        }
        if alone {
            block.kind = Kind::Leaf(Tag::Table);
        } else {
            block.last -= 1;
            self.document.lines.pop();
            self.close_leaf();
            self.add(Kind::Leaf(Tag::Table), head.start);
            self.push_segment(head);
        }
        self.leaf = Leaf::Table;
        true
    }
}
