//! One topic of a pack: front matter and markdown read into a [`Page`], and written back.
//!
//! Reading never fails: what is missing is taken from elsewhere on the page and reported. The markdown itself
//! stays as written; its sections, blocks and links are found on demand.

use crate::block::{Block, BlockKind};
use crate::finding::Finding;
use crate::frontmatter::{self, Value};
use crate::links::Link;
use crate::markdown::{self, Scan, ScannedBlock};
use outline::Outline;
use serde::Serialize;

mod outline;
mod parse;
mod role;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use outline::{Anchors, Lines};
pub use role::PageRole;

/// The longest snippet, and the longest summary taken from a body, in characters.
const SNIPPET_CHARS: usize = 200;

/// A summary of fewer words is a label. From here on characters are half a word each.
const TELLING_WORDS: usize = 8;
const FIRST_WIDE: char = '\u{2e80}';

/// One topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page {
    /// Path below the pack's page root, such as `concepts/docker-image.md` or `services/x.md`.
    pub file: String,
    /// The title: from the front matter, else the first telling heading, else the file's name. Never empty.
    pub title: String,
    /// One sentence on what the page answers; taken from the body where the front matter has none. May be empty.
    pub summary: String,
    /// Other names of the topic.
    pub aliases: Vec<String>,
    /// Tags, as written.
    pub tags: Vec<String>,
    /// The page's language, where it says so.
    pub language: Option<String>,
    /// `category`, or the Open Knowledge `type`.
    pub category: Option<String>,
    /// The sources that the front matter lists; [`Page::source_links`] has those of the body.
    pub sources: Vec<Source>,
    /// All other front matter, as written: `slug`, `confidence`, `created`, `updated` and whatever else.
    pub fields: Vec<(String, Value)>,
    /// The markdown after the front matter: `\n` line ends, no byte order mark, no blank lines before it.
    pub body: String,
    /// The line of the file, from 1, at which `body` starts.
    pub body_line: usize,
    /// Whether it stands for a page of a site. The only places on it are then the ids that its headings state.
    pub is_on_site: bool,
}

/// A source that a page's front matter lists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Source {
    /// A URL, or a path as written (`raw/…` below the pack's folder).
    pub resource: String,
    /// Its title, where one is given.
    pub title: Option<String>,
}

/// A heading with all up to the next heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The heading as plain text; `None` for what stands before the first heading.
    pub heading: Option<String>,
    /// 1 to 6; 0 without a heading.
    pub level: u8,
    /// The heading's anchor in the page, unique there; empty without a heading. On a page of a site it is the id that the
    /// heading states, or the last one stated before it; empty where there is none, which is where the page begins.
    pub anchor: String,
    /// The markdown, heading included, without what no reader is to see: comments, remarks, scripts, site builders' tags.
    pub text: String,
    /// What the section is for.
    pub kind: SectionKind,
}

/// What a section is for. A deeper section below See Also, Sources or Key Points is of the same kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionKind {
    /// Before the first heading, or below an opening level 1 heading that repeats the title or names its place on a site's page.
    Lead,
    /// Prose.
    Body,
    /// `See Also`, `Related` and the like: links to neighbours.
    SeeAlso,
    /// Where the page's facts come from.
    Sources,
    /// The page in a few bullets.
    KeyPoints,
}

impl Page {
    /// Reads a page. `file` is its path below the page root; findings carry it. Reading takes linear time, and
    /// whatever `text` is, there is a page.
    pub fn parse(file: &str, text: &str) -> (Page, Vec<Finding>) {
        parse::parse(file, text)
    }

    /// Reads a page whose title, summary and other names are known, as from an index: its front matter is passed over.
    pub fn named(file: &str, text: &str, title: String, summary: String, aliases: Vec<String>) -> Page {
        parse::named(file, text, title, summary, aliases)
    }

    /// The sections, in order. Blank text before the first heading is none.
    pub fn sections(&self) -> Vec<Section> {
        let outline = Outline::of(self, &markdown::scan(&self.body));
        outline.sections.into_iter().map(|placed| placed.section).collect()
    }

    /// The prose, in order.
    pub fn blocks(&self) -> Vec<Block> {
        self.blocks_of(&|_, _| true)
    }

    /// The sections and the prose, in one reading.
    pub fn sections_and_blocks(&self) -> (Vec<Section>, Vec<Block>) {
        let scan = markdown::scan(&self.body);
        let outline = Outline::of(self, &scan);
        let blocks = scan.blocks.into_iter().map(|block| block_of(block, &outline)).collect();
        (outline.sections.into_iter().map(|placed| placed.section).collect(), blocks)
    }

    /// The blocks that speak of the topic itself: no code, and nothing below See Also or Sources.
    pub fn own_blocks(&self) -> Vec<Block> {
        self.blocks_of(&|kind, section| {
            kind != BlockKind::Code && !matches!(section, Some(SectionKind::SeeAlso | SectionKind::Sources))
        })
    }

    fn blocks_of(&self, wanted: &dyn Fn(BlockKind, Option<SectionKind>) -> bool) -> Vec<Block> {
        let scan = markdown::scan(&self.body);
        let outline = Outline::of(self, &scan);
        let wanted = |block: &ScannedBlock| wanted(block.kind, outline.kind_at(block.at));
        scan.blocks.into_iter().filter(wanted).map(|block| block_of(block, &outline)).collect()
    }

    /// Whether the summary says something by itself, and is no mere label, such as "How tea is made", nor cut off.
    pub fn has_telling_summary(&self) -> bool {
        let wide = self.summary.chars().filter(|c| *c >= FIRST_WIDE).count();
        let words = self.summary.split_whitespace().count() + wide / 2;
        words >= TELLING_WORDS && !self.summary.ends_with('…')
    }

    /// The summary, where it says something that the body does not say. A reader of the page is shown it first.
    pub fn unsaid_summary(&self) -> Option<&str> {
        let is_said = || self.own_blocks().iter().any(|block| block.text.contains(&self.summary));
        (self.has_telling_summary() && !is_said()).then_some(&self.summary)
    }

    /// The links of the See Also or Related section, up to the next heading of its level or a higher one.
    pub fn see_also(&self) -> Vec<Link> {
        self.links(|kind| kind == Some(SectionKind::SeeAlso))
    }

    /// Whether there is a See Also or Related section, empty or not.
    pub fn has_see_also(&self) -> bool {
        self.sections().iter().any(|section| section.kind == SectionKind::SeeAlso)
    }

    /// All links of the body.
    pub fn body_links(&self) -> Vec<Link> {
        self.links(|_| true)
    }

    /// The links of the Sources section, bare URLs included.
    pub fn source_links(&self) -> Vec<Link> {
        self.links(|kind| kind == Some(SectionKind::Sources))
    }

    /// The links of the sections that `wanted` accepts.
    fn links(&self, wanted: impl Fn(Option<SectionKind>) -> bool) -> Vec<Link> {
        let scan = markdown::scan(&self.body);
        let outline = Outline::of(self, &scan);
        let mut lines = Lines::new(&self.body, self.body_line);
        let mut links = Vec::new();
        for link in scan.links {
            if wanted(outline.kind_at(link.range.start)) {
                let line = lines.line_at(link.range.start);
                links.push(Link { target: link.target, label: link.label, kind: link.kind, line, note: link.note });
            }
        }
        links
    }

    /// The first prose, an abstract preferred (without its `Abstract:`), at most 200 characters, cut at a word with
    /// an ellipsis. Empty where the page has no prose.
    pub fn snippet(&self) -> String {
        cut(&lead_prose(&markdown::scan(&self.body)), SNIPPET_CHARS)
    }

    /// Writes the page in the wiki dialect; reading that gives the page again.
    pub fn to_markdown(&self) -> String {
        let mut known: Vec<(&str, Value)> = vec![("title", Value::Text(self.title.clone()))];
        let lines = |lines: &[String]| Value::List(lines.iter().cloned().map(Value::Text).collect());
        for (key, values) in [("aliases", &self.aliases), ("tags", &self.tags)] {
            if !values.is_empty() {
                known.push((key, lines(values)));
            }
        }
        for (key, value) in [("language", &self.language), ("category", &self.category)] {
            known.extend(value.clone().map(|value| (key, Value::Text(value))));
        }
        if !self.sources.is_empty() {
            known.push(("sources", Value::List(self.sources.iter().map(Source::value).collect())));
        }
        if !self.summary.is_empty() {
            known.push(("summary", Value::Text(self.summary.clone())));
        }
        let all = known.iter().map(|(key, value)| (*key, value));
        let all = all.chain(self.fields.iter().map(|(key, value)| (key.as_str(), value)));
        format!("---\n{}---\n\n{}", frontmatter::write(all), self.body)
    }

    /// A front matter field that has no place of its own in the page, as one line of text.
    pub fn field(&self, key: &str) -> Option<String> {
        let (_, value) = self.fields.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        Some(value.line()).filter(|line| !line.is_empty())
    }
}

impl Source {
    fn value(&self) -> Value {
        match &self.title {
            None => Value::Text(self.resource.clone()),
            Some(title) => Value::Map(vec![
                ("resource".into(), Value::Text(self.resource.clone())),
                ("title".into(), Value::Text(title.clone())),
            ]),
        }
    }
}

/// A block with its section.
fn block_of(block: ScannedBlock, outline: &Outline) -> Block {
    let ScannedBlock { kind, text, heads, list, at } = block;
    Block { section: outline.index_at(at), kind, text, heads, list }
}

/// The first prose of a page: its abstract where one opens the same section, else its first paragraph, else its
/// first list item or callout.
fn lead_prose(scan: &Scan) -> String {
    let is_prose = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Quote);
    let prose = || scan.blocks.iter().filter(|block| is_prose(block.kind));
    let Some(first) = prose().next() else {
        let item = scan.blocks.iter().find(|block| matches!(block.kind, BlockKind::ListItem | BlockKind::Aside));
        return item.map(|block| block.text.clone()).unwrap_or_default();
    };
    // An abstract stands before the second heading; a warning sign marks an editor's remark.
    let end = scan.headings.iter().map(|heading| heading.at).find(|&at| at > first.at).unwrap_or(usize::MAX);
    let quoted = prose().take_while(|block| block.at < end);
    let found = quoted.clone().find(|block| block.kind == BlockKind::Quote && !block.text.starts_with('⚠'));
    let text = found.unwrap_or(first).text.as_str();
    let stripped = text.strip_prefix("Abstract:").or_else(|| text.strip_prefix("Abstract —"));
    stripped.unwrap_or(text).trim().to_string()
}

/// At most `limit` characters of one line of text, cut at a word and marked with an ellipsis.
fn cut(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_string();
    }
    let end = text.char_indices().nth(limit - 1).map_or(text.len(), |(at, _)| at);
    // Scripts without spaces have no word to cut at.
    let word = text[..end].rfind(' ').filter(|&space| space > end / 2).unwrap_or(end);
    format!("{}…", text[..word].trim_end())
}
