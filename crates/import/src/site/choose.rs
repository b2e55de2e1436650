//! Which of the pages that were read are pages of their own: no copies, no lists of links, no collections of others.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::Site;
use super::editions::{Version, old_editions, versioned};
use super::repeats::{blocks, fingerprint, link_share};
use crate::address::page_key;
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
    skip(site, old_editions);
    choose_in_one(site);
    for older in site.older.values_mut() {
        choose_in_one(older);
        site.skipped.append(&mut older.skipped);
    }
    site.older.retain(|_, older| !older.pages.is_empty());
}

/// Takes out of one version what is no page of its own.
fn choose_in_one(site: &mut Site) {
    for rule in [unmarked, canonical, lists_of_links, collections, copies] {
        skip(site, rule);
    }
}

/// Which pages are none of their own, by their places, each with the reason.
type Rule = fn(&[SitePage]) -> Vec<(usize, Skip)>;

fn skip(site: &mut Site, rule: Rule) {
    let out: BTreeMap<usize, Skip> = rule(&site.pages).into_iter().collect();
    let pages = std::mem::take(&mut site.pages);
    for (at, page) in pages.into_iter().enumerate() {
        match out.get(&at) {
            Some(&skip) => drop(site.skipped.insert(page.address, skip)),
            None => site.pages.push(page),
        }
    }
}

fn unmarked(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let has_marks = pages.iter().any(|page| page.is_marked);
    let unmarked = pages.iter().enumerate().filter(|(_, page)| has_marks && !page.is_marked && !page.is_configured);
    unmarked.map(|(at, _)| (at, Skip::Unmarked)).collect()
}

/// Pages that name another page as canonical, one that names itself or none.
fn canonical(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    let known: HashMap<&str, &SitePage> = pages.iter().map(|page| (page_key(&page.address), page)).collect();
    let host = most_named_host(pages);
    let of = |page: &SitePage| canonical_of(page, host, &known);
    let mut out = Vec::new();
    let mut named: HashMap<&str, usize> = HashMap::new();
    for (at, page) in pages.iter().enumerate() {
        match of(page) {
            CanonicalPage::Own => {}
            CanonicalPage::Elsewhere => {
                *named.entry("").or_default() += 1;
                out.push((at, Skip::Canonical));
            }
            CanonicalPage::Other(address) => {
                if known.get(page_key(address)).is_none_or(|other| of(other) == CanonicalPage::Own) {
                    *named.entry(address).or_default() += 1;
                    out.push((at, Skip::Canonical));
                }
            }
        }
    }
    // Where most pages name the same one, the site is mistaken.
    let is_mistaken = named.values().any(|&count| count > 3 && count * 4 > pages.len());
    if is_mistaken { Vec::new() } else { out }
}

/// The page that another one names as the one to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CanonicalPage<'p> {
    /// The page itself, or one that is not there.
    Own,
    /// Another page of the site, by its address.
    Other(&'p str),
    /// A page of another host.
    Elsewhere,
}

fn canonical_of<'p>(page: &SitePage, host: Option<&str>, known: &HashMap<&'p str, &'p SitePage>) -> CanonicalPage<'p> {
    let Some(named) = &page.canonical else { return CanonicalPage::Own };
    if host.is_some_and(|host| !named.host.is_empty() && named.host != host) {
        return CanonicalPage::Elsewhere;
    }
    let key = page_key(&named.target.address);
    match known.get(key).filter(|_| !named.target.is_from_root && key != page_key(&page.address)) {
        Some(other) => CanonicalPage::Other(&other.address),
        None => CanonicalPage::Own,
    }
}

/// The host that most pages name which name any; none where there is no such.
fn most_named_host(pages: &[SitePage]) -> Option<&str> {
    let hosts = pages.iter().filter_map(|page| page.canonical.as_ref()).map(|named| named.host.as_str());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for host in hosts.filter(|host| !host.is_empty()) {
        *counts.entry(host).or_default() += 1;
    }
    let all: usize = counts.values().sum();
    counts.into_iter().find(|(_, count)| count * 2 > all).map(|(host, _)| host)
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
mod tests;
