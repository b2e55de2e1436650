//! Pages that are read to be compared: which of them are kept, and what lost ones cost.
#![allow(clippy::unwrap_used)]

mod support;

use futures_executor::block_on;
use seealso::{AskOptions, Config, FixedClock, Library, MemorySource, Via, ask};
use support::{FaultySource, Misdeed, answer, packs_by_summary};

/// Ten pages that say "oven" once in their summaries, each longer than the one before. The eighth speaks of nothing
/// else, and leads to the seventh and the tenth.
fn ten_ovens() -> MemorySource {
    let body = |n: usize| match n {
        7 => "An oven. The oven, that oven, an oven.\n\n## See Also\n\n- [[brick6]]\n- [[brick9]]",
        _ => "Bricks.",
    };
    let page = |n: usize| {
        format!("---\ntitle: Brick{n}\nsummary: Made {}in an oven.\n---\n\n{}\n", "once ".repeat(n), body(n))
    };
    let texts: Vec<(String, String)> = (0..10).map(|n| (format!("concepts/brick{n}.md"), page(n))).collect();
    let files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    packs_by_summary(&[("bricks", &files)])
}

#[test]
fn eight_pages_are_read_each_once_and_the_best_four_kept() {
    let library = block_on(Library::open(ten_ovens(), FixedClock, Config::default())).map_err(|_| ()).unwrap();
    let answer = block_on(ask(&library, "oven", AskOptions::default())).unwrap().0;
    let kept: Vec<(&str, Via)> = answer.sources.iter().map(|source| (source.page.as_str(), source.via)).collect();
    let expected = [
        ("bricks/concepts/brick7", Via::Search),
        ("bricks/concepts/brick0", Via::Search),
        ("bricks/concepts/brick1", Via::Search),
        ("bricks/concepts/brick2", Via::Search),
        ("bricks/concepts/brick6", Via::SeeAlso),
        ("bricks/concepts/brick9", Via::SeeAlso),
    ];
    assert_eq!(kept, expected);
    assert_eq!(answer.sub_queries[0].pages, expected[..4].iter().map(|(page, _)| *page).collect::<Vec<_>>());
    let asked = library.source.asked().into_iter().filter(|path| path.ends_with(".md"));
    let read = (0..8).chain([9]).map(|n| format!("bricks/wiki/concepts/brick{n}.md"));
    assert_eq!(asked.collect::<Vec<_>>(), read.collect::<Vec<_>>());
}

#[test]
fn only_a_page_that_would_be_kept_is_missed() {
    for (lost, notices) in [("brick0.md", 1), ("brick3.md", 1), ("brick4.md", 0), ("brick6.md", 1), ("brick9.md", 1)] {
        let answer = answer(FaultySource::new(ten_ovens(), &[(lost, Misdeed::Missing)]), "oven");
        assert_eq!(answer.notices.len(), notices, "{lost}: {:?}", answer.notices);
        assert_eq!(answer.sources[0].page, "bricks/concepts/brick7", "{lost}");
        let brought = answer.sub_queries[0].pages.iter().any(|page| page.ends_with(lost.trim_end_matches(".md")));
        assert!(!brought, "{lost} never came");
    }
    // Two pages are kept in all, so the third is no loss.
    for (lost, notices) in [("brick1.md", 1), ("brick2.md", 0)] {
        let source = FaultySource::new(ten_ovens(), &[(lost, Misdeed::Missing)]);
        let config = Config { pages: 2, ..Config::default() };
        let library = block_on(Library::open(source, FixedClock, config)).map_err(|_| ()).unwrap();
        let answer = block_on(ask(&library, "oven", AskOptions::default())).unwrap().0;
        assert_eq!(answer.notices.len(), notices, "{lost}: {:?}", answer.notices);
    }
}

#[test]
fn a_lost_page_makes_room_for_one_that_was_read_alone() {
    let lost = [("brick0.md", Misdeed::Missing), ("brick1.md", Misdeed::Missing), ("brick2.md", Misdeed::Missing)];
    let config = Config { pages_read: 4, ..Config::default() };
    let library = block_on(Library::open(FaultySource::new(ten_ovens(), &lost), FixedClock, config));
    let answer = block_on(ask(&library.map_err(|_| ()).unwrap(), "oven", AskOptions::default())).unwrap().0;
    assert_eq!(answer.sub_queries[0].pages, ["bricks/concepts/brick3"]);
    assert_eq!(answer.sources.len(), 1);
}

#[test]
fn where_nothing_else_answers_a_page_that_was_to_be_compared_is_missed() {
    let answer = answer(FaultySource::new(ten_ovens(), &[("brick7.md", Misdeed::ServerError)]), "oven");
    assert_eq!(answer.text(), "No answer: pages that may hold it could not be read.");
    assert_eq!(answer.notices.len(), 1, "{:?}", answer.notices);
    assert!(answer.notices[0].message.contains("bricks/wiki/concepts/brick7.md"), "{:?}", answer.notices);
}

#[test]
fn a_part_that_only_a_lost_page_might_answer_is_told() {
    let body = |n: usize| if n == 7 { "A heron is a tall grey bird." } else { "Birds." };
    let page =
        |n: usize| format!("---\ntitle: Bird{n}\nsummary: Like {}a heron.\n---\n\n{}\n", "once ".repeat(n), body(n));
    let texts: Vec<(String, String)> = (0..10).map(|n| (format!("concepts/bird{n}.md"), page(n))).collect();
    let birds: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let oven =
        ("concepts/oven.md", "---\ntitle: Oven\nsummary: A hot room.\n---\n\nAn oven is a hot room for bread.\n");
    let notices = |misdeeds: &[(&str, Misdeed)]| {
        let source = packs_by_summary(&[("bread", &[oven]), ("birds", &birds)]);
        let answer = answer(FaultySource::new(source, misdeeds), "oven and heron");
        let parts: Vec<(&str, bool)> = answer.sub_queries.iter().map(|part| (&*part.text, part.answered)).collect();
        (format!("{parts:?}"), answer.notices.len())
    };
    let lost = ("bird7.md", Misdeed::Missing);
    assert_eq!(notices(&[]), (r#"[("oven", true), ("heron", true)]"#.to_owned(), 0));
    assert_eq!(notices(&[lost]), (r#"[("oven", true), ("heron", false)]"#.to_owned(), 1));
}

#[test]
fn see_also_asks_for_no_lost_page_again() {
    // The eighth page lists it, and it was lost when it was to be compared.
    let source = FaultySource::new(ten_ovens(), &[("brick6.md", Misdeed::Silent)]);
    let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
    let answer = block_on(ask(&library, "oven", AskOptions::default())).unwrap().0;
    assert_eq!(library.source.tries("bricks/wiki/concepts/brick6.md"), 1);
    assert_eq!(answer.notices.len(), 1, "{:?}", answer.notices);
    let linked = answer.sources.iter().filter(|source| source.via == Via::SeeAlso);
    assert_eq!(linked.map(|source| source.page.as_str()).collect::<Vec<_>>(), ["bricks/concepts/brick9"]);
}

#[test]
fn what_hardly_matches_stands_in_for_no_lost_page() {
    let page = |title: &str, text: &str| {
        (
            format!("concepts/{}.md", title.to_lowercase().replace(' ', "-")),
            format!("---\ntitle: {title}\nsummary: {text}\n---\n\n# {title}\n\n> {text}\n"),
        )
    };
    let dough = |what: &&str| {
        let title = format!("Sour dough {what}");
        page(&title, &format!("{title} is about sour dough."))
    };
    let cream = page("Sour cream", "Sour cream is thick, since it was left to stand.");
    let others = ["Puff pastry", "Oven", "Salt"].map(|title| page(title, &format!("{title} is no liquid.")));
    let text = |doughs: &[&str], lost: usize| {
        let pages: Vec<(String, String)> =
            doughs.iter().map(dough).chain([cream.clone()]).chain(others.clone()).collect();
        let files: Vec<(&str, &str)> = pages.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        let lost: Vec<String> = doughs[..lost].iter().map(|what| format!("dough-{what}.md")).collect();
        let misdeeds: Vec<(&str, Misdeed)> = lost.iter().map(|file| (file.as_str(), Misdeed::Missing)).collect();
        answer(FaultySource::new(packs_by_summary(&[("bread", &files)]), &misdeeds), "sour dough").text()
    };
    let doughs = ["loaf", "starter", "crust", "bowl"];
    assert!(text(&doughs, 3).starts_with("Sour dough bowl is about sour dough. [1]"));
    assert_eq!(text(&doughs, 4), "No answer: pages that may hold it could not be read.");
    // The cream would be kept too, but says little of what was asked.
    assert!(text(&doughs[..3], 1).starts_with("Sour dough "));
    assert_eq!(text(&doughs[..3], 3), "No answer: pages that may hold it could not be read.");
}

#[test]
fn where_all_that_would_be_kept_is_lost_another_that_matches_as_well_is_read() {
    let lost = ["brick0.md", "brick1.md", "brick2.md", "brick3.md"].map(|file| (file, Misdeed::Missing));
    let answer = answer(FaultySource::new(ten_ovens(), &lost), "oven");
    assert_eq!(answer.sources[0].page, "bricks/concepts/brick7");
    assert!(!answer.is_empty());
    assert_eq!(answer.notices.len(), 4, "{:?}", answer.notices);
}
