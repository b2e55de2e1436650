//! The index over a set of packs: which pages answer which words.
//!
//! [`write()`] makes an index of one file from packs of pages. [`write_packs`] and [`Writer`] divide a large index into
//! a root and many files, by a [`Layout`]. [`Index::open`] reads the root; no bytes make it panic. A call that needs
//! another file records it and fails with [`Error::Missing`]. The owner of the index fetches the files that
//! [`Index::wanted`] lists, supplies them with [`Index::supply`], and repeats the call.
//!
//! An [`Index`] holds each page's title, aliases and summary, both as text for result lists and as postings for BM25;
//! terms of its body, where the builder chose some; its tags; the names by which it is known; and the See Also links
//! between the pages of a pack. It never holds the text of bodies, which stays in the page files until a question needs
//! it. A [`Searcher`] ranks the pages of an index.
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
//!     ..NewPack::default()
//! }])?;
//! let index = Index::open(&bytes)?;
//! let hits = index.searcher(&Bm25::default()).search("What do stomata do?", 8)?;
//! assert_eq!(index.page(hits[0].page)?.title, "Stomata");
//! assert!(hits[0].exact);
//! # Ok::<(), seealso_index::Error>(())
//! ```
//!
//! # Quirks
//!
//! * The scores of two rankings can't be compared: a BM25 score has a meaning within its own query only.
//! * A phrase between quotation marks moves pages to the front that have it in their title, aliases or summary. It
//!   excludes no page. Only the 128 best pages are searched for it, and a phrase of stop words alone finds a page by
//!   its name only.
//! * A word is corrected only where no page has it. How far a misspelt or incomplete word is searched for depends on
//!   how many shards its first letters span: six at most are read.
//! * In an index of more than 32,768 pages, a word that very many pages hold finds no page beside a rarer word. It only
//!   orders the best pages that the rarer word finds.
//! * A call that failed with [`Error::Missing`] is repeated from its beginning, so a closure around it runs several
//!   times.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod ids;
mod field;
mod sort;
mod analysis;
mod format;
mod dictionary;
mod postings;
mod docstore;
mod cache;
mod index;
mod query;
mod writer;
#[cfg(test)]
mod tests;

pub use analysis::fold::fold;
pub use analysis::spelling::{Speller, Spelling, composed, lower};
pub use analysis::{
    Analyser, Analysis, Kind, Language, QuestionWords, QuestionWordsSource, Role, Roles, Token, is_unspaced,
};
pub use docstore::{PackEntry, PageEntry};
pub use error::{Error, try_all};
pub use field::{FIELDS, Field, Frequencies};
pub use format::files::{File, Form, WantedFile};
pub use format::root::{Statistics, root_form};
pub use format::{PAGE_HASH_BYTES, VERSION};
pub use ids::{PackNo, PageNo};
pub use index::{FileLocation, ForwardIndex, Index, PageTerms, Posting};
pub use query::bm25::{B, Bm25, Idf, K1};
pub use query::explain::{Explanation, TermScore};
pub use query::filter::Filter;
pub use query::names::NameMatch;
pub use query::searcher::Searcher;
pub use query::{Hit, Query};
pub use seealso_bytes::{HASH_BYTES, Hash, file_name};
pub use sort::sort_by;
pub use writer::{AnalysedPage, Layout, NewPack, NewPage, PackInfo, Sink, Writer, WrittenIndex, write, write_packs};
