//! The pages that a search finds, as rows: for `seealso search` and for programs that ask a server.

use schemars::JsonSchema;
use seealso::{Clock, Filter, IndexFault, Library, PackSource, page_id};
use seealso_index::{Bm25, Error, Hit, Index, PackEntry, PageEntry, Query, try_all};
use seealso_pack::CatalogPack;
use serde::Serialize;

/// A page that was found, with its entries in the index.
pub(crate) type PageHit = (Hit, PackEntry, PageEntry);

/// One page of the list.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SearchRow")]
pub(crate) struct ResultRow {
    /// The page's id: the pack's path and the page's file without `.md`.
    pub(crate) page: String,
    /// The pack's path.
    pub(crate) pack_path: String,
    /// The page's file inside the pack.
    pub(crate) page_file: String,
    /// The page's title.
    pub(crate) title: String,
    /// One sentence on what the page says.
    pub(crate) summary: String,
    /// The score; scores of two searches can't be compared.
    pub(crate) score: f64,
    /// Whether the query is the page's name.
    pub(crate) exact: bool,
    /// What the pack is about.
    pub(crate) pack_summary: String,
}

impl ResultRow {
    /// The row of a page; `packs` are those of the catalog, for their summaries.
    pub(crate) fn of(packs: &[CatalogPack], (hit, pack, entry): PageHit) -> ResultRow {
        let listed = packs.get(entry.pack.0).filter(|listed| listed.path == pack.path);
        ResultRow {
            page: page_id(&pack.path, &entry.file),
            pack_path: pack.path,
            page_file: entry.file,
            title: entry.title,
            summary: entry.summary,
            score: hit.score,
            exact: hit.exact,
            pack_summary: listed.map(|listed| listed.summary.clone()).unwrap_or_default(),
        }
    }
}

/// The best `limit` pages for `query` of those that pass `filter`.
///
/// # Errors
/// [`IndexFault`].
pub(crate) async fn find<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    query: &str,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<PageHit>, IndexFault> {
    let query = Query { filter: Some(filter), ..Query::from(query) };
    library.resolve(|index| list_pages(index, query, limit, &library.config.bm25)).await
}

/// The best pages for `query`, with the title and summary that a list shows.
///
/// # Errors
/// [`Error::Missing`] where files of the index are to be fetched first.
pub(crate) fn list_pages(index: &Index, query: Query<'_>, k: usize, bm25: &Bm25) -> Result<Vec<PageHit>, Error> {
    let searcher = index.searcher(bm25);
    let hits = searcher.search(query, k);
    // Both at once, so that the files that either lacks are fetched in one round.
    try_all([searcher.prefetch(query.text), hits.as_ref().map(drop).map_err(Error::clone)].into_iter())?;
    let hits = hits?;
    index.prefetch_pages(hits.iter().map(|hit| hit.page))?;
    let entry = |hit: Hit| {
        let entry = index.page(hit.page)?;
        Ok((hit, index.pack(entry.pack)?, entry))
    };
    hits.into_iter().map(entry).collect()
}
