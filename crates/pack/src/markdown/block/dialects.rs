//! Blocks that CommonMark does not know, as [`dialect`] tells them by their first line.

use super::super::dialect::OpeningLine;
use super::super::document::Kind;
use super::super::event::Tag;
use super::super::line::Line;
use super::super::{dialect, html, module, signs};
use super::{Container, Leaf, Reader};
use std::ops::Range;

impl<'a> Reader<'a> {
    /// Opens a block whose text is indented; gives what is left of the line.
    pub(super) fn open_indented(&mut self, mut line: Line<'a>, opening: OpeningLine, matched: usize) -> Line<'a> {
        let indent = line.indent() + 4;
        line = line.skipped();
        self.close_to(matched);
        self.add(Kind::Open(opening.tag), line.at);
        self.open.push(Container { marker: b'!', indent, list: None, empty: false });
        if let Some(title) = opening.title {
            self.add_title(line, title);
            line.bump(line.end - line.at);
        } else if let Some(label) = signs::note(line.rest()) {
            self.document.definitions.add_note(label);
        }
        line
    }

    /// Takes a line that only other dialects read as more than text.
    pub(super) fn start_dialect(&mut self, line: Line<'a>, matched: usize) -> bool {
        let text = line.rest();
        let in_paragraph = matches!(self.leaf, Leaf::Paragraph);
        if let (Some(block), Some((tag, title))) = (self.document.blocks.last_mut(), dialect::callout(text))
            && block.kind == Kind::Open(Tag::Quote)
        {
            block.kind = Kind::Open(tag);
            self.add_title(line, title);
        } else if let Some(title) = dialect::container(text) {
            self.close_to(matched);
            self.add_title(line, title);
            self.in_options = true;
        } else if !in_paragraph && (dialect::is_hidden(text) || self.is_option(text)) {
            self.close_to(matched);
            self.add_with(line, Tag::Module, Leaf::None);
        } else if !in_paragraph && let Some(length) = self.hidden_lines(line) {
            self.close_to(matched);
            self.add_with(line, Tag::Module, Leaf::Module(line.at + length));
        } else {
            let in_html = html::starts_block(text, !in_paragraph);
            if in_html || self.remarks.fills(&self.body[line.at..], text.len()) {
                self.close_to(matched);
            }
            self.in_html |= in_html;
            return false;
        }
        true
    }

    /// The length of the JavaScript or the remark that starts with this line.
    fn hidden_lines(&self, line: Line<'a>) -> Option<usize> {
        let text = &self.body[line.at..];
        module::length(text).or_else(|| dialect::remark(text))
    }

    /// Whether the line is an option of the directive that the line before it starts or gives an option.
    fn is_option(&mut self, text: &str) -> bool {
        let option = text.strip_prefix(':').and_then(|rest| rest.split_once(':'));
        self.in_options &= option.is_some_and(|(name, value)| {
            !name.is_empty() && !name.contains(' ') && (value.is_empty() || value.starts_with(' '))
        });
        self.in_options
    }

    /// Adds the title of a callout or the like, if it has one.
    fn add_title(&mut self, line: Line<'a>, title: Range<usize>) {
        if !title.is_empty() {
            self.add(Kind::Leaf(Tag::Heading(7)), line.at);
            self.push_segment(super::Segment { start: line.at + title.start, end: line.at + title.end, pad: 0 });
        }
    }

    /// Adds a line of running text to the paragraph.
    pub(super) fn push_text(&mut self, line: Line<'a>) {
        let text = line.rest();
        let first = self.document.blocks.last().is_some_and(|block| block.first == block.last);
        self.push_line(line);
        let left = self.remarks.left_open(&self.body[line.at..], text.len(), first);
        self.remark = left.map(|end| line.at + end);
        if self.in_html && self.remark.is_none() && html::ends_block(text) {
            self.close_leaf();
        }
    }
}
