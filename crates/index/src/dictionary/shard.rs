//! A shard of the term dictionary: a range of keys, each with its postings list.
//!
//! ```text
//! shard   := length:varint fst list*                 fst: `length` bytes, a map from key to value
//! key     := tag:byte text                           tag: an analysis, TAG_KEY or PACK_KEY
//! value   := single                                  a list with a single posting; its lowest bit is 1
//!          | offset << 1                             where the key's list begins, after the fst
//! ```
//!
//! The grammars of `list` and `single` are in [`postings::list`](crate::postings::list).

use std::cell::RefCell;
use std::rc::Rc;

use super::map::{Dictionary, Slice};
use crate::cache::sorted_map::SortedMap;
use crate::error::Error;
use crate::format::bytes::Cursor;
use crate::postings::list::PostingsList;
use crate::postings::run::DecodeContext;

const PART: &str = "term shard";

/// A shard whose dictionary has been checked.
#[derive(Debug)]
pub(crate) struct TermShard {
    pub(crate) dictionary: Dictionary,
    bytes: Rc<[u8]>,
    /// Where the lists begin in the bytes.
    lists: usize,
    /// The extents of the lists that were read, each by its first byte.
    extents: RefCell<SortedMap<usize, ListExtent>>,
}

/// The end of a list that was read, and its key.
type ListExtent = (usize, Box<[u8]>);

impl TermShard {
    /// Opens a shard's unpacked bytes.
    pub(crate) fn open(bytes: Rc<[u8]>) -> Result<TermShard, Error> {
        let mut cursor = Cursor::new(&bytes, PART);
        let length = cursor.number()? as usize;
        let start = bytes.len() - cursor.rest();
        cursor.take(length)?;
        let range = start..start + length;
        let dictionary = Dictionary::open(Slice { bytes: Rc::clone(&bytes), range: range.clone() }, PART)?;
        Ok(TermShard { dictionary, lists: range.end, bytes, extents: RefCell::default() })
    }

    /// How many bytes it has.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The list of `key`.
    pub(crate) fn list(&self, key: &[u8], context: DecodeContext<'_>) -> Result<Option<PostingsList>, Error> {
        match self.dictionary.get(key) {
            Some(value) => self.read(key, value, context).map(Some),
            None => Ok(None),
        }
    }

    /// How many postings the list of a dictionary value has. The list itself is not read.
    pub(crate) fn count(&self, value: u64) -> Result<u32, Error> {
        if value & 1 == 1 {
            return Ok(1);
        }
        self.list_at(value)?.number()
    }

    /// The list of `key`, whose dictionary value is `value`.
    pub(crate) fn read(&self, key: &[u8], value: u64, context: DecodeContext<'_>) -> Result<PostingsList, Error> {
        if value & 1 == 1 {
            return PostingsList::read_single(key, value, context);
        }
        let mut cursor = self.list_at(value)?;
        let start = self.bytes.len() - cursor.rest();
        let list = PostingsList::read(&mut cursor, context)?;
        self.record_extent(key, start, self.bytes.len() - cursor.rest())?;
        Ok(list)
    }

    fn list_at(&self, value: u64) -> Result<Cursor<'_>, Error> {
        let at = usize::try_from(value >> 1).unwrap_or(usize::MAX).saturating_add(self.lists);
        Cursor::starting(&self.bytes, at as u64, PART)
    }

    /// Records the extent of the list of `key`, and fails where it overlaps another list: with lists that share bytes,
    /// a small shard could fill the memory.
    fn record_extent(&self, key: &[u8], start: usize, end: usize) -> Result<(), Error> {
        let mut extents = self.extents.borrow_mut();
        match extents.last_below(&end) {
            Some((&known, (_, of))) if known == start && **of == *key => Ok(()),
            Some((_, &(known_end, _))) if known_end > start => {
                Err(Error::corrupt(PART, "two lists stand at one place"))
            }
            _ => {
                extents.insert(start, (end, key.into()));
                Ok(())
            }
        }
    }
}
