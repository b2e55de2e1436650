//! Postings lists: what the index knows of a term.
//!
//! ```text
//! list    := count:varint flags:byte more? profiles? names? packs? (length:varint run | blocks:varint block*)
//! more    := byte                                    how many pages hold the term in their bodies alone, without a
//!                                                    posting, as a class: see `more_of`
//! profiles := count:varint profile*                  profiles that are not among the root's; numbered from
//!                                                    COMMON_PROFILES on
//! names   := count:varint (gap:varint hash:byte[3])* pages with a name of which this is the rarest term
//! packs   := count:varint gap:varint*                packs whose title or summary holds the term, less the one before,
//!                                                    less one; absent where all packs hold it. A list may consist of
//!                                                    these alone
//! block   := count:varint last:varint best:varint hash       a run in a file of its own; last: its last page, as the gap
//!                                                    from its first possible page; no two blocks of a list have one hash
//! ```
//!
//! A list with a single posting of a common profile is a dictionary value:
//!
//! ```text
//! single  := 1 | named << 2 | profile << 3 | page << 11      named: the term is a name of that page
//!          | 3 | named << 2 | profile << 3 | more << 11 | page << 16
//! ```

use std::rc::Rc;

use seealso_bytes::Hash;

use super::name::name_hash;
use super::profile::{COMMON_PROFILES, TermProfile, read_profiles};
use super::run::{DecodeContext, Run};
use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::format::location::read_hash;

/// The tag of keys that are tags of pages. The list holds the pages.
pub(crate) const TAG_KEY: u8 = 1;
/// The tag of keys that are paths of packs. The page of the single posting is the pack's number.
pub(crate) const PACK_KEY: u8 = 2;

/// Flag of a list with profiles of its own.
pub(crate) const HAS_PROFILES: u8 = 1;
/// Flag of a list whose postings are in blocks.
pub(crate) const IN_BLOCKS: u8 = 2;
/// Flag of a list with names.
pub(crate) const HAS_NAMES: u8 = 4;
/// Flag of a list whose term more pages hold than the list has postings.
pub(crate) const HAS_MORE: u8 = 8;
/// Flag of a list whose term is in titles or summaries of packs.
pub(crate) const HAS_PACKS: u8 = 16;

const PART: &str = "term shard";

/// How many classes there are of counts of pages that hold a term without a posting.
const MORE_CLASSES: u32 = 32;

/// The count that a class stands for: 0, 1, 2, 3, 4, then half as many again for each class. An idf needs no more.
pub(crate) fn more_of(class: u32) -> u32 {
    let mut count = class.min(4);
    for _ in 4..class.min(MORE_CLASSES - 1) {
        count += count / 2;
    }
    count
}

/// The class of a count: the one with the nearest count that is not greater.
pub(crate) fn more_class(count: u32) -> u32 {
    (0..MORE_CLASSES).rev().find(|&class| more_of(class) <= count).unwrap_or(0)
}

/// A single posting as a dictionary value. `more` is a class.
pub(crate) fn single(page: u32, profile: u32, named: bool, more: u32) -> u64 {
    let low = u64::from(named) << 2 | u64::from(profile) << 3;
    match more {
        0 => 1 | low | u64::from(page) << 11,
        more => 3 | low | u64::from(more) << 11 | u64::from(page) << 16,
    }
}

/// What the index knows of a term.
#[derive(Debug, Clone)]
pub(crate) struct PostingsList {
    /// How many postings it has.
    pub(crate) count: u32,
    /// How many pages hold the term anywhere.
    pub(crate) pages_with: u32,
    /// The profiles that only this list numbers, from `COMMON_PROFILES` on.
    pub(crate) profiles: Vec<TermProfile>,
    /// The pages with a name of which this is the rarest term, each with the name's hash.
    pub(crate) names: Vec<(u32, u32)>,
    /// The packs whose title or summary holds the term, by rising number.
    pub(crate) packs: Vec<u32>,
    /// The scores of all its profiles, where its postings are in blocks; else empty.
    pub(crate) norms: Vec<f64>,
    /// A hash of these scores, which tells them from another list's.
    pub(crate) norms_hash: u64,
    /// Its postings.
    pub(crate) postings: Postings,
}

/// The postings of a list.
#[derive(Debug, Clone)]
pub(crate) enum Postings {
    /// A run that is stored beside the term.
    Inline(Rc<Run>),
    /// Blocks in files of their own.
    Blocks(Vec<Block>),
}

/// A block of a long list: a run in a file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block {
    /// How many postings it has.
    pub(crate) count: u32,
    /// Its first possible page.
    pub(crate) base: u32,
    /// Its last page.
    pub(crate) last: u32,
    /// The number of its profile that scores best.
    pub(crate) best: u32,
    /// The hash of its file.
    pub(crate) hash: Hash,
}

impl PostingsList {
    /// Reads the list at `cursor`.
    pub(crate) fn read(cursor: &mut Cursor<'_>, context: DecodeContext<'_>) -> Result<PostingsList, Error> {
        let pages = context.pages;
        let count = cursor.number()?;
        if count > pages {
            return Err(Error::corrupt(PART, "a list has more postings than there are pages"));
        }
        let flags = cursor.byte()?;
        let more = if flags & HAS_MORE != 0 { more_of(cursor.byte()?.into()) } else { 0 };
        let pages_with = count.saturating_add(more).min(pages);
        let profiles = if flags & HAS_PROFILES != 0 { read_profiles(cursor)? } else { Vec::new() };
        let names = if flags & HAS_NAMES != 0 { read_names(cursor, pages)? } else { Vec::new() };
        let packs = if flags & HAS_PACKS != 0 { read_packs(cursor, context.packs)? } else { Vec::new() };
        let norms = context.norms_with(&profiles);
        let context = DecodeContext { own: profiles.len(), norms: &norms, ..context };
        if flags & IN_BLOCKS == 0 {
            let length = cursor.count()?;
            let run = Run::read(cursor.take(length)?, count as usize, 0, context)?;
            let (run, profiles) = run.with_lengths(profiles, context);
            let postings = Postings::Inline(Rc::new(run));
            let (norms, norms_hash) = (Vec::new(), 0);
            return Ok(PostingsList { count, pages_with, profiles, names, packs, norms, norms_hash, postings });
        }
        if !context.lengths.is_empty() {
            return Err(Error::corrupt(PART, "a list of a small index is in blocks"));
        }
        let postings = Postings::Blocks(read_blocks(cursor, count, context)?);
        let norms_hash = hash_of(&norms);
        Ok(PostingsList { count, pages_with, profiles, names, packs, norms, norms_hash, postings })
    }

    /// Reads the list with a single posting that a dictionary value is.
    pub(crate) fn read_single(key: &[u8], value: u64, context: DecodeContext<'_>) -> Result<PostingsList, Error> {
        let (pages, profile) = (context.pages, (value >> 3) as u32 & 0xff);
        let (more, page) = if value & 2 == 0 { (0, value >> 11) } else { ((value >> 11) as u32 & 31, value >> 16) };
        let page = u32::try_from(page).ok().filter(|&page| page < pages || key.first() == Some(&PACK_KEY));
        let page = page.ok_or_else(too_large)?;
        let term = String::from_utf8_lossy(key.get(1..).unwrap_or_default());
        let named = value >> 2 & 1 == 1;
        let names = if named { vec![(page, name_hash([&*term].into_iter()))] } else { Vec::new() };
        let (run, profiles) = Run::single((page, profile)).with_lengths(Vec::new(), context);
        let (pages_with, postings) = ((1 + more_of(more)).min(pages), Postings::Inline(Rc::new(run)));
        let (packs, norms) = (Vec::new(), Vec::new());
        Ok(PostingsList { count: 1, pages_with, profiles, names, packs, norms, norms_hash: 0, postings })
    }
}

/// FNV-1a over the numbers' bits.
fn hash_of(numbers: &[f64]) -> u64 {
    let add = |hash: u64, number: &f64| (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3);
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, add)
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
    Error::corrupt(PART, "the blocks of a list have other postings than the list")
}

fn read_blocks(cursor: &mut Cursor<'_>, postings: u32, context: DecodeContext<'_>) -> Result<Vec<Block>, Error> {
    let (mut base, mut left) = (0u32, postings);
    let blocks = cursor.list(|cursor| {
        let count = cursor.number()?;
        left = left.checked_sub(count).ok_or_else(miscounted)?;
        let last = base.checked_add(cursor.number()?).filter(|&last| last < context.pages).ok_or_else(too_large)?;
        let best = cursor.number()?.min((COMMON_PROFILES + context.own) as u32);
        let block = Block { count, base, last, best, hash: read_hash(cursor)? };
        base = last + 1;
        Ok(block)
    })?;
    if left != 0 {
        return Err(miscounted());
    }
    // Otherwise a few bytes, named again and again, would stand for as many postings as the root claims pages.
    let mut hashes: Vec<Hash> = blocks.iter().map(|block| block.hash).collect();
    crate::sort_by(&mut hashes, Hash::cmp);
    match hashes.windows(2).any(|two| two[0] == two[1]) {
        true => Err(Error::corrupt(PART, "a list names a file twice")),
        false => Ok(blocks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::huffman::Decoder;
    use crate::query::bm25::Bm25;

    #[test]
    fn a_list_names_each_of_its_files_once() {
        let code = Decoder::new(&[8; COMMON_PROFILES + 1]).unwrap();
        let (own, norms, common, lengths) = (0, &[][..], &[][..], &[][..]);
        let ranking = (&Bm25::default(), 1.0);
        let context = DecodeContext { pages: 300, packs: 0, own, code: &code, norms, common, lengths, ranking };
        // Two blocks of 100 postings, to page 99 and to page 199.
        let of = |hashes: [u8; 2]| {
            hashes.iter().fold(vec![2], |bytes, hash| [&bytes[..], &[100, 99, 0], &[*hash; 6]].concat())
        };
        let read = |hashes| read_blocks(&mut Cursor::new(&of(hashes), PART), 200, context);
        assert_eq!(read([1, 2]).unwrap().iter().map(|block| block.last).collect::<Vec<_>>(), [99, 199]);
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
