//! A whole page for a reader to open: fetched, checked and rendered to nodes.

use std::fmt;

use seealso_index::{Index, PackNo, PageNo, sort_by};
use seealso_pack::{Link, LinkKind, Node, Page, Resolved, render, resolve};

use crate::library::{IndexFault, Library};
use crate::retrieve::fetch::fetch_text;
use crate::world::{Clock, PackSource, SourceError};

/// A page as a reader opens it.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenedPage {
    /// Its title.
    pub title: String,
    /// Its pack's path.
    pub pack: String,
    /// Its path under the packs root.
    pub path: String,
    /// Its body as nodes of allowed kinds.
    pub nodes: Vec<Node>,
}

/// Why a page can't be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageError {
    /// No pack has a page of that id.
    Unknown(String),
    /// The page did not come.
    Source(SourceError),
    /// The index can't be asked.
    Index(IndexFault),
}

impl fmt::Display for PageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageError::Unknown(id) => write!(f, "no pack here has a page \"{id}\""),
            PageError::Source(error) => error.fmt(f),
            PageError::Index(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PageError {}

/// In packs of more pages a link is known only where the page lists it under See Also: to know all would take the
/// titles of the whole pack.
const MOST_PAGES_KNOWN: usize = 2048;

/// The files that a page's links may lead to, sorted, gathered once, since a page may hold any number of links.
fn files_for(index: &Index, page: PageNo, pack: PackNo) -> Result<Vec<String>, seealso_index::Error> {
    let all = index.pages_of(pack);
    let pages: Vec<PageNo> =
        if all.len() <= MOST_PAGES_KNOWN { all.map(PageNo).collect() } else { index.links(page)? };
    index.foresee_pages(pages.iter().copied())?;
    let mut files = pages.into_iter().map(|number| Ok(index.page(number)?.file)).collect::<Result<Vec<_>, _>>()?;
    sort_by(&mut files, |a, b| a.cmp(b));
    Ok(files)
}

/// Fetches the page of that id and renders it. `url` makes a link of a path under the packs root.
///
/// # Errors
/// [`PageError`].
pub async fn render_page<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    id: &str,
    url: &dyn Fn(&str) -> String,
) -> Result<OpenedPage, PageError> {
    let unknown = || PageError::Unknown(id.to_owned());
    let number = library.find_page(id).await.map_err(PageError::Index)?.ok_or_else(unknown)?;
    let described = library.settled(|index| {
        let entry = index.page(number)?;
        Ok((index.pack(entry.pack)?, files_for(index, number, entry.pack)?, entry))
    });
    let (pack, files, entry) = described.await.map_err(PageError::Index)?;
    let (text, _) = fetch_text(library, &pack, &entry).await.map_err(PageError::Source)?;
    let page = Page::named(&entry.file, &text, entry.title, entry.summary, entry.aliases);
    let name = pack.path.rsplit('/').next().unwrap_or(&pack.path);
    let known = |file: &str| files.binary_search_by(|known| known.as_str().cmp(file)).is_ok();
    let href = |target: &str, wikilink: bool| {
        let kind = if wikilink { LinkKind::Wiki } else { LinkKind::Markdown };
        let link = Link { target: target.to_owned(), label: String::new(), kind, line: 0, note: String::new() };
        match resolve(&link, &entry.file, name, &known) {
            Resolved::Page(file) => Some(url(&pack.page_path(&file))),
            Resolved::Raw(path) => Some(url(&format!("{}/{path}", pack.path))),
            Resolved::External(target) => Some(target),
            Resolved::Anchor(anchor) => Some(format!("#{anchor}")),
            Resolved::OtherPack(_) | Resolved::Missing(_) => None,
        }
    };
    Ok(OpenedPage {
        title: page.title.clone(),
        pack: pack.path.clone(),
        path: pack.page_path(&entry.file),
        nodes: render(&page.body, &href),
    })
}
