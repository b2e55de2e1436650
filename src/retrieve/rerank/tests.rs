//! Tests of the reranking, over packs in memory.

use super::*;
use crate::config::Config;
use crate::library::Library;
use crate::memory::{FixedClock, MemorySource};
use crate::retrieve::fetch::fetch;
use crate::retrieve::merge::merge;
use crate::retrieve::search::search;
use futures_executor::block_on;

/// Pages of one pack: title, summary, body.
fn pack(pages: &[(&str, &str, &str)]) -> MemorySource {
    let text =
        |(title, summary, body): &(&str, &str, &str)| format!("---\ntitle: {title}\nsummary: {summary}\n---\n{body}\n");
    let texts: Vec<(String, String)> =
        pages.iter().map(|page| (format!("{}.md", page.0.to_lowercase()), text(page))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    MemorySource::of_packs(&[("p", &files)])
}

type Opened = Library<MemorySource, FixedClock>;

fn source_library(source: MemorySource) -> Opened {
    block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap()
}

/// The rankings of a sub-query by the index alone, and once as many as `pages_read` are read.
fn rankings(library: &Opened, text: &str, pages_read: usize) -> [Rankings; 2] {
    let item = SubQuery { text: text.into(), context: String::new() };
    let sub_queries = SubQueries::of_one(item);
    let config = Config { pages_read, ..Config::default() };
    let index = library.index();
    let before = search(&sub_queries, index, &config).unwrap();
    let to_read = merge(&before, index, &config.of_reading()).unwrap().wanted();
    let read = block_on(fetch(library, &to_read, Vec::new()));
    let after = rerank(&before, &sub_queries, &read, index, &config).unwrap();
    [before, after]
}

/// The files of their hits.
fn orders(source: MemorySource, text: &str, pages_read: usize) -> [Vec<String>; 2] {
    let library = source_library(source);
    rankings(&library, text, pages_read).map(|rankings| {
        let files = rankings.items[0].hits.iter().map(|hit| library.index().page(hit.page).unwrap().file);
        files.map(|file| file.trim_end_matches(".md").to_owned()).collect()
    })
}

const SAYS_IT_ONCE: (&str, &str, &str) = (
    "Loaf",
    "Yeast in bread.",
    "A loaf has a crust. The crust is brown. It cools on a rack, and is cut when it is cold.",
);
const SPEAKS_OF_IT: (&str, &str, &str) = (
    "Leaven",
    "What makes dough rise, such as yeast.",
    "Yeast eats sugar. Yeast wants warmth. Cold yeast sleeps, dry yeast keeps. Old yeast is dead yeast.",
);
const ANOTHER: (&str, &str, &str) = ("Rack", "Where things cool.", "Bars of steel, on which a cake cools.");

#[test]
fn a_page_that_speaks_of_what_is_asked_passes_one_that_says_it_once() {
    let [before, after] = orders(pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]), "yeast", 16);
    assert_eq!(before, ["loaf", "leaven"]);
    assert_eq!(after, ["leaven", "loaf"]);
}

#[test]
fn what_was_not_read_stays_behind() {
    // It speaks of yeast in its summary alone, so once read it is worth less than the third is by the index.
    let wordy = "It has a crust of flour and water. ".repeat(60);
    let wordy = ("Loaf", "Yeast in bread.", wordy.as_str());
    let third = ("Barm", "Froth of yeast, on ale.", "A froth.");
    let speaks = ("Leaven", "Makes dough rise: yeast.", SPEAKS_OF_IT.2);
    let pages = [wordy, speaks, third, ANOTHER];
    let [before, after] = orders(pack(&pages), "yeast", 2);
    assert_eq!([before, after], [["loaf", "barm", "leaven"], ["barm", "loaf", "leaven"]]);
    let [_, after] = orders(pack(&pages), "yeast", 16);
    assert_eq!(after, ["leaven", "barm", "loaf"], "all are read");
    assert_eq!(orders(pack(&[ANOTHER]), "yeast", 16), [Vec::<String>::new(), Vec::new()]);
}

#[test]
fn what_is_lost_is_no_hit_any_more() {
    let mut source = pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]);
    source.remove("p/wiki/loaf.md").unwrap();
    assert_eq!(orders(source, "yeast", 16), [vec!["loaf", "leaven"], vec!["leaven"]]);
}

#[test]
fn lengths_are_compared_within_a_language_alone() {
    let read = |page: u32, analysis: Analysis, length: u32| {
        let hit = Hit { page: seealso_index::PageNo(page), score: 1.0, exact: false, quoted: false };
        let term = Term { text: "yeast".into(), weight: 2.0, count: 1, score: 0.0 };
        ScoredHit {
            hit,
            id: String::new(),
            analysis,
            by_index: 1.0,
            by_text: 0.0,
            share: 1.0,
            length,
            terms: vec![term],
        }
    };
    let parts = |mut pages: Vec<ScoredHit>| {
        score(&mut pages);
        pages.iter().map(|read| (read.hit.page.0, read.by_text)).collect::<Vec<_>>()
    };
    // A page of mean length gets its word's whole weight for the first occurrence.
    let (en, plain) = (Analysis::English, Analysis::Plain);
    assert_eq!(parts(vec![read(0, en, 100), read(1, plain, 900)]), [(0, 2.0), (1, 2.0)]);
    let [(first, most), (second, least)] = parts(vec![read(0, en, 900), read(1, en, 100)])[..] else { panic!() };
    assert_eq!((first, second), (1, 0));
    assert!(most > 2.0 && least < 2.0, "{most} {least}");
    assert_eq!(parts(vec![read(0, en, 0)]), [(0, 6.0 / 1.5)], "a page without a word of its own");
}

#[test]
fn a_lost_page_lets_no_other_stand_out() {
    let leads = |pages: &[(&str, &str, &str)], text: &str, lost: &[&str]| {
        let mut source = pack(pages);
        for file in lost {
            source.remove(&format!("p/wiki/{file}.md")).unwrap();
        }
        let [before, after] = rankings(&source_library(source), text, 16);
        (before.items[0].lead, after.items[0].lead)
    };
    let pages = [SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER];
    let (before, after) = leads(&pages, "yeast", &[]);
    assert!(after > 0.5 && before > 0.5 && before != after, "{before} {after}");
    // What is left has the other's share by the index.
    let (_, left) = leads(&pages, "yeast", &["loaf"]);
    assert!((left - (1.0 - before)).abs() < 1e-12, "{left} {before}");
    assert_eq!(leads(&pages, "yeast", &["leaven"]).1, before);
    assert_eq!(leads(&pages, "yeast", &["loaf", "leaven"]).1, 0.0);

    let named = ("Yeast", "A fungus.", "It has no leaves.");
    let pages = [named, SAYS_IT_ONCE, SPEAKS_OF_IT];
    assert_eq!(leads(&pages, "yeast", &[]), (1.0, 1.0));
    assert_eq!(leads(&pages, "yeast", &["loaf"]), (1.0, 1.0), "the page that is named is there");
    let (before, after) = leads(&pages, "yeast", &["yeast"]);
    assert!(before == 1.0 && after < 0.5, "{after}");
}

#[test]
fn a_page_that_is_named_or_quoted_stays_first() {
    let wordy = "It has no leaves, and no roots either. ".repeat(60);
    let named = ("Yeast", "A fungus.", wordy.as_str());
    let [before, after] = orders(pack(&[named, SPEAKS_OF_IT, SAYS_IT_ONCE]), "yeast", 16);
    assert_eq!([before, after], [["yeast", "loaf", "leaven"], ["yeast", "leaven", "loaf"]]);
    let quoted = ("Loaf", "Yeast in bread.", wordy.as_str());
    let more = ("Dough", "Bread, yeast.", "Bread wants yeast. Yeast makes bread. No bread rises without yeast.");
    let [before, after] = orders(pack(&[quoted, more]), "\"yeast in bread\"", 16);
    assert_eq!([before, after], [["loaf", "dough"], ["loaf", "dough"]]);
    let [_, after] = orders(pack(&[quoted, more]), "yeast in bread", 16);
    assert_eq!(after, ["dough", "loaf"], "without the marks");
}

#[test]
fn code_and_other_pages_names_tell_nothing_of_a_page() {
    let lists = "A crust.\n\n```\nyeast yeast yeast yeast\n```\n\n## See Also\n\n- [Yeast yeast yeast](leaven.md)\n";
    let lists = ("Crumb", "Yeast in crumbs of bread, eaten.", lists);
    let [_, after] = orders(pack(&[lists, SPEAKS_OF_IT, ANOTHER]), "yeast", 16);
    assert_eq!(after, ["leaven", "crumb"]);
}
