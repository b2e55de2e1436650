//! Finds chunks by their words, and reads them from the pages as they are now.
//!
//! The index of chunks holds no text. A page is divided again when one of its chunks was found, which gives the same
//! chunks as long as the page is the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use seealso::{ChunkPlace, Expected, Fault, PackSource as _, Request, SourceError, page_id};
use seealso_chunks::{Chunk, ChunkSizes, chunk_place, chunks};
use seealso_index::{Bm25, Error, Hit, Index, PackEntry, PageEntry};
use seealso_pack::Page;
use seealso_vectors::ChunkName;
use sha2::{Digest as _, Sha256};

use super::candidate::{Candidate, TermRow, citation, snippet};
use crate::chunk_library::ChunkLibrary;
use crate::search_rows::list_pages;
use crate::shell_quoting::quote_path;
use crate::source::{FolderSource, catalog_packs};

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
    let (mut candidates, mut gone, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    for ((hit, pack, entry), terms) in hits {
        let Some((file, number)) = chunk_place(&entry.file) else { continue };
        let path = pack.page_path(file);
        let address = page_id(&pack.path, file);
        if !pages.contains_key(&path) {
            let is_listed = packs.iter().any(|listed| listed.path == pack.path);
            let max_bytes = of.library.config.page_max_bytes;
            let request =
                Request { path: path.clone(), max_bytes, expected: Expected::Anything, allows_cached_copy: false };
            let page = match is_listed {
                true => DividedPage::read(&of.library.source, &request, file).await,
                false => Err(SourceError::new(&path, Fault::NotFound)),
            };
            match &page {
                Err(SourceError { fault: Fault::NotFound, .. }) => gone.push(address.clone()),
                Err(error) => unreadable.push(format!("left out: {error}")),
                Ok(_) => {}
            }
            pages.insert(path.clone(), page.ok());
        }
        if let Some(Some(page)) = pages.get(&path) {
            let place = hit.page.0.saturating_sub(of.library.index().pages_of(entry.pack).start);
            let name = ChunkName { file: file.to_owned(), number };
            let place = ChunkPlace { pack: pack.path.clone(), place, name };
            candidates.extend(page.candidate(&entry, &hit, terms, (address, path), place));
        }
    }
    let notices = notices(&of.outdated, &gone, root).into_iter().chain(unreadable).collect();
    Ok(PassageList { candidates, notices })
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
    /// Reads and divides a page. Its path is that of an index, so it is read as any file that a catalog or an index names:
    /// below the packs root, and of bounded size.
    ///
    /// # Errors
    /// [`Fault::NotFound`] where there is no such file, also for a path that leaves the packs root.
    async fn read(source: &FolderSource, request: &Request, file: &str) -> Result<DividedPage, SourceError> {
        let bytes = source.fetch(request).await?.bytes;
        let (page, _) = Page::parse(file, &String::from_utf8_lossy(&bytes));
        let whole = source.root.join(&request.path);
        Ok(DividedPage {
            absolute: whole.canonicalize().unwrap_or(whole),
            hash: Sha256::digest(&bytes).into(),
            chunks: chunks(&page, &ChunkSizes::default()),
            title: page.title,
        })
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
