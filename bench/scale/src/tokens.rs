//! The tokens of seealso's own analysis, which all engines index.

use std::ops::Range;

use seealso_index::Analysis;

/// The tokens of `text` in reading order, stop words included.
pub(crate) fn all_tokens(text: &str) -> Vec<String> {
    Analysis::English.all_tokens(text).into_iter().map(|token| token.term).collect()
}

/// Where the words of `text` stand that are no stop words.
pub(crate) fn content_places(text: &str) -> Vec<Range<usize>> {
    Analysis::English.tokens(text).iter().map(|token| token.start..token.end).collect()
}
