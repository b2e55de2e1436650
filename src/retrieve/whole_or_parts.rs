//! `whole_or_parts`: whether a question is answered part by part or as a whole, where the rules that split it were
//! unsure. Both were searched; what covers the question better wins.
//!
//! The first pages of the parts are set against the first page of the whole question: the whole wins where that one page
//! holds more of the question's words, by weight, than those do together. Parts whose search lost what they are about
//! ("which route applies") fall behind so, while no one page holds what is said of two subjects.

use seealso_index::{Error, Hit, Index};

use crate::config::Config;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::fetch::Pages;
use crate::retrieve::rerank::held;
use crate::retrieve::search::Rankings;

/// The sub-queries that win, with their rankings, which are of the read `pages`; neither has an alternative any more.
/// Where both cover as much, the parts do.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn whole_or_parts(
    sub_queries: &SubQueries,
    rankings: Rankings,
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<(SubQueries, Rankings), Error> {
    if let (Some(whole), Some(ranking)) = (&sub_queries.whole, &rankings.whole) {
        let of_parts: Vec<Hit> = rankings.items.iter().filter_map(|part| part.hits.first()).copied().collect();
        let of_whole: Vec<Hit> = ranking.hits.first().copied().into_iter().collect();
        let held = |hits: &[Hit]| held(whole, hits, pages, index, config);
        if held(&of_whole)? > held(&of_parts)? {
            let rankings = Rankings { items: rankings.whole.into_iter().collect(), whole: None };
            return Ok((SubQueries::of_one(whole.clone()), rankings));
        }
    }
    Ok((SubQueries { whole: None, ..sub_queries.clone() }, rankings))
}
