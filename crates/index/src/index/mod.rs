//! An opened index: its root, and the files that were supplied so far.
//!
//! Reading is synchronous and knows no network. A call that needs a file that is not there records the file and fails
//! with [`Error::Missing`]. The owner of the index fetches the files that [`Index::wanted`] lists in parallel, supplies
//! them with [`Index::supply`], and repeats the call. Few such rounds suffice, because each call records all files that
//! it knows it will need.
//!
//! [`pages`] reads the texts of pages and packs, [`terms`] the dictionary and the postings, and [`forward`] the whole
//! index in the opposite direction, from pages to terms. Ranking is none of its tasks: see
//! [`Searcher`](crate::Searcher).

use std::ops::Range;

use crate::analysis::Analysis;
use crate::cache::file_cache::FileCache;
use crate::error::Error;
use crate::format::files::{File, WantedFile};
use crate::format::huffman::Decoder;
use crate::format::root::{Root, Statistics, bounds_of, root_form};
use crate::ids::{PackNo, PageNo};
use crate::query::bm25::Bm25;

pub use forward::{FileLocation, ForwardIndex, PageTerms};
pub use terms::Posting;

mod forward;
mod pages;
mod terms;

/// An opened index.
#[derive(Debug)]
pub struct Index {
    pub(crate) root: Root,
    /// The Huffman code of the term profiles.
    code: Decoder,
    /// The ranking by which skip entries name their best profile.
    ranking: Bm25,
    /// The scores of the common profiles by that ranking, for each analysis.
    norms: Vec<Vec<f64>>,
    /// The analysis of each of the root's languages.
    languages: Vec<Analysis>,
    /// A term that more pages hold is [common](crate::query::common_terms).
    pub(crate) most_uncommon: u32,
    /// The paths of packs that are searched only where a filter names them.
    pub(crate) archived: Vec<String>,
    cache: FileCache,
}

/// A term is common on more pages than this only.
const LEAST_COMMON: u32 = 32_768;
/// A term is common on more than this share of the pages only: one in twenty.
const COMMON_SHARE: u32 = 20;

impl Index {
    /// Opens a root file, and checks all that can be checked without the other files.
    ///
    /// # Errors
    /// [`Error::NotAnIndex`], [`Error::Version`], [`Error::Truncated`] or [`Error::Corrupt`].
    pub fn open(file: &[u8]) -> Result<Index, Error> {
        Index::open_unpacked(&root_form(file)?.unpack()?)
    }

    /// Opens a root whose [form](root_form) was unpacked.
    ///
    /// # Errors
    /// [`Error::Truncated`] or [`Error::Corrupt`].
    pub fn open_unpacked(raw: &[u8]) -> Result<Index, Error> {
        let root = Root::read(raw)?;
        let cache = FileCache::new(&root);
        let code = Decoder::new(&root.code).ok_or_else(|| Error::corrupt("root", "the profiles' code is no code"))?;
        let [k1, b, b_body, weights @ ..] = root.bounds;
        let ranking = Bm25 { k1, b, b_body, weights, ..Bm25::default() };
        let norms = root.analyses.iter().map(|(_, statistics)| {
            root.profiles.iter().map(|profile| profile.norm(&ranking, statistics.average_length)).collect()
        });
        let norms = norms.collect();
        // The words of a language that had no stemmer when the index was built were not stemmed.
        let as_built = |language: &String| {
            let analysis = Analysis::of_language(language);
            let is_there = root.analyses.iter().any(|(known, _)| *known == analysis);
            if is_there { analysis } else { Analysis::Plain }
        };
        let languages = root.languages.iter().map(as_built).collect();
        let most_uncommon = LEAST_COMMON.max(root.pages() / COMMON_SHARE);
        Ok(Index { root, code, ranking, norms, languages, most_uncommon, archived: Vec::new(), cache })
    }

    /// Keeps the packs of these paths out of every search whose filter names no packs.
    pub fn archive(&mut self, paths: Vec<String>) {
        self.archived = paths;
    }

    /// How many pages the index has.
    pub fn len(&self) -> u32 {
        self.root.pages()
    }

    /// Whether the index has no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the index holds terms of page bodies.
    pub fn has_bodies(&self) -> bool {
        self.root.body_tokens > 0
    }

    /// How many packs the index has.
    pub fn pack_count(&self) -> usize {
        self.root.packs.len()
    }

    /// The numbers of a pack's pages.
    pub fn pages_of(&self, pack: PackNo) -> Range<u32> {
        let start = pack.0.checked_sub(1).and_then(|before| self.root.packs.get(before)).map_or(0, |span| span.end);
        start..self.root.packs.get(pack.0).map_or(start, |span| span.end)
    }

    /// The language of a pack, as its manifest names it.
    pub fn language_of(&self, pack: PackNo) -> &str {
        let language = self.root.packs.get(pack.0).and_then(|span| self.root.languages.get(span.language as usize));
        language.map_or("", String::as_str)
    }

    /// The analysis of a pack's pages.
    pub fn analysis_of(&self, pack: PackNo) -> Analysis {
        let known = self.root.packs.get(pack.0).and_then(|span| self.languages.get(span.language as usize));
        known.copied().unwrap_or(Analysis::Plain)
    }

    /// The analyses of all packs, each with its statistics.
    pub fn analyses(&self) -> &[(Analysis, Statistics)] {
        &self.root.analyses
    }

    /// The pack that `page` belongs to.
    pub fn pack_of(&self, page: PageNo) -> Option<PackNo> {
        let at = self.root.packs.partition_point(|pack| pack.end <= page.0);
        (at < self.root.packs.len()).then_some(PackNo(at))
    }

    /// The analysis of a page, and its statistics.
    pub(crate) fn analysis_of_page(&self, page: PageNo) -> Result<(Analysis, Statistics), Error> {
        let missing = || Error::corrupt("root", format!("there is no page {}", page.0));
        let analysis = self.analysis_of(self.pack_of(page).ok_or_else(missing)?);
        let known = self.analyses().iter().find(|(known, _)| *known == analysis);
        known.copied().ok_or_else(|| Error::corrupt("root", "a pack's analysis has no statistics"))
    }

    /// Whether the best profiles that skip entries and blocks name are the best by `bm25` too.
    pub(crate) fn bounds_hold(&self, bm25: &Bm25) -> bool {
        bounds_of(bm25) == self.root.bounds
    }

    /// Takes the list of the files that calls have missed since it was taken last.
    pub fn wanted(&self) -> Vec<WantedFile> {
        self.cache.take_missing()
    }

    /// Supplies a file's unpacked bytes.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they are damaged.
    pub fn supply(&self, file: File, raw: Vec<u8>) -> Result<(), Error> {
        self.cache.supply(file, raw, &self.root)
    }

    /// Drops the files that were supplied, so that reading the whole index takes little memory. The list of text blocks
    /// stays.
    pub fn clear_cache(&self) {
        self.cache.clear();
    }
}
