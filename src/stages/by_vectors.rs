//! `rank_by_vectors`: the chunks that are nearest in meaning to a query, as pages.
//!
//! Three times as many chunks are searched for as pages are wanted, because several chunks of a page may be near.

use super::near::{NearChunk, best_of_pages, clamp, sort_by_score};
use crate::trace::{Describe, Detail, counted, detail};

/// How many chunks are searched for, for each page that is wanted.
const CHUNKS_PER_PAGE: usize = 3;

/// How many chunks are searched for so that there are `keep` pages.
pub fn chunks_to_search(keep: usize) -> usize {
    keep.saturating_mul(CHUNKS_PER_PAGE)
}

/// Pages by the vectors of their chunks, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct VectorRanking {
    /// The best chunk of each page.
    pub pages: Vec<NearChunk>,
    /// How many chunks were found.
    pub chunks: usize,
}

/// The best chunk of each of the `keep` nearest pages. `chunks` come with their cosines as they were measured.
pub fn rank_by_vectors(mut chunks: Vec<NearChunk>, keep: usize) -> VectorRanking {
    for chunk in &mut chunks {
        let similarity = clamp(chunk.similarity.unwrap_or(0.0));
        (chunk.similarity, chunk.score) = (Some(similarity), similarity);
    }
    sort_by_score(&mut chunks);
    VectorRanking { chunks: chunks.len(), pages: best_of_pages(chunks, keep) }
}

impl Describe for VectorRanking {
    fn note(&self) -> String {
        let best = self.pages.first().map_or(String::new(), |page| format!(", the nearest at {:.3}", page.score));
        format!("{} of {}{best}", counted(self.pages.len(), "page"), counted(self.chunks, "chunk"))
    }

    fn detail(&self) -> Detail {
        let pages: Vec<Detail> = self.pages.iter().map(NearChunk::detail).collect();
        detail!({ "chunks": self.chunks, "pages": pages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stages::near::tests::{chunk, shown};

    #[test]
    fn the_best_chunk_of_each_page_counts_and_cosines_are_clamped() {
        let check = |found: &[(u32, u32, f64)], keep: usize, expected: &[(u32, u32, f64)], note: &str| {
            let near = |&(page, number, cosine): &(u32, u32, f64)| NearChunk {
                similarity: Some(cosine),
                ..chunk(page, number, 0.0)
            };
            let ranking = rank_by_vectors(found.iter().map(near).collect(), keep);
            assert_eq!((shown(&ranking.pages), ranking.note().as_str()), (expected.to_vec(), note));
        };
        let found = [(1, 0, 0.5), (1, 4, 0.75), (2, 1, 0.625), (2, 0, 0.25), (3, 0, -0.125)];
        check(&found, 2, &[(1, 4, 0.75), (2, 1, 0.625)], "2 pages of 5 chunks, the nearest at 0.750");
        check(&found, 9, &[(1, 4, 0.75), (2, 1, 0.625), (3, 0, 0.0)], "3 pages of 5 chunks, the nearest at 0.750");
        check(&[(1, 0, 1.000_01)], 9, &[(1, 0, 1.0)], "1 page of 1 chunk, the nearest at 1.000");
        check(&[], 9, &[], "0 pages of 0 chunks");
    }

    #[test]
    fn three_chunks_are_searched_for_each_page() {
        assert_eq!([0, 1, 10].map(chunks_to_search), [0, 3, 30]);
    }
}
