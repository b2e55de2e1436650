//! The limits of a run, with their defaults: how much is searched, read, kept and quoted. A stage's own constants stand in its
//! file.

use seealso_index::{Bm25, Filter};

use crate::tier::Tier;

/// The settings of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// The tier of the machine: it determines the budget of characters.
    pub tier: Tier,
    /// The pages that are searched.
    pub filter: Filter,
    /// The ranking's constants.
    pub bm25: Bm25,
    /// The most characters of a question; the rest is cut off.
    pub question_chars: usize,
    /// The most sub-queries of a question.
    pub sub_queries: usize,
    /// The hits that are kept of each sub-query's search.
    pub hits_per_sub_query: usize,
    /// The most hits that are read in all, the first of each sub-query, before their order is determined: at least as
    /// many as all sub-queries together can add to the merge.
    pub pages_read: usize,
    /// The most pages that one sub-query adds to the merge.
    pub pages_per_sub_query: usize,
    /// The most pages of the merge, before See Also.
    pub pages: usize,
    /// The most pages that See Also adds in each pack.
    pub see_also_per_pack: usize,
    /// The timeout of each attempt to fetch a page, in milliseconds.
    pub page_timeout_ms: u32,
    /// The timeout of each attempt to fetch the catalog or an index file, in milliseconds.
    pub index_timeout_ms: u32,
    /// A page of more bytes is refused.
    pub page_max_bytes: usize,
    /// An index file of more bytes is refused.
    pub index_max_bytes: usize,
    /// The passages that a quoted answer gives a question that stays whole; a part gets one less.
    pub passages: usize,
    /// The characters after which a quoted answer takes no further passage.
    pub quoted_chars: usize,
    /// The share of a sub-query's weight, in idf, that a page must contain before it can answer the sub-query (0 to 1).
    pub least_coverage: f64,
    /// The same share, if a name, or a third of the weight, is unknown to the index and to the page.
    pub least_coverage_of_foreign: f64,
}

impl Config {
    /// The limits of the merge that decides which hits are read.
    pub fn of_reading(&self) -> Config {
        Config { pages_per_sub_query: self.hits_per_sub_query, pages: self.pages_read, ..self.clone() }
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            tier: Tier::default(),
            filter: Filter::default(),
            bm25: Bm25::default(),
            question_chars: 2_000,
            sub_queries: 4,
            hits_per_sub_query: 8,
            pages_read: 16,
            pages_per_sub_query: 4,
            pages: 12,
            see_also_per_pack: 4,
            page_timeout_ms: 10_000,
            index_timeout_ms: 30_000,
            page_max_bytes: 4 << 20,
            index_max_bytes: 256 << 20,
            passages: 3,
            quoted_chars: 500,
            least_coverage: 0.25,
            least_coverage_of_foreign: 0.5,
        }
    }
}
