//! The index over a set of packs: which pages answer which words.
//!
//! [`write()`] makes an index of one file from packs of pages; [`write_packs`] and [`Writer`] divide a large one into
//! a root and many files, by a [`Layout`]. [`Index::open`] reads the root, from any bytes whatever, without a panic.
//! What a call needs of the other files and has not, it notes, and fails with [`Error::Missing`]: whoever owns the
//! index fetches what [`Index::wanted`] lists, hands it in with [`Index::supply`], and calls again.
//!
//! An index holds each page's title, aliases and summary, both as text for result lists and as postings for BM25;
//! terms of its body, where the builder chose some; tags; the names by which a page is known; and the See Also links
//! between the pages of a pack. It never holds the text of bodies: that stays in their files until a question needs
//! it.
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
//! * Scores of two rankings can't be compared: BM25 knows nothing beyond its own query.
//! * A phrase between quotation marks puts pages first that say it in title, alias or summary; it leaves none out. It
//!   is looked for among the 128 best; one of stop words alone finds a page only by its name.
//! * A word is corrected only where no page has it. How far a misspelt or unfinished one is looked for depends on how
//!   many shards its first letters span: six at most.
//! * In sets of more than 32,768 pages, a word that very many pages hold finds none beside a rarer one; it only
//!   orders the best of what that finds.
//! * A call that failed with [`Error::Missing`] is made again from its beginning, so a closure around it runs several
//!   times.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod analysis;
mod cache;
mod dictionary;
mod docstore;
mod error;
mod field;
mod format;
mod ids;
mod index;
mod postings;
mod query;
mod sort;
#[cfg(test)]
mod tests;
mod writer;

pub use analysis::fold::fold;
pub use analysis::spelling::{Spell, Spelling, composed, lower};
pub use analysis::{
    Analyse, Analysis, Kind, Language, QuestionWords, Role, Roles, TellQuestionWords, Token, is_unspaced,
};
pub use docstore::{PackEntry, PageEntry};
pub use error::{Error, try_all};
pub use field::{FIELDS, Field, Frequencies};
pub use format::files::{File, Form, HASH_BYTES, Hash, WantedFile, file_name};
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
pub use sort::sort_by;
pub use writer::{AnalysedPage, Layout, NewPack, NewPage, PackInfo, Sink, Writer, WrittenIndex, write, write_packs};
