//! The writer: pages in, one file's bytes out. The same pages always give the same bytes.

use std::collections::BTreeMap;

use crate::analysis::Analysis;
use crate::bm25::{FIELDS, Field, Frequencies};
use crate::bytes::{put_str, put_varint};
use crate::error::Error;
use crate::format::{BLOCK, ENTRY_BYTES, MAGIC, PAGE_HASH_BYTES, Part, VERSION};
use crate::reader::name_key;

/// A page as it is handed to the writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPage {
    /// Path under the pack's page root, such as `concepts/docker-image.md`.
    pub file: String,
    /// The title.
    pub title: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Salient terms of the body, as text; empty for an index of metadata alone.
    pub body: String,
    /// First bytes of the page file's SHA-256, by which a reader sees that the page changed since.
    pub hash: [u8; PAGE_HASH_BYTES],
    /// Files of the same pack that the page lists under See Also.
    pub links: Vec<String>,
}

/// A pack as it is handed to the writer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPack {
    /// The pack's path under the packs root, such as `history/roman-emperors`.
    pub path: String,
    /// BCP 47 tag of the language its pages are written in.
    pub language: String,
    /// Whether `links` come from page bodies, for want of See Also sections.
    pub links_derived: bool,
    /// The pages; they keep this order.
    pub pages: Vec<NewPage>,
}

/// Writes `packs` as one index file.
///
/// # Errors
/// [`Error::Unwritable`] for more than 2³² − 1 pages.
pub fn write(packs: &[NewPack]) -> Result<Vec<u8>, Error> {
    let mut tables = Tables::default();
    for pack in packs {
        tables.add_pack(pack)?;
    }
    tables.finish()
}

/// The parts as they grow.
#[derive(Default)]
struct Tables {
    pages: u32,
    packs: Vec<u8>,
    pack_count: u64,
    statistics: BTreeMap<Analysis, (u64, [u64; FIELDS])>,
    postings: BTreeMap<Vec<u8>, Vec<(u32, Frequencies)>>,
    names: BTreeMap<Vec<u8>, Vec<u32>>,
    lengths: Vec<u8>,
    page_table: Vec<u8>,
    block_starts: Vec<usize>,
    links: Vec<u8>,
}

impl Tables {
    fn add_pack(&mut self, pack: &NewPack) -> Result<(), Error> {
        let analysis = Analysis::of_language(&pack.language);
        let first = self.pages;
        let numbers: BTreeMap<&str, u32> =
            pack.pages.iter().zip(first..).map(|(page, number)| (page.file.as_str(), number)).collect();
        for page in &pack.pages {
            self.add_page(page, analysis)?;
            let linked: Vec<u32> = page.links.iter().filter_map(|file| numbers.get(file.as_str()).copied()).collect();
            put_varint(&mut self.links, linked.len() as u64);
            linked.iter().for_each(|&page| put_varint(&mut self.links, u64::from(page)));
        }
        put_str(&mut self.packs, &pack.path);
        self.packs.push(analysis.tag());
        put_varint(&mut self.packs, pack.pages.len() as u64);
        self.packs.push(u8::from(pack.links_derived));
        self.pack_count += 1;
        Ok(())
    }

    fn add_page(&mut self, page: &NewPage, analysis: Analysis) -> Result<(), Error> {
        let number = self.pages;
        self.pages =
            number.checked_add(1).ok_or_else(|| Error::Unwritable { reason: "more than 2^32 - 1 pages".into() })?;
        let statistics = self.statistics.entry(analysis).or_default();
        statistics.0 += 1;
        let mut counts: BTreeMap<String, Frequencies> = BTreeMap::new();
        for field in Field::ALL {
            let tokens = analysis.tokens_and_forms(&field_text(page, field));
            let length = tokens.iter().filter(|token| !token.is_beside()).count() as u64;
            put_varint(&mut self.lengths, length);
            statistics.1[field as usize] += length;
            for token in tokens {
                counts.entry(token.term).or_default()[field as usize] += 1;
            }
        }
        for (term, frequencies) in counts {
            let key = [&[analysis.tag()], term.as_bytes()].concat();
            self.postings.entry(key).or_default().push((number, frequencies));
        }
        self.add_names(page, analysis, number);
        self.add_entry(page, number);
        Ok(())
    }

    fn add_names(&mut self, page: &NewPage, analysis: Analysis, number: u32) {
        for name in std::iter::once(&page.title).chain(&page.aliases) {
            let pages = match name_key(analysis, name) {
                Some(key) => self.names.entry(key).or_default(),
                None => continue,
            };
            if pages.last() != Some(&number) {
                pages.push(number);
            }
        }
    }

    fn add_entry(&mut self, page: &NewPage, number: u32) {
        if (number as usize).is_multiple_of(BLOCK) {
            self.block_starts.push(self.page_table.len());
        }
        let out = &mut self.page_table;
        for text in [&page.file, &page.title, &page.summary] {
            put_str(out, text);
        }
        put_varint(out, page.aliases.len() as u64);
        page.aliases.iter().for_each(|alias| put_str(out, alias));
        out.extend_from_slice(&page.hash);
    }

    fn finish(self) -> Result<Vec<u8>, Error> {
        let meta = self.meta();
        let mut lists = Vec::new();
        let names = dictionary(self.names, |pages| {
            let offset = lists.len() as u64;
            put_varint(&mut lists, pages.len() as u64);
            put_gaps(&mut lists, &pages);
            offset
        })?;
        let mut postings = Vec::new();
        let terms = dictionary(self.postings, |list| {
            let offset = postings.len() as u64;
            put_postings(&mut postings, &list);
            offset
        })?;
        let mut blocks = Vec::new();
        let mut before = 0;
        for start in self.block_starts {
            put_varint(&mut blocks, (start - before) as u64);
            before = start;
        }
        let parts: Vec<(Part, Vec<u8>)> = Part::ALL
            .into_iter()
            .zip([meta, terms, postings, self.lengths, self.page_table, blocks, names, lists, self.links])
            .collect();
        Ok(assemble(&parts))
    }

    fn meta(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.statistics.len() as u64);
        for (analysis, (pages, tokens)) in &self.statistics {
            out.push(analysis.tag());
            put_varint(&mut out, *pages);
            tokens.iter().for_each(|&count| put_varint(&mut out, count));
        }
        put_varint(&mut out, self.pack_count);
        out.extend_from_slice(&self.packs);
        out
    }
}

fn field_text(page: &NewPage, field: Field) -> String {
    match field {
        Field::Title => page.title.clone(),
        Field::Aliases => page.aliases.join("\n"),
        Field::Summary => page.summary.clone(),
        Field::Body => page.body.clone(),
    }
}

/// An FST over `entries`, whose values `place` stores and answers with an offset.
fn dictionary<T>(entries: BTreeMap<Vec<u8>, T>, mut place: impl FnMut(T) -> u64) -> Result<Vec<u8>, Error> {
    let mut builder = fst::MapBuilder::memory();
    for (key, value) in entries {
        builder.insert(key, place(value)).map_err(|e| Error::Unwritable { reason: e.to_string() })?;
    }
    builder.into_inner().map_err(|e| Error::Unwritable { reason: e.to_string() })
}

fn put_gaps(out: &mut Vec<u8>, pages: &[u32]) {
    let mut next = 0;
    for &page in pages {
        put_varint(out, u64::from(page - next));
        next = page + 1;
    }
}

fn put_postings(out: &mut Vec<u8>, list: &[(u32, Frequencies)]) {
    put_varint(out, list.len() as u64);
    let mut next = 0;
    for (page, frequencies) in list {
        put_varint(out, u64::from(page - next));
        next = page + 1;
        let fields = frequencies.iter().enumerate().fold(0u8, |bits, (at, &count)| bits | (u8::from(count > 0) << at));
        out.push(fields);
        frequencies.iter().filter(|&&count| count > 0).for_each(|&count| put_varint(out, u64::from(count)));
    }
}

fn assemble(parts: &[(Part, Vec<u8>)]) -> Vec<u8> {
    let mut offset = MAGIC.len() + 4 + parts.len() * ENTRY_BYTES;
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&(parts.len() as u16).to_le_bytes());
    for (part, bytes) in parts {
        out.extend_from_slice(&(*part as u32).to_le_bytes());
        out.extend_from_slice(&(offset as u64).to_le_bytes());
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        offset += bytes.len();
    }
    parts.iter().for_each(|(_, bytes)| out.extend_from_slice(bytes));
    out
}
