//! What a cross-encoder says of the pages that were read, and the ranking by it.

use std::collections::BTreeMap;

use seealso_index::{Hit, PageNo};

use crate::retrieve::fetch::Pages;
use crate::stages::cross_encoder::{PairScoreError, PairScorer, best_by_pairs, pair_scores};
use crate::stages::fusion::FusedPage;
use crate::trace::{Describe, Detail, counted, detail};

/// A fused ranking, in which the best `keep` of those that have scores of pairs come first. Others that have are dropped, and those
/// that have none stay behind, as they were. What a question names or quotes stays before all.
pub(super) fn best_first_by_pairs(
    fused: Vec<(Hit, FusedPage)>,
    pairs: &BTreeMap<PageNo, f64>,
    keep: usize,
) -> Vec<(Hit, FusedPage)> {
    let (mut first, others): (Vec<_>, Vec<_>) = fused.into_iter().partition(|(hit, _)| hit.exact || hit.quoted);
    let (scored, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|(hit, _)| pairs.contains_key(&hit.page));
    let scores: Vec<f64> = scored.iter().map(|(hit, _)| pairs[&hit.page]).collect();
    let mut ranked = best_by_pairs(scored, Some(&scores), keep);
    // Scores only have to fall: the places are those of the cross-encoder now.
    let best = ranked.iter().map(|(hit, _)| hit.score).fold(0.0, f64::max);
    for (place, (hit, _)) in ranked.iter_mut().enumerate() {
        hit.score = best / (place + 1) as f64;
    }
    first.extend(ranked);
    first.extend(others);
    first
}

/// The scores of a cross-encoder.
pub(super) struct PairRankings {
    /// For some of the sub-queries, by their numbers, the score of each page.
    pub(super) rankings: Vec<(usize, BTreeMap<PageNo, f64>)>,
    pub(super) failed: Option<PairScoreError>,
    detail: Vec<Detail>,
}

impl Describe for PairRankings {
    fn note(&self) -> String {
        match &self.failed {
            Some(error) => format!("failed: {error}"),
            None => counted(self.rankings.iter().map(|(_, pairs)| pairs.len()).sum(), "pair"),
        }
    }

    fn detail(&self) -> Detail {
        detail!({ "pairs": self.detail })
    }
}

/// Scores the texts of pages for the queries of those numbers. Where one fails, none is scored.
pub(super) async fn score_all<P: PairScorer>(
    scorer: &P,
    queries: &[String],
    asked: Vec<(usize, Vec<PageNo>, Vec<String>)>,
    read: &Pages,
) -> PairRankings {
    let mut scored = PairRankings { rankings: Vec::new(), failed: None, detail: Vec::new() };
    let id = |number: PageNo| read.items.iter().find(|page| page.number == number).map_or("", |page| page.id.as_str());
    for (number, pages, texts) in asked {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        match pair_scores(scorer, &queries[number], &texts).await {
            Ok(scores) => {
                for (page, score) in pages.iter().zip(&scores) {
                    scored.detail.push(detail!({ "query": number, "page": id(*page), "score": *score }));
                }
                scored.rankings.push((number, pages.into_iter().zip(scores).collect()));
            }
            Err(error) => return PairRankings { rankings: Vec::new(), failed: Some(error), detail: Vec::new() },
        }
    }
    scored
}
