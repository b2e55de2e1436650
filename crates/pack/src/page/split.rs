//! Splits a page's text into front matter and body.

use crate::frontmatter::{Language, spaceless_key};
use crate::seek::find;

/// How the front matter is set off.
#[derive(Debug, PartialEq)]
pub(super) enum Fence {
    Closed,
    Unclosed,
    Missing,
}

/// A page's text taken apart.
pub(super) struct Split<'a> {
    pub(super) front: &'a str,
    /// The line at which `front` starts.
    pub(super) front_line: usize,
    pub(super) language: Language,
    /// The line that closes the front matter.
    pub(super) mark: &'static str,
    pub(super) body: &'a str,
    pub(super) body_line: usize,
    pub(super) fence: Fence,
}

/// The lines that open front matter, with what closes it and what it is written in. YAML may end with `...` too; JSON
/// without fences has its own braces around it.
const MARKS: [(&str, &str, Language); 7] = [
    ("---", "---", Language::Yaml),
    ("+++", "+++", Language::Toml),
    (";;;", ";;;", Language::Json),
    ("{", "}", Language::Json),
    ("---yaml", "---", Language::Yaml),
    ("---toml", "---", Language::Toml),
    ("---json", "---", Language::Json),
];

impl<'a> Split<'a> {
    pub(super) fn of(text: &'a str) -> Split<'a> {
        let whole = || Split::at(text, (0, 0, 0), 0, MARKS[0].1, Language::Yaml, Fence::Missing);
        let Some((first, _)) = text.split_once('\n') else { return whole() };
        let Some((mark, close, language)) = MARKS.into_iter().find(|(mark, ..)| *mark == first.trim_end()) else {
            return whole();
        };
        let open = first.len() + 1;
        let parts = match FrontEnd::find(&text[open..], close, language) {
            FrontEnd::NotFront => return whole(),
            FrontEnd::Fence { start: _, end } if mark == "{" => (0, open + end, open + end),
            FrontEnd::Fence { start, end } => (open, open + start, open + end),
            FrontEnd::Prose(at) => {
                return Split::at(text, (open, open + at, open + at), 2, close, language, Fence::Unclosed);
            }
        };
        Split::at(text, parts, if parts.0 == 0 { 1 } else { 2 }, close, language, Fence::Closed)
    }

    /// Front matter from the first to the second of the places, the body from the third on, without the blank lines it
    /// starts with.
    fn at(
        text: &'a str,
        (open, close, mut body): (usize, usize, usize),
        front_line: usize,
        mark: &'static str,
        language: Language,
        fence: Fence,
    ) -> Split<'a> {
        while let Some((line, _)) = text[body..].split_once('\n')
            && line.trim().is_empty()
        {
            body += line.len() + 1;
        }
        if text[body..].trim().is_empty() {
            body = text.len();
        }
        let body_line = 1 + text.as_bytes()[..body].iter().filter(|&&byte| byte == b'\n').count();
        Split { front: &text[open..close], front_line, language, mark, body: &text[body..], body_line, fence }
    }
}

/// Where front matter ends; offsets are from behind the line that opens it.
enum FrontEnd {
    /// At a closing fence, from its start to the start of the next line.
    Fence { start: usize, end: usize },
    /// Unclosed, at the first line that must be prose.
    Prose(usize),
    /// What follows holds no key: the first line was a rule or a brace.
    NotFront,
}

impl FrontEnd {
    fn find(text: &str, close: &str, language: Language) -> FrontEnd {
        let (mut at, mut keys, mut after_blank) = (0, language == Language::Json, false);
        // The first heading behind a blank line may be a comment: prose behind it decides.
        let mut heading = None;
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_end();
            if trimmed == close || (trimmed == "..." && language == Language::Yaml) {
                let fence = FrontEnd::Fence { start: at, end: at + line.len() };
                return if keys || at == 0 { fence } else { FrontEnd::NotFront };
            }
            let kind = LineKind::of(trimmed, language);
            keys |= kind == LineKind::Key;
            match kind {
                LineKind::Heading if after_blank => {
                    heading.get_or_insert(at);
                }
                LineKind::Prose if !keys => return FrontEnd::NotFront,
                LineKind::Prose => {
                    if let Some(heading) = heading {
                        return FrontEnd::Prose(heading);
                    }
                }
                _ => {}
            }
            after_blank = trimmed.is_empty();
            at += line.len();
        }
        // Only a closing mark tells JSON from a text that starts with a brace.
        match keys && language != Language::Json {
            true => FrontEnd::Prose(heading.unwrap_or_else(|| first_blank(text))),
            false => FrontEnd::NotFront,
        }
    }
}

/// Unclosed front matter without a heading after it ends at its first blank line.
fn first_blank(text: &str) -> usize {
    find(text, "\n\n").map_or(text.len(), |at| at + 1)
}

#[derive(PartialEq)]
enum LineKind {
    Key,
    Heading,
    Prose,
    /// Blank, indented, a list item, a table or the like: could be either.
    Other,
}

impl LineKind {
    fn of(line: &str, language: Language) -> LineKind {
        if line.is_empty() || line.starts_with([' ', '\t', '-', ']', '}']) {
            return LineKind::Other;
        }
        if line.starts_with('#') {
            let level = line.bytes().take_while(|&byte| byte == b'#').count();
            return if line[level..].starts_with(' ') { LineKind::Heading } else { LineKind::Other };
        }
        let is_key = match language {
            Language::Toml if line.starts_with('[') => return LineKind::Other,
            Language::Toml => line.contains('='),
            _ => is_yaml_key(line),
        };
        if is_key { LineKind::Key } else { LineKind::Prose }
    }
}

/// A key of front matter is short; a sentence with a colon in it mostly is not.
fn is_yaml_key(line: &str) -> bool {
    let key = line
        .split_once(':')
        .filter(|(key, rest)| key.len() <= 40 && (rest.is_empty() || rest.starts_with([' ', '\t'])));
    key.is_some() || spaceless_key(line).is_some()
}
