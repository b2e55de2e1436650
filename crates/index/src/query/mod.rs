//! Queries: from the words of a question to ranked pages.
//!
//! A [`Searcher`](searcher::Searcher) is an index and a ranking. Its stages, in the order in which a search runs:
//!
//! | stage | file |
//! |---|---|
//! | the files that a query will need are recorded | [`planner`] |
//! | the words of the text: which stop words are names, which words belong to an identifier | [`words`], [`name_lookup`] |
//! | the terms: words, compounds, corrections, completions | [`terms`], [`compounds`] |
//! | terms of very many pages only order what the others find | [`common_terms`] |
//! | what the titles and summaries of packs add | [`packs`] |
//! | all of this for one analysis | [`prepared`] |
//! | which pages count | [`filter`] |
//! | the best pages by their postings | [`candidates`], [`topk`], [`lazy_topk`], [`bm25`] |
//! | the best of these, rescored by their texts | [`rescore`], [`proximity`] |
//! | pages by name and by quotation come first | [`search`], [`names`], [`quotes`] |
//! | the components of a score | [`explain`] |

use crate::ids::PageNo;
use filter::Filter;

pub(crate) mod bm25;
pub(crate) mod searcher;
mod planner;
mod name_lookup;
mod words;
mod compounds;
mod terms;
pub(crate) mod common_terms;
mod packs;
mod prepared;
pub(crate) mod filter;
pub(crate) mod topk;
pub(crate) mod lazy_topk;
mod proximity;
mod rescore;
mod candidates;
pub(crate) mod names;
mod quotes;
pub(crate) mod explain;
mod search;
#[cfg(test)]
mod tests;

/// A query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'q> {
    /// The words that are searched for.
    pub text: &'q str,
    /// Words that only say where the others belong. They count for less, and find no page by themselves.
    pub context: &'q str,
    /// Whether the last word may be incomplete, as while a reader types.
    pub prefix: bool,
    /// Which pages count; none for all pages.
    pub filter: Option<&'q Filter>,
}

impl<'q> From<&'q str> for Query<'q> {
    fn from(text: &'q str) -> Self {
        Query { text, context: "", prefix: false, filter: None }
    }
}

/// A page of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The page.
    pub page: PageNo,
    /// Its score, which can be compared within one ranking only.
    pub score: f64,
    /// Whether the whole query is the page's title or one of its aliases, which puts the page first. If more than 16
    /// pages have that name, this is set for the best 16.
    pub exact: bool,
    /// Whether the page's title, aliases or summary hold every text that the query has between quotation marks, which
    /// puts the page next. This is not set for a page that is [`exact`](Hit::exact).
    pub quoted: bool,
}
