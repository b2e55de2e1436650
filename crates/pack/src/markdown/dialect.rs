//! The lines that other dialects of Markdown give a meaning of their own: callouts, admonitions, tabs, containers,
//! footnotes. Each line comes without its indentation; places count from there.

use super::event::Tag;
use super::signs;
use crate::seek::find;
use std::ops::Range;

/// Types of callouts whose text is the page's abstract.
const ABSTRACTS: [&str; 3] = ["abstract", "summary", "tldr"];

/// Types of containers that may have a title without brackets, each between spaces.
const CONTAINERS: &str = " abstract admonition attention bug caution danger details dropdown error example failure hint \
    important info note question quote seealso spoiler success summary tab tab-item tabs tip todo warning ";

/// A block whose text is indented by four columns, below the line that opens it.
pub(super) struct OpeningLine {
    pub(super) tag: Tag<'static>,
    /// Its title; `None` where the whole line is text.
    pub(super) title: Option<Range<usize>>,
}

/// Reads `!!! type "title"`, `??? type`, `=== "tab"` or a footnote's `[^label]: text`.
pub(super) fn opening(text: &str) -> Option<OpeningLine> {
    if signs::note(text).is_some_and(|label| text[label.len() + 3..].starts_with(':')) {
        return Some(OpeningLine { tag: Tag::Note, title: None });
    }
    let mark = ["!!! ", "???+ ", "??? ", "=== ", "===! ", "===+ "].into_iter().find(|mark| text.starts_with(mark))?;
    let rest = text[mark.len()..].trim_ascii();
    let title = if mark.starts_with('=') { quoted(rest)? } else { admonition(rest)? };
    let title = if title.is_empty() { 0..0 } else { place(text, title) };
    Some(OpeningLine { tag: Tag::Aside, title: Some(title) })
}

/// The title of an admonition: the one in quotes that stands behind its classes, or else the classes. Without a title
/// it has one class, and may have those that place it.
fn admonition(text: &str) -> Option<&str> {
    let quote = text.find('"').unwrap_or(text.len());
    let classes = text[..quote].trim_ascii_end();
    let is_class = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'))
    };
    if classes.is_empty() || !classes.split(' ').all(|word| word.is_empty() || is_class(word)) {
        return None;
    }
    if quote < text.len() {
        return quoted(&text[quote..]);
    }
    classes.split(' ').skip(1).all(|word| matches!(word, "" | "inline" | "end")).then_some(text)
}

/// The text of the quotes that are all of `text`.
fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"').filter(|inner| !inner.contains('"'))
}

/// The title of a line that opens or ends a container, with colons or as `/// type | title`.
pub(super) fn container(text: &str) -> Option<Range<usize>> {
    let Some(inner) = text.strip_prefix("///") else { return colons(text) };
    let inner = inner.trim_start_matches('/');
    let (kind, title) = inner.split_once('|').unwrap_or((inner, &inner[inner.len()..]));
    let known = CONTAINERS.contains(&[" ", kind.trim_ascii(), " "].concat());
    (known || inner.trim_ascii().is_empty()).then(|| place(text, title.trim_ascii()))
}

/// The title of a container's line, `::: type title`, `:::type[title]` or `:::{type} title`; empty where it has none,
/// as at its end. Of the types without braces only known ones have a title without brackets: else it is a sentence.
fn colons(text: &str) -> Option<Range<usize>> {
    let inner = text.strip_prefix(":::")?.trim_start_matches(':').trim_start();
    let braced = inner.starts_with('{').then(|| inner.find('}')).flatten();
    let name = braced.map(|end| end + 1).or_else(|| inner.find([' ', '['])).unwrap_or(inner.len());
    let title = inner[name..].trim_ascii();
    let bracketed = title.strip_prefix('[').and_then(|title| title.strip_suffix(']'));
    let attributes = title.starts_with('{') || title.split(' ').next().and_then(|word| word.find('=')) > Some(0);
    let none = attributes || title.bytes().all(|byte| byte == b':');
    let known = [" ", &inner[..name].to_ascii_lowercase(), " "].concat();
    let titled = none || bracketed.is_some() || braced.is_some() || CONTAINERS.contains(&known);
    let title = bracketed.unwrap_or(title);
    let end = find(title, " {").unwrap_or(title.len());
    titled.then(|| place(text, &title[..if none { 0 } else { end }]))
}

/// What the first line of a quote makes it if it is a callout's, `[!type] title`: what the quote is, and the title.
pub(super) fn callout(text: &str) -> Option<(Tag<'static>, Range<usize>)> {
    let (name, title) = text.strip_prefix("[!")?.split_once(']')?;
    let is_abstract = ABSTRACTS.iter().any(|known| known.eq_ignore_ascii_case(name));
    let title = title.strip_prefix(['+', '-']).unwrap_or(title).trim_ascii();
    Some((if is_abstract { Tag::Quote } else { Tag::Aside }, place(text, title)))
}

/// Whether the line is no text: a name for what follows, `(name)=`, another file's place, the place of the page's
/// contents, or what an abbreviation stands for.
pub(super) fn is_hidden(text: &str) -> bool {
    let name = text.trim_ascii_end().strip_prefix('(').and_then(|rest| rest.strip_suffix(")="));
    let file = text.strip_prefix("--8<--").map(str::trim_ascii);
    let contents = ["[TOC]", "[[TOC]]", "[[_TOC_]]"].contains(&text.trim_ascii_end());
    let short = text.strip_prefix("*[").and_then(|rest| rest.split_once(']'));
    let abbreviation = short.is_some_and(|(short, long)| !short.is_empty() && long.starts_with(": "));
    contents
        || abbreviation
        || text.strip_prefix("<<< ").is_some_and(|file| file.starts_with(['@', '.', '/']))
        || name.is_some_and(|name| !name.contains([' ', '(', ')']))
        || file.is_some_and(|file| file.is_empty() || file.starts_with(['"', '\'']))
}

/// The length of the remark whose lines start with `% `, at the start of `text`, the rest of a page. One such line alone
/// may be a sentence.
pub(super) fn remark(text: &str) -> Option<usize> {
    let lines = || text.split_inclusive('\n').take_while(|line| line.starts_with("% ") || line.trim_ascii() == "%");
    let follows = |length: usize| text[length..].lines().next().is_none_or(|line| line.trim_ascii().is_empty());
    let length = lines().map(str::len).sum();
    (text.starts_with("% ") && lines().count() > 1 && follows(length)).then_some(length)
}

/// Where `part` stands in `text`, which it is a slice of.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

#[cfg(test)]
mod generated;
#[cfg(test)]
mod prose;
#[cfg(test)]
mod tests;
