//! The rankings that chunks are searched by.

use seealso_index::Bm25;

/// The ranking of chunks: that of pages. The length of a chunk counts for nothing, since chunks are about as long as each
/// other; that of its titles does.
pub fn chunk_ranking() -> Bm25 {
    Bm25::default()
}

/// The constants that Okapi BM25 is mostly given, k1 1.5 and b 0.75 (Robertson and Zaragoza 2009, "The Probabilistic
/// Relevance Framework", name the range); in all else as [`chunk_ranking`]. It is not the whole formula: a chunk's own length
/// counts for nothing here either.
pub fn okapi_ranking() -> Bm25 {
    Bm25 { k1: 1.5, b: 0.75, ..chunk_ranking() }
}
