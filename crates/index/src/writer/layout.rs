//! The layout of an index in files.

use std::path::PathBuf;

use crate::format::root::MOST_LENGTHS;
use crate::query::bm25::Bm25;

/// How an index is divided into files, and how much memory writing it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// An index becomes one file if its files have no more bytes than this together.
    pub single_file_bytes: usize,
    /// The size that a shard of the term dictionary aims at, in bytes before deflating.
    pub term_bytes: usize,
    /// The size that a text block aims at, in bytes before deflating.
    pub text_bytes: usize,
    /// The longest postings list that is stored beside its term. Longer lists are stored in blocks.
    pub inline_postings: usize,
    /// The most postings that a block has.
    pub block_postings: usize,
    /// How many postings are held in memory, 12 bytes each. Further ones go to a scratch file.
    pub buffered_postings: usize,
    /// The folder for scratch files; the system's folder for temporary files where it is none.
    pub scratch: Option<PathBuf>,
    /// Up to so many pages, 4,096 at most, the pages' lengths are stored once in the root rather than in each posting.
    /// No list is then stored in blocks.
    pub lengths_in_root_up_to: usize,
    /// The ranking by which skip entries name their best posting. Searches by another ranking find the same, but skip
    /// less.
    pub ranking: Bm25,
}

impl Layout {
    /// A layout in files of about `bytes` bytes each before deflating, however small the index is.
    pub fn in_files_of(bytes: usize) -> Layout {
        let bytes = bytes.max(64);
        let (inline_postings, block_postings) = (bytes / 4, bytes);
        Layout {
            single_file_bytes: 0,
            term_bytes: bytes,
            text_bytes: bytes,
            inline_postings,
            block_postings,
            lengths_in_root_up_to: 0,
            ..Layout::default()
        }
    }
}

impl Default for Layout {
    fn default() -> Self {
        Layout {
            single_file_bytes: 40 << 10,
            term_bytes: 4 << 10,
            text_bytes: 24 << 10,
            inline_postings: 2048,
            block_postings: 8192,
            buffered_postings: 16 << 20,
            scratch: None,
            lengths_in_root_up_to: MOST_LENGTHS,
            ranking: Bm25::default(),
        }
    }
}
