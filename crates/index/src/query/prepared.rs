//! A prepared query: its terms and boosts for the pages of one analysis.

use super::Query;
use super::packs::PackBoost;
use super::searcher::Searcher;
use super::terms::QueryTerm;
use crate::analysis::Analysis;
use crate::error::{Error, try_all};
use crate::format::root::Statistics;
use crate::ids::PageNo;
use crate::postings::profile::TermProfile;

/// A query, prepared for the pages of one analysis.
#[derive(Debug)]
pub(crate) struct PreparedQuery {
    pub(crate) analysis: Analysis,
    /// The statistics of the analysis.
    pub(crate) statistics: Statistics,
    /// The terms. Where they are called by their order, it is this.
    pub(crate) terms: Vec<QueryTerm>,
    /// The boosts of packs, in the order of the terms.
    pub(crate) boosts: Vec<PackBoost>,
    /// Whether common terms of the query's own words find pages too.
    pub(crate) every_word: bool,
}

impl PreparedQuery {
    /// What the packs' boost of the term at `order` adds to the score of `page`, where the term has that profile.
    pub(crate) fn boost(&self, order: usize, page: PageNo, profile: &TermProfile) -> f64 {
        let boost = self.boosts.iter().find(|boost| boost.order == order);
        boost.map_or(0.0, |boost| boost.score(page, profile))
    }
}

impl Searcher<'_> {
    /// Prepares a query. With `every_word` common terms of its own words find pages too.
    pub(super) fn prepare(
        self,
        analysis: Analysis,
        statistics: Statistics,
        query: Query<'_>,
        every_word: bool,
    ) -> Result<PreparedQuery, Error> {
        let mut terms = self.query_terms(analysis, query)?;
        self.mark_common(analysis, &mut terms, every_word)?;
        let boosts = self.pack_boosts(analysis, &statistics, &terms)?;
        Ok(PreparedQuery { analysis, statistics, terms, boosts, every_word })
    }

    /// Calls `visit` for each of `pages`, with the query prepared for it.
    pub(super) fn prepare_for_each(
        self,
        query: Query<'_>,
        pages: &[PageNo],
        every_word: bool,
        visit: &mut dyn FnMut(&PreparedQuery, PageNo) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut last: Option<PreparedQuery> = None;
        try_all(pages.iter().map(|&page| {
            let (analysis, statistics) = self.index.analysis_of_page(page)?;
            if last.as_ref().is_none_or(|last| last.analysis != analysis) {
                last = Some(self.prepare(analysis, statistics, query, every_word)?);
            }
            last.as_ref().map_or(Ok(()), |prepared| visit(prepared, page))
        }))
    }
}
