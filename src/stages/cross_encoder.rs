//! `cross_encoder`: candidates ranked by a model that reads query and text together.
//!
//! An encoder turns query and text into vectors apart; a cross-encoder reads both at once, which tells more and costs one run
//! for each text (Nogueira and Cho 2019, "Passage Re-ranking with BERT"). So it is asked for, and only about a few candidates.
//! If it fails, they stay in the order in which they came.

use std::fmt;

use seealso_index::sort_by;

/// The most candidates.
const MOST_CANDIDATES: usize = 40;

/// Why no scores came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairScoreError {
    /// What failed, where, and what to do.
    pub reason: String,
}

impl fmt::Display for PairScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for PairScoreError {}

/// A model that says how well texts answer a query.
#[allow(async_fn_in_trait)]
pub trait PairScorer {
    /// Its name, for readers.
    fn name(&self) -> &str;

    /// A score for each text, in the order of the texts: the higher, the better it answers `query`. Scores of two queries are not
    /// comparable.
    ///
    /// # Errors
    /// [`PairScoreError`]; then there are no scores, not even of some texts.
    async fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError>;
}

/// The type of a cross-encoder where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPairScorer {}

impl PairScorer for NoPairScorer {
    fn name(&self) -> &str {
        match *self {}
    }

    async fn score(&self, _: &str, _: &[&str]) -> Result<Vec<f64>, PairScoreError> {
        match *self {}
    }
}

/// How many candidates it is asked about to keep `keep` of them.
pub fn pair_candidates(keep: usize) -> usize {
    keep.saturating_mul(2).min(MOST_CANDIDATES)
}

/// The scores of `texts`, one for each.
///
/// # Errors
/// [`PairScoreError`] where the cross-encoder fails, or does not score every text.
pub async fn pair_scores<P: PairScorer>(scorer: &P, query: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError> {
    let scores = scorer.score(query, texts).await?;
    match scores.len() == texts.len() && scores.iter().all(|score| score.is_finite()) {
        true => Ok(scores),
        false => Err(PairScoreError { reason: format!("{} did not score every text", scorer.name()) }),
    }
}

/// The best `keep` of `items` by `scores`, best first; of equal ones, the first stays first. Without scores, the first `keep` as
/// they came.
pub fn best_by_pairs<T>(items: Vec<T>, scores: Option<&[f64]>, keep: usize) -> Vec<T> {
    let mut scored: Vec<(T, f64)> = match scores {
        Some(scores) => items.into_iter().zip(scores.iter().copied()).collect(),
        None => items.into_iter().map(|item| (item, 0.0)).collect(),
    };
    sort_by(&mut scored, |a, b| b.1.total_cmp(&a.1));
    scored.truncate(keep);
    scored.into_iter().map(|(item, _)| item).collect()
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::*;
    use crate::memory::ScriptedPairScorer;

    fn check(scores: &[(&str, f64)], texts: &[&str], keep: usize, expected: &[&str], failure: Option<&str>) {
        let asked: Vec<&str> = texts.iter().copied().take(pair_candidates(keep)).collect();
        let scored = block_on(pair_scores(&ScriptedPairScorer::new(scores), "q", &asked));
        assert_eq!(best_by_pairs(asked, scored.as_deref().ok(), keep), expected);
        assert_eq!(scored.err().map(|error| error.reason).as_deref(), failure);
    }

    #[test]
    fn the_best_by_pairs_are_kept() {
        // The published logits of ms-marco-MiniLM-L-12-v2 for five passages.
        let logits = [("a", 5.132), ("b", -10.349), ("c", -11.297), ("d", -11.103), ("e", -11.293)];
        check(&logits, &["a", "b", "c", "d", "e"], 5, &["a", "b", "d", "e", "c"], None);
        check(&logits, &["c", "b", "a"], 2, &["a", "b"], None);
        // Only twice as many as are kept are scored.
        check(&logits, &["c", "b", "a"], 1, &["b"], None);
        check(&logits, &[], 3, &[], None);
        check(&[("a", 1.0), ("b", 1.0)], &["b", "a"], 2, &["b", "a"], None);
    }

    #[test]
    fn a_failure_leaves_the_order_as_it_was() {
        let reason = Some("the script has no score for \"x\"");
        check(&[("a", 1.0), ("b", 2.0)], &["a", "b", "x"], 2, &["a", "b"], reason);
        let unscored = Some("scripted did not score every text");
        check(&[("a", 1.0), ("b", f64::NAN)], &["a", "b"], 2, &["a", "b"], unscored);
    }

    #[test]
    fn twice_as_many_as_are_kept_are_candidates_but_forty_at_most() {
        assert_eq!([0, 1, 5, 20, 21, 100, usize::MAX].map(pair_candidates), [0, 2, 10, 40, 40, 40, 40]);
    }
}
