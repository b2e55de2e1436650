//! Finds chunks by their words, and reads them from the pages as they are now.
//!
//! The index of chunks holds no text. A page is divided again when one of its chunks was found, which gives the same
//! chunks as long as the page is the same.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use seealso::{ChunkPlace, page_id};
use seealso_chunks::{Chunk, ChunkSizes, chunk_place, chunks};
use seealso_index::{Bm25, Error, Hit, Index, PackEntry, PageEntry};
use seealso_pack::Page;
use seealso_vectors::ChunkName;
use sha2::{Digest as _, Sha256};

use super::candidate::{Candidate, TermRow, citation, snippet};
use crate::chunk_library::ChunkLibrary;
use crate::search_rows::list_pages;
use crate::shell_quoting::quote_path;
use crate::source::catalog_packs;

/// What was found, best first.
pub(super) struct PassageList {
    pub(super) candidates: Vec<Candidate>,
    /// What a reader should know of them.
    pub(super) notices: Vec<String>,
}

/// A chunk of the index, with the components of its score where they were asked for.
type IndexedChunk = ((Hit, PackEntry, PageEntry), Option<Vec<TermRow>>);

/// The `most` best chunks for `query` of pages that are still there.
pub(super) async fn find(
    of: &ChunkLibrary,
    query: &str,
    most: usize,
    bm25: &Bm25,
    explain: bool,
) -> anyhow::Result<PassageList> {
    let hits = of.library.resolve(|index| search(index, query, most, bm25, explain)).await?;
    let packs = catalog_packs(&of.library)?;
    let root = &of.library.source.root;
    let mut pages: BTreeMap<String, Option<DividedPage>> = BTreeMap::new();
    let (mut candidates, mut gone) = (Vec::new(), Vec::new());
    for ((hit, pack, entry), terms) in hits {
        let Some((file, number)) = chunk_place(&entry.file) else { continue };
        let path = pack.page_path(file);
        let address = page_id(&pack.path, file);
        if !pages.contains_key(&path) {
            let is_listed = packs.iter().any(|listed| listed.path == pack.path);
            let read = if is_listed { DividedPage::read(root, &path, file)? } else { None };
            if read.is_none() {
                gone.push(address.clone());
            }
            pages.insert(path.clone(), read);
        }
        if let Some(Some(page)) = pages.get(&path) {
            let place = hit.page.0.saturating_sub(of.library.index().pages_of(entry.pack).start);
            let name = ChunkName { file: file.to_owned(), number };
            let place = ChunkPlace { pack: pack.path.clone(), place, name };
            candidates.extend(page.candidate(&entry, &hit, terms, (address, path), place));
        }
    }
    Ok(PassageList { candidates, notices: notices(&of.outdated, &gone, root) })
}

fn search(index: &Index, query: &str, most: usize, bm25: &Bm25, explain: bool) -> Result<Vec<IndexedChunk>, Error> {
    let hits = list_pages(index, query.into(), most, bm25)?;
    let with_terms = |found: (Hit, PackEntry, PageEntry)| {
        let terms = explain.then(|| index.searcher(bm25).explain(query, found.0.page)).transpose()?;
        Ok((found, terms.map(|explanation| explanation.terms.into_iter().map(TermRow::from).collect())))
    };
    hits.into_iter().map(with_terms).collect()
}

fn notices(outdated: &[String], gone: &[String], root: &Path) -> Vec<String> {
    let again = format!("run `seealso setup {}` again", quote_path(root));
    let mut found = Vec::new();
    if !outdated.is_empty() {
        let packs = outdated.join(", ");
        found.push(format!("{packs}: changed since the chunks were made, so passages may be missing; {again}"));
    }
    if !gone.is_empty() {
        found.push(format!("{}: gone since the chunks were made, and left out; {again}", gone.join(", ")));
    }
    found
}

/// A page as it is now.
struct DividedPage {
    absolute: PathBuf,
    hash: [u8; 32],
    title: String,
    chunks: Vec<Chunk>,
}

impl DividedPage {
    /// Reads and divides a page; none where there is no such file.
    fn read(root: &Path, path: &str, file: &str) -> anyhow::Result<Option<DividedPage>> {
        let whole = root.join(path);
        let bytes = match fs::read(&whole) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            other => other.with_context(|| format!("reading {}", whole.display()))?,
        };
        let (page, _) = Page::parse(file, &String::from_utf8_lossy(&bytes));
        Ok(Some(DividedPage {
            absolute: whole.canonicalize().unwrap_or(whole),
            hash: Sha256::digest(&bytes).into(),
            chunks: chunks(&page, &ChunkSizes::default()),
            title: page.title,
        }))
    }

    /// The chunk of that number; none where the page has become shorter.
    fn candidate(
        &self,
        entry: &PageEntry,
        hit: &Hit,
        terms: Option<Vec<TermRow>>,
        (page_address, page_path): (String, String),
        place: ChunkPlace,
    ) -> Option<Candidate> {
        let number = place.name.number as usize;
        let chunk = self.chunks.get(number)?;
        Some(Candidate {
            chunk_id: format!("{page_address}:{number}"),
            citation: citation(&page_address, &chunk.section_id),
            page_address,
            page_path,
            absolute_path: self.absolute.clone(),
            chunk_index: number,
            title: self.title.clone(),
            headings: chunk.headings.clone(),
            section_id: chunk.section_id.clone(),
            bm25_score: hit.score,
            rerank_score: None,
            rerank_source: None,
            snippet: snippet(chunk),
            stale: !self.hash.starts_with(&entry.hash),
            terms,
            place,
        })
    }
}
