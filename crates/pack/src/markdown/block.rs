//! The first pass over a body: its blocks, line by line.
//!
//! A line is first matched against the quotes and list items that are open, then it opens new ones, and what is
//! left of it starts a block or continues one. Texts are read in a second pass, when all definitions are known.

use super::document::{Document, Kind, Segment};
use super::event::Tag;
use super::line::Line;
use super::remarks;
use super::starts::{self, Fence, Marker};
use super::{dialect, html};

mod close;
mod dialects;

/// Quotes and items nested deeper than this are text, so that a line never costs more than so many looks at it.
const MAX_DEPTH: usize = 32;

/// A quote, an item or an indented block of another dialect that is open.
struct Container {
    /// The item's marker; `>` for a quote, `!` for an indented block.
    marker: u8,
    /// The column at which its text starts.
    indent: usize,
    /// The item's list, as an index into the blocks.
    list: Option<usize>,
    /// Whether the item has nothing but its marker so far.
    empty: bool,
}

/// The block with text that is open: always the last one.
#[derive(Clone, Copy)]
enum Leaf<'a> {
    None,
    Paragraph,
    Fenced(Fence<'a>, usize),
    Indented,
    /// Code without fences, with what ends it.
    Until(&'static str),
    /// Hidden lines, and where they end.
    Module(usize),
    Table,
}

struct Reader<'a> {
    body: &'a str,
    document: Document<'a>,
    open: Vec<Container>,
    leaf: Leaf<'a>,
    /// After a blank line: how many containers, from the outermost, it left no gap in. A quote's own blank lines
    /// make no gap between the items around it.
    gap_from: Option<usize>,
    /// Where the remark that is open ends: all up to there is the last block's, whatever it holds.
    remark: Option<usize>,
    remarks: remarks::Finder,
    /// Whether lines are HTML, up to a blank one, so that indentation makes no code.
    in_html: bool,
    /// Whether lines may be options of a directive.
    in_options: bool,
}

/// Reads a body's blocks.
pub(super) fn read(body: &str) -> Document<'_> {
    let mut reader = Reader {
        body,
        document: Document::default(),
        open: Vec::new(),
        leaf: Leaf::None,
        gap_from: None,
        remark: None,
        remarks: remarks::Finder::default(),
        in_html: false,
        in_options: false,
    };
    let mut at = 0;
    while at < body.len() {
        let line = Line::new(body, at);
        at = line.next;
        reader.line(line);
    }
    reader.close_to(0);
    reader.document
}

impl<'a> Reader<'a> {
    fn line(&mut self, mut line: Line<'a>) {
        if let Some(end) = self.remark {
            self.remark = (line.end < end).then_some(end);
            return self.push_line(line);
        }
        let (matched, gap_from) = self.match_containers(&mut line);
        if matched == self.open.len() && self.continue_leaf(line) {
            return;
        }
        if !line.is_blank() {
            self.start(line, matched);
            self.gap_from = None;
            return;
        }
        self.gap_from = Some(gap_from);
        self.in_html = false;
        self.close_to(matched);
        if let Some(item) = self.open.last_mut().filter(|item| item.empty) {
            // An item may start with one blank line; behind a second one only a sibling can follow.
            item.indent = usize::MAX;
        }
    }

    /// Reads over the marks of the open containers; how many the line continues, and how many of these, from the
    /// outermost, end in a quote.
    fn match_containers(&self, line: &mut Line<'a>) -> (usize, usize) {
        let (mut matched, mut quoted) = (0, 0);
        for container in &self.open {
            let indent = line.indent();
            if container.marker == b'>' {
                let mut inner = line.skipped();
                if indent > 3 || !inner.rest().starts_with('>') {
                    break;
                }
                inner.bump(1);
                inner.skip(1);
                *line = inner;
                quoted = matched + 1;
            } else if indent >= container.indent {
                line.skip(container.indent);
            } else if !line.is_blank() {
                break;
            }
            matched += 1;
        }
        (matched, quoted)
    }

    /// Gives the line to the open leaf, if that takes it whatever it holds; closes a leaf that it ends.
    fn continue_leaf(&mut self, mut line: Line<'a>) -> bool {
        match self.leaf {
            Leaf::None | Leaf::Paragraph => return false,
            Leaf::Fenced(fence, indent) => {
                let closing = starts::fence(line.skipped().rest()).filter(|_| line.indent() <= indent.max(3));
                if closing
                    .is_some_and(|end| end.byte == fence.byte && end.length >= fence.length && end.info.is_empty())
                {
                    self.leaf = Leaf::None;
                    return true;
                }
                line.skip(indent);
            }
            Leaf::Indented if line.is_blank() => {
                line.skip(4);
                self.gap_from = Some(0);
            }
            Leaf::Indented if line.indent() >= 4 => {
                line.skip(4);
                self.gap_from = None;
            }
            Leaf::Until(end) => {
                if line.rest().contains(end) {
                    self.leaf = Leaf::None;
                }
            }
            Leaf::Module(end) if line.at < end => {}
            Leaf::Table if !line.is_blank() && !starts::ends_table(line.skipped().rest()) => line = line.skipped(),
            Leaf::Indented | Leaf::Module(_) | Leaf::Table => {
                self.close_leaf();
                return false;
            }
        }
        self.push_line(line);
        true
    }

    /// Opens what a line that is not blank opens, and starts or continues a block with the rest of it.
    fn start(&mut self, mut line: Line<'a>, mut matched: usize) {
        if matched == self.open.len() && matches!(self.leaf, Leaf::Paragraph) && self.start_table(line) {
            return;
        }
        let mut in_note = false;
        while line.indent() <= 3 && matched < MAX_DEPTH && !in_note {
            let inner = line.skipped();
            let text = inner.rest();
            if text.starts_with('>') {
                line = self.open_quote(inner, matched);
            } else if let Some(marker) = starts::marker(text).filter(|_| !starts::is_rule(text)) {
                let in_paragraph = matches!(self.leaf, Leaf::Paragraph) && matched == self.open.len();
                if in_paragraph && !marker.interrupts {
                    break;
                }
                line = self.open_item(line, marker, matched);
            } else if let Some(opening) = dialect::opening(text) {
                // A footnote's label is part of its text, and opens it once.
                in_note = opening.title.is_none();
                line = self.open_indented(line, opening, matched);
            } else {
                break;
            }
            matched = self.open.len();
        }
        if line.is_blank() || self.start_leaf(line, matched) {
            return;
        }
        if !matches!(self.leaf, Leaf::Paragraph) {
            self.close_to(matched);
            self.add(Kind::Leaf(Tag::Paragraph), line.skipped().at);
            self.leaf = Leaf::Paragraph;
        }
        self.push_text(line.skipped());
    }

    fn open_quote(&mut self, mut line: Line<'a>, matched: usize) -> Line<'a> {
        self.close_to(matched);
        self.add(Kind::Open(Tag::Quote), line.at);
        self.open.push(Container { marker: b'>', indent: 0, list: None, empty: false });
        line.bump(1);
        line.skip(1);
        line
    }

    /// Opens an item, of the list that is open there if their markers are the same.
    fn open_item(&mut self, line: Line<'a>, marker: Marker, matched: usize) -> Line<'a> {
        let outer = line.indent();
        let mut line = line.skipped();
        let at = line.at;
        let sibling = self.open.get(matched).filter(|item| item.marker == marker.byte).and_then(|item| item.list);
        let list = match sibling {
            Some(list) => {
                self.close_to(matched + 1);
                self.close_item();
                self.document.blocks[list].loose |= self.gap_from.is_some_and(|from| matched >= from);
                list
            }
            None => {
                self.close_to(matched);
                self.add(Kind::Open(Tag::List(marker.number)), at)
            }
        };
        self.push_block(Kind::Open(Tag::Item), at);
        line.bump(marker.width);
        let empty = line.is_blank();
        let space = if empty || line.indent() > 4 { 1 } else { line.indent() };
        line.skip(space);
        let indent = outer + marker.width + space;
        self.open.push(Container { marker: marker.byte, indent, list: Some(list), empty });
        self.gap_from = None;
        line
    }

    /// Starts a block other than a paragraph, if the line does.
    fn start_leaf(&mut self, mut line: Line<'a>, matched: usize) -> bool {
        let in_paragraph = matches!(self.leaf, Leaf::Paragraph);
        let indent = line.indent();
        if indent > 3 && !self.in_html {
            if !in_paragraph {
                self.close_to(matched);
                line.skip(4);
                self.add_with(line, Tag::CodeBlock(""), Leaf::Indented);
            }
            return !in_paragraph;
        }
        let inner = line.skipped();
        let text = inner.rest();
        if in_paragraph && matched == self.open.len() && self.underline(inner) {
            return true;
        }
        if starts::is_rule(text) {
            self.close_to(matched);
            self.add(Kind::Rule, inner.at);
        } else if let Some((level, title)) = starts::heading(text) {
            self.close_to(matched);
            self.add(Kind::Leaf(Tag::Heading(level)), inner.at);
            let (start, end) = (inner.at + title.start, inner.at + title.end);
            self.push_segment(Segment { start, end, pad: 0 });
        } else if let Some(fence) = starts::fence(text) {
            self.close_to(matched);
            self.add(Kind::Leaf(Tag::CodeBlock(fence.info)), inner.at);
            self.leaf = Leaf::Fenced(fence, indent);
        } else if let Some(end) = html::code(text) {
            self.close_to(matched);
            self.add_with(line, Tag::CodeBlock(""), if text.contains(end) { Leaf::None } else { Leaf::Until(end) });
        } else {
            return self.start_dialect(inner, matched);
        }
        true
    }
}
