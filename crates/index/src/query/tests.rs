//! What the texts of pages change in a ranking: words side by side, whole names, quotations.

use super::quotes::quoted;
use crate::{Bm25, Index, NewPack, NewPage, PackInfo, PageNo, write};

fn index(summaries: &[&str]) -> Index {
    let page = |(number, summary): (usize, &&str)| NewPage {
        file: format!("{number}.md"),
        title: format!("Page {number}"),
        summary: (*summary).into(),
        ..NewPage::default()
    };
    let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
    let pages = summaries.iter().enumerate().map(page).collect();
    Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap()
}

#[test]
fn a_quote_of_a_script_without_spaces_is_looked_for_by_its_letters() {
    let index = index(&["学习 机器。", "关于机器学习的一页。", "GPT 机器 的 学习"]);
    for (query, expected) in [
        ("机器学习", &[1, 0, 2][..]),
        ("学习 「学习 机器」", &[0, 2, 1]),
        ("学习 「机器 学习」", &[1, 0, 2]),
        ("学习 「机器 的学习」", &[2, 0, 1]),
        ("学习 「ＧＰＴ 机器」", &[2, 0, 1]),
        ("学习 「习学 学习」", &[0, 2, 1]),
        ("学习 「机器学习」", &[1, 0, 2]),
        ("学习 『学习机器』", &[0, 2, 1]),
    ] {
        assert_eq!(ranked(&index, query), expected, "{query}");
    }
}

fn ranked(index: &Index, query: &str) -> Vec<u32> {
    index.searcher(&Bm25::default()).search(query, 9).unwrap().iter().map(|hit| hit.page.0).collect()
}

#[test]
fn words_side_by_side_count_more() {
    let index = index(&["A gate for garden tools.", "A tool shed at the garden gate."]);
    assert_eq!(ranked(&index, "garden gate"), [1, 0]);
    assert_eq!(ranked(&index, "gate for the garden"), [0, 1]);
}

#[test]
fn a_name_that_stands_whole_in_the_question_counts_more() {
    let page = |(number, title): (usize, &&str)| NewPage {
        file: format!("{number}.md"),
        title: (*title).into(),
        ..NewPage::default()
    };
    let info = PackInfo { path: "p".into(), language: "en".into(), ..PackInfo::default() };
    let titles = ["Tax return", "Tax code", "The code of tax tax", "Tax 税"];
    let pages = titles.iter().enumerate().map(page).collect();
    let index = Index::open(&write(&[NewPack { info, pages, ..NewPack::default() }]).unwrap()).unwrap();
    let adjacent = |number| {
        let why =
            index.searcher(&Bm25::default()).explain("what code does the tax office use", PageNo(number)).unwrap();
        (why.adjacent * 1000.0).round() / 1000.0
    };
    // "tax" is on four pages, "code" on two: 0.15 × (ln(1 + 0.5 / 4.5) + ln(1 + 2.5 / 2.5)).
    assert_eq!([adjacent(0), adjacent(1), adjacent(2), adjacent(3)], [0.0, 0.120, 0.120, 0.0]);
}

#[test]
fn the_most_promising_are_looked_at_wherever_they_stand() {
    let long = format!("A garden gate {}", "of iron and oak and brass ".repeat(5));
    let mut summaries = ["Garden.", "Gate."].repeat(6);
    summaries.push(&long);
    let index = index(&summaries);
    let words_alone = Bm25 { adjacent: 0.0, ..Bm25::default() };
    let place =
        |bm25| index.searcher(bm25).search("garden gate", 20).unwrap().iter().position(|hit| hit.page == PageNo(12));
    assert_eq!(place(&words_alone), Some(12), "of the others each scores more");
    assert_eq!(place(&Bm25::default()), Some(0));
}

#[test]
fn a_pair_of_words_that_say_little_hides_no_other_of_the_same_stems() {
    let index = index(&["She looked at the sea.", "A sea."]);
    let adjacent = |question: &str| index.searcher(&Bm25::default()).explain(question, PageNo(0)).unwrap().adjacent;
    assert!(adjacent("looked at") > 0.0);
    assert_eq!(adjacent("looking at it and looked at it"), adjacent("looked at"), "\"looking\" is weak");
}

#[test]
fn a_page_that_says_the_quote_comes_first() {
    let index = index(&["Dust, and more dust, on the moon.", "The moon has dust of the far side on it."]);
    assert_eq!(ranked(&index, "moon dust"), [0, 1]);
    assert_eq!(ranked(&index, "moon \"dust of the far side\""), [1, 0]);
    assert_eq!(ranked(&index, "moon “dust moon”"), [0, 1], "nobody says it");
}

#[test]
fn quotation_marks_of_several_languages_are_known() {
    assert_eq!(quoted("a \"b c\" d \"e\" „f g“ «h i» 「j k」 “open end"), ["b c", "f g", "h i", "j k"]);
    assert!(quoted("it's 5\" long").is_empty());
    assert_eq!(quoted("「机器学习」 『学习』 「学」 \"ภาษาไทย\" \"Wort\""), ["机器学习", "学习", "ภาษาไทย"]);
}
