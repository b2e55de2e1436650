//! Where the files of an index are: entries of the root for term shards and text blocks.

use std::ops::Range;

use seealso_bytes::Hash;

use crate::error::Error;
use crate::format::bytes::{Cursor, put_varint};

/// Where a file's bytes are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Location {
    /// In a file of that hash.
    OwnFile(Hash),
    /// In the bytes that follow the root.
    InRoot(Range<usize>),
}

/// A block of page texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextBlockEntry {
    /// One past its last page.
    pub(crate) end: u32,
    pub(crate) location: Location,
}

/// A shard of the term dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShardEntry {
    /// No key of the shard is smaller, and every key of the shards before is.
    pub(crate) from: Vec<u8>,
    pub(crate) location: Location,
}

/// The list of text blocks, or where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextDirectory {
    /// In the root.
    Inline(Vec<TextBlockEntry>),
    /// In a file of that hash.
    OwnFile(Hash),
}

const PART: &str = "text directory";

/// Writes the list of text blocks.
pub(crate) fn write_directory(out: &mut Vec<u8>, blocks: &[TextBlockEntry]) {
    put_varint(out, blocks.len() as u64);
    let mut start = 0;
    for block in blocks {
        put_varint(out, u64::from(block.end - start));
        write_location(out, &block.location);
        start = block.end;
    }
}

/// Reads what [`write_directory`] wrote. `next_in_root` is where the next file within the root begins, where files are
/// stored there.
pub(crate) fn read_directory(
    cursor: &mut Cursor<'_>,
    next_in_root: &mut Option<usize>,
) -> Result<Vec<TextBlockEntry>, Error> {
    let mut end = 0u32;
    cursor.list(|cursor| {
        let pages = cursor.number()?;
        end = end.checked_add(pages).ok_or_else(|| Error::corrupt(PART, "there are too many pages"))?;
        Ok(TextBlockEntry { end, location: read_location(cursor, next_in_root)? })
    })
}

/// Checks that the text blocks hold `pages` pages.
pub(crate) fn check_directory(blocks: &[TextBlockEntry], pages: u32) -> Result<(), Error> {
    match blocks.last().map_or(0, |block| block.end) == pages {
        true => Ok(()),
        false => Err(Error::corrupt(PART, "its files hold other pages than the packs")),
    }
}

/// How many pages the block of that number holds.
pub(crate) fn pages_in(directory: &[TextBlockEntry], block: u32) -> u32 {
    let block = block as usize;
    let start = block.checked_sub(1).and_then(|before| directory.get(before)).map_or(0, |entry| entry.end);
    directory.get(block).map_or(0, |entry| entry.end.saturating_sub(start))
}

/// Writes a location.
pub(crate) fn write_location(out: &mut Vec<u8>, location: &Location) {
    match location {
        Location::OwnFile(hash) => out.extend(hash),
        Location::InRoot(range) => put_varint(out, range.len() as u64),
    }
}

/// Reads a location, as [`read_directory`] does.
pub(crate) fn read_location(cursor: &mut Cursor<'_>, next_in_root: &mut Option<usize>) -> Result<Location, Error> {
    let Some(start) = next_in_root else { return Ok(Location::OwnFile(read_hash(cursor)?)) };
    let end = start.saturating_add(cursor.number()? as usize);
    Ok(Location::InRoot(std::mem::replace(start, end)..end))
}

/// Reads a file's hash.
pub(crate) fn read_hash(cursor: &mut Cursor<'_>) -> Result<Hash, Error> {
    cursor.array()
}
