//! The writer of text blocks: the titles and summaries of pages, and the packs that they belong to.

use super::files::{FileNo, Files};
use super::page::{NewPage, PackInfo};
use crate::error::Error;
use crate::format::bytes::{put_str, put_varint};

/// The writer of text blocks.
pub(super) struct DocStoreWriter {
    /// The size that a block aims at.
    aim: usize,
    /// How many pages were added.
    pages: u32,
    /// The current pack's entry in a block.
    pack: Vec<u8>,
    /// How many packs were begun.
    packs_begun: u64,
    block: OpenBlock,
    /// The finished blocks, each with one past its last page.
    pub(super) files: Vec<(u32, FileNo)>,
}

/// The block that pages are added to.
#[derive(Default)]
struct OpenBlock {
    /// The number of its first pack.
    first_pack: u64,
    pack_count: u64,
    packs: Vec<u8>,
    /// The entries of its pages.
    entries: Vec<u8>,
    /// The number of its first page.
    start: u32,
}

impl DocStoreWriter {
    pub(super) fn new(aim: usize) -> Self {
        let (pack, block) = (Vec::new(), OpenBlock::default());
        DocStoreWriter { aim, pages: 0, pack, packs_begun: 0, block, files: Vec::new() }
    }

    /// Begins a pack.
    pub(super) fn pack(&mut self, info: &PackInfo) {
        let mut entry = Vec::new();
        for text in [&info.path, &info.page_root, &info.title] {
            put_str(&mut entry, text);
        }
        entry.push(u8::from(info.links_derived) | u8::from(!info.site.is_empty()) << 1);
        if !info.site.is_empty() {
            put_str(&mut entry, &info.site);
        }
        self.pack = entry;
        self.packs_begun += 1;
        self.list_pack();
    }

    /// Lists the current pack in the block.
    fn list_pack(&mut self) {
        if self.block.pack_count == 0 {
            self.block.first_pack = self.packs_begun - 1;
        }
        self.block.packs.extend(&self.pack);
        self.block.pack_count += 1;
    }

    /// Adds a page to the current pack, and writes the block if it is full.
    pub(super) fn page(&mut self, page: &NewPage, files: &mut Files<'_, '_>) -> Result<(), Error> {
        if self.block.pack_count == 0 {
            self.list_pack();
        }
        put_page(&mut self.block.entries, page);
        self.pages += 1;
        match self.block.entries.len() >= self.aim {
            true => self.write_block(files),
            false => Ok(()),
        }
    }

    fn write_block(&mut self, files: &mut Files<'_, '_>) -> Result<(), Error> {
        let OpenBlock { first_pack, pack_count, packs, entries, .. } = std::mem::take(&mut self.block);
        let mut raw = Vec::new();
        put_varint(&mut raw, first_pack);
        put_varint(&mut raw, pack_count);
        raw.extend(packs);
        raw.extend(entries);
        self.block.start = self.pages;
        self.files.push((self.pages, files.add(raw)?));
        Ok(())
    }

    /// Writes the last block.
    pub(super) fn finish(&mut self, files: &mut Files<'_, '_>) -> Result<(), Error> {
        match self.pages > self.block.start || self.block.pack_count > 0 {
            true => self.write_block(files),
            false => Ok(()),
        }
    }
}

/// Writes a page's entry.
fn put_page(out: &mut Vec<u8>, page: &NewPage) {
    put_str(out, &page.file);
    // Most titles are not the file's name, but in a list of names all are.
    let same = page.file.strip_suffix(".md").is_some_and(|stem| stem.ends_with(&page.title) && !page.title.is_empty());
    put_str(out, if same { "" } else { &page.title });
    put_varint(out, if same { page.title.len() as u64 } else { 0 });
    put_str(out, &page.summary);
    put_varint(out, page.aliases.len() as u64);
    page.aliases.iter().for_each(|alias| put_str(out, alias));
    put_varint(out, page.links.len() as u64);
    page.links.iter().for_each(|&place| put_varint(out, u64::from(place)));
    out.extend(page.hash);
}
