//! A whole page for a reader to open: fetched, checked and rendered to nodes.

use std::fmt;

use seealso_index::{Analysis, Index, PackNo, PageNo, QuestionWords};
use seealso_pack::{Element, Link, LinkKind, LinkTarget, Node, Page, PageNames, render, resolve};

use crate::answer::question_form::announces;
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

/// Why a page cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageError {
    /// No pack has a page of that id.
    Unknown(String),
    /// The page could not be fetched.
    Source(SourceError),
    /// The index cannot be queried.
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

/// In packs of more pages, a link is resolved only if the page lists it under See Also: to resolve all would need the
/// titles of the whole pack.
const MOST_PAGES_KNOWN: usize = 2048;

/// The possible targets of a page's links, collected once, because a page may have any number of links.
fn names_for(index: &Index, page: PageNo, pack: PackNo) -> Result<PageNames, seealso_index::Error> {
    let all = index.pages_of(pack);
    let pages: Vec<PageNo> =
        if all.len() <= MOST_PAGES_KNOWN { all.map(PageNo).collect() } else { index.links(page)? };
    index.prefetch_pages(pages.iter().copied())?;
    let files = pages.into_iter().map(|number| Ok(index.page(number)?.file)).collect::<Result<Vec<_>, _>>()?;
    Ok(PageNames::new(files))
}

/// Fetches the page with this id and renders it. `url` makes a link of a path under the packs root.
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
    let described = library.resolve(|index| {
        let entry = index.page(number)?;
        Ok((index.pack(entry.pack)?, names_for(index, number, entry.pack)?, entry))
    });
    let (pack, names, entry) = described.await.map_err(PageError::Index)?;
    let (text, _) = fetch_text(library, &pack, &entry).await.map_err(PageError::Source)?;
    let page = Page::named(&entry.file, &text, entry.title, entry.summary, entry.aliases);
    let name = pack.path.rsplit('/').next().unwrap_or(&pack.path);
    let href = |target: &str, wikilink: bool| {
        let kind = if wikilink { LinkKind::Wiki } else { LinkKind::Markdown };
        let link = Link { target: target.to_owned(), label: String::new(), kind, line: 0, note: String::new() };
        match resolve(&link, &entry.file, name, &names) {
            LinkTarget::Page(file) => Some(url(&pack.page_path(&file))),
            LinkTarget::Raw(path) => Some(url(&format!("{}/{path}", pack.path))),
            LinkTarget::External(target) => Some(target),
            LinkTarget::Anchor(anchor) => Some(format!("#{anchor}")),
            LinkTarget::OtherPack(_) | LinkTarget::Missing(_) => None,
        }
    };
    Ok(OpenedPage {
        title: page.title.clone(),
        pack: pack.path.clone(),
        path: pack.page_path(&entry.file),
        nodes: opening(&page, library.index().analysis_of(entry.pack))
            .into_iter()
            .chain(render(&page.body, &href))
            .collect(),
    })
}

/// The opening of the page: its summary as a quotation, if the body does not contain it.
fn opening(page: &Page, analysis: Analysis) -> Option<Node> {
    if announces(&page.summary, QuestionWords::of(analysis).as_ref()) {
        return None;
    }
    let element = |tag, children| Node::Element(Element { tag, attrs: Vec::new(), children });
    let text = Node::Text(page.unsaid_summary()?.to_owned());
    Some(element("blockquote", vec![element("p", vec![text])]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::memory::{FixedClock, MemorySource};
    use futures_executor::block_on;

    /// The links of a page, each with its label and target, as a reader gets them.
    fn links(pages: &[(&str, &str)], id: &str) -> Vec<(String, String)> {
        let source = MemorySource::of_packs(&[("vault", pages)]);
        let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
        let opened = block_on(render_page(&library, id, &|path| path.replace(' ', "%20"))).unwrap();
        let mut found = Vec::new();
        gather(&opened.nodes, &mut found);
        found
    }

    fn gather(nodes: &[Node], found: &mut Vec<(String, String)>) {
        for node in nodes {
            let Node::Element(element) = node else { continue };
            match (element.attrs.first(), element.children.first()) {
                (Some(("href", href)), Some(Node::Text(label))) => found.push((label.clone(), href.clone())),
                _ => gather(&element.children, found),
            }
        }
    }

    #[test]
    fn links_of_an_opened_page_lead_where_the_build_says() {
        let body = "[[sector performance]] [[Caf\u{e9}|coffee]] [[C++]] [[Plans/Garden%20Plan#Pond]] [p](Sector%20Performance.md)\n\n\
                    | a |\n|---|\n| [[sector performance\\|shares]] |\n\n\
                    [[gone]] [t](tel:+1) [o](obsidian://x) [h](//host/x) [j](javascript:x) [q](?q=x)\n";
        let pages = [
            ("Daily/Home.md", body),
            ("Drinks/Cafe\u{301}.md", "# Café\n"),
            ("Markets/Sector Performance.md", "# Shares\n"),
            ("Plans/Garden Plan.markdown", "[[Home]]\n"),
            ("c++.md", "# C++\n"),
        ];
        let at = |file: &str| format!("vault/wiki/{file}");
        let shares = at("Markets/Sector%20Performance.md");
        assert_eq!(
            links(&pages, "vault/Daily/Home"),
            [
                ("sector performance", &shares),
                ("coffee", &at("Drinks/Cafe\u{301}.md")),
                ("C++", &at("c++.md")),
                ("Plans/Garden%20Plan#Pond", &at("Plans/Garden%20Plan.markdown")),
                ("p", &shares),
                ("shares", &shares),
            ]
            .map(|(label, href)| (label.to_owned(), href.clone()))
        );
        // A page is opened by its id, whatever its ending.
        assert_eq!(links(&pages, "vault/Plans/Garden Plan.markdown"), [("Home".to_owned(), at("Daily/Home.md"))]);
    }
}
