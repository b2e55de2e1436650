//! How an index is laid out in files.

use std::path::PathBuf;

use crate::format::root::MOST_LENGTHS;
use crate::query::bm25::Bm25;

/// How an index is laid out, and how much memory writing it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// An index whose files together have no more bytes becomes one file.
    pub single_file_bytes: usize,
    /// Bytes that a shard of the term dictionary aims at, before deflating.
    pub term_bytes: usize,
    /// Bytes that a block of texts aims at, before deflating.
    pub text_bytes: usize,
    /// Longest list of postings that stands beside its term; longer ones are files of their own.
    pub inline_postings: usize,
    /// Postings of a long list in one file, at most.
    pub chunk_postings: usize,
    /// Postings held in memory; beyond that they wait in a scratch file. 12 bytes each.
    pub held_postings: usize,
    /// The folder for scratch files; the system's where there is none.
    pub scratch: Option<PathBuf>,
    /// Up to so many pages, 4,096 at most, their lengths stand in the root, once, instead of in each posting; no list
    /// is then a file of its own.
    pub lengths_apart_up_to: usize,
    /// The ranking by which blocks note their best posting. Another ranking finds the same, but skips less.
    pub ranking: Bm25,
}

impl Layout {
    /// A layout in files of about `bytes` bytes each before deflating, however small the index is.
    pub fn in_files_of(bytes: usize) -> Layout {
        let bytes = bytes.max(64);
        let (inline_postings, chunk_postings) = (bytes / 4, bytes);
        Layout {
            single_file_bytes: 0,
            term_bytes: bytes,
            text_bytes: bytes,
            inline_postings,
            chunk_postings,
            lengths_apart_up_to: 0,
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
            chunk_postings: 8192,
            held_postings: 16 << 20,
            scratch: None,
            lengths_apart_up_to: MOST_LENGTHS,
            ranking: Bm25::default(),
        }
    }
}
