//! A pack of chunks, as the index writer takes it: each chunk is a page of its own.
//!
//! A chunk's words are those of its contextualized text, without markup and the targets of links; code counts. Its title
//! is that of its page, with the headings above its text. Chunks of links and sources are left out.

use std::collections::BTreeMap;

use seealso_index::{Analysis, NewPack, NewPage, PAGE_HASH_BYTES, PackInfo};
use seealso_pack::{Pack, Page};

use crate::chunk::{Chunk, ChunkKind};

/// The titles that stand above a chunk, its page's first, as a reader sees them: `Tea › Brewing`.
pub fn section_path(title: &str, headings: &[String]) -> String {
    [title].into_iter().chain(headings.iter().map(String::as_str)).collect::<Vec<_>>().join(" › ")
}

/// The pack of the chunks of `pack`, whose pages have the chunks `of_pages`, in the order of the pack's pages.
pub fn index_pack(pack: &Pack, of_pages: &[Vec<Chunk>]) -> NewPack {
    let analysis = Analysis::of_language(pack.language());
    let mut pages = Vec::new();
    for ((page, hash), chunks) in pack.pages.iter().zip(&pack.page_hashes).zip(of_pages) {
        let searched = chunks.iter().filter(|chunk| chunk.kind == ChunkKind::Text);
        pages.extend(searched.map(|chunk| new_page(page, hash, chunk, analysis)));
    }
    let info = PackInfo {
        path: pack.path.clone(),
        page_root: pack.page_root().to_owned(),
        title: pack.title().to_owned(),
        summary: pack.summary().to_owned(),
        language: pack.language().to_owned(),
        links_derived: false,
        site: pack.manifest.site.clone(),
    };
    NewPack { info, pages, ..NewPack::default() }
}

/// The page's file and the chunk's number that the file of an indexed chunk stands for, such as `concepts/tea.md#2`.
pub fn chunk_place(file: &str) -> Option<(&str, u32)> {
    let (page, number) = file.rsplit_once('#')?;
    Some((page, number.parse().ok()?))
}

fn new_page(page: &Page, hash: &[u8; 32], chunk: &Chunk, analysis: Analysis) -> NewPage {
    let mut short = [0; PAGE_HASH_BYTES];
    short.copy_from_slice(&hash[..PAGE_HASH_BYTES]);
    NewPage {
        file: format!("{}#{}", chunk.page_file, chunk.number),
        title: section_path(&page.title, &chunk.headings),
        body: terms(chunk, analysis),
        tags: page.tags.clone(),
        hash: short,
        ..NewPage::default()
    }
}

/// The terms of a chunk's contextualized text, each with its count.
fn terms(chunk: &Chunk, analysis: Analysis) -> Vec<(String, u32)> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let of_text = Page { body: chunk.raw_text.clone(), ..Page::default() };
    let blocks = of_text.blocks();
    for text in blocks.iter().map(|block| &block.text).chain([&chunk.prefix]) {
        // A single letter or digit tells nothing; a single character of another script may be a word.
        for token in analysis.tokens(text).into_iter().filter(|token| token.term.len() > 1) {
            *counts.entry(token.term).or_default() += 1;
        }
    }
    counts.into_iter().collect()
}
