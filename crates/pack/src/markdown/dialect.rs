//! The lines that other dialects of Markdown give a meaning of their own: callouts, admonitions, tabs, containers,
//! footnotes, modules. Each line comes without its indentation; places count from there.

use super::event::Tag;
use super::signs;
use crate::seek::{find, holds};
use std::ops::Range;

/// Types of callouts whose text is the page's abstract.
const ABSTRACTS: [&str; 3] = ["abstract", "summary", "tldr"];

/// A block whose text is indented by four columns, below the line that opens it.
pub(super) struct Opening {
    pub(super) tag: Tag<'static>,
    /// Its title; `None` where the whole line is text.
    pub(super) title: Option<Range<usize>>,
}

/// Reads `!!! type "title"`, `??? type`, `=== "tab"` or a footnote's `[^label]: text`.
pub(super) fn opening(text: &str) -> Option<Opening> {
    if signs::note(text).is_some_and(|length| text[length..].starts_with(':')) {
        return Some(Opening { tag: Tag::Note, title: None });
    }
    let mark = ["!!! ", "???+ ", "??? ", "=== ", "===! ", "===+ "].into_iter().find(|mark| text.starts_with(mark))?;
    let quoted = text.find('"').map(|open| open + 1..text.rfind('"').unwrap_or(open));
    // A tab's title is always quoted.
    if text.starts_with('=') && quoted.is_none() {
        return None;
    }
    let title = quoted.unwrap_or(mark.len()..text.trim_ascii_end().len());
    let title = if title.is_empty() { 0..0 } else { title };
    Some(Opening { tag: Tag::Aside, title: Some(title) })
}

/// The title of a container's line, `::: type title`, `:::type[title]` or `:::{type} title`; empty where it has none,
/// as at its end.
pub(super) fn container(text: &str) -> Option<Range<usize>> {
    let inner = text.strip_prefix(":::")?.trim_start_matches(':').trim_start();
    let braced = inner.starts_with('{').then(|| inner.find('}')).flatten();
    let name = braced.map(|end| end + 1).or_else(|| inner.find([' ', '['])).unwrap_or(inner.len());
    let title = inner[name..].trim_ascii();
    let title = title.strip_prefix('[').and_then(|title| title.strip_suffix(']')).unwrap_or(title);
    let end = find(title, " {").unwrap_or(title.len());
    let none = title.contains('=') || title.starts_with('{') || title.ends_with(":::");
    Some(place(text, &title[..if none { 0 } else { end }]))
}

/// What the first line of a quote makes it if it is a callout's, `[!type] title`: what the quote is, and the title.
pub(super) fn callout(text: &str) -> Option<(Tag<'static>, Range<usize>)> {
    let (name, title) = text.strip_prefix("[!")?.split_once(']')?;
    let is_abstract = ABSTRACTS.iter().any(|known| known.eq_ignore_ascii_case(name));
    let title = title.strip_prefix(['+', '-']).unwrap_or(title).trim_ascii();
    Some((if is_abstract { Tag::Quote } else { Tag::Aside }, place(text, title)))
}

/// Whether a block that starts with this line is not text but JavaScript: imports and exports of a page.
pub(super) fn is_module(text: &str) -> bool {
    let from = holds(text, " from '") || holds(text, " from \"");
    let starts = |marks: &[&str]| marks.iter().any(|mark| text.starts_with(mark));
    starts(&["import {", "import * as ", "import '", "import \"", "export const ", "export default ", "export {"])
        || starts(&["export function ", "export async ", "export let ", "export *"])
        || from && starts(&["import "])
}

/// Whether the line is no text: a name for what follows, `(name)=`, a remark, `% text`, or another file's place.
pub(super) fn is_hidden(text: &str) -> bool {
    text.starts_with('(') && text.trim_ascii_end().ends_with(")=")
        || text.starts_with("% ")
        || text.starts_with("--8<--")
}

/// Where `part` stands in `text`, which it is a slice of.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;
