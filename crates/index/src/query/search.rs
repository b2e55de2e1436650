//! Search: the best pages for a query, those first that it names or quotes.

use std::cmp::Ordering;

use super::filter::Accept;
use super::names::MOST_COMPARED;
use super::quotes::{QUOTED_AMONG, quoted};
use super::rescore::CONSIDERED;
use super::searcher::Searcher;
use super::{Hit, Query};
use crate::error::Error;
use crate::ids::PageNo;
use crate::sort::sort_by;

impl Searcher<'_> {
    /// The `k` best pages for `query`: those whose name it is, then those whose title, aliases or summary hold what it
    /// has between quotation marks, then by score; equal ones by page number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn search<'q>(self, query: impl Into<Query<'q>>, k: usize) -> Result<Vec<Hit>, Error> {
        let query = query.into();
        let accept = self.filter(query.filter)?;
        let quotes = quoted(query.text);
        // The order of the best must not depend on how many are asked for. Pages that hold a quotation may come further
        // down.
        let listed = if quotes.is_empty() { k } else { k.max(QUOTED_AMONG) };
        let wanted = if self.bm25.adjacent > 0.0 { listed.max(CONSIDERED) } else { listed };
        let every_word = self.needs_every_word(query, &*accept)?;
        let mut hits = self.candidates(query, wanted, &*accept, every_word)?;
        self.add_named(query, &*accept, every_word, &mut hits)?;
        sort_by(&mut hits, best_first);
        hits.truncate(listed);
        let mut hits = self.move_quoting_first(&quotes, hits)?;
        hits.truncate(k);
        Ok(hits)
    }

    /// Adds the pages whose name the query is to the hits. If very many pages have one name, such as the introductions
    /// of a thousand packs, those are added that are the best by their postings.
    fn add_named(
        self,
        query: Query<'_>,
        accept: &Accept<'_>,
        every_word: bool,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        let mut pages = self.pages_named(query.text)?;
        pages.retain(|page| accept(page.0));
        if pages.len() > MOST_COMPARED {
            // As many for a long list as for a short one, which is its beginning.
            pages = self.best_by_postings(query, pages, MOST_COMPARED)?;
        }
        let pages = self.most_similar_named(query.text, pages)?;
        // All at once, since the texts of each page would take a round of their own.
        self.explain_each(query, &pages, &[], every_word, &mut |explanation| {
            let named = Hit { page: explanation.page, score: explanation.score, exact: true, quoted: false };
            match hits.iter_mut().find(|hit| hit.page == named.page) {
                Some(hit) => *hit = named,
                None => hits.push(named),
            }
        })
    }

    /// The `most` best of `pages` by their postings.
    fn best_by_postings(self, query: Query<'_>, pages: Vec<PageNo>, most: usize) -> Result<Vec<PageNo>, Error> {
        let mut scored: Vec<(f64, PageNo)> = Vec::with_capacity(pages.len());
        self.prepare_for_each(query, &pages, false, &mut |prepared, page| {
            scored.push((self.score_by_postings(prepared, page)?, page));
            Ok(())
        })?;
        sort_by(&mut scored, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(scored.into_iter().map(|(_, page)| page).take(most).collect())
    }
}

/// Exact names first, then by score, then by page.
fn best_first(a: &Hit, b: &Hit) -> Ordering {
    b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.page.cmp(&b.page))
}
