//! The one place that drives the markdown parser: options, wikilinks and bare URLs in text, and the scan that
//! finds a body's headings, blocks and links.
//!
//! Wikilinks are this project's own: the parser hands them over as text, and [`pieces`] finds them there. Code is
//! never searched for them.

use crate::frontmatter::one_line;
use crate::links::LinkKind;
use crate::page::BlockKind;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag, TagEnd, TextMergeWithOffset};
use std::ops::Range;

/// Longest note behind a link, in bytes of markdown: keeps a line of many links from being read once for each.
const NOTE_BYTES: usize = 400;

/// The parser's events with their places, adjacent texts joined.
pub(crate) fn events(body: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    TextMergeWithOffset::new(Parser::new_ext(body, options).into_offset_iter())
}

/// A piece of running text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Text.
    Text(&'a str),
    /// A wikilink: slug and label.
    Wiki(&'a str, &'a str),
    /// A URL that stands in the text by itself.
    Url(&'a str),
}

/// Splits running text at its wikilinks and bare URLs. `source` is the markdown it was read from: where that has
/// an escaped bracket, no wikilinks are meant.
pub(crate) fn pieces<'a>(text: &'a str, source: &str) -> Vec<Piece<'a>> {
    let escaped = source.contains("\\[");
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(step) = text[at..].find(['[', 'h', 'H']) {
        at += step;
        let rest = &text[at..];
        let bounded = !text[..at].ends_with(|c: char| c.is_alphanumeric());
        let piece = if !escaped && rest.starts_with("[[") {
            wikilink(rest)
        } else if bounded {
            bare_url(rest).map(|url| (Piece::Url(url), url.len()))
        } else {
            None
        };
        let Some((piece, len)) = piece else {
            at += 1;
            continue;
        };
        if start < at {
            found.push(Piece::Text(&text[start..at]));
        }
        found.push(piece);
        at += len;
        start = at;
    }
    if start < text.len() {
        found.push(Piece::Text(&text[start..]));
    }
    found
}

/// Reads `[[slug]]` or `[[slug|label]]` at the start of `text`; also gives its length.
fn wikilink(text: &str) -> Option<(Piece<'_>, usize)> {
    let inner = &text[2..];
    let end = inner.find(['[', ']', '\n'])?;
    if !inner[end..].starts_with("]]") {
        return None;
    }
    let (slug, label) = inner[..end].split_once('|').unwrap_or((&inner[..end], ""));
    let slug = slug.trim_end_matches('\\').trim();
    let label = if label.trim().is_empty() { slug } else { label.trim() };
    (!slug.is_empty()).then_some((Piece::Wiki(slug, label), end + 4))
}

/// Reads an http(s) URL at the start of `text`, without the punctuation that ends the sentence around it.
fn bare_url(text: &str) -> Option<&str> {
    let scheme = ["https://", "http://"].into_iter().find(|scheme| starts_with_ignore_case(text, scheme))?;
    let stop = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '[' | ']');
    let mut url = &text[..text.find(stop).unwrap_or(text.len())];
    let mut unopened = url.matches(')').count().saturating_sub(url.matches('(').count());
    while let Some(last) = url.chars().next_back() {
        if last == ')' && unopened > 0 {
            unopened -= 1;
        } else if !matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '*' | '_') {
            break;
        }
        url = &url[..url.len() - last.len_utf8()];
    }
    (url.len() > scheme.len()).then_some(url)
}

/// Whether `text` starts with `prefix`, ASCII letters of either case being the same.
pub(crate) fn starts_with_ignore_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
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

/// What follows a dash behind the link that ends at `end`, on the same line, as plain text.
pub(crate) fn note(body: &str, end: usize) -> String {
    let near = &body[end..body.floor_char_boundary(end + NOTE_BYTES)];
    let line = near.lines().next().unwrap_or("").trim_start();
    let Some(rest) = ["—", "–", "--", "-", ":"].iter().find_map(|dash| line.strip_prefix(dash)) else {
        return String::new();
    };
    let blocks = scan(rest.trim()).blocks;
    blocks.into_iter().map(|block| block.text).collect::<Vec<_>>().join(" ")
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
    /// The cells of the table row at hand.
    row: Vec<String>,
}

impl Scanner<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range.start),
            Event::End(tag) => self.end(tag, range),
            Event::Text(text) => self.running_text(&text, range),
            Event::Code(code) if matches!(self.inside.last(), Some(Inside::Heading(..))) => self.push(&code, range.start),
            Event::Code(code) => {
                let ticks = if code.contains('`') { "``" } else { "`" };
                self.push(&format!("{ticks}{code}{ticks}"), range.start);
            }
            // A tag in running text is mostly a name in angle brackets that lacks its backticks.
            Event::InlineHtml(html) if !html.starts_with("<!--") => self.push(&html, range.start),
            Event::SoftBreak | Event::HardBreak => self.push(" ", range.start),
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
        self.scan.links.push(ScannedLink { kind: LinkKind::Markdown, target, label, range });
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
            self.scan.links.push(ScannedLink { kind, target: target.into(), label: label.into(), range });
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
