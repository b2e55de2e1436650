//! Editions of a site: the versions that addresses and pages name, and pages that say they are of an old one.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::page::{SitePage, Skip};

/// A version: by numbers, and above all numbers what is called latest or stable, and what stands beside all versions.
pub(super) type Version = (u8, Vec<u32>);

/// An address with a version in it.
pub(super) struct Versioned<'a> {
    /// What stands before the version.
    pub(super) before: &'a str,
    pub(super) version: Version,
    /// What comes after it.
    pub(super) rest: &'a str,
}

/// The version that a folder of an address names.
pub(super) fn versioned(address: &str) -> Option<Versioned<'_>> {
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
    let is_version = digits.len() < step.len() || digits.contains('.');
    numbers(digits).filter(|_| is_version).map(|numbers| (1, numbers))
}

/// The numbers of a version such as `1.9` or `2.x`.
fn numbers(text: &str) -> Option<Vec<u32>> {
    text.trim_end_matches(".x").split('.').map(|part| part.parse().ok()).collect()
}

/// Pages that say they are of an old edition: by a notice, by a version that others are newer than, or by naming the same
/// page of a newer version as canonical. Where most pages of the site say so, the site is of that edition.
pub(super) fn old_editions(pages: &[SitePage]) -> Vec<(usize, Skip)> {
    type Sign = fn(&[SitePage]) -> Vec<usize>;
    let mut old: BTreeSet<usize> = BTreeSet::new();
    for sign in [with_notices, of_older_numbers, of_newer_canonicals] as [Sign; 3] {
        let found = sign(pages);
        if found.len() * 2 <= pages.len() {
            old.extend(found);
        }
    }
    old.into_iter().map(|at| (at, Skip::OldVersion)).collect()
}

fn with_notices(pages: &[SitePage]) -> Vec<usize> {
    places(pages, |page| page.says_old)
}

/// Pages whose version is lower than the highest, if at least half of the pages of that version are there in the highest too.
fn of_older_numbers(pages: &[SitePage]) -> Vec<usize> {
    let number = |page: &SitePage| numbers(page.version.trim().trim_start_matches(['v', 'V']));
    let mut titles: BTreeMap<Vec<u32>, HashSet<&str>> = BTreeMap::new();
    for page in pages {
        if let Some(version) = number(page) {
            titles.entry(version).or_default().insert(&page.title);
        }
    }
    let Some((newest, newest_titles)) = titles.last_key_value() else { return Vec::new() };
    let is_old = |version: &Vec<u32>| {
        let shared = titles[version].iter().filter(|title| newest_titles.contains(*title)).count();
        version < newest && shared * 2 >= titles[version].len()
    };
    places(pages, |page| number(page).is_some_and(|version| is_old(&version)))
}

fn of_newer_canonicals(pages: &[SitePage]) -> Vec<usize> {
    places(pages, |page| {
        let target = page.canonical.as_ref().map(|named| named.target.address.as_str());
        let newer = target.and_then(versioned).zip(versioned(&page.address));
        newer.is_some_and(|(newer, own)| {
            (newer.before, newer.rest) == (own.before, own.rest) && newer.version > own.version
        })
    })
}

fn places(pages: &[SitePage], is_wanted: impl Fn(&SitePage) -> bool) -> Vec<usize> {
    pages.iter().enumerate().filter(|(_, page)| is_wanted(page)).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Base, resolve_url};

    #[test]
    fn pages_of_old_editions_say_so() {
        let page = |address: &str, title: &str| SitePage {
            address: address.to_owned(),
            title: title.to_owned(),
            ..SitePage::default()
        };
        let noticed = |address: &str| SitePage { says_old: true, ..page(address, "T") };
        let numbered = |title: &str, version: &str| SitePage { version: version.to_owned(), ..page("x.html", title) };
        let named = |address: &str, canonical: &str| SitePage {
            canonical: resolve_url(&Base::default(), canonical),
            ..page(address, "T")
        };
        for (pages, expected) in [
            (vec![noticed("a.html"), page("b.html", "T"), page("c.html", "T")], &[0][..]),
            (vec![noticed("a.html"), noticed("b.html"), page("c.html", "T")], &[]),
            (vec![numbered("Tea", "2.0"), numbered("Tea", "v1.9"), numbered("Pots", "2.0")], &[1]),
            // Different things have versions of their own.
            (vec![numbered("Tea", "2.0"), numbered("Cups", "1.9"), numbered("Pots", "2.0")], &[]),
            (vec![numbered("Tea", "next"), numbered("Tea", "")], &[]),
            (vec![named("1.0/a.html", "/2.0/a.html"), page("b.html", "T"), named("2.0/b.html", "/1.0/b.html")], &[0]),
            (vec![named("1.0/a.html", "/2.0/a.html"), page("b.html", "T"), named("1.0/b.html", "/2.0/c.html")], &[0]),
            (vec![named("1.0/a.html", "/2.0/a.html")], &[]),
        ] {
            let found: Vec<usize> = old_editions(&pages).into_iter().map(|(at, _)| at).collect();
            assert_eq!(found, expected);
        }
    }
}
