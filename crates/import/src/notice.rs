//! Notices by which a page says that it is of an old version.

use std::sync::LazyLock;

use crate::dom::{Dom, NodeId};
use crate::selector::Selector;

/// Banners above a page's text, as site generators and hosts write them.
static BANNERS: LazyLock<Selector> = LazyLock::new(|| {
    let banners = "[role=alert], [class*=version], [class*=banner], [class*=outdated], [class*=warning], [class*=alert], \
        .admonition, .notice, .callout";
    Selector::parse(banners).expect("a selector of this file is valid")
});

/// A notice is no longer than this, in bytes.
const MAX_BYTES: usize = 500;

/// So many paragraphs of a page may be a notice, those of banners aside.
const MOST_PARAGRAPHS: usize = 4;

/// What a notice speaks of, in small letters.
const SUBJECTS: [&str; 5] = ["documentation", "docs", "manual", "this version", "this page"];

/// What it says of that.
const SIGNS: [&str; 5] = [
    "no longer actively maintained",
    "this version is no longer supported",
    "not the latest version of th",
    "this version has reached its end of life",
    "this version is unsupported",
];

/// What it says it is, and the words before that.
const KINDS: [&str; 4] = ["an unsupported version", "an old version", "an older version", "an outdated version"];
const LEADS: [&str; 9] = ["for", "of", "is", "reading", "viewing", "at", "documents", "describes", "covers"];

/// How a notice begins; a page that is about versions begins otherwise.
const OPENINGS: [&str; 9] = [
    "this documentation",
    "this is documentation",
    "this is the documentation",
    "this page",
    "this manual",
    "this is a",
    "you are ",
    "you're ",
    "this version",
];

/// Words of which every notice has some; the page is not searched where its HTML has none.
const WORDS: [&str; 5] = ["unsupported", "outdated", "old", "no longer", "not the latest"];

/// Whether the page, read from `html`, has such a notice above its text.
pub(crate) fn says_old(dom: &Dom, html: &str) -> bool {
    if !html.contains("version")
        || !WORDS.iter().any(|word| memchr::memmem::find(html.as_bytes(), word.as_bytes()).is_some())
    {
        return false;
    }
    let banners = BANNERS.all(dom, Dom::ROOT);
    let paragraphs = dom.descendants(Dom::ROOT).filter(|&id| dom.name(id) == "p").take(MOST_PARAGRAPHS);
    banners.into_iter().chain(paragraphs).any(|id| is_notice(dom, id))
}

fn is_notice(dom: &Dom, id: NodeId) -> bool {
    let mut text = String::new();
    for part in dom.descendants(id).filter_map(|below| dom.text(below)) {
        text.push_str(part);
        if text.len() > MAX_BYTES * 4 {
            return false;
        }
    }
    let text = crate::dom::one_line(&text).to_lowercase().replace('\u{2019}', "'");
    // What stands before it is its label, such as "Warning".
    let is_opening = |opening: &&str| text.find(*opening).is_some_and(|at| at <= 24);
    text.len() <= MAX_BYTES
        && OPENINGS.iter().any(is_opening)
        && SUBJECTS.iter().any(|subject| text.contains(subject))
        && (SIGNS.iter().any(|sign| text.contains(sign)) || KINDS.iter().any(|kind| says_it_is(&text, kind)))
}

fn says_it_is(text: &str, kind: &str) -> bool {
    text.match_indices(kind)
        .any(|(at, _)| text[..at].split_whitespace().next_back().is_some_and(|word| LEADS.contains(&word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notices_of_old_versions_are_known() {
        for (html, expected) in [
            ("<p>This documentation is for an unsupported version of Teapot.</p>", true),
            ("<div class=alert>Warning: You\u{2019}re reading an old version of this documentation.</div>", true),
            (
                "<main><div class='theme-doc-version-banner'>This is documentation for <b>Tea 1</b>, which is no longer \
                 actively maintained.</div><h1>Tea</h1>",
                true,
            ),
            ("<p>You are viewing the docs for an outdated version of the kettle.</p>", true),
            ("<p>The whistle is no longer actively maintained; its documentation is gone.</p>", false),
            ("<p>This page tells how to migrate from an old version of the kettle, step by step.</p>", false),
            ("<p>This documentation is for all versions.</p>", false),
            ("<h1>Old versions</h1>", false),
        ] {
            assert_eq!(says_old(&Dom::parse(html).unwrap(), html), expected, "{html}");
        }
        let far = format!("{}<p>This documentation is for an old version of Tea.</p>", "<p>Text.</p>".repeat(9));
        assert!(!says_old(&Dom::parse(&far).unwrap(), &far));
    }
}
