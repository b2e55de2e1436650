//! Orders the found passages again, keeps the best of each page, and then cuts the list: as the engine ranks chunks for an answer.

use seealso::{NearChunk, rank_by_chunks};
use seealso_index::PageNo;

use super::candidate::Candidate;
use super::reranker::{Reranker, Strategy};

/// The list that is shown.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) candidates: Vec<Candidate>,
    /// How it was ordered.
    pub(super) strategy: Strategy,
    /// How many passages were ordered again.
    pub(super) ordered: usize,
    /// How many pages they are of.
    pub(super) pages: usize,
    /// Why they were not ordered as they should.
    pub(super) notice: Option<String>,
}

/// The best `top` pages of `candidates`, which are in the order of their words.
pub(super) fn select(
    question: &str,
    candidates: &[Candidate],
    strategy: Strategy,
    reranker: Option<&dyn Reranker>,
    top: usize,
) -> Selection {
    let (similarities, failure) = match reranker.map(|reranker| similarities(question, candidates, reranker)) {
        None => (None, None),
        Some(Ok(similarities)) => (Some(similarities), None),
        Some(Err(why)) => (None, Some(why)),
    };
    let strategy = if failure.is_some() { Strategy::NoOp } else { strategy };
    let ranking = rank_by_chunks(near_chunks(candidates), similarities.as_deref(), candidates.len(), top);
    let source = (strategy != Strategy::Bm25Only).then(|| strategy.name());
    let of = |near: &NearChunk| {
        let is_it = |candidate: &&Candidate| candidate.page_address == near.id && candidate.number() == near.chunk;
        let found = candidates.iter().find(is_it)?.clone();
        Some(Candidate { rerank_score: near.similarity, rerank_source: source, ..found })
    };
    Selection {
        candidates: ranking.pages.iter().filter_map(of).collect(),
        strategy,
        ordered: ranking.reranked,
        pages: ranking.deduplicated,
        notice: failure.map(|why| {
            format!("passages stay in the order of their words, as what they mean could not be compared: {why:#}")
        }),
    }
}

/// The score of each passage by what it means, from 0 to 1.
fn similarities(question: &str, candidates: &[Candidate], reranker: &dyn Reranker) -> anyhow::Result<Vec<Option<f64>>> {
    let scores = reranker.scores(question, candidates)?;
    let fit = scores.len() == candidates.len() && scores.iter().all(|score| score.is_finite());
    anyhow::ensure!(fit, "it gave no score for some passages");
    Ok(scores.into_iter().map(Some).collect())
}

/// The passages as the engine ranks chunks. A page has the number of its first passage.
fn near_chunks(candidates: &[Candidate]) -> Vec<NearChunk> {
    let first_of = |page: &str| (0..).zip(candidates).find(|(_, candidate)| candidate.page_address == page);
    let near = |candidate: &Candidate| {
        let page = first_of(&candidate.page_address).map_or(0, |(number, _)| number);
        let near = NearChunk::new(PageNo(page), candidate.page_address.clone(), candidate.number());
        NearChunk { bm25: Some(candidate.bm25_score), ..near }
    };
    candidates.iter().map(near).collect()
}

#[cfg(test)]
mod tests {
    use seealso::ChunkPlace;
    use seealso_vectors::ChunkName;

    use super::*;

    /// Scores that are given, whatever the question.
    struct Fixed(Result<Vec<f64>, &'static str>);

    impl Reranker for Fixed {
        fn scores(&self, _: &str, _: &[Candidate]) -> anyhow::Result<Vec<f64>> {
            self.0.clone().map_err(anyhow::Error::msg)
        }

        fn check(&self) -> anyhow::Result<()> {
            Ok(())
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
            place: ChunkPlace {
                name: ChunkName { number: *chunk_index as u32, ..ChunkName::default() },
                ..ChunkPlace::default()
            },
        };
        of.iter().enumerate().map(candidate).collect()
    }

    const FOUND: [(&str, usize); 5] = [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("c", 0)];

    fn check(scores: Option<Result<Vec<f64>, &'static str>>, top: usize, expected: &[&str]) -> Selection {
        let reranker = scores.map(Fixed);
        let reranker = reranker.as_ref().map(|fixed| fixed as &dyn Reranker);
        let selection = select("q", &candidates(&FOUND), Strategy::of(false, reranker), reranker, top);
        let ids: Vec<&str> = selection.candidates.iter().map(|candidate| candidate.chunk_id.as_str()).collect();
        assert_eq!(ids, expected);
        let ordered = if selection.strategy == Strategy::Cosine { 5 } else { 0 };
        assert_eq!((selection.ordered, selection.pages), (ordered, 3));
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
        let kept = select("q", &candidates(&FOUND), Strategy::of(true, None), None, 5);
        assert_eq!((kept.strategy.name(), kept.candidates[0].rerank_source), ("bm25-only", None));
        assert_eq!(kept.ordered, 0);
    }
}
