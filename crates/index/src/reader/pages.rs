//! The page table: rows by page number, and page numbers by file.

use super::{Index, PackNo, PageEntry, PageNo, place};
use crate::bytes::Cursor;
use crate::error::Error;
use crate::format::{BLOCK, PAGE_HASH_BYTES, Part};

impl Index {
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
