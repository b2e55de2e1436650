//! Reading the texts of pages and packs, and finding pages and packs by path.

use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

use super::Index;
use crate::docstore::block::{PageRecord, TextBlock};
use crate::docstore::{PackEntry, PageEntry};
use crate::error::{Error, try_all};
use crate::format::location::TextBlockEntry;
use crate::ids::{PackNo, PageNo};
use crate::postings::list::{PACK_KEY, Postings};

/// How many text blocks are searched for a page, at most.
const MOST_BLOCKS_SEARCHED: usize = 64;

impl Index {
    /// What the index knows of a pack.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where its text block is damaged or there is no such pack, [`Error::Missing`] where the block
    /// is not there yet.
    pub fn pack(&self, pack: PackNo) -> Result<PackEntry, Error> {
        let missing = || Error::corrupt("page texts", format!("pack {} is not there", pack.0));
        let directory = self.text_directory()?;
        let Range { start: first, end } = self.pages_of(pack);
        // Every block with pages of a pack lists the pack. A cached block saves a round.
        let block_of = |page: u32| directory.partition_point(|entry| entry.end <= page) as u32;
        if let Some((block, texts)) = self.cache.first_text_block(block_of(first))
            && block <= block_of(end.saturating_sub(1))
            && let Some(entry) = texts.pack(pack)
        {
            return Ok(entry.clone());
        }
        // A pack without pages is listed with the last page before it.
        let block = directory.partition_point(|entry| entry.end <= first).min(directory.len().saturating_sub(1));
        for block in [block, block.saturating_sub(1)] {
            if let Some(entry) = self.text_block(block as u32)?.pack(pack) {
                return Ok(entry.clone());
            }
        }
        Err(missing())
    }

    /// What the index knows of a page.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where its text block is damaged or there is no such page, [`Error::Missing`] where the block
    /// is not there yet.
    pub fn page(&self, page: PageNo) -> Result<PageEntry, Error> {
        Ok(self.page_record(page)?.entry)
    }

    /// The pages that `page` lists under See Also, in its order.
    ///
    /// # Errors
    /// As [`Index::page`]; [`Error::Corrupt`] also where a link leaves the page's pack.
    pub fn links(&self, page: PageNo) -> Result<Vec<PageNo>, Error> {
        let found = self.page_record(page)?;
        let pages = self.pages_of(found.entry.pack);
        let linked = found.links.iter().map(|&place| {
            let page = pages.start.checked_add(place).filter(|page| pages.contains(page));
            page.map(PageNo).ok_or_else(|| Error::corrupt("page texts", "a link leaves its pack"))
        });
        linked.collect()
    }

    /// Records the text blocks of all `pages` that are missing, so that they can be fetched together.
    ///
    /// # Errors
    /// As [`Index::page`].
    pub fn prefetch_pages(&self, mut pages: impl Iterator<Item = PageNo>) -> Result<(), Error> {
        self.prefetch_each(&mut || pages.next())
    }

    /// [`Index::prefetch_pages`], compiled once for all iterators.
    fn prefetch_each(&self, next: &mut dyn FnMut() -> Option<PageNo>) -> Result<(), Error> {
        let directory = self.text_directory()?;
        try_all(std::iter::from_fn(|| {
            let page = next()?;
            let block = directory.partition_point(|entry| entry.end <= page.0);
            Some(if block < directory.len() { self.text_block(block as u32).map(drop) } else { Ok(()) })
        }))
    }

    /// The page of `pack` whose file is `file`.
    ///
    /// The page is looked for in the cached text blocks, and then by binary search, since builds of packs list pages by
    /// file. If it is not found so, all text blocks of the pack are searched, unless there are more than 64. In a
    /// larger set of rows, which keep their order and have no files of their own, a page may not be found.
    ///
    /// # Errors
    /// As [`Index::page`].
    pub fn find_page(&self, pack: PackNo, file: &str) -> Result<Option<PageNo>, Error> {
        let (pages, directory) = (self.pages_of(pack), self.text_directory()?);
        let first = directory.partition_point(|block| block.end <= pages.start);
        let blocks =
            first..directory.partition_point(|block| block.end < pages.end).saturating_add(1).min(directory.len());
        for block in blocks.clone().filter(|&block| self.cache.has_text_block(block as u32)) {
            if let Some(found) = self.find_in_block(block, &pages, file)? {
                return Ok(Some(found));
            }
        }
        if let Some(found) = self.find_by_order(pages.clone(), file)? {
            return Ok(Some(found));
        }
        if blocks.len() > MOST_BLOCKS_SEARCHED {
            return Ok(None);
        }
        try_all(blocks.clone().map(|block| self.text_block(block as u32).map(drop)))?;
        for block in blocks {
            if let Some(found) = self.find_in_block(block, &pages, file)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The page with that file among those of `pages` that are in a block.
    fn find_in_block(&self, block: usize, pages: &Range<u32>, file: &str) -> Result<Option<PageNo>, Error> {
        let directory = self.text_directory()?;
        let start = block.checked_sub(1).map_or(0, |before| directory[before].end);
        let (from, to) = (pages.start.max(start), pages.end.min(directory[block].end));
        let places = (from.max(start) - start) as usize..(to.max(from) - start) as usize;
        Ok(self.text_block(block as u32)?.find(places, file)?.map(|place| PageNo(start + place as u32)))
    }

    /// The page with that file, by binary search, where `pages` are in the order of their files.
    fn find_by_order(&self, mut pages: Range<u32>, file: &str) -> Result<Option<PageNo>, Error> {
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
        if let Some(list) = self.list_of(&[&[PACK_KEY], path.as_bytes()].concat())?
            && let Postings::Inline(run) = &list.postings
        {
            found = run.pages.first().map(|&pack| PackNo(pack as usize)).filter(|pack| pack.0 < self.pack_count());
        }
        Ok(found)
    }

    fn page_record(&self, page: PageNo) -> Result<PageRecord, Error> {
        let missing = || Error::corrupt("page texts", format!("there is no page {}", page.0));
        let pack = self.pack_of(page).ok_or_else(missing)?;
        let directory = self.text_directory()?;
        let block = directory.partition_point(|entry| entry.end <= page.0);
        let start = block.checked_sub(1).map_or(0, |before| directory[before].end);
        self.text_block(block as u32)?.page((page.0 - start) as usize, pack)
    }

    /// The list of text blocks.
    pub(crate) fn text_directory(&self) -> Result<Rc<[TextBlockEntry]>, Error> {
        self.cache.directory(&self.root)
    }

    /// A text block.
    pub(crate) fn text_block(&self, block: u32) -> Result<Rc<TextBlock>, Error> {
        self.cache.text_block(block, &self.root)
    }
}
