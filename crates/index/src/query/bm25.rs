//! BM25 over weighted fields, by the formula of SQLite's FTS5 (<https://www.sqlite.org/fts5.html#the_bm25_function>),
//! except that the page's length counts less for words of its body.
//!
//! With `f` the term's count in a page, each field's count multiplied by the field's weight, `n` the pages that hold
//! the term, `N` all pages, `D` the page's tokens in all fields but the body (unweighted) and `avg` their mean:
//!
//! ```text
//! score = Σ over terms   idf(n) · f·(k1 + 1) / (f + k1·(1 − b + b·D/avg))
//! ```
//!
//! So `D` hardly tells how often a body's words are to be expected. A body's counts therefore have a share `b_body` of
//! their own, as fields have in BM25F (Zaragoza, Craswell, Taylor, Saria and Robertson 2004, "Microsoft Cambridge at
//! TREC-13"): in `f` they are multiplied by `(1 − b + b·D/avg) / (1 − b_body + b_body·D/avg)`.
//!
//! FTS5 limits its idf to at least 1e-6. A word of half the pages then has no weight, and rankings of small sets depend
//! on noise. The default here adds one before the logarithm, so that the idf stays positive (Lucene's form). FTS5's k1
//! and b, 1.2 and 0.75, suit whole texts; the defaults here suit short fields.

use crate::field::{FIELDS, Field, Frequencies};

/// A formula of the inverse document frequency, which says how rare a term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idf {
    /// `ln(1 + (N − n + ½) / (n + ½))`: always positive.
    Plus1,
    /// `ln((N − n + ½) / (n + ½))`, at least 1e-6: as FTS5 does.
    Fts5,
}

/// FTS5's [`Bm25::k1`], for comparison; [`Bm25::default`] has another.
pub const K1: f64 = 1.2;
/// FTS5's [`Bm25::b`], for comparison; [`Bm25::default`] has another.
pub const B: f64 = 0.75;

/// The constants of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bm25 {
    /// The saturation of term counts.
    pub k1: f64,
    /// The share of length normalisation, 0 to 1.
    pub b: f64,
    /// The share of length normalisation for counts in bodies, 0 to 1. Where it equals `b`, the formula is FTS5's.
    pub b_body: f64,
    /// The idf formula.
    pub idf: Idf,
    /// A factor on the counts of each field.
    pub weights: [f64; FIELDS],
    /// A factor on the score of words in a query's context, 0 to 1.
    pub context: f64,
    /// A factor on the score of common words that say little about a subject, 0 to 1.
    pub weak: f64,
    /// What a word of the query in a pack's title or summary adds to the weighted counts of the pack's pages.
    pub pack: f64,
    /// What two words that are side by side in the query and in a page's title or summary add, times their mean idf. A
    /// name that is whole in the query adds half of it, times the idf of each of its words.
    pub adjacent: f64,
}

impl Default for Bm25 {
    fn default() -> Self {
        Bm25 {
            // Fields are short: a word's second occurrence tells less than in a whole text (docs/fanout.md).
            k1: 0.8,
            b: 0.7,
            b_body: 0.2,
            idf: Idf::Plus1,
            // Title, other names, summary, body.
            weights: [2.0, 2.0, 1.0, 0.5],
            context: 0.7,
            weak: 0.7,
            pack: 1.0,
            adjacent: 0.3,
        }
    }
}

impl Bm25 {
    /// The idf of a term that `pages_with` of `pages` pages hold.
    pub fn idf(&self, pages: u32, pages_with: u32) -> f64 {
        let (pages, with) = (f64::from(pages), f64::from(pages_with));
        let odds = (pages - with + 0.5) / (with + 0.5);
        match self.idf {
            Idf::Plus1 => odds.max(0.0).ln_1p(),
            Idf::Fts5 => odds.ln().max(1e-6),
        }
    }

    /// The counts as one number, each field's multiplied by its weight, for a page of `length` tokens where the mean is
    /// `average`.
    pub fn weighted(&self, frequencies: &Frequencies, length: u32, average: f64) -> f64 {
        let body = Field::Body as usize;
        let weighted = |field: usize| f64::from(frequencies[field]) * self.weights[field];
        let others: f64 = (0..body).map(weighted).sum();
        match frequencies[body] {
            0 => others,
            _ => others + weighted(body) * self.body_factor(length, average),
        }
    }

    /// What counts in bodies are multiplied by, so that [`Bm25::b_body`] applies to them rather than [`Bm25::b`]. It is
    /// 1 for a page without tokens, where one of the two may make the normalisation 0.
    fn body_factor(&self, length: u32, average: f64) -> f64 {
        let [usual, own] = [self.b, self.b_body].map(|share| normalisation(share, length, average));
        if usual > 0.0 && own > 0.0 { usual / own } else { 1.0 }
    }

    /// One term's component of a page's score. `length` is in tokens, and `average` is the mean length. A term whose
    /// weighted count is 0 scores 0, whatever the constants are.
    pub fn term_score(&self, idf: f64, weighted: f64, length: u32, average: f64) -> f64 {
        if weighted == 0.0 {
            return 0.0;
        }
        idf * weighted * (self.k1 + 1.0) / (weighted + self.k1 * normalisation(self.b, length, average))
    }
}

/// The least mean length of a sound index that is not 0: one token on 2³² pages.
const LEAST_AVERAGE: f64 = 1.0 / (1u64 << 32) as f64;

/// The length normalisation of a page: 1 for a page of mean length, and for every page where `share` is 0.
fn normalisation(share: f64, length: u32, average: f64) -> f64 {
    1.0 - share + share * f64::from(length) / average.max(LEAST_AVERAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idf_is_positive_finite_and_falls() {
        let bm25 = Bm25::default();
        let values: Vec<f64> = (1..=10).map(|n| bm25.idf(10, n)).collect();
        assert!(values.iter().all(|v| v.is_finite() && *v > 0.0));
        assert!(values.is_sorted_by(|a, b| a > b));
        assert!((bm25.idf(10, 1) - (1.0f64 + 9.5 / 1.5).ln()).abs() < 1e-12);
    }

    #[test]
    fn fts5_floors_common_terms() {
        let bm25 = Bm25 { idf: Idf::Fts5, ..Bm25::default() };
        assert_eq!(bm25.idf(10, 6), 1e-6);
        assert!((bm25.idf(10, 2) - (8.5f64 / 2.5).ln()).abs() < 1e-12);
    }

    #[test]
    fn more_of_a_term_scores_more_and_a_longer_page_less() {
        let bm25 = Bm25::default();
        assert!(bm25.term_score(1.0, 2.0, 10, 10.0) > bm25.term_score(1.0, 1.0, 10, 10.0));
        assert!(bm25.term_score(1.0, 1.0, 20, 10.0) < bm25.term_score(1.0, 1.0, 10, 10.0));
        assert!((bm25.term_score(2.0, 1.0, 10, 10.0) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn scores_are_finite_whatever_the_length() {
        let shares = [0.0, 0.2, 0.7, 1.0];
        for (b, b_body) in shares.into_iter().flat_map(|b| shares.map(|b_body| (b, b_body))) {
            let bm25 = Bm25 { b, b_body, ..Bm25::default() };
            for (length, average) in
                [0, 1, 5, 6, 7, 30, u32::MAX].into_iter().flat_map(|n| [0.0, 1e-300, 10.0].map(|a| (n, a)))
            {
                for frequencies in [[0, 0, 0, 2], [1, 0, 0, 0], [1, 0, 3, u32::MAX]] {
                    let score = bm25.term_score(2.0, bm25.weighted(&frequencies, length, average), length, average);
                    assert!(
                        score.is_finite() && score >= 0.0,
                        "{b} {b_body} {frequencies:?} {length} {average}: {score}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_bodys_words_go_by_their_own_share_of_the_length() {
        let weights = [2.0, 2.0, 1.0, 0.5];
        let check = |b: f64, b_body: f64, frequencies: Frequencies, length: u32, expected: f64| {
            let found = Bm25 { b, b_body, weights, ..Bm25::default() }.weighted(&frequencies, length, 10.0);
            assert!((found - expected).abs() < 1e-12, "{b} {b_body} {frequencies:?} {length}: {found}");
        };
        check(0.5, 0.5, [1, 0, 2, 4], 30, 2.0 + 2.0 + 2.0);
        check(0.5, 0.0, [1, 0, 2, 0], 30, 4.0);
        check(0.5, 0.0, [0, 0, 0, 4], 30, 2.0 * 2.0);
        check(0.5, 0.2, [0, 0, 0, 4], 30, 2.0 * (2.0 / 1.4));
        check(0.5, 0.0, [0, 0, 0, 4], 10, 2.0);
        check(1.0, 1.0, [0, 0, 0, 4], 0, 2.0);
        check(1.0, 0.2, [0, 0, 0, 4], 0, 2.0);
        // As a part of a field of its own would: saturated by its own length alone.
        let bm25 = Bm25 { b: 0.5, b_body: 0.2, weights, ..Bm25::default() };
        let score = bm25.term_score(1.0, bm25.weighted(&[0, 0, 0, 4], 30, 10.0), 30, 10.0);
        let own = Bm25 { b: 0.2, ..bm25 };
        assert!((score - own.term_score(1.0, 2.0, 30, 10.0)).abs() < 1e-12);
    }
}
