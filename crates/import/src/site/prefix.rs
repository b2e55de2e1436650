//! In which folder of its host a site lies, as its own links and canonical addresses tell: a site that is published at
//! `https://example.org/docs/` has links such as `/docs/guide/tea.html`.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::Site;
use crate::address::{Target, page_key};
use crate::page::SitePage;

/// A site lies at most so many folders deep.
const MOST_FOLDERS: usize = 8;

/// Finds the site's folder, and gives all links from the root of the host the addresses that they have in there. Links that
/// lead out of that folder lead to no page of the site.
pub(super) fn apply(site: &mut Site) {
    let known: HashSet<&str> = site.pages.iter().map(|page| page_key(&page.address)).collect();
    let canonical = of_canonicals(&site.pages);
    let prefix = of_links(&site.pages, &known).or_else(|| canonical.clone()).unwrap_or_default();
    let canonical = canonical.unwrap_or_else(|| prefix.clone());
    for page in &mut site.pages {
        page.root_links.clear();
        for neighbour in [&mut page.previous, &mut page.next, &mut page.parent] {
            neighbour.take_if(|target| !take_off(target, &prefix));
        }
        for section in &mut page.sections {
            section.links.retain_mut(|target| take_off(target, &prefix));
        }
        // What another host has at some address is no page of this site; which host is its own is told later.
        if let Some(named) = &mut page.canonical {
            let is_own = take_off(&mut named.target, &canonical);
            if !is_own && named.host.is_empty() {
                page.canonical = None;
            }
        }
    }
    site.prefix = prefix;
}

/// Takes the site's folder off an address; false where the address lies in another one.
fn take_off(target: &mut Target, prefix: &str) -> bool {
    if !target.is_from_root {
        return true;
    }
    let rest = match target.address.strip_prefix(prefix) {
        Some(rest) => rest.to_owned(),
        None if prefix.strip_suffix('/') == Some(&target.address) => String::new(),
        None => return false,
    };
    target.address = rest;
    target.is_from_root = false;
    true
}

/// The folder in which most of the links from the root of the host lead to pages of the site.
fn of_links(pages: &[SitePage], known: &HashSet<&str>) -> Option<String> {
    let own = pages.iter().flat_map(|page| {
        let links = page.sections.iter().flat_map(|section| &section.links);
        let links = links.filter(|target| target.is_from_root).map(|target| target.address.as_str());
        page.root_links.iter().map(String::as_str).chain(links)
    });
    let links: BTreeSet<&str> = own.collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for link in links {
        let starts = std::iter::once(0).chain(link.match_indices('/').map(|(at, _)| at + 1));
        for start in starts.take(MOST_FOLDERS).filter(|&start| start < link.len()) {
            if known.contains(page_key(&link[start..])) {
                *counts.entry(&link[..start]).or_default() += 1;
            }
        }
    }
    most(counts)
}

/// The folder in which most of the pages lie that name themselves as canonical.
fn of_canonicals(pages: &[SitePage]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for page in pages {
        let Some(named) = page.canonical.as_ref().filter(|named| named.target.is_from_root) else { continue };
        let (address, own) = (&named.target.address, page_key(&page.address));
        let before = page_key(address).strip_suffix(own).map(|before| &address[..before.len()]);
        // The address of the folder itself may come without a slash at its end.
        let prefix = match before {
            Some(_) if own.is_empty() => Some(&address[..address.rfind('/').map_or(0, |slash| slash + 1)]),
            Some(before) if before.is_empty() || before.ends_with('/') => Some(before),
            _ => None,
        };
        if let Some(prefix) = prefix {
            *counts.entry(prefix).or_default() += 1;
        }
    }
    most(counts)
}

/// What was counted most often; the shortest where several were.
fn most(counts: BTreeMap<&str, usize>) -> Option<String> {
    let best = counts.into_iter().max_by_key(|(prefix, count)| (*count, std::cmp::Reverse(prefix.len())));
    best.map(|(prefix, _)| prefix.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Base, resolve, resolve_url};
    use crate::page::PageSection;

    fn page(address: &str, canonical: &str, links: &[&str]) -> SitePage {
        let base = Base::of(address);
        let links = links.iter().map(|link| resolve(&base, link).unwrap()).collect();
        SitePage {
            address: address.to_owned(),
            canonical: (!canonical.is_empty()).then(|| resolve_url(&base, canonical).unwrap()),
            sections: vec![PageSection { links, ..PageSection::default() }],
            ..SitePage::default()
        }
    }

    /// The folder that was found, and where the links of the first page lead.
    fn applied(pages: Vec<SitePage>) -> (String, Vec<String>) {
        let mut site = Site { pages, ..Site::default() };
        apply(&mut site);
        let links = site.pages[0].sections[0].links.iter().map(|target| target.address.clone()).collect();
        (site.prefix, links)
    }

    #[test]
    fn a_site_below_a_folder_of_its_host_is_known_by_its_links() {
        for (pages, prefix, links) in [
            (
                vec![
                    page(
                        "index.html",
                        "",
                        &["/docs/guide/tea.html", "/docs/guide/", "/shop/tea.html", "guide/tea.html"],
                    ),
                    page("guide/index.html", "", &[]),
                    page("guide/tea.html", "", &[]),
                ],
                "docs/",
                &["guide/tea.html", "guide/", "guide/tea.html"][..],
            ),
            (
                vec![page("index.html", "", &["/guide/tea.html", "/"]), page("guide/tea.html", "", &[])],
                "",
                &["guide/tea.html", ""],
            ),
            (
                vec![
                    page("index.html", "https://example.org/a/b/", &["/a/b/gone.html", "/c"]),
                    page("tea.html", "https://example.org/a/b/tea", &[]),
                ],
                "a/b/",
                &["gone.html"],
            ),
            (vec![page("index.html", "", &["/a.html"])], "", &["a.html"]),
        ] {
            let expected = (prefix.to_owned(), links.iter().map(|link| (*link).to_owned()).collect());
            assert_eq!(applied(pages), expected);
        }
    }
}
