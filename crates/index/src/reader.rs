//! The reader: opens the bytes of an index file and answers from them. It copies nothing but what it returns.

use std::ops::Range;
use std::sync::Arc;

use crate::analysis::Analysis;
use crate::bm25::{FIELDS, Frequencies};
use crate::bytes::Cursor;
use crate::dictionary::{Dictionary, Slice};
use crate::error::Error;
use crate::format::{PAGE_HASH_BYTES, Part};
use header::{read_blocks, read_header, read_lengths, read_link_offsets, read_meta};

mod header;
mod names;
mod pages;

pub(crate) use names::name_key;

/// More bytes of terms than these, for each byte of the dictionary and of the postings, no sound index has: every
/// term has postings of its own.
const MOST_KEY_BYTES: usize = 64;

/// A page's number in its index, from 0, in pack order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PageNo(pub u32);

/// A pack's place in its index, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackNo(pub usize);

/// What the index knows of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackEntry {
    /// Path under the packs root.
    pub path: String,
    /// How its pages were analysed.
    pub analysis: Analysis,
    /// Numbers of its pages.
    pub pages: Range<u32>,
    /// Whether its links come from page bodies, for want of See Also sections.
    pub links_derived: bool,
}

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

/// Sums over the pages of one analysis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Statistics {
    /// How many pages there are.
    pub pages: u32,
    /// Their mean length in tokens, all fields together.
    pub average_length: f64,
}

/// One page of a term's postings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// The page.
    pub page: PageNo,
    /// How often the term stands in each field.
    pub frequencies: Frequencies,
}

/// A title or alias found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatch {
    /// First byte of the name in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// How many tokens it has.
    pub tokens: usize,
    /// The pages of that name.
    pub pages: Vec<PageNo>,
}

/// An opened index.
#[derive(Debug)]
pub struct Index {
    bytes: Arc<Vec<u8>>,
    parts: [Range<usize>; Part::ALL.len()],
    terms: Dictionary,
    names: Dictionary,
    /// Whether a token stands in a body.
    bodies: bool,
    analyses: Vec<(Analysis, Statistics)>,
    packs: Vec<PackEntry>,
    lengths: Vec<u32>,
    blocks: Vec<u64>,
    links: Vec<u64>,
}

impl Index {
    /// Opens the bytes of an index file, checking all that can be checked without reading every entry.
    ///
    /// # Errors
    /// [`Error::NotAnIndex`], [`Error::Version`], [`Error::Truncated`] or [`Error::Corrupt`].
    pub fn open(bytes: Vec<u8>) -> Result<Index, Error> {
        let parts = read_header(&bytes)?;
        let bytes = Arc::new(bytes);
        let slice = |part: Part| Slice { bytes: Arc::clone(&bytes), range: parts[place(part)].clone() };
        let terms = Dictionary::open(slice(Part::Terms), Part::Terms.name())?;
        let names = Dictionary::open(slice(Part::Names), Part::Names.name())?;
        let (analyses, packs, bodies) = read_meta(&bytes[parts[place(Part::Meta)].clone()])?;
        let pages = packs.last().map_or(0, |pack| pack.pages.end);
        let lengths = read_lengths(&bytes[parts[place(Part::Lengths)].clone()], pages)?;
        let blocks = read_blocks(&bytes[parts[place(Part::Blocks)].clone()], pages)?;
        let links = read_link_offsets(&bytes[parts[place(Part::Links)].clone()], pages)?;
        Ok(Index { bytes, parts, terms, names, bodies, analyses, packs, lengths, blocks, links })
    }

    /// How many pages there are.
    pub fn len(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// Whether it holds words of page bodies, which can't be read back as text.
    pub fn has_bodies(&self) -> bool {
        self.bodies
    }

    /// The packs, in page order.
    pub fn packs(&self) -> &[PackEntry] {
        &self.packs
    }

    /// The analyses that the packs need, each with its statistics.
    pub fn analyses(&self) -> &[(Analysis, Statistics)] {
        &self.analyses
    }

    /// A page's length in tokens, all fields together.
    pub fn length(&self, page: PageNo) -> u32 {
        self.lengths.get(page.0 as usize).copied().unwrap_or(0)
    }

    /// The pack that `page` belongs to.
    pub fn pack_of(&self, page: PageNo) -> Option<PackNo> {
        let at = self.packs.partition_point(|pack| pack.pages.end <= page.0);
        (at < self.packs.len()).then_some(PackNo(at))
    }

    /// The pages that `page` lists under See Also, in its order.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the links are damaged or leave the page's pack.
    pub fn links(&self, page: PageNo) -> Result<Vec<PageNo>, Error> {
        let Some((&start, pack)) = self.links.get(page.0 as usize).zip(self.pack_of(page)) else {
            return Ok(Vec::new());
        };
        let mut cursor = self.cursor(Part::Links, start)?;
        let count = cursor.count()?;
        let linked: Result<Vec<PageNo>, Error> = (0..count).map(|_| cursor.number().map(PageNo)).collect();
        let linked = linked?;
        match linked.iter().all(|page| self.packs[pack.0].pages.contains(&page.0)) {
            true => Ok(linked),
            false => Err(Error::corrupt(Part::Links.name(), "a link leaves its pack")),
        }
    }

    /// The pages that hold `term` (a [`Token::term`](crate::Token::term)) under `analysis`, by rising number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the postings are damaged.
    pub fn postings(&self, analysis: Analysis, term: &str) -> Result<Vec<Posting>, Error> {
        let key = [&[analysis.tag()], term.as_bytes()].concat();
        match self.terms.get(&key) {
            Some(offset) => self.read_postings(offset),
            None => Ok(Vec::new()),
        }
    }

    fn read_postings(&self, offset: u64) -> Result<Vec<Posting>, Error> {
        let mut cursor = self.cursor(Part::Postings, offset)?;
        let mut numbers = PageNumbers { next: 0, pages: self.len() };
        let count = cursor.count()?;
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            let page = numbers.after(cursor.number()?, Part::Postings)?;
            let fields = cursor.byte()?;
            let mut frequencies = [0; FIELDS];
            for (at, frequency) in frequencies.iter_mut().enumerate() {
                if fields >> at & 1 == 1 {
                    *frequency = cursor.number()?;
                }
            }
            list.push(Posting { page, frequencies });
        }
        Ok(list)
    }

    /// How many terms there are, over all analyses.
    pub fn term_count(&self) -> usize {
        self.terms.len()
    }

    /// Every term with its analysis and the number of pages that hold it, in dictionary order.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the dictionary or the postings are damaged.
    pub fn terms(&self) -> Result<Vec<(Analysis, String, u32)>, Error> {
        let mut found = Vec::new();
        let parts = [Part::Terms, Part::Postings].map(|part| self.parts[place(part)].len());
        let most_bytes = parts.iter().sum::<usize>().saturating_mul(MOST_KEY_BYTES);
        let absurd = || Error::corrupt(Part::Terms.name(), "it has more terms than postings for them");
        for (key, offset) in self.terms.entries(most_bytes).ok_or_else(absurd)? {
            let Some((&tag, term)) = key.split_first() else { continue };
            let count = self.cursor(Part::Postings, offset)?.number()?;
            if let Some(analysis) = Analysis::of_tag(tag) {
                found.push((analysis, String::from_utf8_lossy(term).into_owned(), count));
            }
        }
        Ok(found)
    }

    /// Each part's name and size in bytes, in file order.
    pub fn part_sizes(&self) -> Vec<(&'static str, usize)> {
        Part::ALL.iter().map(|&part| (part.name(), self.parts[place(part)].len())).collect()
    }

    fn cursor(&self, part: Part, offset: u64) -> Result<Cursor<'_>, Error> {
        Cursor::starting(&self.bytes[self.parts[place(part)].clone()], offset, part.name())
    }
}

/// Turns gaps into page numbers that rise and exist.
struct PageNumbers {
    next: u32,
    pages: u32,
}

impl PageNumbers {
    fn after(&mut self, gap: u32, part: Part) -> Result<PageNo, Error> {
        let page = self.next.checked_add(gap).filter(|&page| page < self.pages);
        let page = page.ok_or_else(|| Error::corrupt(part.name(), "a page number is too large"))?;
        self.next = page + 1;
        Ok(PageNo(page))
    }
}

fn place(part: Part) -> usize {
    part as usize - 1
}
