//! Fusion: one ranking of two, by words and by meaning.
//!
//! A BM25 score and a cosine have different scales, so they are never added as they are. Either only the places count
//! (reciprocal rank fusion; Cormack, Clarke and Büttcher 2009, "Reciprocal Rank Fusion Outperforms Condorcet and Individual
//! Rank Learning Methods"), or both are brought to the scale from 0 to 1 first, and a convex combination of them counts (Bruch,
//! Gai and Ingber 2023, "An Analysis of Fusion Functions for Hybrid Retrieval").

use seealso_index::{PageNo, sort_by};

/// How two rankings become one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fusion {
    /// The sum of 1 / (k + place) over both rankings, where the first place is 1.
    ReciprocalRank {
        /// The constant: the larger it is, the less the first places stand out.
        k: f64,
    },
    /// `meaning` times the score by meaning, and the rest times the score by words, both brought to the scale from 0 to 1.
    /// What brings the scores by meaning there is their [`MeaningScale`].
    Convex {
        /// The weight of the ranking by meaning (0 to 1).
        meaning: f64,
    },
}

/// What the scores of a ranking by meaning are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeaningScale {
    /// Cosines from 0 to 1, or what lies among them.
    Cosine,
    /// Scores that are comparable with one another alone, such as those of an index of chunks.
    Relative,
}

/// A page whose cosine is so much smaller counts e times less. Cosines of sentence encoders lie close together: what says the
/// same thing and what only has the same subject are often 0.1 apart.
const SPREAD: f64 = 0.1;
/// The cosine of a page that says what was asked. Where the nearest page is farther, none counts fully: otherwise, the best of
/// pages that all have nothing to do with the question would count like one that answers it.
const MATCH: f64 = 0.5;

impl Fusion {
    /// Its name, for traces.
    pub fn name(self) -> &'static str {
        match self {
            Fusion::ReciprocalRank { .. } => "reciprocal-rank",
            Fusion::Convex { .. } => "convex",
        }
    }
}

/// A page of a fused ranking, with what it is ranked by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusedPage {
    /// The page.
    pub page: PageNo,
    /// What it is ranked by.
    pub score: f64,
    /// What of it comes from the ranking by words.
    pub words: f64,
    /// What of it comes from the ranking by meaning.
    pub meaning: f64,
}

/// The pages of both rankings, which come best first, each page once, with its score there. Of pages with equal scores, those
/// by words come first, in their order.
///
/// Scores by words are divided by the best one, since BM25 gives 0 to a page without any of the words. A cosine *s* becomes
/// exp((*s* − max(best, 0.5)) / 0.1). Relative scores by meaning are stretched from the ranking's last page, at 0, to its first,
/// at 1: only there the ranking ends, and pages beyond it count 0.
pub fn fuse(words: &[(PageNo, f64)], meaning: &[(PageNo, f64)], scale: MeaningScale, fusion: Fusion) -> Vec<FusedPage> {
    let (by_words, by_meaning) = match fusion {
        Fusion::ReciprocalRank { k } => (reciprocal_ranks(words.len(), k), reciprocal_ranks(meaning.len(), k)),
        Fusion::Convex { meaning: weight } => {
            let weighted = |scores: Vec<f64>, weight: f64| scores.into_iter().map(|score| weight * score).collect();
            let by_meaning = match scale {
                MeaningScale::Cosine => likelihoods(meaning),
                MeaningScale::Relative => stretch(meaning),
            };
            (weighted(shares_of_best(words), 1.0 - weight), weighted(by_meaning, weight))
        }
    };
    let mut fused: Vec<FusedPage> = Vec::new();
    for (&(page, _), &words) in words.iter().zip(&by_words) {
        fused.push(FusedPage { page, score: words, words, meaning: 0.0 });
    }
    for (&(page, _), &meaning) in meaning.iter().zip(&by_meaning) {
        match fused.iter_mut().find(|known| known.page == page) {
            Some(known) => {
                known.meaning = meaning;
                known.score += meaning;
            }
            None => fused.push(FusedPage { page, score: meaning, words: 0.0, meaning }),
        }
    }
    sort_by(&mut fused, |a, b| b.score.total_cmp(&a.score));
    fused
}

/// 1 / (k + place) for each of so many places.
fn reciprocal_ranks(places: usize, k: f64) -> Vec<f64> {
    (1..=places).map(|place| 1.0 / (k + place as f64)).collect()
}

/// Each score as a share of the largest one; 0 where that is not positive.
fn shares_of_best(ranking: &[(PageNo, f64)]) -> Vec<f64> {
    let best = finite(ranking).fold(0.0, f64::max);
    finite(ranking).map(|score| if best > 0.0 { (score / best).max(0.0) } else { 0.0 }).collect()
}

/// How likely each page is, by its cosine, as a share of the likeliest one or of a match.
fn likelihoods(ranking: &[(PageNo, f64)]) -> Vec<f64> {
    let best = finite(ranking).fold(MATCH, f64::max);
    finite(ranking).map(|cosine| ((cosine - best) / SPREAD).exp()).collect()
}

/// Each score's place between the smallest, 0, and the largest, 1; 1 where all are equal.
fn stretch(ranking: &[(PageNo, f64)]) -> Vec<f64> {
    let (least, best) = finite(ranking)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, best), score| (score.min(least), score.max(best)));
    finite(ranking).map(|score| if best > least { (score - least) / (best - least) } else { 1.0 }).collect()
}

/// The scores, 0 for any that is no number.
fn finite(ranking: &[(PageNo, f64)]) -> impl Iterator<Item = f64> + '_ {
    ranking.iter().map(|&(_, score)| if score.is_finite() { score } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONVEX: Fusion = Fusion::Convex { meaning: 0.5 };
    const RANKS: Fusion = Fusion::ReciprocalRank { k: 60.0 };

    fn check(words: &[(u32, f64)], meaning: &[(u32, f64)], fusion: Fusion, expected: &[(u32, f64)]) {
        check_scale(words, meaning, MeaningScale::Relative, fusion, expected);
    }

    /// The pages and scores of the fused ranking, the scores to four places.
    fn check_scale(
        words: &[(u32, f64)],
        meaning: &[(u32, f64)],
        scale: MeaningScale,
        fusion: Fusion,
        expected: &[(u32, f64)],
    ) {
        let of =
            |ranking: &[(u32, f64)]| ranking.iter().map(|&(page, score)| (PageNo(page), score)).collect::<Vec<_>>();
        let fused = fuse(&of(words), &of(meaning), scale, fusion);
        let shown: Vec<(u32, f64)> = fused.iter().map(|page| (page.page.0, (page.score * 1e4).round() / 1e4)).collect();
        assert_eq!(shown, expected, "{words:?} and {meaning:?} by {fusion:?}");
        for page in fused {
            assert!((page.words + page.meaning - page.score).abs() < 1e-12);
        }
    }

    #[test]
    fn places_alone_count_in_reciprocal_ranks() {
        // 1/61, 1/62, 1/63; page 2: 1/62 + 1/61.
        check(&[(1, 9.0), (2, 8.0)], &[(2, 0.7), (3, 0.6)], RANKS, &[(2, 0.0325), (1, 0.0164), (3, 0.0161)]);
        check(&[(1, 9000.0), (2, 0.1)], &[(2, 0.7), (3, 0.6)], RANKS, &[(2, 0.0325), (1, 0.0164), (3, 0.0161)]);
        check(&[(1, 2.0)], &[], RANKS, &[(1, 0.0164)]);
        check(&[], &[(4, 0.5)], RANKS, &[(4, 0.0164)]);
        check(&[(1, 1.0), (2, 1.0)], &[(2, 1.0), (1, 1.0)], Fusion::ReciprocalRank { k: 0.0 }, &[(1, 1.5), (2, 1.5)]);
        check(&[], &[], RANKS, &[]);
    }

    #[test]
    fn scores_are_brought_to_one_scale_before_they_are_added() {
        // Words: 1, .5, .25. Meaning: page 3 at 1, page 2 at .5, page 4 at 0.
        let (words, meaning) = ([(1, 8.0), (2, 4.0), (3, 2.0)], [(3, 0.8), (2, 0.6), (4, 0.4)]);
        check(&words, &meaning, CONVEX, &[(3, 0.625), (1, 0.5), (2, 0.5), (4, 0.0)]);
        // Other scales of either change nothing.
        let (words, meaning) = ([(1, 80.0), (2, 40.0), (3, 20.0)], [(3, 0.5), (2, 0.45), (4, 0.4)]);
        check(&words, &meaning, CONVEX, &[(3, 0.625), (1, 0.5), (2, 0.5), (4, 0.0)]);
        check(&words, &meaning, Fusion::Convex { meaning: 0.0 }, &[(1, 1.0), (2, 0.5), (3, 0.25), (4, 0.0)]);
        check(&words, &meaning, Fusion::Convex { meaning: 1.0 }, &[(3, 1.0), (2, 0.5), (1, 0.0), (4, 0.0)]);
    }

    #[test]
    fn a_cosine_counts_by_how_likely_it_is_that_the_page_answers() {
        let check = |meaning: &[(u32, f64)], expected: &[(u32, f64)]| {
            check_scale(&[(1, 8.0)], meaning, MeaningScale::Cosine, CONVEX, expected);
        };
        // e^-1 = 0.3679 and e^-2 = 0.1353, each times 0.5.
        check(&[(2, 0.7), (1, 0.6), (3, 0.5)], &[(1, 0.6839), (2, 0.5), (3, 0.0677)]);
        // The nearest is no match: e^-2 and e^-3.
        check(&[(2, 0.3), (3, 0.2)], &[(1, 0.5), (2, 0.0677), (3, 0.0249)]);
        check(&[(2, f64::NAN)], &[(1, 0.5), (2, 0.0034)]);
        check_scale(&[], &[(2, 0.7), (1, 0.6)], MeaningScale::Cosine, RANKS, &[(2, 0.0164), (1, 0.0161)]);
    }

    #[test]
    fn rankings_of_one_page_and_of_no_scores_are_fused_too() {
        check(&[(1, 3.0)], &[(2, 0.3)], CONVEX, &[(1, 0.5), (2, 0.5)]);
        check(&[(1, 0.0), (2, 0.0)], &[(2, 0.3), (1, 0.3)], CONVEX, &[(1, 0.5), (2, 0.5)]);
        check(&[(1, f64::NAN), (2, 1.0)], &[(1, f64::NAN)], CONVEX, &[(1, 0.5), (2, 0.5)]);
        // Logits of a cross-encoder may be negative.
        check(&[], &[(1, 5.0), (2, -11.0), (3, -3.0)], CONVEX, &[(1, 0.5), (3, 0.25), (2, 0.0)]);
    }
}
