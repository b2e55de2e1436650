//! How well pages are found by their chunks, given held-out sentences: an index of chunks in memory, by each ranking.

use std::collections::BTreeSet;

use anyhow::Context as _;
use seealso::page_id;
use seealso_chunks::{ChunkSizes, chunk_place, chunk_ranking, chunks, index_pack, okapi_ranking};
use seealso_index::{Bm25, Error, Index, write};
use seealso_pack::Pack;
use serde::Serialize;

use super::{HeldOutSentence, PlaceShares};

/// How many chunks are found for a sentence.
const MOST_CHUNKS: usize = 60;

/// The figures by one ranking.
#[derive(Debug, Serialize)]
pub(super) struct ChunkFigureRow {
    pub(super) ranking: &'static str,
    pub(super) k1: f64,
    pub(super) b: f64,
    #[serde(flatten)]
    pub(super) shares: PlaceShares,
    pub(super) index_bytes: usize,
}

/// Finds each sentence's page by the chunks of `packs`, from which the sentences were removed.
pub(super) fn measure_chunks(packs: &[Pack], held_out: &[HeldOutSentence]) -> anyhow::Result<Vec<ChunkFigureRow>> {
    let sizes = ChunkSizes::default();
    let new_pack = |pack: &Pack| {
        let of_pages: Vec<_> = pack.pages.iter().map(|page| chunks(page, &sizes)).collect();
        index_pack(pack, &of_pages)
    };
    let bytes = write(&packs.iter().map(new_pack).collect::<Vec<_>>()).context("the index of chunks")?;
    let index = Index::open(&bytes).context("the index of chunks")?;
    let mut rows = Vec::new();
    for (ranking, bm25) in [("seealso", chunk_ranking()), ("okapi", okapi_ranking())] {
        let mut places = Vec::with_capacity(held_out.len());
        for HeldOutSentence { sentence, page } in held_out {
            places.push(ranked_pages(&index, sentence, &bm25)?.iter().position(|found| found == page));
        }
        let (shares, index_bytes) = (PlaceShares::of(&places), bytes.len());
        rows.push(ChunkFigureRow { ranking, k1: bm25.k1, b: bm25.b, shares, index_bytes });
    }
    Ok(rows)
}

/// The pages of the best chunks, each once, best first.
fn ranked_pages(index: &Index, query: &str, bm25: &Bm25) -> Result<Vec<String>, Error> {
    let (mut pages, mut seen) = (Vec::new(), BTreeSet::new());
    for hit in index.searcher(bm25).search(query, MOST_CHUNKS)? {
        let entry = index.page(hit.page)?;
        let file = chunk_place(&entry.file).map_or(entry.file.as_str(), |(file, _)| file);
        let page = page_id(&index.pack(entry.pack)?.path, file);
        if seen.insert(page.clone()) {
            pages.push(page);
        }
    }
    Ok(pages)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_any_of_its_chunks() {
        let long =
            format!("---\ntitle: Kite\n---\n\n{}\n\nA ribbon keeps it steady.\n", "It flies in wind. ".repeat(120));
        let ball = "---\ntitle: Ball\n---\n\nA ball bounces on a floor.\n";
        let packs = [Pack::of_pages("toys", &[("kite.md", &long), ("ball.md", ball)])];
        let held_out = |sentence: &str, page: &str| HeldOutSentence { sentence: sentence.into(), page: page.into() };
        let rows = measure_chunks(&packs, &[held_out("ribbon", "toys/kite"), held_out("wind", "toys/ball")]).unwrap();
        let found: Vec<(&str, f64, usize, f64)> =
            rows.iter().map(|row| (row.ranking, row.k1, row.shares.n, row.shares.mrr)).collect();
        assert_eq!(found, [("seealso", 0.8, 2, 0.5), ("okapi", 1.5, 2, 0.5)]);
    }
}
