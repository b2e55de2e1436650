//! Small sites, and which of their pages are skipped.

use super::*;
use crate::address::{Base, resolve_url};
use crate::page::PageSection;

fn page(address: &str, title: &str, body: &str) -> SitePage {
    let section = PageSection { level: 1, body: body.to_owned(), ..PageSection::default() };
    SitePage { address: address.to_owned(), title: title.to_owned(), sections: vec![section], ..SitePage::default() }
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
        canonical: resolve_url(&Base::of(address), canonical).filter(|_| !canonical.is_empty()),
        ..page(address, "T", TEXTS[text])
    };
    for (canonicals, expected) in [
        (
            [
                ("a.html", "https://example.org/docs/a.html"),
                ("b.html", "https://www.example.org/docs/a.html"),
                ("c.html", "https://example.org/docs/c"),
                ("d.html", ""),
                ("e.html", "/docs/e/"),
            ],
            &["b.html"][..],
        ),
        // A page of another host is another page, whatever its path.
        (
            [
                ("a.html", "https://example.org/a.html"),
                ("b.html", "https://example.org/b.html"),
                ("c.html", "https://example.org/c.html"),
                ("d.html", "https://other.example/d.html"),
                ("e.html", ""),
            ],
            &["d.html"],
        ),
        // Where pages name several hosts alike, none is the site's own.
        (
            [
                ("a.html", "https://one.example/a.html"),
                ("b.html", "https://two.example/b.html"),
                ("c.html", ""),
                ("d.html", ""),
                ("e.html", ""),
            ],
            &[],
        ),
        (
            [
                ("guide/index.html", "./"),
                ("guide/a.html", "index.html"),
                ("guide/b.html", "b.html"),
                ("guide/c.html", "../guide/c"),
                ("index.html", "."),
            ],
            &["guide/a.html"],
        ),
    ] {
        let pages = canonicals.iter().enumerate().map(|(text, (address, named))| with(address, named, text));
        let mut site = Site { pages: pages.collect(), ..Site::default() };
        crate::site::prefix::apply(&mut site);
        let expected: Vec<_> = expected.iter().map(|address| ((*address).to_owned(), "canonical")).collect();
        assert_eq!(skipped(site.pages), expected, "{canonicals:?}");
    }
}
