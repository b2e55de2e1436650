//! The language of a question: its own function words indicate it, or else the packs.

use seealso_index::{Analysis, Index, QuestionWords};

/// A language whose question words are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuestionLanguage {
    pub(crate) analysis: Analysis,
    pub(crate) words: QuestionWords,
}

impl QuestionLanguage {
    pub(crate) fn english() -> QuestionLanguage {
        QuestionLanguage { analysis: Analysis::English, words: QuestionWords::english() }
    }

    /// The language with the most function words in `text`, of English and the languages of the packs; between equals,
    /// the one with more pages.
    pub(crate) fn of(text: &str, index: &Index) -> QuestionLanguage {
        let count = |analysis: Analysis| analysis.all_tokens(text).iter().filter(|token| token.stop).count();
        let mut best = (QuestionLanguage::english(), count(Analysis::English), 0);
        for (analysis, statistics) in index.analyses() {
            let Some(words) = QuestionWords::of(*analysis) else { continue };
            let (count, pages) = (count(*analysis), statistics.pages);
            if (count, pages) > (best.1, best.2) {
                best = (QuestionLanguage { analysis: *analysis, words }, count, pages);
            }
        }
        best.0
    }
}
