//! The index over a set of packs: which pages answer which words.
//!
//! An index is one file of bytes, or a root and many files ([`write_packs`]). [`write()`] makes it from packs of pages;
//! [`Index::open`] reads it, from any bytes whatever, without a panic. It holds each page's title, aliases and summary, both as text for result lists and as
//! postings for BM25, the names by which a page is known, and the See Also links between the pages of a pack. It
//! never holds bodies: those stay in their files until a question needs them.
//!
//! ```
//! use seealso_index::{Bm25, Index, NewPack, NewPage, PackInfo, write};
//!
//! let page = |file: &str, title: &str, summary: &str| NewPage {
//!     file: file.into(), title: title.into(), summary: summary.into(), ..NewPage::default()
//! };
//! let bytes = write(&[NewPack {
//!     info: PackInfo { path: "plants".into(), language: "en".into(), ..PackInfo::default() },
//!     pages: vec![
//!         page("concepts/photosynthesis.md", "Photosynthesis", "How plants turn light into sugar."),
//!         page("concepts/stomata.md", "Stomata", "Pores that let a leaf breathe and lose water."),
//!     ],
//! }])?;
//! let index = Index::open(&bytes)?;
//! let hits = index.search("What do stomata do?", 8, &Bm25::default())?;
//! assert_eq!(index.page(hits[0].page)?.title, "Stomata");
//! assert!(hits[0].exact);
//! # Ok::<(), seealso_index::Error>(())
//! ```
//!
//! # Quirks
//!
//! * Scores of two rankings can't be compared: BM25 knows nothing beyond its own query.
//! * Words between quotation marks count like others here; whoever asks keeps a phrase together.
//! * How far a misspelt word is looked for depends on how many shards its first letters span.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod analysis;
mod bits;
mod bm25;
mod bytes;
mod common;
mod dictionary;
mod error;
mod files;
mod filter;
mod fold;
mod fold_rules;
mod format;
mod forward;
mod huffman;
mod index;
mod list;
mod names;
mod order;
mod packs;
mod partial;
mod phrases;
mod root;
mod search;
mod shape;
mod shelf;
mod spelling;
mod term_file;
mod terms;
#[cfg(test)]
mod tests;
mod text_file;
mod topk;
mod writer;

pub use analysis::{Analyse, Analysis, Kind, Language, Token};
pub use bm25::{B, Bm25, FIELDS, Field, Frequencies, Idf, K1};
pub use error::Error;
pub use files::{File, Form, HASH_BYTES, Hash, Wanted, file_name};
pub use filter::Filter;
pub use fold::fold;
pub use format::{PAGE_HASH_BYTES, VERSION};
pub use forward::{Forward, Lies};
pub use index::{Index, PackNo, PageEntry, PageNo, Posting};
pub use names::NameMatch;
pub use order::sort_by;
pub use root::{Statistics, root_form};
pub use search::{Explanation, Hit, Query, TermScore};
pub use spelling::{Spell, Spelling, lower};
pub use text_file::PackEntry;
pub use writer::{Analysed, Layout, NewPack, NewPage, PackInfo, Sink, Writer, Written, write, write_packs};
