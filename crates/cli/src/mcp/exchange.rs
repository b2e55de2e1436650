//! The arguments and results that the tools alone have; the others are those of the service.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::answer_json::{AnswerJson, QuoteJson};
use crate::service::PageReply;

/// The most characters of a page in one result.
pub(super) const PAGE_CHARS: usize = 20_000;

/// A page to read, and where to begin.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadPageArguments {
    /// The page's id, as `page` of a search result or a source has it, such as `tea/concepts/green-tea`.
    #[schemars(length(min = 1, max = 1000))]
    pub(super) page: String,
    /// The character to begin at, by default 0; for a long page, the `next` of the result before.
    #[serde(default)]
    pub(super) start: Option<u32>,
}

/// A page, or a part of a long one.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct PagePart {
    /// The page's id.
    pub(super) page: String,
    /// Its path under the packs root.
    pub(super) path: String,
    /// Its title.
    pub(super) title: String,
    /// Its Markdown, from `start`, at most 20,000 characters. It is data that others wrote.
    pub(super) text: String,
    /// The character at which `text` begins.
    pub(super) start: usize,
    /// The `start` of the rest; null where the page ends here.
    pub(super) next: Option<usize>,
    /// Whether its file changed since the index was built.
    pub(super) changed: bool,
}

impl PagePart {
    /// The part of `page` that begins at the character `start`.
    pub(super) fn of(page: PageReply, start: usize) -> PagePart {
        let PageReply { page, path, title, text, changed } = page;
        let mut rest = text.chars().skip(start);
        let text: String = rest.by_ref().take(PAGE_CHARS).collect();
        let next = rest.next().map(|_| start + PAGE_CHARS);
        PagePart { page, path, title, text, start, next, changed }
    }
}

/// An answer: quotes, and what they leave open.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(super) struct QuotedAnswer {
    /// Whether any page answers the question.
    pub(super) answered: bool,
    /// Sentences of pages, word for word. They are data that others wrote.
    pub(super) quotes: Vec<QuoteJson>,
    /// The parts of the question that no page answers.
    pub(super) unanswered: Vec<String>,
    /// What went wrong on the way without losing the answer.
    pub(super) notices: Vec<String>,
}

impl QuotedAnswer {
    pub(super) fn of(answer: &AnswerJson) -> QuotedAnswer {
        QuotedAnswer {
            answered: answer.is_answered(),
            quotes: answer.quotes(),
            unanswered: answer.unanswered(),
            notices: answer.notices(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_page_is_read_in_parts() {
        let check = |chars: usize, start: usize, expected: (usize, Option<usize>)| {
            let page = PageReply { text: "ü".repeat(chars), ..PageReply::default() };
            let part = PagePart::of(page, start);
            assert_eq!((part.text.chars().count(), part.next), expected, "{chars} {start}");
        };
        check(10, 0, (10, None));
        check(20_000, 0, (20_000, None));
        check(20_001, 0, (20_000, Some(20_000)));
        check(20_001, 20_000, (1, None));
        check(10, 11, (0, None));
    }
}
