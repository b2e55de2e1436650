//! A text block: the texts of pages that follow each other, and the packs that they belong to.
//!
//! ```text
//! texts   := first:varint count:varint pack[count] page*     first: number of the first pack
//! pack    := path:str root:str title:str flags:byte site:str?
//!                                                            flags bit 0: links derived from bodies; bit 1: site follows
//! page    := file:str title:str same:varint summary:str aliases:varint alias:str* links:varint place:varint* hash
//!                                                            same: the title, which is then empty, is so many bytes at
//!                                                            the end of the file's name without its ending
//!                                                            place: a page of the same pack, from 0
//! ```

use std::rc::Rc;

use super::{PackEntry, PageEntry};
use crate::error::Error;
use crate::format::PAGE_HASH_BYTES;
use crate::format::bytes::Cursor;
use crate::ids::PackNo;

const PART: &str = "page texts";

/// A text block, with the offset of each page.
#[derive(Debug)]
pub(crate) struct TextBlock {
    bytes: Rc<[u8]>,
    first_pack: u32,
    packs: Vec<PackEntry>,
    starts: Vec<u32>,
}

/// What a block stores of a page.
#[derive(Debug)]
pub(crate) struct PageRecord {
    pub(crate) entry: PageEntry,
    /// The pages under See Also, as places in the page's pack.
    pub(crate) links: Vec<u32>,
}

impl TextBlock {
    /// Opens the unpacked bytes of a block of `pages` pages.
    pub(crate) fn open(bytes: Rc<[u8]>, pages: u32) -> Result<TextBlock, Error> {
        let mut cursor = Cursor::new(&bytes, PART);
        let first_pack = cursor.number()?;
        let packs = cursor.list(read_pack)?;
        if pages as usize > cursor.rest() {
            return Err(Error::corrupt(PART, "there are fewer pages than announced"));
        }
        let mut starts = Vec::with_capacity(pages as usize);
        for _ in 0..pages {
            starts.push((bytes.len() - cursor.rest()) as u32);
            skip_page(&mut cursor)?;
        }
        Ok(TextBlock { first_pack, packs, starts, bytes })
    }

    /// The pack of that number; none where the block does not list it.
    pub(crate) fn pack(&self, pack: PackNo) -> Option<&PackEntry> {
        self.packs.get((pack.0).checked_sub(self.first_pack as usize)?)
    }

    /// The page at `place` in the block. It belongs to `pack`.
    pub(crate) fn page(&self, place: usize, pack: PackNo) -> Result<PageRecord, Error> {
        let missing = || Error::corrupt(PART, "a page is not there");
        let start = *self.starts.get(place).ok_or_else(missing)?;
        let mut cursor = Cursor::starting(&self.bytes, u64::from(start), PART)?;
        let (file, title, summary) = read_texts(&mut cursor)?;
        let aliases = cursor.list(Cursor::owned_text)?;
        let links = cursor.list(Cursor::number)?;
        let mut hash = [0; PAGE_HASH_BYTES];
        hash.copy_from_slice(cursor.take(PAGE_HASH_BYTES)?);
        let (file, title, summary) = (file.to_owned(), title.to_owned(), summary.to_owned());
        Ok(PageRecord { entry: PageEntry { pack, file, title, summary, aliases, hash }, links })
    }

    /// The place of the page with that file, among the pages at `places`.
    pub(crate) fn find(&self, places: std::ops::Range<usize>, file: &str) -> Result<Option<usize>, Error> {
        for place in places {
            let Some(&start) = self.starts.get(place) else { break };
            if Cursor::starting(&self.bytes, u64::from(start), PART)?.text()? == file {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }
}

fn read_pack(cursor: &mut Cursor<'_>) -> Result<PackEntry, Error> {
    let [path, page_root, title] = [cursor.text()?, cursor.text()?, cursor.text()?].map(str::to_owned);
    let flags = cursor.byte()?;
    let site = if flags & 2 == 2 { cursor.owned_text()? } else { String::new() };
    Ok(PackEntry { path, page_root, title, links_derived: flags & 1 == 1, site })
}

/// Reads a page's file, title and summary.
fn read_texts<'a>(cursor: &mut Cursor<'a>) -> Result<(&'a str, &'a str, &'a str), Error> {
    let (file, title) = (cursor.text()?, cursor.text()?);
    let same = cursor.number()? as usize;
    let stem = file.strip_suffix(".md").unwrap_or(file);
    let from_file = stem.len().checked_sub(same).and_then(|at| stem.get(at..));
    let title = match same {
        0 => title,
        _ => from_file.ok_or_else(|| Error::corrupt(PART, "a title is no part of its file's name"))?,
    };
    Ok((file, title, cursor.text()?))
}

fn skip_page(cursor: &mut Cursor<'_>) -> Result<(), Error> {
    read_texts(cursor)?;
    for _ in 0..cursor.count()? {
        cursor.text()?;
    }
    for _ in 0..cursor.count()? {
        cursor.number()?;
    }
    cursor.take(PAGE_HASH_BYTES)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of pack 3 with one page, whose title is the last four bytes of its file's name.
    fn block() -> Vec<u8> {
        let mut bytes = vec![3, 1, 1, b'p', 4, b'w', b'i', b'k', b'i', 0, 1];
        bytes.extend([&b"\x0bc/x-nero.md\x00\x04\x03Why"[..], &[1, 2, b'N', b'o', 2, 7, 0], b"1234"].concat());
        bytes
    }

    #[test]
    fn a_block_is_read_byte_by_byte() {
        let texts = TextBlock::open(block().into(), 1).unwrap();
        let pack = texts.pack(PackNo(3)).unwrap();
        assert_eq!((pack.path.as_str(), pack.page_root.as_str(), pack.links_derived), ("p", "wiki", true));
        assert!(texts.pack(PackNo(2)).is_none() && texts.pack(PackNo(4)).is_none());
        let page = texts.page(0, PackNo(3)).unwrap();
        assert_eq!((page.entry.title.as_str(), page.entry.summary.as_str()), ("nero", "Why"));
        assert_eq!((page.entry.aliases, page.links, page.entry.hash), (vec!["No".to_owned()], vec![7, 0], *b"1234"));
        assert_eq!(texts.find(0..9, "c/x-nero.md"), Ok(Some(0)));
        assert_eq!(texts.find(0..1, "c/nero.md"), Ok(None));
        assert!(texts.page(1, PackNo(3)).is_err());
    }

    #[test]
    fn a_pack_of_a_site_says_where_it_lies() {
        let mut bytes = block();
        let flags = bytes.iter().rposition(|&byte| byte == 0x0b).unwrap() - 1;
        bytes.splice(flags..=flags, [2, 3, b'.', b'.', b'/']);
        let pack = TextBlock::open(bytes.into(), 1).unwrap().pack(PackNo(3)).unwrap().clone();
        assert_eq!((pack.site.as_str(), pack.links_derived), ("../", false));
    }

    #[test]
    fn a_title_outside_its_file_s_name_is_refused() {
        for same in [9, 200] {
            let mut bytes = block();
            let at = bytes.windows(5).position(|five| five == b"\x00\x04\x03Wh").unwrap();
            bytes[at + 1] = same;
            assert!(TextBlock::open(bytes.into(), 1).is_err(), "{same}");
        }
        assert!(TextBlock::open(block().into(), 2).is_err(), "a page that is not there");
    }
}
