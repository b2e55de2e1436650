//! The one place that drives the markdown parser: options, wikilinks and bare URLs in text, and the scan that
//! finds a body's headings, blocks and links.
//!
//! Wikilinks are this project's own: the parser hands them over as text, and [`pieces()`] finds them there. Code is
//! never searched for them.

use crate::frontmatter::one_line;
use crate::links::LinkKind;
use crate::page::BlockKind;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset};
use std::ops::Range;

mod pieces;
#[cfg(test)]
mod tests;

pub(crate) use pieces::{Piece, pieces, starts_with_ignore_case};

/// Longest note behind a link, in bytes: keeps a line of many links from being copied once for each.
const NOTE_BYTES: usize = 240;

/// The parser's events with their places, adjacent texts joined.
pub(crate) fn events(body: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    TextMergeWithOffset::new(Parser::new_ext(body, options).into_offset_iter())
}

/// What a body consists of, in order; places are byte offsets into it.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// The headings that stand outside quotes and lists.
    pub(crate) headings: Vec<ScannedHeading>,
    /// The blocks with text.
    pub(crate) blocks: Vec<ScannedBlock>,
    /// The links.
    pub(crate) links: Vec<ScannedLink>,
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
    let mut scanner = Scanner { body, ..Scanner::default() };
    for (event, range) in events(body) {
        scanner.event(event, range);
    }
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
enum Inside {
    Quote,
    List,
    Item,
    /// Its level, and where it starts.
    Heading(u8, usize),
    Code,
    Cell,
}

#[derive(Default)]
struct Scanner<'a> {
    body: &'a str,
    scan: Scan,
    inside: Vec<Inside>,
    /// The text of the block at hand, and where it starts.
    text: String,
    at: usize,
    /// The link at hand: its target, and where its label starts in `text`.
    link: Option<(String, usize)>,
    /// The links of the line at hand that may have a note: their index, and where they end in `text`.
    unnoted: Vec<(usize, usize)>,
    /// The cells of the table row at hand.
    row: Vec<String>,
}

impl Scanner<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.running_text(&text, range),
            Event::Code(code) if matches!(self.inside.last(), Some(Inside::Heading(..))) => {
                self.push(&code, range.start);
            }
            Event::Code(code) => {
                let ticks = if code.contains('`') { "``" } else { "`" };
                self.push(&format!("{ticks}{code}{ticks}"), range.start);
            }
            // A tag in running text is mostly a name in angle brackets that lacks its backticks.
            Event::InlineHtml(html) if !html.starts_with("<!--") => self.push(&html, range.start),
            Event::SoftBreak | Event::HardBreak => {
                self.note_links();
                self.push(" ", range.start);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, at: usize) {
        let inside = match tag {
            Tag::Link { link_type, dest_url, .. } => {
                let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
                self.link = Some((format!("{scheme}{dest_url}"), self.text.len()));
                return;
            }
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Image { .. } => return,
            Tag::BlockQuote(_) => Some(Inside::Quote),
            Tag::List(_) => Some(Inside::List),
            Tag::Item => Some(Inside::Item),
            Tag::Heading { level, .. } => Some(Inside::Heading(level as u8, at)),
            Tag::CodeBlock(_) => Some(Inside::Code),
            Tag::TableCell => Some(Inside::Cell),
            _ => None,
        };
        self.flush();
        self.at = at;
        self.inside.extend(inside);
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Link => return self.end_link(range),
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Image => return,
            TagEnd::TableHead => self.row.clear(),
            TagEnd::TableRow => {
                let text = std::mem::take(&mut self.row).join(" | ");
                self.block(BlockKind::TableRow, text, range.start);
            }
            _ => self.flush(),
        }
        let opened = matches!(
            tag,
            TagEnd::BlockQuote(_)
                | TagEnd::List(_)
                | TagEnd::Item
                | TagEnd::Heading(_)
                | TagEnd::CodeBlock
                | TagEnd::TableCell
        );
        if opened {
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
        if self.link.is_some() || self.inside.last() == Some(&Inside::Code) {
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
                Piece::Url(url) => (LinkKind::Markdown, url, url, url),
            };
            self.push(label, range.start);
            let start = source[from..].find(mark).map_or(source.len(), |step| from + step);
            let end = match kind {
                LinkKind::Wiki => source[start..].find("]]").map_or(source.len(), |step| start + step + 2),
                LinkKind::Markdown => (start + mark.len()).min(source.len()),
            };
            from = end;
            let range = range.start + start..range.start + end;
            self.add_link(kind, target.into(), label.into(), range);
        }
    }

    /// Adds the link whose label has just been pushed.
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
            Some(Inside::Cell) => return self.row.push(one_line(&text)),
            Some(&Inside::Heading(level, at)) => {
                if self.inside.len() == 1 {
                    self.scan.headings.push(ScannedHeading { level, text: one_line(&text), at });
                }
                BlockKind::Heading
            }
            Some(Inside::Code) => BlockKind::Code,
            Some(Inside::Item | Inside::List) => BlockKind::ListItem,
            Some(Inside::Quote) => BlockKind::Quote,
            None => BlockKind::Paragraph,
        };
        let text = if kind == BlockKind::Code { text.trim_end().to_string() } else { one_line(&text) };
        self.block(kind, text, self.at);
    }

    fn block(&mut self, kind: BlockKind, text: String, at: usize) {
        if !text.is_empty() {
            self.scan.blocks.push(ScannedBlock { kind, text, at });
        }
    }
}
