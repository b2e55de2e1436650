//! The searcher: an index and the ranking by which its pages are scored.

use super::bm25::Bm25;
use crate::analysis::Analysis;
use crate::error::Error;
use crate::index::Index;

/// An index that is searched by one ranking. It is cheap to make, and holds nothing of its own.
///
/// The ranking decides about scores only: what [`names_in`](Searcher::names_in) and
/// [`query_words`](Searcher::query_words) find does not depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Searcher<'i> {
    pub(super) index: &'i Index,
    pub(super) bm25: &'i Bm25,
}

impl Index {
    /// A searcher of this index by the ranking `bm25`.
    pub fn searcher<'i>(&'i self, bm25: &'i Bm25) -> Searcher<'i> {
        Searcher { index: self, bm25 }
    }
}

impl Searcher<'_> {
    /// The idf of `term` among the pages of `analysis`, and how many pages hold the term. A term that no page holds has
    /// the highest idf.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn rarity(self, analysis: Analysis, term: &str) -> Result<(f64, u32), Error> {
        let analyses = self.index.analyses();
        let pages = analyses.iter().find(|(known, _)| *known == analysis).map_or(0, |(_, s)| s.pages);
        let pages_with = self.index.pages_with(analysis, term)?;
        Ok((self.bm25.idf(pages, pages_with), pages_with))
    }
}
