//! Text files: the pages' titles and summaries, and the packs that they belong to.

use super::{FileNo, Files, NewPage, PackInfo};
use crate::bytes::{put_str, put_varint};
use crate::error::Error;

/// The block of texts that grows.
pub(super) struct Texts {
    aim: usize,
    pages: u32,
    /// The pack that pages are added to, as it stands in a file, and its first page.
    pack: (Vec<u8>, u32),
    packs: Vec<u8>,
    pack_count: u64,
    body: Vec<u8>,
    /// Number of the first pack in the block.
    first_pack: u64,
    packs_begun: u64,
    block_start: u32,
    /// The files so far, each with one past its last page.
    pub(super) files: Vec<(u32, FileNo)>,
}

impl Texts {
    pub(super) fn new(aim: usize) -> Self {
        Texts {
            aim,
            pages: 0,
            pack: Default::default(),
            packs: Vec::new(),
            pack_count: 0,
            body: Vec::new(),
            first_pack: 0,
            packs_begun: 0,
            block_start: 0,
            files: Vec::new(),
        }
    }

    /// Begins a pack at page `first`.
    pub(super) fn pack(&mut self, info: &PackInfo, first: u32) {
        let mut entry = Vec::new();
        for text in [&info.path, &info.page_root, &info.title] {
            put_str(&mut entry, text);
        }
        entry.push(u8::from(info.links_derived) | u8::from(!info.site.is_empty()) << 1);
        if !info.site.is_empty() {
            put_str(&mut entry, &info.site);
        }
        self.pack = (entry, first);
        self.packs_begun += 1;
        self.list_pack();
    }

    fn list_pack(&mut self) {
        if self.pack_count == 0 {
            self.first_pack = self.packs_begun - 1;
        }
        self.packs.extend(&self.pack.0);
        self.pack_count += 1;
    }

    /// Adds a page; a full block leaves.
    pub(super) fn page(&mut self, page: &NewPage, files: &mut Files<'_, '_>) -> Result<(), Error> {
        if self.pack_count == 0 {
            self.list_pack();
        }
        self.entry(page);
        self.pages += 1;
        match self.body.len() >= self.aim {
            true => self.leave(files),
            false => Ok(()),
        }
    }

    fn entry(&mut self, page: &NewPage) {
        let out = &mut self.body;
        put_str(out, &page.file);
        // Most titles are not the file's name, but in a list of names all are.
        let same =
            page.file.strip_suffix(".md").is_some_and(|stem| stem.ends_with(&page.title) && !page.title.is_empty());
        put_str(out, if same { "" } else { &page.title });
        put_varint(out, if same { page.title.len() as u64 } else { 0 });
        put_str(out, &page.summary);
        put_varint(out, page.aliases.len() as u64);
        page.aliases.iter().for_each(|alias| put_str(out, alias));
        put_varint(out, page.links.len() as u64);
        page.links.iter().for_each(|&place| put_varint(out, u64::from(place)));
        out.extend(page.hash);
    }

    fn leave(&mut self, files: &mut Files<'_, '_>) -> Result<(), Error> {
        let mut raw = Vec::new();
        put_varint(&mut raw, self.first_pack);
        put_varint(&mut raw, self.pack_count);
        raw.append(&mut self.packs);
        raw.append(&mut self.body);
        self.pack_count = 0;
        self.block_start = self.pages;
        self.files.push((self.pages, files.add(raw)?));
        Ok(())
    }

    /// Lets the last block leave.
    pub(super) fn finish(&mut self, files: &mut Files<'_, '_>) -> Result<(), Error> {
        match self.pages > self.block_start || (self.pack_count > 0) {
            true => self.leave(files),
            false => Ok(()),
        }
    }
}
