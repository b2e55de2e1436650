//! What a page says in one or two sentences.

use std::collections::HashMap;

use crate::page::{PageSection, SitePage};

/// A summary is no longer than this, in characters.
const MAX_CHARS: usize = 300;

/// A shorter passage is no summary by itself, in characters.
const LEAST_CHARS: usize = 40;

/// The descriptions that stand on more than one page, and so are the site's.
pub(super) fn repeated_descriptions(pages: &[SitePage]) -> HashMap<&str, usize> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        *counts.entry(page.description.as_str()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 1);
    counts
}

/// The first prose of these sections: a paragraph, or several short ones.
pub(super) fn of_sections(sections: &[PageSection]) -> String {
    let mut summary = String::new();
    let paragraphs = sections.iter().flat_map(|section| section.body.split("\n\n")).filter(|block| is_prose(block));
    for paragraph in paragraphs.map(plain) {
        if paragraph.chars().count() < 12 && summary.is_empty() {
            continue;
        }
        if !summary.is_empty() {
            summary.push(' ');
        }
        summary.push_str(&paragraph);
        if summary.chars().count() >= LEAST_CHARS {
            break;
        }
    }
    cut(&summary)
}

fn is_prose(block: &str) -> bool {
    let first = block.trim_start().chars().next();
    first.is_some_and(|c| c.is_alphanumeric() || matches!(c, '`' | '*' | '"' | '“' | '„' | '«' | '「' | '(' | '['))
        && !block.starts_with("```")
        && !block.starts_with("**") // a label
        && !block.starts_with("[^")
        && !block.split_once(". ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()))
        && !block.contains("\n: ")
}

/// Markdown as plain text: without the targets of links, and without marks.
pub(super) fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    for part in super::repeats::without_targets(markdown) {
        out.push_str(part);
    }
    let mut text = String::with_capacity(out.len());
    let mut chars = out.chars().peekable();
    let mut is_code = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if !is_code && chars.peek().is_some_and(char::is_ascii_punctuation) => text.extend(chars.next()),
            '`' => is_code = !is_code,
            '*' | '[' | ']' if !is_code => {}
            '\n' => text.push(' '),
            c => text.push(c),
        }
    }
    crate::dom::one_line(&text)
}

/// At most [`MAX_CHARS`] characters, cut behind a sentence where one ends.
pub(super) fn cut(text: &str) -> String {
    let Some((limit, _)) = text.char_indices().nth(MAX_CHARS) else { return text.to_owned() };
    let start = &text[..limit];
    let sentence = start.char_indices().rev().find(|&(at, c)| {
        let after = start[at + c.len_utf8()..].chars().next();
        matches!(c, '。' | '！' | '？') || matches!(c, '.' | '!' | '?') && after.is_some_and(char::is_whitespace)
    });
    match sentence.filter(|(at, _)| *at > limit / 4) {
        Some((at, c)) => start[..at + c.len_utf8()].to_owned(),
        None => format!("{}…", start.rfind(' ').map_or(start, |at| &start[..at]).trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_prose_is_the_summary() {
        for (body, expected) in [
            (
                "> [!NOTE]\n> Mind it.\n\nTea is a [drink](x.html) made of *leaves* and `hot water`, for all.",
                "Tea is a drink made of leaves and hot water, for all.",
            ),
            (
                "```sh\ncurl x\n```\n\n- item\n\nShort but fine words here.\n\nMore words follow.",
                "Short but fine words here. More words follow.",
            ),
            ("1. One\n2. Two", ""),
            ("", ""),
            (
                "Stars \\* and \\[brackets\\] are text in this paragraph.",
                "Stars * and [brackets] are text in this paragraph.",
            ),
        ] {
            let section = PageSection { body: body.to_owned(), ..PageSection::default() };
            assert_eq!(of_sections(&[section]), expected, "{body}");
        }
    }

    #[test]
    fn long_summaries_end_with_a_sentence() {
        let text = format!("{} {}", "A sentence of some words.", "word ".repeat(100));
        assert!(cut(&text).ends_with('…'));
        let text = format!("{}. {}", "word ".repeat(30).trim(), "more ".repeat(60));
        assert_eq!(cut(&text), format!("{}.", "word ".repeat(30).trim()));
    }
}
