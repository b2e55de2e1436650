//! Search: the pages that hold a question's words, best first, and why.

use crate::analysis::{Analysis, Token};
use crate::bm25::{Bm25, FIELDS, Frequencies};
use crate::error::Error;
use crate::order::sort_by;
use crate::reader::{Index, PageNo};

/// One page of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The page.
    pub page: PageNo,
    /// Its BM25 score; comparable within one ranking only.
    pub score: f64,
    /// Whether the whole query is the page's title or an alias, which puts it first.
    pub exact: bool,
}

/// Why a page has its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The page.
    pub page: PageNo,
    /// The sum of the terms' scores.
    pub score: f64,
    /// Whether the whole query is the page's title or an alias.
    pub exact: bool,
    /// The page's length in tokens.
    pub length: u32,
    /// The mean length, in tokens, of the pages it is compared with.
    pub average_length: f64,
    /// Each term of the query that the page holds.
    pub terms: Vec<TermScore>,
}

/// One term's part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term as it stands in the dictionary.
    pub term: String,
    /// How many pages hold it.
    pub pages_with: u32,
    /// Its rarity.
    pub idf: f64,
    /// Its counts in the page's fields.
    pub frequencies: Frequencies,
    /// The counts with their weights.
    pub weighted: f64,
    /// What the term counts in the query: 1, or less for a word of the context.
    pub factor: f64,
    /// The part of the page's score.
    pub score: f64,
}

/// What is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query<'q> {
    /// The words.
    pub text: &'q str,
    /// Words that only say where the others belong; they count for less, and alone they find nothing.
    pub context: &'q str,
}

impl<'q> From<&'q str> for Query<'q> {
    fn from(text: &'q str) -> Self {
        Query { text, context: "" }
    }
}

impl Index {
    /// The `k` best pages for `query`: those whose name it is, then by score, ties by page number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged.
    pub fn search<'q>(&self, query: impl Into<Query<'q>>, k: usize, bm25: &Bm25) -> Result<Vec<Hit>, Error> {
        let query = query.into();
        let named = self.named(query.text)?;
        let mut hits = self.score_all(query, bm25)?;
        let scored = hits.len();
        for page in named {
            match hits[..scored].binary_search_by_key(&page, |hit| hit.page) {
                Ok(at) => hits[at].exact = true,
                // A name of stop words alone has no term of its own.
                Err(_) => hits.push(Hit { page, score: 0.0, exact: true }),
            }
        }
        keep_best(&mut hits, k);
        Ok(hits)
    }

    /// Every page that holds a word of `query`, by rising number.
    fn score_all(&self, query: Query<'_>, bm25: &Bm25) -> Result<Vec<Hit>, Error> {
        let mut scores = vec![0.0f64; self.len() as usize];
        let mut touched = Vec::new();
        for (analysis, statistics) in self.analyses() {
            for (term, factor) in factors(&|text| analysis.tokens_and_forms(text), query, bm25) {
                let postings = self.postings(*analysis, &term)?;
                let idf = bm25.idf(statistics.pages, postings.len() as u32);
                for posting in postings {
                    let slot = &mut scores[posting.page.0 as usize];
                    if *slot == 0.0 {
                        touched.push(posting.page);
                    }
                    let weighted = bm25.weighted(&posting.frequencies);
                    *slot +=
                        factor * bm25.term_score(idf, weighted, self.length(posting.page), statistics.average_length);
                }
            }
        }
        sort_by(&mut touched, PageNo::cmp);
        touched.dedup();
        Ok(touched.into_iter().map(|page| Hit { page, score: scores[page.0 as usize], exact: false }).collect())
    }

    /// Every component of `page`'s score for `query`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged or has no such page.
    pub fn explain<'q>(&self, query: impl Into<Query<'q>>, page: PageNo, bm25: &Bm25) -> Result<Explanation, Error> {
        let query = query.into();
        let pack = self.page(page)?.pack;
        let analysis = self.packs()[pack.0].analysis;
        let Some((_, statistics)) = self.analyses().iter().find(|(known, _)| *known == analysis) else {
            return Err(Error::corrupt("meta data", "a pack's analysis has no statistics"));
        };
        let mut terms = Vec::new();
        for (term, factor) in factors(&|text| analysis.tokens_and_forms(text), query, bm25) {
            let postings = self.postings(analysis, &term)?;
            let Ok(at) = postings.binary_search_by_key(&page, |posting| posting.page) else { continue };
            let idf = bm25.idf(statistics.pages, postings.len() as u32);
            let weighted = bm25.weighted(&postings[at].frequencies);
            terms.push(TermScore {
                term,
                pages_with: postings.len() as u32,
                idf,
                frequencies: postings[at].frequencies,
                weighted,
                factor,
                score: factor * bm25.term_score(idf, weighted, self.length(page), statistics.average_length),
            });
        }
        Ok(Explanation {
            page,
            score: terms.iter().map(|term| term.score).sum(),
            exact: self.named(query.text)?.binary_search(&page).is_ok(),
            length: self.length(page),
            average_length: statistics.average_length,
            terms,
        })
    }

    /// The share of `text`'s weight, in idf, that `page` holds in its fields: 1 where it has every word.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged or has no such page.
    pub fn coverage(&self, text: &str, page: PageNo, bm25: &Bm25) -> Result<f64, Error> {
        let analysis = self.packs()[self.page(page)?.pack.0].analysis;
        let (mut held, mut all) = (0.0, 0.0);
        for (term, factor) in factors(&|text| analysis.tokens(text), Query::from(text), bm25) {
            let weight = factor * self.rarity(analysis, &term, bm25)?.0;
            let there = self.postings(analysis, &term)?.binary_search_by_key(&page, |posting| posting.page).is_ok();
            held += if there { weight } else { 0.0 };
            all += weight;
        }
        Ok(if all > 0.0 { held / all } else { 0.0 })
    }

    /// How rare `term` is among the pages of `analysis`, and how many hold it. A term that no page holds is the rarest.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged.
    pub fn rarity(&self, analysis: Analysis, term: &str, bm25: &Bm25) -> Result<(f64, u32), Error> {
        let pages = self.analyses().iter().find(|(known, _)| *known == analysis).map_or(0, |(_, s)| s.pages);
        let with = self.postings(analysis, term)?.len() as u32;
        Ok((bm25.idf(pages, with), with))
    }
}

impl Explanation {
    /// Which fields hold any of the query's terms.
    pub fn fields(&self) -> [bool; FIELDS] {
        let mut found = [false; FIELDS];
        for term in &self.terms {
            found.iter_mut().zip(term.frequencies).for_each(|(found, count)| *found |= count > 0);
        }
        found
    }
}

/// The query's terms, each once (a word said twice asks no more than once), with what it counts.
fn factors(analyse: &dyn Fn(&str) -> Vec<Token>, query: Query<'_>, bm25: &Bm25) -> Vec<(String, f64)> {
    let own = analyse(query.text);
    let context = if own.is_empty() { Vec::new() } else { analyse(query.context) };
    let with = |factor: f64| move |token: Token| (factor, token.term);
    let mut kept: Vec<(String, f64)> = Vec::new();
    for (factor, term) in own.into_iter().map(with(1.0)).chain(context.into_iter().map(with(bm25.context))) {
        if !kept.iter().any(|(seen, _)| *seen == term) {
            kept.push((term, factor));
        }
    }
    kept
}

/// Sorts `hits` best first and cuts them to `k`.
fn keep_best(hits: &mut Vec<Hit>, k: usize) {
    sort_by(hits, |a, b| b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.page.cmp(&b.page)));
    hits.truncate(k);
}
