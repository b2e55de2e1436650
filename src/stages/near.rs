//! Near pages: what a stage finds for a query. A stage ranks chunks of pages; a page counts by its best chunk.

use seealso_index::{PageNo, sort_by};

use crate::trace::{Detail, ToDetail as _};

/// A chunk that a stage found, with every component of its score that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct NearChunk {
    /// Its page.
    pub page: PageNo,
    /// The page's id.
    pub id: String,
    /// Its number on the page, from 0.
    pub chunk: u32,
    /// The title of its page and the headings above it, where the stage knows them.
    pub section: String,
    /// What it is ranked by: a score of the last step that ranked it. It is comparable within one ranking.
    pub score: f64,
    /// Its score in the index of chunks.
    pub bm25: Option<f64>,
    /// The cosine of its vector and that of the query, at least 0 and at most 1.
    pub similarity: Option<f64>,
    /// The share of the links of its pack's best-linked page that its page has (0 to 1).
    pub centrality: Option<f64>,
}

/// A cosine as the stages count it: texts that have nothing in common are not less alike than others.
pub(super) fn clamp(cosine: f64) -> f64 {
    if cosine.is_nan() { 0.0 } else { cosine.clamp(0.0, 1.0) }
}

/// The chunks by falling score; of equal ones, the first stays first.
pub(super) fn sort_by_score(chunks: &mut Vec<NearChunk>) {
    sort_by(chunks, |a, b| b.score.total_cmp(&a.score));
}

/// The best chunk of each page, of the first `keep` pages. `chunks` come best first. A page takes one place however many of
/// its chunks are near: chunks are told apart from pages before the rest is cut off.
pub fn best_of_pages(chunks: Vec<NearChunk>, keep: usize) -> Vec<NearChunk> {
    let mut pages: Vec<NearChunk> = Vec::new();
    for chunk in chunks {
        if pages.len() == keep {
            break;
        }
        if !pages.iter().any(|page| page.page == chunk.page) {
            pages.push(chunk);
        }
    }
    pages
}

/// One ranking of several over the same scale: of each page the chunk with the highest score, best first.
pub fn join_by_highest(rankings: Vec<Vec<NearChunk>>, keep: usize) -> Vec<NearChunk> {
    let mut all: Vec<NearChunk> = rankings.into_iter().flatten().collect();
    sort_by_score(&mut all);
    best_of_pages(all, keep)
}

impl NearChunk {
    /// Chunk `chunk` of `page`, of which nothing else is known.
    pub fn new(page: PageNo, id: String, chunk: u32) -> NearChunk {
        NearChunk {
            page,
            id,
            chunk,
            section: String::new(),
            score: 0.0,
            bm25: None,
            similarity: None,
            centrality: None,
        }
    }

    /// Its components by name.
    pub(super) fn detail(&self) -> Detail {
        let mut parts = vec![
            ("page".to_owned(), self.id.to_detail()),
            ("chunk".to_owned(), self.chunk.to_detail()),
            ("section".to_owned(), self.section.to_detail()),
            ("score".to_owned(), self.score.to_detail()),
        ];
        let known = [("bm25", self.bm25), ("similarity", self.similarity), ("centrality", self.centrality)];
        parts.extend(known.iter().filter_map(|(name, part)| Some(((*name).to_owned(), part.as_ref()?.to_detail()))));
        Detail::map(parts)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A chunk of page `page` with that score.
    pub(crate) fn chunk(page: u32, number: u32, score: f64) -> NearChunk {
        NearChunk { score, ..NearChunk::new(PageNo(page), format!("p/{page}"), number) }
    }

    /// Page, chunk and score of each.
    pub(crate) fn shown(chunks: &[NearChunk]) -> Vec<(u32, u32, f64)> {
        chunks.iter().map(|chunk| (chunk.page.0, chunk.chunk, chunk.score)).collect()
    }

    #[test]
    fn chunks_of_one_page_do_not_crowd_out_another() {
        let check = |keep: usize, expected: &[(u32, u32, f64)]| {
            let chunks = vec![chunk(7, 2, 0.9), chunk(7, 0, 0.8), chunk(7, 1, 0.7), chunk(3, 5, 0.6), chunk(4, 0, 0.5)];
            assert_eq!(shown(&best_of_pages(chunks, keep)), expected, "{keep}");
        };
        // Cut first and told apart afterwards, two places would hold page 7 alone.
        check(2, &[(7, 2, 0.9), (3, 5, 0.6)]);
        check(1, &[(7, 2, 0.9)]);
        check(9, &[(7, 2, 0.9), (3, 5, 0.6), (4, 0, 0.5)]);
        check(0, &[]);
    }

    #[test]
    fn the_highest_score_of_several_rankings_counts() {
        let rankings = vec![
            vec![chunk(1, 0, 0.6), chunk(2, 0, 0.5)],
            vec![chunk(2, 3, 0.8), chunk(3, 0, 0.4)],
            vec![chunk(1, 1, 0.6)],
        ];
        assert_eq!(shown(&join_by_highest(rankings, 3)), [(2, 3, 0.8), (1, 0, 0.6), (3, 0, 0.4)]);
        assert!(join_by_highest(vec![], 3).is_empty());
    }

    #[test]
    fn a_cosine_is_clamped() {
        let clamped = [-0.2, 0.0, 0.4, 1.0, 1.000_001, f64::NAN].map(clamp);
        assert_eq!(clamped, [0.0, 0.0, 0.4, 1.0, 1.0, 0.0]);
    }
}
