//! An opened index: its root, and the files that have come so far.
//!
//! Reading is synchronous and knows no network. What it needs and has not, it notes: the call fails with
//! [`Error::Missing`], [`Index::wanted`] lists the files, the owner fetches them in parallel, hands them in with
//! [`Index::supply`], and calls again. A question comes to its end in few such rounds, since each call notes all that
//! it can foresee.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use crate::analysis::Analysis;
use crate::cache::file_cache::Held;
use crate::dictionary::shard::{Postings, TermFile, TermList};
use crate::docstore::block::{PackEntry, TextEntry};
use crate::error::Error;
use crate::field::occurs_before_body;
use crate::field::{Field, Frequencies};
use crate::format::PAGE_HASH_BYTES;
use crate::format::huffman::Decoder;
use crate::format::root::{Directory, Root, Statistics, bounds_of, root_form};
use crate::ids::{PackNo, PageNo};
use crate::postings::profile::{COMMON_SHAPES, Shape};
use crate::postings::run::Reading;
use crate::query::bm25::Bm25;
use crate::query::common_terms::most_uncommon;

mod forward;
pub use forward::{Forward, Forwards, Lies};

/// What the index knows of a page: a row of the result list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageEntry {
    /// The pack that it belongs to.
    pub pack: PackNo,
    /// Path under the pack's page root.
    pub file: String,
    /// The title.
    pub title: String,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// First bytes of the page file's SHA-256 at build time.
    pub hash: [u8; PAGE_HASH_BYTES],
}

/// One page of a term's postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The page.
    pub page: PageNo,
    /// How often the term stands in each field.
    pub frequencies: Frequencies,
}

impl Posting {
    /// Whether the term stands in the page's title, aliases or summary, not in its body alone.
    pub fn stands_before_body(&self) -> bool {
        occurs_before_body(&self.frequencies)
    }

    /// Whether its term stands in the title or an alias.
    pub(crate) fn stands_in_name(&self) -> bool {
        [Field::Title, Field::Aliases].iter().any(|&field| self.frequencies[field as usize] > 0)
    }
}

/// An opened index.
#[derive(Debug)]
pub struct Index {
    pub(crate) root: Root,
    pub(crate) code: Decoder,
    /// The ranking by which blocks know their best posting, and the scores of the common shapes by it, per analysis.
    ranking: Bm25,
    norms: Vec<Vec<f64>>,
    /// The analysis of each of the root's languages.
    languages: Vec<Analysis>,
    /// On more pages a term is [common](crate::query::common_terms).
    pub(crate) most_uncommon: u32,
    pub(crate) held: RefCell<Held>,
}

/// So many lists stay decoded.
const LISTS_KEPT: usize = 2048;
/// So many files of texts are looked through for a page, at most.
const MOST_LOOKED_THROUGH: usize = 64;

impl Index {
    /// Opens a root file, checking all that can be checked without its other files.
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
        let mut held = Held::default();
        if let Directory::Here(texts) = &root.directory {
            held.directory = Some(texts.as_slice().into());
        }
        let code = Decoder::new(&root.code).ok_or_else(|| Error::corrupt("root", "the shapes' code is none"))?;
        let [k1, b, b_body, weights @ ..] = root.bounds;
        let ranking = Bm25 { k1, b, b_body, weights, ..Bm25::default() };
        let norms = root.analyses.iter().map(|(_, statistics)| {
            root.shapes.iter().map(|shape| shape.norm(&ranking, statistics.average_length)).collect()
        });
        let norms = norms.collect();
        // A language that had no stemmer when the index was built is taken word for word, as it was then.
        let as_built = |language: &String| {
            let analysis = Analysis::of_language(language);
            let is_there = root.analyses.iter().any(|(known, _)| *known == analysis);
            if is_there { analysis } else { Analysis::Plain }
        };
        let languages = root.languages.iter().map(as_built).collect();
        let most_uncommon = most_uncommon(root.pages());
        Ok(Index { root, code, ranking, norms, languages, most_uncommon, held: RefCell::new(held) })
    }

    /// How many pages there are.
    pub fn len(&self) -> u32 {
        self.root.pages()
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it holds words of page bodies.
    pub fn has_bodies(&self) -> bool {
        self.root.body_tokens > 0
    }

    /// How many packs there are.
    pub fn pack_count(&self) -> usize {
        self.root.packs.len()
    }

    /// Numbers of a pack's pages.
    pub fn pages_of(&self, pack: PackNo) -> Range<u32> {
        let start = pack.0.checked_sub(1).and_then(|before| self.root.packs.get(before)).map_or(0, |span| span.end);
        start..self.root.packs.get(pack.0).map_or(start, |span| span.end)
    }

    /// The language of a pack, as its manifest says it.
    pub fn language_of(&self, pack: PackNo) -> &str {
        let language = self.root.packs.get(pack.0).and_then(|span| self.root.languages.get(span.language as usize));
        language.map_or("", String::as_str)
    }

    /// How a pack's pages are analysed.
    pub fn analysis_of(&self, pack: PackNo) -> Analysis {
        let known = self.root.packs.get(pack.0).and_then(|span| self.languages.get(span.language as usize));
        known.copied().unwrap_or(Analysis::Plain)
    }

    /// The analyses that the packs need, each with its statistics.
    pub fn analyses(&self) -> &[(Analysis, Statistics)] {
        &self.root.analyses
    }

    /// The pack that `page` belongs to.
    pub fn pack_of(&self, page: PageNo) -> Option<PackNo> {
        let at = self.root.packs.partition_point(|pack| pack.end <= page.0);
        (at < self.root.packs.len()).then_some(PackNo(at))
    }

    /// What the index knows of a pack.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where its block is damaged or there is no such pack, [`Error::Missing`] where that is not
    /// there yet.
    pub fn pack(&self, pack: PackNo) -> Result<PackEntry, Error> {
        let missing = || Error::corrupt("page texts", format!("pack {} is not there", pack.0));
        let directory = self.directory()?;
        let Range { start: first, end } = self.pages_of(pack);
        // Every block with pages of a pack lists it: one that is there saves a round.
        let block_of = |page: u32| directory.partition_point(|file| file.end <= page) as u32;
        let held =
            self.held.borrow().texts.first_from(&block_of(first)).map(|(block, texts)| (*block, Rc::clone(texts)));
        if let Some((block, texts)) = held
            && block <= block_of(end.saturating_sub(1))
            && let Some(entry) = texts.pack(pack)
        {
            return Ok(entry.clone());
        }
        // A pack without pages is listed with the last page before it.
        let block = directory.partition_point(|file| file.end <= first).min(directory.len().saturating_sub(1));
        for block in [block, block.saturating_sub(1)] {
            if let Some(entry) = self.texts(block as u32)?.pack(pack) {
                return Ok(entry.clone());
            }
        }
        Err(missing())
    }

    /// What the index knows of `page`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where its block is damaged or there is no such page, [`Error::Missing`] where that is not
    /// there yet.
    pub fn page(&self, page: PageNo) -> Result<PageEntry, Error> {
        Ok(self.text_entry(page)?.entry)
    }

    /// The pages that `page` lists under See Also, in its order.
    ///
    /// # Errors
    /// As [`Index::page`]; [`Error::Corrupt`] also where a link leaves the page's pack.
    pub fn links(&self, page: PageNo) -> Result<Vec<PageNo>, Error> {
        let found = self.text_entry(page)?;
        let pages = self.pages_of(found.entry.pack);
        let linked = found.links.iter().map(|&place| {
            let page = pages.start.checked_add(place).filter(|page| pages.contains(page));
            page.map(PageNo).ok_or_else(|| Error::corrupt("page texts", "a link leaves its pack"))
        });
        linked.collect()
    }

    /// The page of `pack` whose file is `file`.
    ///
    /// It is looked for among the texts that are there, then as in a dictionary, since builds of packs list pages by file. Where
    /// it is not found so, all texts of a pack are looked through, unless that takes more than 64 files: of a larger set of
    /// rows, which keep their order and have no files of their own, a page may not be found.
    ///
    /// # Errors
    /// As [`Index::page`].
    pub fn find_page(&self, pack: PackNo, file: &str) -> Result<Option<PageNo>, Error> {
        let (pages, directory) = (self.pages_of(pack), self.directory()?);
        let first = directory.partition_point(|block| block.end <= pages.start);
        let blocks =
            first..directory.partition_point(|block| block.end < pages.end).saturating_add(1).min(directory.len());
        for block in blocks.clone().filter(|&block| self.has_texts(block as u32)) {
            if let Some(found) = self.find_in(block, &pages, file)? {
                return Ok(Some(found));
            }
        }
        if let Some(found) = self.find_sorted(pages.clone(), file)? {
            return Ok(Some(found));
        }
        if blocks.len() > MOST_LOOKED_THROUGH {
            return Ok(None);
        }
        self.all(blocks.clone().map(|block| self.texts(block as u32).map(drop)))?;
        for block in blocks {
            if let Some(found) = self.find_in(block, &pages, file)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The page of that file among those of `pages` that stand in a block.
    fn find_in(&self, block: usize, pages: &Range<u32>, file: &str) -> Result<Option<PageNo>, Error> {
        let directory = self.directory()?;
        let start = block.checked_sub(1).map_or(0, |before| directory[before].end);
        let (from, to) = (pages.start.max(start), pages.end.min(directory[block].end));
        let places = (from.max(start) - start) as usize..(to.max(from) - start) as usize;
        Ok(self.texts(block as u32)?.find(places, file)?.map(|place| PageNo(start + place as u32)))
    }

    /// The page of that file, where the files of `pages` rise.
    fn find_sorted(&self, mut pages: Range<u32>, file: &str) -> Result<Option<PageNo>, Error> {
        while !pages.is_empty() {
            let middle = pages.start + (pages.end - pages.start) / 2;
            match self.page(PageNo(middle))?.file.as_str().cmp(file) {
                Ordering::Equal => return Ok(Some(PageNo(middle))),
                Ordering::Less => pages.start = middle + 1,
                Ordering::Greater => pages.end = middle,
            }
        }
        Ok(None)
    }

    /// The pack of that path.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where it is not there yet.
    pub fn find_pack(&self, path: &str) -> Result<Option<PackNo>, Error> {
        let mut found = None;
        if let Some(list) = self.list_of(&[&[crate::dictionary::shard::PACK_KEY], path.as_bytes()].concat())?
            && let Postings::Here(run) = &list.postings
        {
            found = run.pages.first().map(|&pack| PackNo(pack as usize)).filter(|pack| pack.0 < self.pack_count());
        }
        Ok(found)
    }

    fn text_entry(&self, page: PageNo) -> Result<TextEntry, Error> {
        let missing = || Error::corrupt("page texts", format!("there is no page {}", page.0));
        let pack = self.pack_of(page).ok_or_else(missing)?;
        let directory = self.directory()?;
        let block = directory.partition_point(|file| file.end <= page.0);
        let start = block.checked_sub(1).map_or(0, |before| directory[before].end);
        self.texts(block as u32)?.page((page.0 - start) as usize, pack)
    }

    /// The pages that hold `term` (a [`Token::term`](crate::Token::term)) under `analysis`, by rising number; none
    /// where they are so many that they stand in files of their own.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the postings are damaged, [`Error::Missing`] where they are not there yet.
    pub fn short_postings(&self, analysis: Analysis, term: &str) -> Result<Option<Vec<Posting>>, Error> {
        let Some(list) = self.list(analysis, term)? else { return Ok(Some(Vec::new())) };
        let Postings::Here(run) = &list.postings else { return Ok(None) };
        let posting = |(page, shape): (u32, u32)| Posting {
            page: PageNo(page),
            frequencies: self.shape(&list, shape).frequencies,
        };
        Ok(Some(run.entries().map(posting).collect()))
    }

    /// How many pages hold `term` under `analysis`, anywhere.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where it is not there yet.
    pub fn pages_with(&self, analysis: Analysis, term: &str) -> Result<u32, Error> {
        Ok(self.list(analysis, term)?.map_or(0, |list| list.pages_with))
    }

    /// The shape of a number in a list.
    pub(crate) fn shape(&self, list: &TermList, number: u32) -> Shape {
        let number = number as usize;
        let rare = number.checked_sub(COMMON_SHAPES).and_then(|place| list.shapes.get(place));
        rare.or_else(|| self.root.shapes.get(number)).copied().unwrap_or_default()
    }

    /// How lists under keys of that tag are read.
    pub(crate) fn reading(&self, tag: u8) -> Reading<'_> {
        let place = self.analyses().iter().position(|(analysis, _)| analysis.tag() == tag);
        let norms = place.map_or(&[][..], |place| &self.norms[place]);
        let average = place.map_or(1.0, |place| self.analyses()[place].1.average_length);
        Reading {
            pages: self.len(),
            packs: self.root.packs.len() as u32,
            own: 0,
            code: &self.code,
            norms,
            common: &self.root.shapes,
            lengths: &self.root.lengths,
            ranking: (&self.ranking, average),
        }
    }

    /// Whether the best shapes that blocks note are the best by `bm25`.
    pub(crate) fn bounds_hold(&self, bm25: &Bm25) -> bool {
        bounds_of(bm25) == self.root.bounds
    }

    /// The list of `term` under `analysis`.
    pub(crate) fn list(&self, analysis: Analysis, term: &str) -> Result<Option<Rc<TermList>>, Error> {
        self.list_of(&[&[analysis.tag()], term.as_bytes()].concat())
    }

    pub(crate) fn list_of(&self, key: &[u8]) -> Result<Option<Rc<TermList>>, Error> {
        if let Some(list) = self.held.borrow().lists.get(key) {
            return Ok(list.clone());
        }
        let Some(shard) = self.shard_of(key)? else { return Ok(None) };
        let list = shard.list(key, self.reading(key[0]))?.map(Rc::new);
        let mut held = self.held.borrow_mut();
        if held.lists.len() >= LISTS_KEPT {
            held.lists.clear();
        }
        held.lists.insert(key.to_vec(), list.clone());
        Ok(list)
    }

    /// The shard that would hold `key`.
    fn shard_of(&self, key: &[u8]) -> Result<Option<Rc<TermFile>>, Error> {
        let at = self.root.terms.partition_point(|file| file.from.as_slice() <= key);
        at.checked_sub(1).map(|number| self.term_file(number as u32)).transpose()
    }

    /// Notes all shards that `terms` need, so that they can be fetched together.
    pub(crate) fn ready<'t>(&self, terms: impl Iterator<Item = (Analysis, &'t str)>) -> Result<(), Error> {
        self.all(terms.map(|(analysis, term)| self.list(analysis, term).map(drop)))
    }

    /// The numbers of the shards whose keys may begin with `start`.
    pub(crate) fn shard_range(&self, start: &[u8]) -> Range<usize> {
        let from = self.root.terms.partition_point(|file| file.from.as_slice() <= start).saturating_sub(1);
        let rest = &self.root.terms[from..];
        let within =
            |file: &crate::format::root::TermFile| file.from.as_slice() <= start || file.from.starts_with(start);
        from..from + rest.partition_point(within)
    }

    /// The first `most` shards whose keys may begin with `start`.
    pub(crate) fn shards_from(&self, start: &[u8], most: usize) -> Result<Vec<Rc<TermFile>>, Error> {
        let range = self.shard_range(start);
        self.shards(range.start..range.end.min(range.start.saturating_add(most)))
    }

    /// The shards of these numbers.
    pub(crate) fn shards(&self, range: Range<usize>) -> Result<Vec<Rc<TermFile>>, Error> {
        let shards = || range.clone().map(|number| self.term_file(number as u32));
        self.all(shards().map(|shard| shard.map(drop)))?;
        shards().collect()
    }

    /// The pages of a short list that is no term's, such as a tag's.
    pub(crate) fn pages_under(&self, key: &[u8]) -> Result<Vec<u32>, Error> {
        let Some(list) = self.list_of(key)? else { return Ok(Vec::new()) };
        match &list.postings {
            Postings::Here(run) => Ok(run.pages.clone()),
            Postings::Chunks(chunks) => {
                self.all(chunks.iter().map(|chunk| self.chunk(&list, chunk).map(drop)))?;
                let mut pages = Vec::new();
                for chunk in chunks {
                    pages.extend_from_slice(&self.chunk(&list, chunk)?.pages);
                }
                Ok(pages)
            }
        }
    }
}
