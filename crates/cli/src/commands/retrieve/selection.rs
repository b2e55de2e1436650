//! Orders the found passages again, keeps the best of each page, and then cuts the list.

use std::collections::BTreeSet;

use super::candidate::Candidate;
use super::reranker::{Reranker, Strategy};

/// The list that is shown.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) candidates: Vec<Candidate>,
    /// How it was ordered.
    pub(super) strategy: Strategy,
    /// How many passages were ordered.
    pub(super) ordered: usize,
    /// How many pages they are of.
    pub(super) pages: usize,
    /// Why they were not ordered as they should.
    pub(super) notice: Option<String>,
}

/// The best `top` pages of `candidates`, which are in the order of their words.
pub(super) fn select(
    question: &str,
    mut candidates: Vec<Candidate>,
    strategy: Strategy,
    reranker: Option<&dyn Reranker>,
    top: usize,
) -> Selection {
    let failure = reranker.and_then(|reranker| rerank(question, &mut candidates, reranker).err());
    let strategy = if failure.is_some() { Strategy::NoOp } else { strategy };
    if strategy != Strategy::Bm25Only {
        candidates.iter_mut().for_each(|candidate| candidate.rerank_source = Some(strategy.name()));
    }
    let ordered = candidates.len();
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(candidate.page_address.clone()));
    let pages = candidates.len();
    candidates.truncate(top);
    let notice = failure.map(|why| {
        format!("passages stay in the order of their words, as what they mean could not be compared: {why:#}")
    });
    Selection { candidates, strategy, ordered, pages, notice }
}

/// Orders the passages by new scores; where there are none, or not for each, nothing changes.
fn rerank(question: &str, candidates: &mut [Candidate], reranker: &dyn Reranker) -> anyhow::Result<()> {
    let scores = reranker.scores(question, candidates)?;
    let fit = scores.len() == candidates.len() && scores.iter().all(|score| score.is_finite());
    anyhow::ensure!(fit, "it gave no score for some passages");
    for (candidate, score) in candidates.iter_mut().zip(scores) {
        candidate.rerank_score = Some(score);
    }
    // A stable sort: passages of one score keep the order of their words.
    candidates.sort_by(|a, b| b.rerank_score.unwrap_or_default().total_cmp(&a.rerank_score.unwrap_or_default()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores that are given, whatever the question.
    struct Fixed(Result<Vec<f64>, &'static str>);

    impl Reranker for Fixed {
        fn scores(&self, _: &str, _: &[Candidate]) -> anyhow::Result<Vec<f64>> {
            self.0.clone().map_err(anyhow::Error::msg)
        }
    }

    /// Chunks of pages, in the order of their words.
    fn candidates(of: &[(&str, usize)]) -> Vec<Candidate> {
        let candidate = |(place, (page, chunk_index)): (usize, &(&str, usize))| Candidate {
            chunk_id: format!("{page}:{chunk_index}"),
            page_address: (*page).to_owned(),
            page_path: format!("{page}.md"),
            absolute_path: page.into(),
            chunk_index: *chunk_index,
            title: String::new(),
            headings: Vec::new(),
            section_id: String::new(),
            citation: String::new(),
            bm25_score: 9.0 - place as f64,
            rerank_score: None,
            rerank_source: None,
            snippet: String::new(),
            stale: false,
            terms: None,
            place: seealso::ChunkPlace::default(),
        };
        of.iter().enumerate().map(candidate).collect()
    }

    const FOUND: [(&str, usize); 5] = [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("c", 0)];

    fn check(scores: Option<Result<Vec<f64>, &'static str>>, top: usize, expected: &[&str]) -> Selection {
        let reranker = scores.map(Fixed);
        let reranker = reranker.as_ref().map(|fixed| fixed as &dyn Reranker);
        let selection = select("q", candidates(&FOUND), Strategy::of(false, reranker), reranker, top);
        let ids: Vec<&str> = selection.candidates.iter().map(|candidate| candidate.chunk_id.as_str()).collect();
        assert_eq!(ids, expected);
        assert_eq!((selection.ordered, selection.pages), (5, 3));
        selection
    }

    #[test]
    fn several_passages_of_one_page_displace_no_other_page() {
        // Cut first, the three passages of page a would be all that is left.
        let kept = check(None, 3, &["a:0", "b:0", "c:0"]);
        assert_eq!((kept.strategy, kept.candidates[0].rerank_source), (Strategy::NoOp, Some("no-op")));
        assert_eq!(kept.candidates[0].rerank_score, None);
        check(None, 2, &["a:0", "b:0"]);
    }

    #[test]
    fn all_passages_are_ordered_before_any_is_left_out() {
        // Of page a the third is best now; page c is first although it was last.
        let ordered = check(Some(Ok(vec![0.1, 0.2, 0.6, 0.3, 0.9])), 2, &["c:0", "a:2"]);
        assert_eq!((ordered.strategy, ordered.candidates[0].rerank_score), (Strategy::Cosine, Some(0.9)));
        assert_eq!(ordered.candidates[1].bm25_score, 7.0);
        check(Some(Ok(vec![0.5; 5])), 3, &["a:0", "b:0", "c:0"]);
    }

    #[test]
    fn without_every_score_the_order_of_words_stays() {
        for scores in [Err("out of memory"), Ok(vec![0.9]), Ok(vec![0.1, 0.2, f64::NAN, 0.3, 0.9])] {
            let kept = check(Some(scores), 2, &["a:0", "b:0"]);
            assert_eq!((kept.strategy, kept.candidates[0].rerank_score), (Strategy::NoOp, None));
            let notice = kept.notice.unwrap_or_default();
            assert!(
                notice.starts_with(
                    "passages stay in the order of their words, as what they mean could not be compared: "
                ),
                "{notice}"
            );
        }
    }

    #[test]
    fn without_reranking_nothing_is_said_of_it() {
        let kept = select("q", candidates(&FOUND), Strategy::of(true, None), None, 5);
        assert_eq!((kept.strategy.name(), kept.candidates[0].rerank_source), ("bm25-only", None));
    }
}
