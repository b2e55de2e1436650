//! A shard of the term dictionary, as it is read.
//!
//! ```text
//! shard   := length:varint fst list*                 fst: `length` bytes, a map from key to value
//! key     := tag:byte text                           tag: an analysis, or one of the keys below
//! value   := 1 | named << 2 | shape << 3 | page << 11        a single posting; named: the term is that page's name
//!          | 3 | named << 2 | shape << 3 | more << 11 | page << 16
//!          | offset << 1                             where its list begins, after the fst
//! list    := count:varint flags:byte more? shapes? names? packs? (length:varint run | chunks:varint chunk*)
//! more    := byte                                    how many pages hold the term in their bodies alone, without a
//!                                                    posting, as a class: see `more_of`
//! shapes  := count:varint shape*                     shapes that are not among the root's; numbered behind COMMON_SHAPES
//! names   := count:varint (gap:varint hash:byte[3])* pages with a name of which this is the rarest term
//! packs   := count:varint gap:varint*                packs whose title or summary says the term, less the one before, less
//!                                                    one; not where all of them do. A list may be of these alone
//! chunk   := count:varint last:varint best:varint hash       a run in a file of its own; last: its last page, as the gap
//!                                                    from where it begins; no two chunks of a list have one hash
//! ```

use std::cell::RefCell;
use std::rc::Rc;

use crate::cache::sorted_map::Shelf;
use crate::dictionary::map::{Dictionary, Slice};
use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::format::files::Hash;
use crate::format::root::read_hash;
use crate::postings::profile::{COMMON_SHAPES, Shape, read_shapes};
use crate::postings::run::{Reading, Run};

/// Tag of keys that are tags of pages; the list holds the pages.
pub(crate) const TAG_KEY: u8 = 1;
/// Tag of keys that are paths of packs; the single posting's page is the pack's number.
pub(crate) const PACK_KEY: u8 = 2;

/// Flag of a list with shapes of its own.
pub(crate) const HAS_SHAPES: u8 = 1;
/// Flag of a list whose postings are in files of their own.
pub(crate) const CHUNKED: u8 = 2;
/// Flag of a list with names.
pub(crate) const HAS_NAMES: u8 = 4;
/// Flag of a list whose term more pages hold than it has postings.
pub(crate) const HAS_MORE: u8 = 8;

/// Flag of a list whose term stands in titles or summaries of packs.
pub(crate) const HAS_PACKS: u8 = 16;

const PART: &str = "term shard";

/// Classes of how many pages hold a term without a posting.
const MORE_CLASSES: u32 = 32;

/// The count that a class stands for: 0, 1, 2, 3, 4, then half as many again for each. An idf turns on no more.
pub(crate) fn more_of(class: u32) -> u32 {
    let mut count = class.min(4);
    for _ in 4..class.min(MORE_CLASSES - 1) {
        count += count / 2;
    }
    count
}

/// The class of a count: the nearest below it.
pub(crate) fn more_class(count: u32) -> u32 {
    (0..MORE_CLASSES).rev().find(|&class| more_of(class) <= count).unwrap_or(0)
}

/// A single posting as a dictionary value; `more` is a class.
pub(crate) fn single(page: u32, shape: u32, named: bool, more: u32) -> u64 {
    let low = u64::from(named) << 2 | u64::from(shape) << 3;
    match more {
        0 => 1 | low | u64::from(page) << 11,
        more => 3 | low | u64::from(more) << 11 | u64::from(page) << 16,
    }
}

/// A shard whose dictionary has been checked.
#[derive(Debug)]
pub(crate) struct TermFile {
    pub(crate) dictionary: Dictionary,
    bytes: Rc<[u8]>,
    lists: usize,
    /// Where the lists that were read begin and end, each with its key.
    read: RefCell<Shelf<usize, Claim>>,
}

/// The end and the key of a list that was read.
type Claim = (usize, Box<[u8]>);

/// The postings of a term, as far as they are there.
#[derive(Debug, Clone)]
pub(crate) struct TermList {
    /// How many postings it has.
    pub(crate) count: u32,
    /// How many pages hold the term anywhere.
    pub(crate) pages_with: u32,
    /// Shapes that only this list numbers, from `COMMON_SHAPES` on.
    pub(crate) shapes: Vec<Shape>,
    /// Pages with a name of which this is the rarest term, each with the name's hash.
    pub(crate) names: Vec<(u32, u32)>,
    /// Packs whose title or summary says the term, by rising number.
    pub(crate) packs: Vec<u32>,
    /// The scores of all its shapes, where parts of it are still to be read.
    pub(crate) norms: Vec<f64>,
    /// Tells these scores from another list's.
    pub(crate) norms_hash: u64,
    pub(crate) postings: Postings,
}

/// Where postings stand.
#[derive(Debug, Clone)]
pub(crate) enum Postings {
    /// Beside the term.
    Here(Rc<Run>),
    /// In files of their own.
    Chunks(Vec<Chunk>),
}

/// A part of a long list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) count: u32,
    pub(crate) base: u32,
    pub(crate) last: u32,
    pub(crate) best: u32,
    pub(crate) hash: Hash,
}

impl TermFile {
    /// Opens a shard's unpacked bytes.
    pub(crate) fn open(bytes: Rc<[u8]>) -> Result<TermFile, Error> {
        let mut cursor = Cursor::new(&bytes, PART);
        let length = cursor.number()? as usize;
        let start = bytes.len() - cursor.rest();
        cursor.take(length)?;
        let range = start..start + length;
        let dictionary = Dictionary::open(Slice { bytes: Rc::clone(&bytes), range: range.clone() }, PART)?;
        Ok(TermFile { dictionary, lists: range.end, bytes, read: RefCell::default() })
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The list stored under `key`.
    pub(crate) fn list(&self, key: &[u8], reading: Reading<'_>) -> Result<Option<TermList>, Error> {
        match self.dictionary.get(key) {
            Some(value) => self.read(key, value, reading).map(Some),
            None => Ok(None),
        }
    }

    /// How many pages hold the term of a dictionary value, without reading its list.
    pub(crate) fn count(&self, value: u64) -> Result<u32, Error> {
        if value & 1 == 1 {
            return Ok(1);
        }
        self.list_at(value)?.number()
    }

    fn list_at(&self, value: u64) -> Result<Cursor<'_>, Error> {
        let at = usize::try_from(value >> 1).unwrap_or(usize::MAX).saturating_add(self.lists);
        Cursor::starting(&self.bytes, at as u64, PART)
    }

    /// Notes that the list of `key` stands there. Lists that share bytes would let a small shard fill the memory.
    fn claim(&self, key: &[u8], start: usize, end: usize) -> Result<(), Error> {
        let mut read = self.read.borrow_mut();
        match read.last_below(&end) {
            Some((&known, (_, of))) if known == start && **of == *key => Ok(()),
            Some((_, &(known_end, _))) if known_end > start => {
                Err(Error::corrupt(PART, "two lists stand at one place"))
            }
            _ => {
                read.insert(start, (end, key.into()));
                Ok(())
            }
        }
    }

    /// The list that a dictionary value stands for.
    pub(crate) fn read(&self, key: &[u8], value: u64, reading: Reading<'_>) -> Result<TermList, Error> {
        let pages = reading.pages;
        if value & 1 == 1 {
            return read_single(key, value, reading);
        }
        let mut cursor = self.list_at(value)?;
        let start = self.bytes.len() - cursor.rest();
        let count = cursor.number()?;
        if count > pages {
            return Err(Error::corrupt(PART, "a list has more postings than there are pages"));
        }
        let flags = cursor.byte()?;
        let more = if flags & HAS_MORE != 0 { more_of(cursor.byte()?.into()) } else { 0 };
        let pages_with = count.saturating_add(more).min(pages);
        let shapes = if flags & HAS_SHAPES != 0 { read_shapes(&mut cursor)? } else { Vec::new() };
        let names = if flags & HAS_NAMES != 0 { read_names(&mut cursor, pages)? } else { Vec::new() };
        let packs = if flags & HAS_PACKS != 0 { read_packs(&mut cursor, reading.packs)? } else { Vec::new() };
        let norms = reading.norms_with(&shapes);
        let reading = Reading { own: shapes.len(), norms: &norms, ..reading };
        if flags & CHUNKED == 0 {
            let length = cursor.count()?;
            let run = Run::read(cursor.take(length)?, count as usize, 0, reading)?;
            self.claim(key, start, self.bytes.len() - cursor.rest())?;
            let (run, shapes) = run.with_lengths(shapes, reading);
            let postings = Postings::Here(Rc::new(run));
            let (norms, norms_hash) = (Vec::new(), 0);
            return Ok(TermList { count, pages_with, shapes, names, packs, norms, norms_hash, postings });
        }
        if !reading.lengths.is_empty() {
            return Err(Error::corrupt(PART, "a list of a small index is in parts"));
        }
        let postings = Postings::Chunks(read_chunks(&mut cursor, count, reading)?);
        self.claim(key, start, self.bytes.len() - cursor.rest())?;
        let norms_hash = hash_of(&norms);
        Ok(TermList { count, pages_with, shapes, names, packs, norms, norms_hash, postings })
    }
}

/// FNV-1a over the numbers' bits.
fn hash_of(numbers: &[f64]) -> u64 {
    let add = |hash: u64, number: &f64| (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

fn read_single(key: &[u8], value: u64, reading: Reading<'_>) -> Result<TermList, Error> {
    let (pages, shape) = (reading.pages, (value >> 3) as u32 & 0xff);
    let (more, page) = if value & 2 == 0 { (0, value >> 11) } else { ((value >> 11) as u32 & 31, value >> 16) };
    let page = u32::try_from(page).ok().filter(|&page| page < pages || key.first() == Some(&PACK_KEY));
    let page = page.ok_or_else(too_large)?;
    let term = String::from_utf8_lossy(key.get(1..).unwrap_or_default());
    let named = value >> 2 & 1 == 1;
    let names = if named { vec![(page, crate::query::names::name_hash([&*term].into_iter()))] } else { Vec::new() };
    let (run, shapes) = Run::single((page, shape)).with_lengths(Vec::new(), reading);
    let (pages_with, postings) = ((1 + more_of(more)).min(pages), Postings::Here(Rc::new(run)));
    let (packs, norms) = (Vec::new(), Vec::new());
    Ok(TermList { count: 1, pages_with, shapes, names, packs, norms, norms_hash: 0, postings })
}

fn read_names(cursor: &mut Cursor<'_>, pages: u32) -> Result<Vec<(u32, u32)>, Error> {
    let mut page = 0u32;
    cursor.list(|cursor| {
        page = page.checked_add(cursor.number()?).filter(|&page| page < pages).ok_or_else(too_large)?;
        let hash = cursor.take(3)?;
        Ok((page, u32::from_le_bytes([hash[0], hash[1], hash[2], 0])))
    })
}

fn read_packs(cursor: &mut Cursor<'_>, packs: u32) -> Result<Vec<u32>, Error> {
    let mut next = 0u32;
    cursor.list(|cursor| {
        let pack = next.checked_add(cursor.number()?).filter(|&pack| pack < packs);
        let pack = pack.ok_or_else(|| Error::corrupt(PART, "a pack's number is too large"))?;
        next = pack + 1;
        Ok(pack)
    })
}

fn too_large() -> Error {
    Error::corrupt(PART, "a page number is too large")
}

fn miscounted() -> Error {
    Error::corrupt(PART, "the files of a list have other postings than the list")
}

fn read_chunks(cursor: &mut Cursor<'_>, postings: u32, reading: Reading<'_>) -> Result<Vec<Chunk>, Error> {
    let (mut base, mut left) = (0u32, postings);
    let chunks = cursor.list(|cursor| {
        let count = cursor.number()?;
        left = left.checked_sub(count).ok_or_else(miscounted)?;
        let last = base.checked_add(cursor.number()?).filter(|&last| last < reading.pages).ok_or_else(too_large)?;
        let best = cursor.number()?.min((COMMON_SHAPES + reading.own) as u32);
        let chunk = Chunk { count, base, last, best, hash: read_hash(cursor)? };
        base = last + 1;
        Ok(chunk)
    })?;
    if left != 0 {
        return Err(miscounted());
    }
    // Else a few bytes, named again and again, would stand for as many postings as the root claims pages.
    let mut hashes: Vec<Hash> = chunks.iter().map(|chunk| chunk.hash).collect();
    crate::sort_by(&mut hashes, Hash::cmp);
    match hashes.windows(2).any(|two| two[0] == two[1]) {
        true => Err(Error::corrupt(PART, "a list names a file twice")),
        false => Ok(chunks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::huffman::Decoder;
    use crate::query::bm25::Bm25;

    #[test]
    fn a_list_names_each_of_its_files_once() {
        let code = Decoder::new(&[8; COMMON_SHAPES + 1]).unwrap();
        let (own, norms, common, lengths) = (0, &[][..], &[][..], &[][..]);
        let ranking = (&Bm25::default(), 1.0);
        let reading = Reading { pages: 300, packs: 0, own, code: &code, norms, common, lengths, ranking };
        // Two chunks of 100 postings, to page 99 and to page 199.
        let of = |hashes: [u8; 2]| {
            hashes.iter().fold(vec![2], |bytes, hash| [&bytes[..], &[100, 99, 0], &[*hash; 6]].concat())
        };
        let read = |hashes| read_chunks(&mut Cursor::new(&of(hashes), PART), 200, reading);
        assert_eq!(read([1, 2]).unwrap().iter().map(|chunk| chunk.last).collect::<Vec<_>>(), [99, 199]);
        assert!(read([1, 1]).unwrap_err().to_string().contains("a list names a file twice"));
    }

    #[test]
    fn classes_grow_by_half() {
        assert_eq!([0, 1, 4, 5, 6, 7, 10].map(more_of), [0, 1, 4, 6, 9, 13, 42]);
        assert_eq!([0, 3, 5, 6, 8, 12, 13].map(more_class), [0, 3, 4, 5, 5, 6, 7]);
        assert!(more_of(31) > 50_000);
        assert_eq!(more_of(u32::MAX), more_of(31));
    }
}
