//! Which of the pages that were read are pages of their own: no copies, no lists of links, no collections of others.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Site;
use super::repeats::{blocks, fingerprint, link_share};
use crate::page::{SitePage, Skip};
use crate::settings::Versions;

/// A text that stands on so many pages says nothing of its own.
const STUB_PAGES: usize = 5;

/// A page is a list of links where the text outside of them is shorter than this, in bytes, and than that of the links.
const LINKS_OTHER_BYTES: usize = 400;

/// A page holds another where it has this share of its blocks, in hundredths; one that holds so many is a collection.
const COLLECTION_SHARE: usize = 90;
const COLLECTION_PAGES: usize = 4;

/// Of a block so many pages are compared.
const MOST_PLACES: usize = 8;

/// Takes out of the site what is no page of its own. Pages of older versions become sites of their own, or are skipped
/// where only the newest is wanted.
pub(super) fn choose(site: &mut Site, versions: Versions) {
    let older = older_versions(&site.pages);
    let pages = std::mem::take(&mut site.pages);
    for (page, folder) in pages.into_iter().zip(older) {
        match (folder, versions) {
            (None, _) => site.pages.push(page),
            (Some(_), Versions::Newest) => drop(site.skipped.insert(page.address, Skip::OldVersion)),
            (Some(folder), Versions::All) => site.older.entry(folder).or_default().pages.push(page),
        }
    }
    choose_in_one(site);
    for older in site.older.values_mut() {
        choose_in_one(older);
        site.skipped.append(&mut older.skipped);
    }
    site.older.retain(|_, older| !older.pages.is_empty());
}

/// Takes out of one version what is no page of its own.
fn choose_in_one(site: &mut Site) {
    type Rule = fn(&[SitePage]) -> Vec<(usize, Skip)>;
    let rules: [Rule; 5] = [unmarked, canonical, lists_of_links, collections, copies];
    for rule in rules {
        let out: BTreeMap<usize, Skip> = rule(&site.pages).into_iter().collect();
        let pages = std::mem::take(&mut site.pages);
        for (at, page) in pages.into_iter().enumerate() {
            match out.get(&at) {
                Some(&skip) => {
                    site.skipped.insert(page.address, skip);
                }
                None => site.pages.push(page),
            }
        }
    }
}

fn unmarked(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let has_marks = pages.iter().any(|page| page.is_marked);
    let unmarked = pages.iter().enumerate().filter(|(_, page)| has_marks && !page.is_marked);
    unmarked.map(|(at, _)| (at, Skip::Unmarked)).collect()
}

/// Pages that name another page of the site as canonical, one that names itself or none.
fn canonical(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let known: HashMap<&str, &SitePage> = pages.iter().map(|page| (page.address.as_str(), page)).collect();
    let mut out = Vec::new();
    let mut named: HashMap<&str, usize> = HashMap::new();
    for (at, page) in pages.iter().enumerate() {
        let Some(target) = canonical_address(page, &known) else { continue };
        let names_itself =
            |target: &str| known.get(target).is_none_or(|page| canonical_address(page, &known).is_none());
        if names_itself(target) {
            *named.entry(target).or_default() += 1;
            out.push((at, Skip::Canonical));
        }
    }
    // Where most pages name the same one, the site is mistaken.
    let is_mistaken = named.values().any(|&count| count > 3 && count * 4 > pages.len());
    if is_mistaken { Vec::new() } else { out }
}

/// The address of the other page of the site that a page names as canonical.
fn canonical_address<'p>(page: &SitePage, known: &HashMap<&'p str, &'p SitePage>) -> Option<&'p str> {
    let named = page.canonical.split(['?', '#']).next().filter(|named| !named.is_empty())?;
    let path = named.split_once("://").map_or(named, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
    let path = crate::address::decode(path.trim_start_matches('/'));
    let path = if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path };
    // The site may lie below other folders than here: the end of the path tells.
    let ends = std::iter::once(path.as_str()).chain(path.match_indices('/').map(|(at, _)| &path[at + 1..]));
    let ends: Vec<&str> = ends.collect();
    let is_own = |end: &str| {
        end == page.address || end.strip_suffix(".html").unwrap_or(end) == page.address.trim_end_matches(".html")
    };
    if ends.iter().any(|end| is_own(end)) {
        return None;
    }
    ends.iter().find_map(|end| known.get_key_value::<str>(end).map(|(address, _)| *address))
}

fn lists_of_links(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let is_list = |page: &SitePage| {
        let (linked, other) =
            page.sections.iter().map(|section| link_share(&section.body)).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        linked > 0 && other < LINKS_OTHER_BYTES && linked > other * 2
    };
    pages.iter().enumerate().filter(|(_, page)| is_list(page)).map(|(at, _)| (at, Skip::Links)).collect()
}

/// Pages that hold several smaller ones whole, and little else.
fn collections(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let texts: Vec<HashSet<u64>> =
        pages.iter().map(|page| page.sections.iter().flat_map(|section| blocks(&section.body)).collect()).collect();
    // The pages of each block, of one that stands on very many the first.
    let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        for &block in text {
            let pages = places.entry(block).or_default();
            if pages.len() < MOST_PLACES {
                pages.push(at);
            }
        }
    }
    let mut held: HashMap<usize, usize> = HashMap::new();
    for (at, text) in texts.iter().enumerate() {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for other in text.iter().flat_map(|block| &places[block]) {
            *shared.entry(*other).or_default() += 1;
        }
        let is_holder = |&(other, count): &(usize, usize)| {
            other != at && count * 100 >= text.len() * COLLECTION_SHARE && texts[other].len() >= text.len() * 2
        };
        for (holder, _) in shared.into_iter().filter(is_holder) {
            *held.entry(holder).or_default() += 1;
        }
    }
    let is_repeated = |at: usize| {
        let known = texts[at].iter().filter(|block| places[block].len() > 1).count();
        known * 100 >= texts[at].len() * COLLECTION_SHARE
    };
    let found = held.into_iter().filter(|&(at, count)| count >= COLLECTION_PAGES && is_repeated(at));
    found.map(|(at, _)| (at, Skip::Collection)).collect()
}

/// Of each page the folder of its version, such as `docs/1.9`, where folders hold the same pages for several versions and
/// that one is not the newest.
fn older_versions(pages: &[SitePage]) -> Vec<Option<String>> {
    let mut versions: BTreeMap<&str, BTreeMap<Version, HashSet<&str>>> = BTreeMap::new();
    for page in pages {
        if let Some(place) = versioned(&page.address) {
            versions.entry(place.before).or_default().entry(place.version).or_default().insert(place.rest);
        }
    }
    // The newest may stand beside the folders of the others.
    for (before, known) in &mut versions {
        let beside = pages.iter().map(|page| page.address.as_str()).filter(|address| versioned(address).is_none());
        let beside: HashSet<&str> = beside.filter_map(|address| address.strip_prefix(before)).collect();
        let is_newest = known.values().any(|own| shares_most(own, &beside));
        if is_newest {
            known.insert((3, Vec::new()), beside);
        }
    }
    let folder = |page: &SitePage| {
        let place = versioned(&page.address)?;
        let known = versions.get(place.before)?;
        let (newest, newest_pages) = known.last_key_value()?;
        // Folders that share no pages are no versions of one thing.
        let is_old = place.version < *newest
            && (newest_pages.contains(place.rest)
                || known.get(&place.version).is_some_and(|own| shares_most(own, newest_pages)));
        is_old.then(|| page.address[..page.address.len() - place.rest.len() - 1].to_owned())
    };
    pages.iter().map(folder).collect()
}

/// Whether at least half of the pages of a version are those of another too.
fn shares_most(own: &HashSet<&str>, other: &HashSet<&str>) -> bool {
    own.iter().filter(|rest| other.contains(*rest)).count() * 2 >= own.len()
}

/// A version: by numbers, and above all numbers what is called latest or stable, and what stands beside all versions.
type Version = (u8, Vec<u32>);

/// An address with a version in it.
struct Versioned<'a> {
    /// What stands before the version.
    before: &'a str,
    version: Version,
    /// What comes after it.
    rest: &'a str,
}

fn versioned(address: &str) -> Option<Versioned<'_>> {
    let mut start = 0;
    for step in address.split('/') {
        let end = start + step.len();
        if end == address.len() {
            return None;
        }
        if let Some(version) = version(step) {
            return Some(Versioned { before: &address[..start], version, rest: &address[end + 1..] });
        }
        start = end + 1;
    }
    None
}

fn version(step: &str) -> Option<Version> {
    match step {
        "stable" | "current" => return Some((2, Vec::new())),
        "latest" => return Some((1, vec![u32::MAX])),
        "next" | "dev" | "main" | "master" | "nightly" | "unstable" => return Some((0, Vec::new())),
        _ => {}
    }
    let digits = step.strip_prefix(['v', 'V']).unwrap_or(step);
    let numbers: Option<Vec<u32>> = digits.trim_end_matches(".x").split('.').map(|part| part.parse().ok()).collect();
    let is_version = digits.len() < step.len() || digits.contains('.');
    numbers.filter(|_| is_version).map(|numbers| (1, numbers))
}

/// Pages with the same text: all but one, or all of them where it stands on many pages of different titles.
fn copies(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let bodies: Vec<&str> = page.sections.iter().map(|section| section.body.as_str()).collect();
        groups.entry(fingerprint(&bodies.join("\n"))).or_default().push(at);
    }
    let mut sizes: HashMap<&str, usize> = HashMap::new();
    for page in pages {
        *sizes.entry(part_of_site(page)).or_default() += 1;
    }
    let mut out = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let titles: HashSet<&str> = group.iter().map(|&at| pages[at].title.as_str()).collect();
        if group.len() >= STUB_PAGES && titles.len() * 2 > group.len() {
            out.extend(group.into_iter().map(|at| (at, Skip::Stub)));
            continue;
        }
        // The copy in the largest part of the site is the one that other pages speak of.
        let rank = |&at: &usize| {
            let page = &pages[at];
            (sizes[part_of_site(page)], std::cmp::Reverse((page.address.len(), &page.address)))
        };
        let kept = group.iter().copied().max_by(|a, b| rank(a).cmp(&rank(b)));
        out.extend(group.into_iter().filter(|at| Some(*at) != kept).map(|at| (at, Skip::Duplicate)));
    }
    out
}

/// The folder of the site that a page lies in.
pub(super) fn part_of_site(page: &SitePage) -> &str {
    page.address.split_once('/').map_or("", |(first, _)| first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageSection;

    fn page(address: &str, title: &str, body: &str) -> SitePage {
        let section = PageSection { level: 1, body: body.to_owned(), ..PageSection::default() };
        SitePage {
            address: address.to_owned(),
            title: title.to_owned(),
            sections: vec![section],
            ..SitePage::default()
        }
    }

    /// The addresses that are skipped, each with the code of the reason.
    fn skipped(pages: Vec<SitePage>) -> Vec<(String, &'static str)> {
        let mut site = Site { pages, ..Site::default() };
        choose(&mut site, Versions::All);
        site.skipped.into_iter().map(|(address, skip)| (address, skip.code())).collect()
    }

    fn named(found: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        found.iter().map(|(address, code)| ((*address).to_owned(), *code)).collect()
    }

    const TEXTS: [&str; 5] = [
        "Tea is made of leaves that are dried, rolled and steeped in water.",
        "Coffee is made of beans that are roasted, ground and steeped too.",
        "Cocoa is made of beans that are fermented, roasted and pressed.",
        "Milk is what calves drink, and many people drink it all their lives.",
        "Water is what all of these are made with, and it has no taste at all.",
    ];

    #[test]
    fn copies_and_stubs_stay_out() {
        let stubs = (0..6).map(|n| page(&format!("old/{n}.html"), &format!("Old {n}"), &format!("[Gone]({n}.html).")));
        let pages =
            [page("a/tea.html", "Tea", TEXTS[0]), page("b/tea.html", "Tea", TEXTS[0]), page("b/x.html", "X", TEXTS[1])];
        let out = skipped(stubs.chain(pages).collect());
        assert_eq!(out.iter().filter(|(_, code)| *code == "duplicate").count(), 1);
        assert!(out.contains(&("a/tea.html".to_owned(), "duplicate")), "the larger part of the site keeps its copy");
        assert_eq!(out.iter().filter(|(_, code)| *code == "links" || *code == "stub").count(), 6);
    }

    #[test]
    fn collections_and_lists_of_links_stay_out() {
        let mut pages: Vec<SitePage> =
            TEXTS.iter().enumerate().map(|(n, text)| page(&format!("{n}.html"), "T", text)).collect();
        pages.push(page("all.html", "All", &TEXTS.join("\n\n")));
        pages.push(page("list.html", "List", "- [One page](1.html)\n- [Another page](2.html)"));
        assert_eq!(skipped(pages), named(&[("all.html", "collection"), ("list.html", "links")]));
    }

    #[test]
    fn the_newest_version_is_told_from_older_ones() {
        for (addresses, expected) in [
            (
                &["v1.9/a.html", "v1.10/a.html", "v1.10/b.html", "v1.9/gone.html", "tools/v2/x.html"][..],
                &["v1.9/a.html", "v1.9/gone.html"][..],
            ),
            (
                &["docs/a.html", "docs/1.0/a.html", "docs/next/a.html", "blog/b.html"],
                &["docs/1.0/a.html", "docs/next/a.html"],
            ),
            (&["stable/a.html", "2.0/a.html", "dev/a.html"], &["2.0/a.html", "dev/a.html"]),
            (&["1.0/a.html", "2.0/b.html"], &[]),
            (&["2.0/a.html", "index.html"], &[]),
        ] {
            let pages = |texts: usize| {
                addresses.iter().enumerate().map(move |(n, address)| page(address, "T", TEXTS[n % texts])).collect()
            };
            let mut site = Site { pages: pages(5), ..Site::default() };
            choose(&mut site, Versions::Newest);
            let skipped: Vec<&str> = site.skipped.keys().map(String::as_str).collect();
            assert_eq!(skipped, expected, "{addresses:?}");

            let mut site = Site { pages: pages(5), ..Site::default() };
            choose(&mut site, Versions::All);
            let mut older: Vec<&str> =
                site.older.values().flat_map(|older| &older.pages).map(|page| page.address.as_str()).collect();
            older.sort_unstable();
            assert_eq!((older.as_slice(), site.skipped.len()), (expected, 0), "{addresses:?}");
        }
    }

    #[test]
    fn canonical_links_count_where_they_lead_to_another_page() {
        let with = |address: &str, canonical: &str, text: usize| SitePage {
            canonical: canonical.to_owned(),
            ..page(address, "T", TEXTS[text])
        };
        let pages = vec![
            with("a.html", "https://example.org/docs/a.html", 0),
            with("b.html", "https://example.org/docs/a.html", 1),
            with("c.html", "https://example.org/docs/c", 2),
            with("d.html", "https://other.example.org/e.html", 3),
            with("f.html", "", 4),
        ];
        assert_eq!(skipped(pages), named(&[("b.html", "canonical")]));
    }
}
