//! See Also brings pages up to a cap in each pack, first every page's first link, then every page's second.
#![allow(clippy::unwrap_used)]

mod support;

use seealso::{Config, MemorySource, Via};
use support::{answer_with, packs_by_summary};

/// A page of this title, which a search for ovens finds or not, and which lists pages under See Also.
fn page(title: &str, finds: bool, links: &[&str]) -> String {
    let summary = if finds { "Bakes in an oven." } else { "Lies there." };
    let links: String = links.iter().map(|link| format!("- [[{link}]]\n")).collect();
    format!("---\ntitle: {title}\nsummary: {summary}\n---\n\nBricks.\n\n## See Also\n\n{links}")
}

fn files(pages: &[(String, String)]) -> Vec<(&str, &str)> {
    pages.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect()
}

/// Packs with pages that list more under See Also than is followed. Two pages of `bricks` are found; they list each other,
/// and one page both. One page of `clay` is found.
fn two_packs() -> MemorySource {
    let named = |pages: &[(&str, bool, &[&str])]| -> Vec<(String, String)> {
        pages.iter().map(|(name, finds, links)| (format!("concepts/{name}.md"), page(name, *finds, links))).collect()
    };
    let mut bricks: Vec<(&str, bool, &[&str])> = vec![
        ("arch", true, &["a1", "a2", "dome", "a3", "a4", "a5", "a6", "a7"]),
        ("dome", true, &["arch", "d1", "a2", "d2", "d3"]),
    ];
    bricks.extend(["a1", "a2", "a3", "a4", "a5", "a6", "a7", "d1", "d2", "d3"].map(|name| (name, false, &[] as _)));
    let mut clay: Vec<(&str, bool, &[&str])> = vec![("kiln", true, &["k1", "k2", "k3", "k4", "k5", "k6"])];
    clay.extend(["k1", "k2", "k3", "k4", "k5", "k6"].map(|name| (name, false, &[] as _)));
    let (bricks, clay) = (named(&bricks), named(&clay));

    packs_by_summary(&[("bricks", &files(&bricks)), ("clay", &files(&clay))])
}

#[test]
fn each_pack_brings_as_many_pages_as_the_cap_says() {
    let check = |cap: usize, expected: &[&str]| {
        let config = Config { see_also_per_pack: cap, ..Config::default() };
        let answer = answer_with(two_packs(), "oven", config);
        let of = |via: Via| answer.sources.iter().filter(move |source| source.via == via);
        let mut found: Vec<&str> = of(Via::Search).map(|source| source.page.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, ["bricks/concepts/arch", "bricks/concepts/dome", "clay/concepts/kiln"]);
        let mut linked: Vec<&str> = of(Via::SeeAlso).map(|source| source.page.rsplit_once('/').unwrap().1).collect();
        linked.sort_unstable();
        assert_eq!(linked, expected, "with a cap of {cap}");
    };
    check(0, &[]);
    check(1, &["a1", "k1"]);
    check(2, &["a1", "a2", "k1", "k2"]);
    // A page that was found, or that came by another page's link, takes no place.
    check(3, &["a1", "a2", "d1", "k1", "k2", "k3"]);
    check(4, &["a1", "a2", "a3", "d1", "k1", "k2", "k3", "k4"]);
    let all = ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "d1", "d2", "d3", "k1", "k2", "k3", "k4", "k5", "k6"];
    check(100, &all);
}

#[test]
fn the_cap_is_four() {
    assert_eq!(Config::default().see_also_per_pack, 4);
}
