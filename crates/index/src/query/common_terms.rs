//! Common terms: terms of so many pages that their lists are longer than all others together.
//!
//! In a million software packages every tenth page holds "library". Its list is long, and says little. In a large index
//! such a term therefore finds no page while the query has rarer terms. It only orders the best pages that these found:
//! its counts are read from the pages' own titles and summaries, which the result list needs anyway. Lucene's
//! `CommonTermsQuery` makes the same distinction. An index of up to 32,768 pages has no common terms.

use super::searcher::Searcher;
use super::terms::QueryTerm;
use crate::analysis::Analysis;
use crate::error::Error;

impl Searcher<'_> {
    /// Marks the common terms. Those of the query's own words are not marked with `every_word`, nor if no rarer term of
    /// these words finds pages: words of the context find none in their place.
    pub(super) fn mark_common(
        self,
        analysis: Analysis,
        terms: &mut [QueryTerm],
        every_word: bool,
    ) -> Result<(), Error> {
        let mut own_is_rare = false;
        for term in terms.iter_mut() {
            let pages_with = self.index.pages_with(analysis, &term.term)?;
            term.common = self.index.is_common(pages_with);
            own_is_rare |= term.own && pages_with > 0 && !term.common;
        }
        if every_word || !own_is_rare {
            terms.iter_mut().filter(|term| term.own).for_each(|term| term.common = false);
        }
        Ok(())
    }
}
