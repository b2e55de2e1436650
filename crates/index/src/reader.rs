//! The reader: opens the bytes of an index file and answers from them. It copies nothing but what it returns.

use std::ops::Range;
use std::sync::Arc;

use crate::analysis::{Analysis, Token};
use crate::bm25::{FIELDS, Frequencies};
use crate::bytes::Cursor;
use crate::dictionary::{Dictionary, Slice};
use crate::error::Error;
use crate::format::{BLOCK, ENTRY_BYTES, MAGIC, PAGE_HASH_BYTES, Part, VERSION};
use crate::order::sort_by;

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
        let (analyses, packs) = read_meta(&bytes[parts[place(Part::Meta)].clone()])?;
        let pages = packs.last().map_or(0, |pack| pack.pages.end);
        let lengths = read_lengths(&bytes[parts[place(Part::Lengths)].clone()], pages)?;
        let blocks = read_blocks(&bytes[parts[place(Part::Blocks)].clone()], pages)?;
        let links = read_link_offsets(&bytes[parts[place(Part::Links)].clone()], pages)?;
        Ok(Index { bytes, parts, terms, names, analyses, packs, lengths, blocks, links })
    }

    /// How many pages there are.
    pub fn len(&self) -> u32 {
        self.lengths.len() as u32
    }

    /// Whether there are no pages.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
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

    /// A page's row of the page table.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the table is damaged or has no such page.
    pub fn page(&self, page: PageNo) -> Result<PageEntry, Error> {
        let missing = || Error::corrupt(Part::Pages.name(), format!("there is no page {}", page.0));
        let pack = self.pack_of(page).ok_or_else(missing)?;
        let mut cursor = self.block(page.0 as usize / BLOCK)?;
        for _ in 0..page.0 as usize % BLOCK {
            skip_entry(&mut cursor)?;
        }
        read_entry(&mut cursor, pack)
    }

    /// A block of the page table: up to where the next one starts, so that no two share a byte.
    fn block(&self, number: usize) -> Result<Cursor<'_>, Error> {
        let table = &self.bytes[self.parts[place(Part::Pages)].clone()];
        let at = |number: usize| self.blocks.get(number).map_or(table.len(), |&at| at.min(table.len() as u64) as usize);
        // `open` added up gaps, so the offsets don't fall.
        Ok(Cursor::new(&table[at(number)..at(number + 1)], Part::Pages.name()))
    }

    /// The page of `pack` whose file is `file`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the page table is damaged.
    pub fn find_page(&self, pack: &str, file: &str) -> Result<Option<PageNo>, Error> {
        let Some(entry) = self.packs.iter().find(|entry| entry.path == pack) else { return Ok(None) };
        for number in entry.pages.start / BLOCK as u32..entry.pages.end.div_ceil(BLOCK as u32) {
            let mut cursor = self.block(number as usize)?;
            for page in (number * BLOCK as u32..self.len()).take(BLOCK) {
                if skip_entry(&mut cursor)? == file && entry.pages.contains(&page) {
                    return Ok(Some(PageNo(page)));
                }
            }
        }
        Ok(None)
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

    /// The pages that hold `term` (a [`Token::term`]) under `analysis`, by rising number.
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

    /// The pages whose title or alias is `text`, stop words aside, by rising number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the name lists are damaged.
    pub fn named(&self, text: &str) -> Result<Vec<PageNo>, Error> {
        let mut found = Vec::new();
        for (analysis, _) in &self.analyses {
            if let Some(offset) = name_key(*analysis, text).and_then(|key| self.names.get(&key)) {
                found.extend(self.read_list(offset)?);
            }
        }
        sort_by(&mut found, PageNo::cmp);
        found.dedup();
        Ok(found)
    }

    /// The titles and aliases that stand in `text`: at each place the longest, none inside another.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the name lists are damaged.
    pub fn names_in(&self, text: &str) -> Result<Vec<NameMatch>, Error> {
        let mut found: Vec<NameMatch> = Vec::new();
        for (analysis, _) in &self.analyses {
            let tokens = analysis.tokens(text);
            let mut at = 0;
            while at < tokens.len() {
                let longest = self.longest_name(*analysis, &tokens[at..])?;
                at += longest.as_ref().map_or(1, |name| name.tokens);
                found.extend(longest);
            }
        }
        sort_by(&mut found, |a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        found.dedup_by(|later, earlier| {
            let inside = later.start < earlier.end;
            if inside && (later.start, later.end) == (earlier.start, earlier.end) {
                earlier.pages.append(&mut later.pages);
            }
            inside
        });
        Ok(found)
    }

    fn longest_name(&self, analysis: Analysis, tokens: &[Token]) -> Result<Option<NameMatch>, Error> {
        let mut walk = self.names.walk().follow(&[analysis.tag()]);
        let mut longest = None;
        for (at, token) in tokens.iter().enumerate() {
            let separator: &[u8] = if at == 0 { b"" } else { b" " };
            walk = walk.and_then(|walk| walk.follow(separator)).and_then(|walk| walk.follow(token.term.as_bytes()));
            match walk {
                Some(here) => longest = here.value().map(|offset| (at + 1, offset)).or(longest),
                None => break,
            }
        }
        longest
            .map(|(count, offset)| {
                let (start, end) = (tokens[0].start, tokens[count - 1].end);
                Ok(NameMatch { start, end, tokens: count, pages: self.read_list(offset)? })
            })
            .transpose()
    }

    fn read_list(&self, offset: u64) -> Result<Vec<PageNo>, Error> {
        let mut cursor = self.cursor(Part::Lists, offset)?;
        let mut numbers = PageNumbers { next: 0, pages: self.len() };
        let count = cursor.count()?;
        (0..count).map(|_| numbers.after(cursor.number()?, Part::Lists)).collect()
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

/// The key of a title or alias in the name dictionary: its tokens without stop words, or with them where it has no
/// others. None for a name without a letter or digit.
pub(crate) fn name_key(analysis: Analysis, name: &str) -> Option<Vec<u8>> {
    let all = analysis.all_tokens(name);
    let only_stops = all.iter().all(|token| token.stop);
    let terms: Vec<&str> =
        all.iter().filter(|token| only_stops || !token.stop).map(|token| token.term.as_str()).collect();
    (!terms.is_empty()).then(|| [&[analysis.tag()], terms.join(" ").as_bytes()].concat())
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

fn read_header(bytes: &[u8]) -> Result<[Range<usize>; Part::ALL.len()], Error> {
    if bytes.len() < MAGIC.len() + 4 || &bytes[..MAGIC.len()] != MAGIC {
        let found = String::from_utf8_lossy(&bytes[..bytes.len().min(16)]).into_owned();
        return Err(Error::NotAnIndex { found });
    }
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    if version != VERSION {
        return Err(Error::Version { found: version });
    }
    let count = usize::from(u16::from_le_bytes([bytes[10], bytes[11]]));
    let mut parts: [Option<Range<usize>>; Part::ALL.len()] = Default::default();
    for at in 0..count {
        let entry = bytes.get(12 + at * ENTRY_BYTES..12 + (at + 1) * ENTRY_BYTES).ok_or_else(|| header_cut(bytes))?;
        let kind = u32::from_le_bytes(entry[..4].try_into().expect("four bytes"));
        if let Some(part) = Part::ALL.into_iter().find(|part| *part as u32 == kind) {
            parts[place(part)] = Some(part_range(entry, part, bytes.len())?);
        }
    }
    for part in Part::ALL {
        if parts[place(part)].is_none() {
            return Err(Error::corrupt("header", format!("it has no {}", part.name())));
        }
    }
    Ok(parts.map(|range| range.unwrap_or_default()))
}

fn header_cut(bytes: &[u8]) -> Error {
    Error::Truncated { part: "header", needed: (12 + ENTRY_BYTES) as u64, got: bytes.len() as u64 }
}

fn part_range(entry: &[u8], part: Part, file: usize) -> Result<Range<usize>, Error> {
    let number = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().expect("eight bytes"));
    let (start, length) = (number(4), number(12));
    let end = start.checked_add(length).ok_or_else(|| Error::corrupt("header", "a part's end is too large"))?;
    if end > file as u64 {
        return Err(Error::Truncated { part: part.name(), needed: end, got: file as u64 });
    }
    Ok(start as usize..end as usize)
}

type Meta = (Vec<(Analysis, Statistics)>, Vec<PackEntry>);

fn read_meta(bytes: &[u8]) -> Result<Meta, Error> {
    let name = Part::Meta.name();
    let mut cursor = Cursor::new(bytes, name);
    let analysis = |tag| Analysis::of_tag(tag).ok_or_else(|| Error::corrupt(name, "an analysis is unknown"));
    let mut analyses = Vec::new();
    for _ in 0..cursor.count()? {
        let analysis = analysis(cursor.byte()?)?;
        if analyses.iter().any(|(known, _)| *known == analysis) {
            return Err(Error::corrupt(name, "an analysis is there twice"));
        }
        let pages = cursor.number()?;
        let mut tokens = 0.0;
        for _ in 0..FIELDS {
            tokens += cursor.varint()? as f64;
        }
        analyses.push((analysis, Statistics { pages, average_length: tokens / f64::from(pages.max(1)) }));
    }
    let mut packs: Vec<PackEntry> = Vec::new();
    for _ in 0..cursor.count()? {
        let path = cursor.text()?.to_owned();
        let analysis = analysis(cursor.byte()?)?;
        let first = packs.last().map_or(0, |pack| pack.pages.end);
        let end =
            first.checked_add(cursor.number()?).ok_or_else(|| Error::corrupt(name, "there are too many pages"))?;
        let links_derived = cursor.byte()? & 1 == 1;
        packs.push(PackEntry { path, analysis, pages: first..end, links_derived });
    }
    Ok((analyses, packs))
}

fn read_lengths(bytes: &[u8], pages: u32) -> Result<Vec<u32>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Lengths.name());
    if pages as usize > bytes.len() {
        return Err(Error::corrupt(Part::Lengths.name(), "there are fewer than pages"));
    }
    (0..pages).map(|_| (0..FIELDS).try_fold(0u32, |sum, _| Ok(sum.saturating_add(cursor.number()?)))).collect()
}

fn read_blocks(bytes: &[u8], pages: u32) -> Result<Vec<u64>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Blocks.name());
    let mut start = 0u64;
    (0..(pages as usize).div_ceil(BLOCK))
        .map(|_| {
            start = start.saturating_add(cursor.varint()?);
            Ok(start)
        })
        .collect()
}

fn read_link_offsets(bytes: &[u8], pages: u32) -> Result<Vec<u64>, Error> {
    let mut cursor = Cursor::new(bytes, Part::Links.name());
    (0..pages)
        .map(|_| {
            let offset = (bytes.len() - cursor.rest()) as u64;
            for _ in 0..cursor.count()? {
                cursor.number()?;
            }
            Ok(offset)
        })
        .collect()
}

fn read_entry(cursor: &mut Cursor<'_>, pack: PackNo) -> Result<PageEntry, Error> {
    let [file, title, summary] = [cursor.text()?, cursor.text()?, cursor.text()?].map(str::to_owned);
    let count = cursor.count()?;
    let aliases: Result<Vec<String>, Error> = (0..count).map(|_| cursor.text().map(str::to_owned)).collect();
    let mut hash = [0; PAGE_HASH_BYTES];
    hash.copy_from_slice(cursor.take(PAGE_HASH_BYTES)?);
    Ok(PageEntry { pack, file, title, summary, aliases: aliases?, hash })
}

/// Passes over an entry; returns its file.
fn skip_entry<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str, Error> {
    let file = cursor.text()?;
    let (_title, _summary) = (cursor.text()?, cursor.text()?);
    for _ in 0..cursor.count()? {
        cursor.text()?;
    }
    cursor.take(PAGE_HASH_BYTES)?;
    Ok(file)
}
