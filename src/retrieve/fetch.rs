//! `fetch`: whole pages, in parallel, grouped by pack. A page that cannot be fetched is recorded and does not cost the
//! others.

use seealso_index::{Analysis, PackEntry, PackNo, PageEntry, PageNo, sort_by};
use seealso_pack::seek::replace;
use seealso_pack::{Page, is_about_changes};

use crate::library::{Library, page_id};
use crate::retrieve::page_text::PageText;
use crate::trace::{Describe, Detail, counted, detail};
use crate::world::{BoxFuture, Clock, Fault, PackSource, SourceError, fetch_with_retries, join_all};

/// How a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// A search found it.
    Search,
    /// A page that a search found lists it under See Also.
    SeeAlso,
}

/// A page to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    /// The page.
    pub page: PageNo,
    /// How it was found.
    pub via: Via,
    /// The sub-queries that it serves, from 0.
    pub sub_queries: Vec<usize>,
}

/// A fetched page.
#[derive(Debug, Clone, PartialEq)]
pub struct FetchedPage {
    /// The page's number.
    pub number: PageNo,
    /// Its pack.
    pub pack: PackNo,
    /// The index's entry of its pack.
    pub pack_entry: PackEntry,
    /// The analysis of its pack.
    pub analysis: Analysis,
    /// Its id.
    pub id: String,
    /// The parsed page.
    pub page: Page,
    /// The analysed text of the page.
    pub page_text: PageText,
    /// The whole file: front matter, abstract, body, See Also, Sources.
    pub text: String,
    /// Whether the file changed since the index was built.
    pub stale: bool,
    /// How it was found.
    pub via: Via,
    /// The sub-queries that it serves.
    pub sub_queries: Vec<usize>,
}

impl FetchedPage {
    /// Whether it is a page of a site that says what changed from version to version, rather than how things are.
    pub(crate) fn is_release_notes(&self) -> bool {
        !self.pack_entry.site.is_empty() && is_about_changes(&self.page.file)
    }
}

/// A page that could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostPage {
    /// Its number; `None` if the fault is not that of one page.
    pub number: Option<PageNo>,
    /// Its id.
    pub id: String,
    /// The reason.
    pub reason: String,
    /// The sub-queries that it would have served, from 0.
    pub sub_queries: Vec<usize>,
    /// Whether it was only to be compared with others: without its text, it would not have been kept.
    pub for_comparison_only: bool,
}

/// The fetched and the lost pages, each in the order requested.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pages {
    /// The fetched pages.
    pub items: Vec<FetchedPage>,
    /// The lost pages.
    pub lost: Vec<LostPage>,
}

/// Fetches `wanted` through `library`'s source, except those in `there`, which were fetched before.
pub async fn fetch<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    wanted: &[PageRequest],
    there: Vec<FetchedPage>,
) -> Pages {
    let work = |place: usize| -> BoxFuture<'_, (usize, Result<FetchedPage, LostPage>)> {
        Box::pin(async move { (place, fetch_page(library, &wanted[place]).await) })
    };
    let is_there = |place: usize| there.iter().any(|page| page.number == wanted[place].page);
    let missing = by_pack(library, wanted).into_iter().filter(|&place| !is_there(place));
    let mut came = join_all(missing.map(work).collect()).await;
    for page in there {
        if let Some(place) = wanted.iter().position(|want| want.page == page.number) {
            let PageRequest { via, ref sub_queries, .. } = wanted[place];
            came.push((place, Ok(FetchedPage { via, sub_queries: sub_queries.clone(), ..page })));
        }
    }
    sort_by(&mut came, |a, b| a.0.cmp(&b.0));
    let mut pages = Pages::default();
    for (_, result) in came {
        match result {
            Ok(page) => pages.items.push(page),
            Err(lost) => pages.lost.push(lost),
        }
    }
    pages
}

/// The indices of `wanted`, grouped by pack: a browser opens few connections to a server, and a pack's pages then use
/// the same ones.
fn by_pack<S: PackSource, C: Clock>(library: &Library<S, C>, wanted: &[PageRequest]) -> Vec<usize> {
    let pack = |place: usize| library.index().pack_of(wanted[place].page);
    let first = |place: usize| (0..place).find(|&before| pack(before) == pack(place)).unwrap_or(place);
    let mut places: Vec<usize> = (0..wanted.len()).collect();
    sort_by(&mut places, |&a, &b| first(a).cmp(&first(b)));
    places
}

async fn fetch_page<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    want: &PageRequest,
) -> Result<FetchedPage, LostPage> {
    let known = library.resolve(|index| {
        let entry = index.page(want.page)?;
        Ok((index.pack(entry.pack)?, entry))
    });
    let (pack, entry) = known.await.map_err(|error| LostPage {
        number: Some(want.page),
        id: format!("page {}", want.page.0),
        reason: error.to_string(),
        sub_queries: want.sub_queries.clone(),
        for_comparison_only: false,
    })?;
    let id = page_id(&pack.path, &entry.file);
    let lost = |reason: String| LostPage {
        number: Some(want.page),
        id: id.clone(),
        reason,
        sub_queries: want.sub_queries.clone(),
        for_comparison_only: false,
    };
    let (text, stale) = fetch_text(library, &pack, &entry).await.map_err(|error| lost(error.to_string()))?;
    // A browser has its text from a host that gives it to anyone.
    if stale && !cfg!(target_arch = "wasm32") && Page::parse(&entry.file, &text).0.is_private() {
        return Err(lost("it is private since the index was built".to_owned()));
    }
    let page = Page::named(&entry.file, &text, entry.title, entry.summary, entry.aliases);
    let page = Page { is_on_site: !pack.site.is_empty(), ..page };
    Ok(FetchedPage {
        number: want.page,
        pack: entry.pack,
        analysis: library.index().analysis_of(entry.pack),
        pack_entry: pack,
        id,
        page,
        page_text: PageText::default(),
        text,
        stale,
        via: want.via,
        sub_queries: want.sub_queries.clone(),
    })
}

/// A page's text with LF line ends, and whether it changed since the index was built.
pub(crate) async fn fetch_text<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    pack: &PackEntry,
    entry: &PageEntry,
) -> Result<(String, bool), SourceError> {
    let request = library.page_request(pack, entry);
    let fetched = fetch_with_retries(&library.source, &library.clock, &request, library.config.page_timeout_ms).await?;
    let text = String::from_utf8_lossy(&fetched.bytes);
    let text = replace(text.trim_start_matches('\u{feff}'), "\r\n", "\n");
    match looks_like_html(&text) {
        true => Err(SourceError::new(&request.path, Fault::WebPage)),
        false => Ok((text, fetched.changed)),
    }
}

/// Whether a text is HTML: a server that answers every path with its own page would otherwise provide that page as a
/// source.
fn looks_like_html(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(15).collect::<String>().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

impl Describe for Pages {
    fn note(&self) -> String {
        match self.lost.len() {
            0 => counted(self.items.len(), "page"),
            lost => format!("{}, {lost} lost", counted(self.items.len(), "page")),
        }
    }

    fn detail(&self) -> Detail {
        let pages: Vec<Detail> = self
            .items
            .iter()
            .map(|page| detail!({ "page": page.id, "chars": page.text.chars().count(), "changed": page.stale }))
            .collect();
        let lost: Vec<Detail> =
            self.lost.iter().map(|lost| detail!({ "page": lost.id, "reason": lost.reason })).collect();
        detail!({ "pages": pages, "lost": lost })
    }
}
