//! Rescoring: the best pages by postings get what their texts add, that is common terms, words side by side, and whole
//! names.
//!
//! Reading the texts of a page takes a file, and a result list needs the texts of few pages. So two groups of a
//! ranking's best pages are read: those that would be the best if their words were side by side as in the query, and
//! then those that are the best by what was read. The first eight of a ranking were therefore read, unless a quotation
//! moved them there.

use super::Hit;
use super::prepared::PreparedQuery;
use super::proximity::QueryWord;
use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind};
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::ids::PageNo;
use crate::postings::profile::TermProfile;

/// How many of a ranking's best are considered for reading, however many are asked for.
pub(super) const CONSIDERED: usize = 64;
/// How many pages each of the two groups has: as many as an answer asks for.
pub(super) const GROUP: usize = 8;

impl Searcher<'_> {
    /// Rescores the best of `hits`, which come best first. Where the ranking does not use proximity, all hits get what
    /// common terms add.
    pub(super) fn rescore(self, prepared: &PreparedQuery, text: &str, hits: &mut [Hit]) -> Result<(), Error> {
        if self.bm25.adjacent <= 0.0 || hits.is_empty() {
            return self.add_common_terms(prepared, hits);
        }
        let words = self.words_for_proximity(prepared.analysis, text)?;
        let considered = hits.len().min(CONSIDERED);
        let mut read: Vec<PageNo> = Vec::new();
        for is_by_bound in [true, false] {
            let mut worth = Vec::with_capacity(considered);
            for hit in &hits[..considered] {
                worth.push(hit.score + if is_by_bound { self.proximity_bound(hit.page, &words)? } else { 0.0 });
            }
            let group = best_to_front(hits, &mut worth);
            self.prefetch_pages(group.iter().map(|hit| hit.page))?;
            for hit in group {
                if !read.contains(&hit.page) {
                    read.push(hit.page);
                    self.rescore_hit(prepared, &words, hit)?;
                }
            }
        }
        Ok(())
    }

    fn rescore_hit(self, prepared: &PreparedQuery, words: &[QueryWord], hit: &mut Hit) -> Result<(), Error> {
        self.add_common_terms(prepared, std::slice::from_mut(hit))?;
        hit.score += self.proximity(prepared.analysis, hit.page, words)?;
        Ok(())
    }

    /// Adds to the score of each hit what the common terms give it, by its texts and by the boosts of packs.
    fn add_common_terms(self, prepared: &PreparedQuery, hits: &mut [Hit]) -> Result<(), Error> {
        if !prepared.terms.iter().any(|term| term.common) {
            return Ok(());
        }
        self.prefetch_pages(hits.iter().map(|hit| hit.page))?;
        for hit in hits {
            for (order, term) in prepared.terms.iter().enumerate().filter(|(_, term)| term.common) {
                let profile = self.profile_in_texts(prepared.analysis, hit.page, &term.term)?;
                let idf = self.rarity(prepared.analysis, &term.term)?.0;
                hit.score += term.factor * idf * profile.norm(self.bm25, prepared.statistics.average_length);
                hit.score += prepared.boost(order, hit.page, &profile);
            }
        }
        Ok(())
    }

    /// A term's profile on a page, counted in the page's texts.
    pub(super) fn profile_in_texts(self, analysis: Analysis, page: PageNo, term: &str) -> Result<TermProfile, Error> {
        let entry = self.index.page(page)?;
        let texts =
            [(Field::Title, entry.title), (Field::Aliases, entry.aliases.join("\n")), (Field::Summary, entry.summary)];
        let (mut frequencies, mut length) = ([0; FIELDS], 0);
        for (field, text) in texts {
            // Joined compounds are searched for, but not indexed.
            for token in analysis.tokens_in(field, &text).into_iter().filter(|token| token.kind != Kind::Joined) {
                frequencies[field as usize] += u32::from(token.term == term);
                length += u32::from(!token.is_beside());
            }
        }
        Ok(TermProfile { frequencies, length })
    }
}

/// Moves the hits of the greatest `worth` to the front, equal ones by page; returns the first [`GROUP`] of them.
fn best_to_front<'h>(hits: &'h mut [Hit], worth: &mut [f64]) -> &'h mut [Hit] {
    let many = worth.len().min(GROUP);
    for place in 0..many {
        let better = |&a: &usize, &b: &usize| worth[a].total_cmp(&worth[b]).then(hits[b].page.cmp(&hits[a].page));
        let best = (place..worth.len()).max_by(better).unwrap_or(place);
        hits.swap(place, best);
        worth.swap(place, best);
    }
    &mut hits[..many]
}
