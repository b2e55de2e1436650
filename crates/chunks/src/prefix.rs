//! The prefix of a page's chunks: its title and first sentence, so that a chunk is found by what its page is about.
//!
//! Anthropic, "Introducing Contextual Retrieval" (2024), describes such prefixes, written by a model. This one is made by
//! a rule: it costs nothing, and no page leaves the machine.

use seealso_pack::{BlockKind, Page};

use crate::shorten::shorten;

/// What stands in place of a title where a page has none.
const UNTITLED: &str = "(untitled)";
/// The share of a prefix, as a divisor, that its title takes at most.
const TITLE_SHARE: usize = 3;
/// What opens the first paragraph of some pages, and says nothing.
const LABELS: [&str; 2] = ["Abstract:", "Abstract —"];

/// The prefix of a page's chunks, of at most `most` characters.
pub(crate) fn prefix(page: &Page, most: usize) -> String {
    let title = page.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = if title.is_empty() { UNTITLED } else { &title };
    let opening = first_prose(page);
    let sentence = first_sentence(&opening);
    if sentence.is_empty() {
        return shorten(title, most);
    }
    let title = shorten(title, most / TITLE_SHARE);
    let rest = most.saturating_sub(title.chars().count() + ": ".len());
    format!("{title}: {}", shorten(sentence, rest))
}

/// The page's first paragraph; its summary where it has none.
fn first_prose(page: &Page) -> String {
    let is_prose = |kind| matches!(kind, BlockKind::Paragraph | BlockKind::Quote);
    let first = page.own_blocks().into_iter().find(|block| is_prose(block.kind));
    let text = first.map_or_else(|| page.summary.clone(), |block| block.text);
    let unlabelled = LABELS.iter().find_map(|label| text.strip_prefix(label));
    unlabelled.unwrap_or(&text).trim().to_owned()
}

/// The text up to the end of its first sentence: a sign that ends one, behind a word of two letters or more, and before
/// a space that no small letter follows.
fn first_sentence(text: &str) -> &str {
    let mut word = 0;
    for (at, c) in text.char_indices() {
        let behind = &text[at + c.len_utf8()..];
        let is_end = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => word > 1 && starts_anew(behind),
            _ => false,
        };
        if is_end {
            return &text[..at + c.len_utf8()];
        }
        // In `e.g.` the second letter is a word of one letter.
        word = if c.is_alphanumeric() || matches!(c, ')' | '"' | '”' | '`' | '*') { word + 1 } else { 0 };
    }
    text
}

fn starts_anew(behind: &str) -> bool {
    let next = behind.trim_start();
    behind.is_empty() || next.len() < behind.len() && !next.starts_with(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_where_another_begins() {
        for (text, expected) in [
            ("Tea is hot. It cools.", "Tea is hot."),
            ("Tea, e.g. green, is hot. It cools.", "Tea, e.g. green, is hot."),
            ("Version 2.5 is out. See below.", "Version 2.5 is out."),
            ("J. S. Bach wrote it. Later he did not.", "J. S. Bach wrote it."),
            ("Is it? Yes.", "Is it?"),
            ("茶は飲み物です。熱い。", "茶は飲み物です。"),
            ("no end", "no end"),
            ("", ""),
        ] {
            assert_eq!(first_sentence(text), expected, "{text}");
        }
    }

    #[test]
    fn a_prefix_has_title_and_first_sentence() {
        for (title, body, expected) in [
            ("Tea", "# Tea\n\nA drink. Hot.\n", "Tea: A drink."),
            ("Tea", "> Abstract: A drink. Hot.\n", "Tea: A drink."),
            ("Tea", "## See Also\n\nA [pot](pot.md).\n", "Tea: Leaves."),
            ("", "A drink.\n", "(untitled): A drink."),
            (" Two\n words ", "A drink.\n", "Two words: A drink."),
        ] {
            let page = Page { title: title.into(), summary: "Leaves.".into(), body: body.into(), ..Page::default() };
            assert_eq!(prefix(&page, 300), expected, "{title} {body}");
        }
        let bare = Page { title: "Tea".into(), ..Page::default() };
        assert_eq!(prefix(&bare, 300), "Tea");
    }

    #[test]
    fn a_prefix_is_no_longer_than_allowed() {
        let page = |title: &str, body: &str| Page { title: title.into(), body: body.into(), ..Page::default() };
        assert_eq!(prefix(&page("Tea", "A drink made of leaves.\n"), 20), "Tea: A drink made…");
        for (title, body) in [("T".repeat(999), "Word ".repeat(99)), ("字".repeat(999), "字".repeat(999))] {
            for most in [3, 20, 300] {
                let length = prefix(&page(&title, &body), most).chars().count();
                assert!(length <= most, "{length} of {most}");
            }
        }
    }
}
