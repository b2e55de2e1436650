//! `rerank`: each sub-query's hits in a new order, once they are read.
//!
//! The index knows a page's names, its summary and the words that stand out in its body. A page that was read is known
//! whole, so the mean of the index's score and of BM25 over the full text counts, two scores of one formula (a linear
//! combination; Vogt and Cottrell 1999, "Fusion Via a Linear Combination of Scores"). docs/sentences.md has what this
//! brings. Nothing is compared between sub-queries here either.

use seealso_index::{Analysis, Bm25, Error, Hit, Index, sort_by};

use crate::config::Config;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::fetch::{FetchedPage, Pages};
use crate::retrieve::search::{BESIDE, Ranking, Rankings, lead};
use crate::trace::{Detail, detail};

/// BM25's constants for whole texts, in which a word's later occurrences tell more than in a summary.
const K1: f64 = 2.0;
const B: f64 = 0.75;

/// What release notes count beside a page that says how things are: they name all that a manual explains.
const RELEASE_NOTES_SHARE: f64 = 0.8;

/// Orders the hits of each of `rankings` that are among the read `pages` by index and text; what a sub-query names or
/// quotes stays first. Hits that were not read stay behind these, as they were; lost ones are none any more.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn rerank(
    rankings: &Rankings,
    sub_queries: &SubQueries,
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<Rankings, Error> {
    let is_lost = |hit: &&Hit| pages.lost.iter().any(|page| page.number == Some(hit.page));
    let mut items = Vec::new();
    for (ranking, sub_query) in rankings.all().zip(sub_queries.searched()) {
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        let mut terms = Terms { of: Vec::new(), sub_query, index, bm25: &config.bm25 };
        for hit in ranking.hits.iter().filter(|hit| !is_lost(hit)) {
            match pages.items.iter().find(|page| page.number == hit.page) {
                Some(page) => read.push(ScoredHit::of(*hit, page, terms.of(page.analysis)?)),
                None => unread.push(*hit),
            }
        }
        score(&mut read);
        let explained = read.iter().map(ScoredHit::explanation).collect();
        let hits: Vec<Hit> = read.iter().map(|read| read.hit).chain(unread).collect();
        let lead = match ranking.hits.iter().take(BESIDE).any(|hit| is_lost(&hit)) {
            true => lead_beside_lost(&hits, &ranking.hits),
            false => lead(&hits),
        };
        items.push(Ranking { sub_query: ranking.sub_query.clone(), lead, hits, explained });
    }
    Ok(Rankings::of(items, sub_queries))
}

/// How much of `sub_query` the pages of `hits` hold together: the weight of its words that stand on one of them, in idf.
///
/// # Errors
/// As [`rerank`].
pub(super) fn covered_weight(
    sub_query: &SubQuery,
    hits: &[Hit],
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<f64, Error> {
    let mut terms = Terms { of: Vec::new(), sub_query, index, bm25: &config.bm25 };
    let mut covered: Vec<Term> = Vec::new();
    for hit in hits {
        let Some(page) = pages.items.iter().find(|page| page.number == hit.page) else { continue };
        let read = ScoredHit::of(*hit, page, terms.of(page.analysis)?);
        for term in read.terms.into_iter().filter(|term| term.count > 0) {
            if let Err(place) = find(&covered, &term.text) {
                covered.insert(place, term);
            }
        }
    }
    Ok(covered.iter().map(|term| term.weight).sum())
}

/// How far the first of `hits` stands out where some of those that were `found` are lost: by the index's scores, beside what
/// is lost too, since nothing else is known of that.
fn lead_beside_lost(hits: &[Hit], found: &[Hit]) -> f64 {
    let mut found = found.to_vec();
    let place = hits.first().and_then(|best| found.iter().position(|hit| hit.page == best.page));
    place.map_or(0.0, |place| {
        found[..=place].rotate_right(1);
        lead(&found)
    })
}

/// Gives the pages of one ranking their scores, and puts the best first.
fn score(read: &mut Vec<ScoredHit>) {
    let bm25 = Bm25 { k1: K1, b: B, ..Bm25::default() };
    let lengths: Vec<(Analysis, u32)> = read.iter().map(|read| (read.analysis, read.length)).collect();
    for read in &mut *read {
        // Words of two languages, or pairs of characters, are not counted alike.
        let alike = || lengths.iter().filter(|(analysis, _)| *analysis == read.analysis);
        let average = alike().map(|&(_, length)| f64::from(length)).sum::<f64>() / alike().count().max(1) as f64;
        for term in &mut read.terms {
            term.score = bm25.term_score(term.weight, f64::from(term.count), read.length, average);
            read.by_text += term.score;
        }
        read.hit.score = read.share * (read.by_index + read.by_text) / 2.0;
    }
    sort_by(read, |a, b| {
        let (a, b) = (&a.hit, &b.hit);
        (b.exact, b.quoted).cmp(&(a.exact, a.quoted)).then(b.score.total_cmp(&a.score))
    });
}

/// A word of a sub-query.
#[derive(Clone)]
struct Term {
    text: String,
    /// Its idf, less where it is weak or of the context.
    weight: f64,
    /// How often the page has it.
    count: u32,
    score: f64,
}

/// The words of a sub-query, for each analysis that its pages have.
struct Terms<'r> {
    of: Vec<(Analysis, Vec<Term>)>,
    sub_query: &'r SubQuery,
    index: &'r Index,
    bm25: &'r Bm25,
}

impl Terms<'_> {
    fn of(&mut self, analysis: Analysis) -> Result<Vec<Term>, Error> {
        if let Some((_, terms)) = self.of.iter().find(|(known, _)| *known == analysis) {
            return Ok(terms.clone());
        }
        let terms = terms(self.sub_query, analysis, self.index, self.bm25)?;
        self.of.push((analysis, terms.clone()));
        Ok(terms)
    }
}

/// The words of `sub_query` that the index knows, sorted; how rare another is nobody can tell without all pages. A word that
/// is misspelt, or looked for in another form, counts in the index's score alone.
fn terms(sub_query: &SubQuery, analysis: Analysis, index: &Index, bm25: &Bm25) -> Result<Vec<Term>, Error> {
    let searcher = index.searcher(bm25);
    let mut terms: Vec<Term> = Vec::new();
    for (words, share) in [(&sub_query.text, 1.0), (&sub_query.context, bm25.context)] {
        let mut tokens = searcher.query_words(analysis, words)?;
        tokens.retain(|token| !token.stop && !token.is_beside());
        if tokens.is_empty() {
            // A context finds nothing alone.
            break;
        }
        for token in tokens {
            let (idf, pages_with) = searcher.rarity(analysis, &token.term)?;
            if let (Err(place), 1..) = (find(&terms, &token.term), pages_with) {
                let weight = idf * share * if token.weak { bm25.weak } else { 1.0 };
                terms.insert(place, Term { text: token.term, weight, count: 0, score: 0.0 });
            }
        }
    }
    Ok(terms)
}

/// The place of a word among sorted ones, or the one at which it would stand.
fn find(terms: &[Term], word: &str) -> Result<usize, usize> {
    terms.binary_search_by(|term| term.text.as_str().cmp(word))
}

/// A page that was read for a sub-query.
struct ScoredHit {
    hit: Hit,
    id: String,
    analysis: Analysis,
    by_index: f64,
    by_text: f64,
    /// What its score counts: 1, less of release notes.
    share: f64,
    /// Its length in words.
    length: u32,
    terms: Vec<Term>,
}

impl ScoredHit {
    fn of(hit: Hit, fetched: &FetchedPage, mut terms: Vec<Term>) -> ScoredHit {
        let (page, analysis, id) = (&fetched.page, fetched.analysis, fetched.id.clone());
        let words = fetched.page_text.words(page, analysis);
        for word in words {
            if let Ok(place) = find(&terms, word) {
                terms[place].count += 1;
            }
        }
        let share = if fetched.is_release_notes() { RELEASE_NOTES_SHARE } else { 1.0 };
        ScoredHit { hit, id, analysis, by_index: hit.score, by_text: 0.0, share, length: words.len() as u32, terms }
    }

    fn explanation(&self) -> Detail {
        let there = self.terms.iter().filter(|term| term.count > 0);
        let parts = there.map(|term| {
            let part = detail!({ "score": term.score, "weight": term.weight, "count": term.count });
            (term.text.clone(), part)
        });
        detail!({
            "page": self.id, "score": self.hit.score, "exact": self.hit.exact, "quoted": self.hit.quoted,
            "index": self.by_index, "text": self.by_text, "length": self.length, "terms": Detail::map(parts.collect()),
        })
    }
}

#[cfg(test)]
mod tests;
