//! `rank_by_chunks`: the chunks that have the words of a query, ranked anew by their meaning; the result are pages.
//!
//! The index of chunks gives the candidates. Where vectors are there, all candidates are ranked by the cosines of theirs and
//! the query's; where that of a single one is missing, all of them stay in the order of the index, so that no two scales are
//! mixed. Then each page is represented by its best chunk, and only then the ranking is cut.

use seealso_chunks::chunk_place;
use seealso_index::{Bm25, Error, Index, Query};

use super::near::{NearChunk, best_of_pages, clamp, sort_by_score};
use crate::trace::{Describe, Detail, counted, detail};

/// What chunks are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkOrder {
    /// The cosines of their vectors and the query's.
    Cosine,
    /// The index of chunks.
    Bm25,
}

impl ChunkOrder {
    /// Its name, for programs.
    pub fn name(self) -> &'static str {
        match self {
            ChunkOrder::Cosine => "cosine",
            ChunkOrder::Bm25 => "bm25",
        }
    }
}

/// A chunk that the index of chunks found: where it is, and its score there.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkCandidate {
    /// The path of its pack.
    pub pack: String,
    /// The file of its page, inside the pack's page root.
    pub file: String,
    /// Its number on the page, from 0.
    pub number: u32,
    /// Its number among all chunks of its pack, from 0.
    pub place: u32,
    /// The title of its page and the headings above it.
    pub section: String,
    /// Its score.
    pub bm25: f64,
}

/// Pages by their chunks, best first, with the counts of each step.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkRanking {
    /// The best chunk of each page.
    pub pages: Vec<NearChunk>,
    /// What they are ranked by.
    pub order: ChunkOrder,
    /// How many candidates were asked for.
    pub top: usize,
    /// How many there were.
    pub candidates: usize,
    /// How many of them were ranked by their vectors.
    pub reranked: usize,
    /// How many pages these are of.
    pub deduplicated: usize,
}

/// The best `top` chunks for `query` in the index of chunks, whose pages are chunks: the file of one is that of its page, `#`
/// and its number. A file of another form is passed over.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn chunk_candidates(
    query: Query<'_>,
    chunks: &Index,
    bm25: &Bm25,
    top: usize,
) -> Result<Vec<ChunkCandidate>, Error> {
    let hits = chunks.searcher(bm25).search(query, top)?;
    chunks.prefetch_pages(hits.iter().map(|hit| hit.page))?;
    let mut candidates = Vec::new();
    for hit in hits {
        let entry = chunks.page(hit.page)?;
        let Some((file, number)) = chunk_place(&entry.file) else { continue };
        let place = hit.page.0 - chunks.pages_of(entry.pack).start;
        let (pack, file) = (chunks.pack(entry.pack)?.path, file.to_owned());
        candidates.push(ChunkCandidate { pack, file, number, place, section: entry.title, bm25: hit.score });
    }
    Ok(candidates)
}

/// Ranks `candidates`, which come in the order of the index of chunks, by `similarities`, one for each, if all are known, and
/// keeps the best chunk of each of the first `keep` pages. `top` is how many candidates were asked for.
pub fn rank_by_chunks(
    mut candidates: Vec<NearChunk>,
    similarities: Option<&[Option<f64>]>,
    top: usize,
    keep: usize,
) -> ChunkRanking {
    let count = candidates.len();
    let known: Option<Vec<f64>> = similarities
        .filter(|similarities| similarities.len() == count)
        .and_then(|similarities| similarities.iter().map(|known| known.filter(|number| !number.is_nan())).collect());
    let order = match known {
        Some(known) => {
            for (chunk, similarity) in candidates.iter_mut().zip(known) {
                chunk.similarity = Some(clamp(similarity));
                chunk.score = clamp(similarity);
            }
            sort_by_score(&mut candidates);
            ChunkOrder::Cosine
        }
        None => {
            for chunk in &mut candidates {
                (chunk.similarity, chunk.score) = (None, chunk.bm25.unwrap_or(0.0));
            }
            ChunkOrder::Bm25
        }
    };
    let all = best_of_pages(candidates, usize::MAX);
    let deduplicated = all.len();
    let reranked = if order == ChunkOrder::Cosine { count } else { 0 };
    ChunkRanking { pages: best_of_pages(all, keep), order, top, candidates: count, reranked, deduplicated }
}

impl Describe for ChunkRanking {
    fn note(&self) -> String {
        let (pages, chunks) = (counted(self.pages.len(), "page"), counted(self.candidates, "chunk"));
        format!("{pages} of {chunks} by {}", self.order.name())
    }

    fn detail(&self) -> Detail {
        let pages: Vec<Detail> = self.pages.iter().map(NearChunk::detail).collect();
        detail!({
            "order": self.order.name(), "bm25_top_param": self.top, "bm25_candidate_count": self.candidates,
            "post_rerank_count": self.reranked, "deduped_count": self.deduplicated, "pages": pages,
        })
    }
}

#[cfg(test)]
mod tests {
    use seealso_index::{NewPack, NewPage, PackInfo, PageNo, write};

    use super::*;
    use crate::stages::near::tests::shown;

    /// Chunks with their scores in the index of chunks, the best first: those of page 7, then one of 3 and one of 4.
    fn candidates() -> Vec<NearChunk> {
        let of = |(page, number, bm25): (u32, u32, f64)| NearChunk {
            bm25: Some(bm25),
            ..NearChunk::new(PageNo(page), format!("p/{page}"), number)
        };
        [(7, 0, 9.0), (7, 1, 8.0), (7, 2, 7.0), (3, 0, 6.0), (4, 0, 5.0)].map(of).to_vec()
    }

    fn check(similarities: Option<&[Option<f64>]>, keep: usize, order: ChunkOrder, expected: &[(u32, u32, f64)]) {
        let ranking = rank_by_chunks(candidates(), similarities, 20, keep);
        assert_eq!((ranking.order, shown(&ranking.pages)), (order, expected.to_vec()), "{similarities:?}");
        assert_eq!((ranking.top, ranking.candidates, ranking.deduplicated), (20, 5, 3));
        assert_eq!(ranking.reranked, if order == ChunkOrder::Cosine { 5 } else { 0 });
    }

    #[test]
    fn candidates_are_ranked_by_cosine_and_deduplicated_before_the_cut() {
        let all = [Some(0.1), Some(0.6), Some(0.5), Some(0.4), Some(0.7)];
        check(Some(&all), 2, ChunkOrder::Cosine, &[(4, 0, 0.7), (7, 1, 0.6)]);
        check(Some(&all), 9, ChunkOrder::Cosine, &[(4, 0, 0.7), (7, 1, 0.6), (3, 0, 0.4)]);
        // All of page 7 are nearest: a cut before would leave one page of two.
        let near = [Some(0.9), Some(0.8), Some(0.7), Some(0.2), Some(-0.3)];
        check(Some(&near), 3, ChunkOrder::Cosine, &[(7, 0, 0.9), (3, 0, 0.2), (4, 0, 0.0)]);
        // Of equal ones, that with more words is first.
        check(Some(&[Some(0.5); 5]), 3, ChunkOrder::Cosine, &[(7, 0, 0.5), (3, 0, 0.5), (4, 0, 0.5)]);
    }

    #[test]
    fn all_candidates_are_ranked_by_cosine_or_none() {
        let by_index = [(7, 0, 9.0), (3, 0, 6.0), (4, 0, 5.0)];
        check(None, 9, ChunkOrder::Bm25, &by_index);
        check(Some(&[Some(0.1), Some(0.2), None, Some(0.9), Some(0.3)]), 9, ChunkOrder::Bm25, &by_index);
        check(Some(&[Some(0.1), Some(0.2), Some(f64::NAN), Some(0.9), Some(0.3)]), 9, ChunkOrder::Bm25, &by_index);
        check(Some(&[Some(0.1)]), 2, ChunkOrder::Bm25, &by_index[..2]);
        let ranking = rank_by_chunks(candidates(), Some(&[Some(0.1), None, None, None, None]), 20, 9);
        assert!(ranking.pages.iter().all(|chunk| chunk.similarity.is_none()), "no cosine is left beside other scores");
    }

    #[test]
    fn no_candidate_is_no_page() {
        let ranking = rank_by_chunks(Vec::new(), Some(&[]), 20, 5);
        assert_eq!((ranking.pages.len(), ranking.note().as_str()), (0, "0 pages of 0 chunks by cosine"));
    }

    #[test]
    fn candidates_come_from_an_index_whose_pages_are_chunks() {
        let chunk = |file: &str, title: &str, body: &str| NewPage {
            file: file.into(),
            title: title.into(),
            body: body.split(' ').map(|word| (word.to_owned(), 1)).collect(),
            ..NewPage::default()
        };
        let pages = vec![
            chunk("concepts/tea.md#0", "Tea", "tea drink"),
            chunk("concepts/tea.md#1", "Tea › Brewing", "tea water kettle"),
            chunk("concepts/pot.md#0", "Pot", "kettle"),
            chunk("concepts/odd.md", "Odd", "kettle"),
        ];
        let info = PackInfo { path: "kitchen".into(), language: "en".into(), ..PackInfo::default() };
        let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
        let check = |query: &str, top: usize, expected: &[(&str, u32, &str)]| {
            let found = chunk_candidates(Query::from(query), &index, &Bm25::default(), top).unwrap();
            assert!(found.is_sorted_by(|one, next| one.bm25 >= next.bm25));
            let found: Vec<(&str, u32, &str)> =
                found.iter().map(|chunk| (chunk.file.as_str(), chunk.number, chunk.section.as_str())).collect();
            assert_eq!(found, expected, "{query}");
        };
        check("brewing water", 20, &[("concepts/tea.md", 1, "Tea › Brewing")]);
        check("kettle", 20, &[("concepts/pot.md", 0, "Pot"), ("concepts/tea.md", 1, "Tea › Brewing")]);
        check("loaf", 20, &[]);
    }
}
