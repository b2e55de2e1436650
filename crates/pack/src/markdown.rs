//! Markdown: an own small reader of CommonMark with tables and strikethrough, and the scan that finds a body's
//! headings, blocks and links with it.
//!
//! [`read`] takes two passes, both linear in time: `block` finds the blocks and the definitions, `inline` what their
//! texts hold; `emit` walks both and hands over [`Event`]s. It is small because it runs in the browser, so it keeps
//! no large tables: it knows ten named entities, and takes for punctuation what is neither letter nor digit.
//!
//! It also reads what other dialects add: [`dialect`] knows their lines, [`module`] their JavaScript, [`signs`] what they have in running text,
//! [`remarks`] what no reader is to see. Of HTML it reads the text and leaves out the tags ([`html`]). In code all of
//! that stays as it is.
//!
//! Wikilinks are this project's own: the reader hands them over as text, and [`pieces()`] finds them there. Code is
//! never searched for them.

use crate::block::{BlockKind, CELLS, ListPlace};
use crate::frontmatter::one_line;
use crate::links::LinkKind;
use crate::seek::find;
use std::ops::Range;

mod line;
mod remarks;
mod html;
mod dialect;
mod module;
mod starts;
mod table;
mod target;
mod definitions;
mod document;
mod block;
mod token;
mod inline;
mod signs;
mod emphasis;
mod event;
mod emit;
mod pieces;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;

pub(crate) use emit::{Sink, read};
pub(crate) use event::{Event, Tag};
pub(crate) use pieces::{Piece, pieces, starts_with_ignore_case};

/// Longest note behind a link, in bytes: keeps a line of many links from being copied once for each.
const NOTE_BYTES: usize = 240;

/// Each row carries the heads of its columns; longer ones, in bytes, are not carried.
const MOST_HEADS: usize = 2_000;

/// The longest term that a definition is read together with, in bytes.
const TERM_BYTES: usize = 80;

/// What a body consists of, in order; places are byte offsets into it.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The headings that stand outside quotes and lists.
    pub(crate) headings: Vec<ScannedHeading>,
    /// The blocks with text.
    pub(crate) blocks: Vec<ScannedBlock>,
    /// The links.
    pub(crate) links: Vec<ScannedLink>,
    /// The parts that no reader is to see.
    pub(crate) hidden: Vec<Range<usize>>,
}

/// A heading.
#[derive(Debug)]
pub(crate) struct ScannedHeading {
    pub(crate) level: u8,
    pub(crate) text: String,
    pub(crate) at: usize,
}

/// A block of text.
#[derive(Debug)]
pub(crate) struct ScannedBlock {
    pub(crate) kind: BlockKind,
    pub(crate) text: String,
    /// Of a table's row, the heads of its columns.
    pub(crate) heads: String,
    pub(crate) list: ListPlace,
    pub(crate) at: usize,
}

/// A link.
#[derive(Debug)]
pub(crate) struct ScannedLink {
    pub(crate) kind: LinkKind,
    pub(crate) target: String,
    pub(crate) label: String,
    pub(crate) note: String,
    pub(crate) range: Range<usize>,
}

/// Reads a body once.
pub(crate) fn scan(body: &str) -> Scan {
    scan_with(body, read)
}

/// Scans what a reader of markdown hands over.
pub(crate) fn scan_with(body: &str, read: impl Fn(&str, Sink<'_>)) -> Scan {
    let mut scanner = Scanner { body, ..Scanner::default() };
    read(body, &mut |event, range| scanner.event(event, range));
    scanner.flush();
    scanner.scan
}

/// What follows a dash at the start of the text behind a link; empty where there is no dash.
fn note(text: &str) -> String {
    let text = text[..text.floor_char_boundary(NOTE_BYTES)].trim_start();
    let dash = ["—", "–", "--", "-", ":"].iter().find_map(|dash| text.strip_prefix(dash));
    dash.map(one_line).unwrap_or_default()
}

/// What a block stands in.
#[derive(Clone, Copy, PartialEq)]
enum BlockContainer {
    Quote,
    List,
    Item,
    /// Its level, and where it starts.
    Heading(u8, usize),
    Code,
    Cell,
    Aside,
    Note,
}

impl BlockContainer {
    fn of(tag: Tag<'_>, at: usize) -> Option<BlockContainer> {
        match tag {
            Tag::Quote => Some(BlockContainer::Quote),
            Tag::List(_) => Some(BlockContainer::List),
            Tag::Item => Some(BlockContainer::Item),
            Tag::Heading(level) => Some(BlockContainer::Heading(level, at)),
            Tag::CodeBlock(_) => Some(BlockContainer::Code),
            Tag::TableCell => Some(BlockContainer::Cell),
            Tag::Aside => Some(BlockContainer::Aside),
            Tag::Note => Some(BlockContainer::Note),
            _ => None,
        }
    }
}

#[derive(Default)]
struct Scanner<'a> {
    body: &'a str,
    scan: Scan,
    inside: Vec<BlockContainer>,
    /// The text of the block at hand, and where it starts.
    text: String,
    at: usize,
    /// The link at hand: its target, and where its label starts in `text`.
    link: Option<(String, usize)>,
    /// The links of the line at hand that may have a note: their index, and where they end in `text`.
    unnoted: Vec<(usize, usize)>,
    /// The cells of the table row at hand, and the heads of its columns, joined.
    row: Vec<String>,
    heads: String,
    /// The last paragraph, as an index into the blocks: the term that a definition is of.
    term: usize,
    /// Whether the item at hand is a definition, and has no text yet.
    defines: bool,
    /// The lists that are open, and how many there were.
    lists: Vec<OpenList>,
    list_count: u32,
}

/// A list that is open.
struct OpenList {
    list: u32,
    /// The place of the item at hand, from 1.
    item: u32,
    /// The number of the first item.
    first: Option<u32>,
}

impl Scanner<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.running_text(text, range),
            Event::Code(code) if matches!(self.inside.last(), Some(BlockContainer::Heading(..))) => {
                self.push(code, range.start);
            }
            Event::Code(code) => {
                let ticks = if code.contains('`') { "``" } else { "`" };
                self.push(&format!("{ticks}{code}{ticks}"), range.start);
            }
            Event::Hidden => self.scan.hidden.push(range),
            Event::SoftBreak | Event::HardBreak => {
                self.note_links();
                self.push(" ", range.start);
            }
            Event::Sign(_) | Event::Rule => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        let inside = match tag {
            Tag::Link(target) => {
                self.link = Some((target.to_string(), self.text.len()));
                return;
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Image(_) => return,
            tag => BlockContainer::of(tag, at),
        };
        self.flush();
        self.at = at;
        match tag {
            Tag::List(first) => {
                self.list_count += 1;
                self.lists.push(OpenList { list: self.list_count, item: 0, first });
            }
            Tag::Item => {
                self.defines = self.body[at..].starts_with(':');
                self.lists.last_mut().into_iter().for_each(|list| list.item += 1);
            }
            _ => {}
        }
        self.inside.extend(inside);
    }

    fn end(&mut self, tag: Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Link(_) => return self.end_link(range),
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Image(_) => return,
            Tag::TableHead => {
                let heads = std::mem::take(&mut self.row).join(CELLS);
                self.heads = if heads.len() <= MOST_HEADS { heads } else { String::new() };
            }
            Tag::TableRow => {
                let text = std::mem::take(&mut self.row).join(CELLS);
                self.block(BlockKind::TableRow, text, range.start);
            }
            _ => self.flush(),
        }
        if matches!(tag, Tag::List(_)) {
            self.lists.pop();
        }
        if BlockContainer::of(tag, 0).is_some() {
            self.inside.pop();
        }
    }

    fn end_link(&mut self, range: Range<usize>) {
        let Some((target, from)) = self.link.take() else { return };
        let label = self.text.get(from..).unwrap_or("").trim().to_string();
        let label = if label.is_empty() { target.clone() } else { label };
        self.add_link(LinkKind::Markdown, target, label, range);
    }

    fn running_text(&mut self, text: &str, range: Range<usize>) {
        if self.link.is_some() || self.inside.last() == Some(&BlockContainer::Code) {
            return self.push(text, range.start);
        }
        let source = &self.body[range.clone()];
        // Offsets into `text` differ from those into `source` where there are escapes, so links are looked up.
        let mut from = 0;
        for piece in pieces(text, source) {
            let (kind, target, label, mark) = match piece {
                Piece::Text(text) => {
                    self.push(text, range.start);
                    continue;
                }
                Piece::Wiki(slug, label) => (LinkKind::Wiki, slug, label, "[["),
                // What is embedded is no part of this page's text.
                Piece::Embed(slug, _) => (LinkKind::Wiki, slug, "", "[["),
                Piece::Url(url) => (LinkKind::Markdown, url, url, url),
            };
            self.push(label, range.start);
            let start = find(&source[from..], mark).map_or(source.len(), |step| from + step);
            let end = match kind {
                LinkKind::Wiki => find(&source[start..], "]]").map_or(source.len(), |step| start + step + 2),
                LinkKind::Markdown => (start + mark.len()).min(source.len()),
            };
            from = end;
            let range = range.start + start..range.start + end;
            self.add_link(kind, target.into(), label.into(), range);
        }
    }

    /// Adds the link whose label has just been pushed; its target stands for a label that is empty.
    fn add_link(&mut self, kind: LinkKind, target: String, label: String, range: Range<usize>) {
        self.unnoted.push((self.scan.links.len(), self.text.len()));
        self.scan.links.push(ScannedLink { kind, target, label, note: String::new(), range });
    }

    /// Gives the links of a line that ends here their notes.
    fn note_links(&mut self) {
        for (link, end) in self.unnoted.drain(..) {
            self.scan.links[link].note = note(&self.text[end..]);
        }
    }

    fn push(&mut self, text: &str, at: usize) {
        if self.text.is_empty() {
            self.at = at;
        }
        self.text.push_str(text);
    }

    /// Ends the block at hand, if it has text.
    fn flush(&mut self) {
        self.link = None;
        self.note_links();
        let text = std::mem::take(&mut self.text);
        let kind = match self.inside.last() {
            Some(BlockContainer::Cell) => return self.row.push(one_line(&text)),
            Some(&BlockContainer::Heading(level, at)) => {
                if self.inside.len() == 1 && level <= 6 {
                    self.scan.headings.push(ScannedHeading { level, text: one_line(&text), at });
                }
                BlockKind::Heading
            }
            Some(BlockContainer::Code) => BlockKind::Code,
            Some(BlockContainer::Item | BlockContainer::List) => BlockKind::ListItem,
            Some(BlockContainer::Quote) => BlockKind::Quote,
            Some(BlockContainer::Aside | BlockContainer::Note) => BlockKind::Aside,
            None => BlockKind::Paragraph,
        };
        let text = if kind == BlockKind::Code { text.trim_end().to_string() } else { one_line(&text) };
        self.block(kind, text, self.at);
    }

    fn block(&mut self, kind: BlockKind, mut text: String, at: usize) {
        if text.is_empty() || self.inside.contains(&BlockContainer::Note) {
            return;
        }
        let term = self.scan.blocks.get(self.term).filter(|term| term.text.len() <= TERM_BYTES);
        match (kind, term) {
            (BlockKind::Paragraph, _) => self.term = self.scan.blocks.len(),
            (BlockKind::ListItem, Some(term)) if self.defines => text = [&term.text, ": ", &text].concat(),
            _ => {}
        }
        self.defines = false;
        let heads = if kind == BlockKind::TableRow { self.heads.clone() } else { String::new() };
        self.scan.blocks.push(ScannedBlock { kind, text, heads, list: self.list_place(), at });
    }

    fn list_place(&self) -> ListPlace {
        let Some(OpenList { list, item, first }) = self.lists.last() else { return ListPlace::default() };
        let number = first.map(|first| first.saturating_add(item.saturating_sub(1)));
        ListPlace { list: *list, depth: u8::try_from(self.lists.len()).unwrap_or(u8::MAX), item: *item, number }
    }
}
