//! Puts both passes together: walks the blocks, reads their texts, and hands over the events in order.

use super::document::{Block, Document, Kind as BlockKind, Segment};
use super::event::{Event, Tag};
use super::inline::{self, Inline};
use super::token::{Kind, Style};
use super::{block, signs, table};
use crate::seek::parted;
use std::ops::Range;

/// Cells that rows lack are filled in up to this number in all, lest a wide head make many short rows costly.
const MAX_FILLED: usize = 50_000;

/// Takes the events with their places in the body.
pub(crate) type Sink<'s> = &'s mut dyn FnMut(Event<'_>, Range<usize>);

/// Reads a body, in time linear in its length.
pub(crate) fn read(body: &str, sink: Sink<'_>) {
    let document = block::read(body);
    let (text, places) = (String::new(), Vec::new());
    let mut emitter = Emitter { body, document: &document, sink, text, places, filled: 0, in_new_item: false };
    let mut open = Vec::new();
    for block in &document.blocks {
        match block.kind {
            BlockKind::Open(tag) => {
                open.push(tag);
                emitter.start(tag, block.at);
            }
            BlockKind::Close => {
                if let Some(tag) = open.pop() {
                    emitter.end(tag, block.at);
                }
            }
            BlockKind::Leaf(tag) => emitter.leaf(tag, block),
            BlockKind::Rule => emitter.send(Event::Rule, block.at..block.at),
            BlockKind::Gone => emitter.hide(block),
        }
        emitter.in_new_item = block.kind == BlockKind::Open(Tag::Item);
    }
}

struct Emitter<'a, 's> {
    body: &'a str,
    document: &'a Document<'a>,
    sink: Sink<'s>,
    /// The text at hand: the lines of a block, or a table's cell.
    text: String,
    /// Where its parts stand: offsets into it, rising, with those into the body.
    places: Vec<(usize, usize)>,
    filled: usize,
    /// Whether an item has just been opened.
    in_new_item: bool,
}

impl<'a> Emitter<'a, '_> {
    fn send(&mut self, event: Event<'_>, range: Range<usize>) {
        (self.sink)(event, range);
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        self.send(Event::Start(tag), at..at);
    }

    fn end(&mut self, tag: Tag<'_>, at: usize) {
        self.send(Event::End(tag), at..at);
    }

    fn leaf(&mut self, tag: Tag<'_>, block: &Block<'_>) {
        if tag == Tag::Paragraph && block.list.is_some_and(|list| !self.document.blocks[list].loose) {
            return self.paragraph(block);
        }
        if tag == Tag::Module {
            return self.hide(block);
        }
        self.start(tag, block.at);
        match tag {
            Tag::CodeBlock(_) => self.lines(block),
            Tag::Table => self.rows(block),
            _ => self.paragraph(block),
        }
        self.end(tag, block.at);
    }

    fn hide(&mut self, block: &Block<'_>) {
        let last = self.document.lines[..block.last].last();
        self.send(Event::Hidden, block.at..last.map_or(block.at, |line| line.end.max(block.at)));
    }

    fn segments(&self, block: &Block<'_>) -> &'a [Segment] {
        &self.document.lines[block.first..block.last]
    }

    /// Makes the block's lines the text at hand.
    fn take(&mut self, block: &Block<'_>) {
        self.text.clear();
        self.places.clear();
        for segment in self.segments(block) {
            if !self.places.is_empty() {
                self.text.push('\n');
            }
            self.places.push((self.text.len(), segment.start));
            self.text.push_str(&self.body[segment.start..segment.end]);
        }
        self.text.truncate(self.text.trim_ascii_end().len());
    }

    /// The lines of code, as they stand.
    fn lines(&mut self, block: &Block<'_>) {
        let mut text = String::new();
        let segments = self.segments(block);
        for segment in segments {
            text.extend(std::iter::repeat_n(' ', segment.pad));
            text.push_str(&self.body[segment.start..segment.end]);
            if segment.end < self.body.len() {
                text.push('\n');
            }
        }
        if let (Some(first), Some(last), false) = (segments.first(), segments.last(), text.is_empty()) {
            self.send(Event::Text(&text), first.start..last.end);
        }
    }

    fn rows(&mut self, block: &Block<'_>) {
        let mut columns = 0;
        for (i, segment) in self.segments(block).iter().enumerate() {
            let cells = table::cells(&self.body[segment.start..segment.end]);
            columns = if i == 0 { cells.len() } else { columns };
            let row = if i == 0 { Tag::TableHead } else { Tag::TableRow };
            self.start(row, segment.start);
            for cell in cells.iter().take(columns) {
                self.take_cell(segment.start + cell.start..segment.start + cell.end);
                self.start(Tag::TableCell, segment.start);
                self.running(0);
                self.end(Tag::TableCell, segment.start);
            }
            let lacking = columns.saturating_sub(cells.len()).min(MAX_FILLED - self.filled);
            self.filled += lacking;
            for _ in 0..lacking {
                self.start(Tag::TableCell, segment.end);
                self.end(Tag::TableCell, segment.end);
            }
            self.end(row, segment.start);
        }
    }

    /// Makes a cell the text at hand, without the backslashes that keep its bars from parting cells.
    fn take_cell(&mut self, cell: Range<usize>) {
        self.text.clear();
        self.places.clear();
        let (mut at, mut rest) = (cell.start, &self.body[cell]);
        while let Some((before, behind)) = parted(rest, "\\|") {
            self.places.push((self.text.len(), at));
            self.text.push_str(before);
            self.places.push((self.text.len(), at + before.len() + 1));
            self.text.push('|');
            at += before.len() + 2;
            rest = behind;
        }
        if !rest.is_empty() {
            self.places.push((self.text.len(), at));
            self.text.push_str(rest);
        }
    }

    /// Where a place in the text at hand stands in the body.
    fn place(&self, at: usize) -> usize {
        let found = self.places.partition_point(|&(start, _)| start <= at).checked_sub(1);
        found.map_or(0, |i| self.places[i].1 + at - self.places[i].0)
    }

    /// The lines of running text. Those that an item starts with may have a task's box before them.
    fn paragraph(&mut self, block: &Block<'_>) {
        self.take(block);
        let length = if self.in_new_item { signs::task(&self.text) } else { 0 };
        if length > 0 {
            let sign = self.text[..length].to_string();
            self.send(Event::Sign(&sign), self.place(0)..self.place(length));
        }
        self.running(length);
    }

    /// Reads the text at hand, from `start` on, as running text.
    fn running(&mut self, start: usize) {
        let text = std::mem::take(&mut self.text);
        let Inline { tokens, links, .. } = inline::read(&text, start, &self.document.definitions);
        let mut plain = Plain::default();
        let mut at = start;
        for token in &tokens {
            plain.push(&text[at..token.start], at);
            at = token.end;
            let written = &text[token.start..token.end];
            match token.kind {
                Kind::Text => plain.push(written, token.start),
                Kind::Char(c) => plain.push(c.encode_utf8(&mut [0; 4]), token.start),
                Kind::Hidden => {}
                kind => {
                    self.flush(&mut plain, token.start);
                    let range = self.place(token.start)..self.place(token.end);
                    self.token(kind, written, &links, range);
                }
            }
        }
        plain.push(&text[at..], at);
        self.flush(&mut plain, text.len());
        self.text = text;
    }

    /// Hands over the plain text that ends at `end`.
    fn flush(&mut self, plain: &mut Plain, end: usize) {
        if !plain.text.is_empty() {
            let range = self.place(plain.start)..self.place(end);
            self.send(Event::Text(&plain.text), range);
            plain.text.clear();
        }
    }

    fn token(&mut self, kind: Kind, written: &str, links: &[inline::Link], range: Range<usize>) {
        let style = |style| match style {
            Style::Emphasis => Tag::Emphasis,
            Style::Strong => Tag::Strong,
            Style::Strikethrough => Tag::Strikethrough,
        };
        let link = |i: usize| {
            let link: &inline::Link = &links[i];
            if link.image { Tag::Image(&link.target) } else { Tag::Link(&link.target) }
        };
        match kind {
            Kind::Open(kind) => self.send(Event::Start(style(kind)), range),
            Kind::Close(kind) => self.send(Event::End(style(kind)), range),
            Kind::SoftBreak => self.send(Event::SoftBreak, range),
            Kind::HardBreak => self.send(Event::HardBreak, range),
            Kind::Sign => self.send(Event::Sign(&written.replace('^', "")), range),
            Kind::Remark => self.send(Event::Hidden, range),
            Kind::Code(ticks) => self.send(Event::Code(&code(written, ticks)), range),
            Kind::Url | Kind::Email => self.autolink(&written[1..written.len() - 1], kind == Kind::Email, range),
            Kind::LinkStart(i) => self.send(Event::Start(link(i)), range),
            Kind::LinkEnd(i) => {
                let range = self.place(links[i].start)..self.place(links[i].end);
                self.send(Event::End(link(i)), range);
            }
            Kind::Text | Kind::Hidden | Kind::Char(_) => {}
        }
    }

    fn autolink(&mut self, text: &str, email: bool, range: Range<usize>) {
        let target = if email { ["mailto:", text].concat() } else { text.to_string() };
        self.send(Event::Start(Tag::Link(&target)), range.clone());
        self.send(Event::Text(text), range.start + 1..range.end - 1);
        self.send(Event::End(Tag::Link(&target)), range);
    }
}

/// Plain text on its way, and where it starts in the text at hand.
#[derive(Default)]
struct Plain {
    text: String,
    start: usize,
}

impl Plain {
    fn push(&mut self, text: &str, at: usize) {
        if self.text.is_empty() {
            self.start = at;
        }
        self.text.push_str(text);
    }
}

/// What a code span shows: line ends are spaces, and one space at both ends goes, unless there is nothing else.
fn code(written: &str, ticks: usize) -> String {
    let inner = written[ticks..written.len() - ticks].replace('\n', " ");
    let stripped = inner.strip_prefix(' ').and_then(|rest| rest.strip_suffix(' '));
    stripped.filter(|_| inner.bytes().any(|byte| byte != b' ')).map_or_else(|| inner.clone(), str::to_string)
}
