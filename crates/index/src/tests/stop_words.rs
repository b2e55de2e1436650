//! Names made of stop words, acronyms and symbols: where a question means one, and where its words only look like one.

use super::support::{open, pack, page, titles};
use crate::{Analysis, Bm25, Index, PageNo};

fn index(language: &str, names: &[&str]) -> Index {
    let pages = names.iter().enumerate().map(|(at, name)| page(&format!("{at}.md"), name, &[], "", &[]));
    open(&[pack("p", language, pages.collect())])
}

/// The stop words of `question` that are names.
fn named<'q>(index: &Index, question: &'q str) -> Vec<&'q str> {
    let (analysis, _) = index.analyses()[0];
    let names = index.searcher(&Bm25::default()).stop_word_names(analysis, question).unwrap();
    names.into_iter().map(|(start, end)| &question[start..end]).collect()
}

const ENGLISH: [&str; 11] =
    ["WHO", "IT", "US tax forms", "May", "CAN", "if", "To be or not to be", "The Who", "Let It Be", "A*", "🚀 Launch"];

#[test]
fn a_question_means_a_name_of_stop_words_that_it_writes_as_one() {
    let index = index("en", &ENGLISH);
    for (question, expected) in [
        ("What is the WHO?", &["WHO"][..]),
        ("WHO guidelines on smoking", &["WHO"]),
        ("what is the who", &["the who"]),
        ("Which songs did The Who write?", &["The Who"]),
        ("What is IT?", &["IT"]),
        ("How is an IT department paid?", &["IT"]),
        ("What happened in May 1968?", &["May"]),
        ("what is may", &["may"]),
        ("What does the CAN do?", &["CAN"]),
        ("Which block does `if` run?", &["if"]),
        ("Which block does \"if\" run?", &["if"]),
        ("What does if do?", &["if"]),
        ("If", &["If"]),
        ("who wrote To be or not to be?", &["To be or not to be"]),
        ("who wrote to be or not to be", &["to be or not to be"]),
        ("who sang let it be first", &["let it be"]),
        ("Is the US large?", &["US"]),
        ("US", &["US"]),
        ("us", &["us"]),
        ("What is it?", &["it"]),
        ("who's it", &["it"]),
        ("who is the it?", &["it"]),
        ("What is A*?", &["A"]),
        ("🚀", &["🚀"]),
        ("a 🚀 for mice", &["🚀"]),
    ] {
        assert_eq!(named(&index, question), expected, "{question}");
    }
}

#[test]
fn words_that_only_join_are_no_names() {
    let index = index("en", &ENGLISH);
    for question in [
        "who bakes bread when it is cold",
        "May I bake it for us?",
        "Can bread rise if it is cold?",
        "Bread is cold. May it rise? If so, when?",
        "HOW CAN BREAD RISE IF IT IS COLD",
        "how can i let it rise",
        "it",
        "how do I do it?",
        "What may it be?",
        "What can it be?",
        "What does it do?",
        "What if it can?",
        "Who did it?",
        "how is it that I can",
        "🌱 bread",
        "",
    ] {
        let expected: &[&str] = if question == "it" { &["it"] } else { &[] };
        assert_eq!(named(&index, question), expected, "{question}");
    }
}

#[test]
fn names_of_stop_words_are_found_in_every_language_that_has_them() {
    for (language, name, question, expected) in [
        ("fr", "Elle", "Qui publie Elle aujourd'hui ?", &["Elle"][..]),
        ("fr", "Nous", "Qui a écrit « Nous » en Russie ?", &["Nous"]),
        ("de", "Sein", "Was ist das Sein?", &["Sein"]),
        ("de", "Das Ich", "Was ist das Ich?", &["das Ich"]),
        ("es", "Yo", "¿Qué es el yo?", &["yo"]),
        ("ru", "Мы", "Кто написал роман «Мы»?", &["Мы"]),
        ("sv", "Jag", "Vad är Jag?", &["Jag"]),
    ] {
        assert_eq!(named(&index(language, &[name, "Brot"]), question), expected, "{question}");
    }
}

#[test]
fn a_search_finds_names_of_stop_words_and_symbols() {
    let index = index("en", &ENGLISH);
    for (query, expected) in [
        ("WHO", &["WHO", "The Who"][..]),
        ("US", &["US tax forms"]),
        ("us", &["US tax forms"]),
        ("us tax", &["US tax forms"]),
        ("🚀", &["🚀 Launch"]),
        ("let it be", &["Let It Be", "IT", "To be or not to be"]),
        ("of", &[]),
    ] {
        assert_eq!(titles(&index, query), expected, "{query}");
    }
    let symbols = self::index("en", &["→ arrow", "❤\u{fe0f}", "Flag 🇩🇪", "👩\u{200d}🚀", "∞", "⌘ key"]);
    for (query, expected) in
        [("→", "→ arrow"), ("❤", "❤\u{fe0f}"), ("🇩🇪", "Flag 🇩🇪"), ("🚀", "👩\u{200d}🚀"), ("∞", "∞"), ("⌘", "⌘ key")]
    {
        assert_eq!(titles(&symbols, query), [expected], "{query}");
    }
}

#[test]
fn words_inside_a_known_identifier_say_little() {
    let index = index("en", &["C", "C++", "14.2.1.0", "Release v2.1", "Node", "node.js"]);
    let weak = |question: &str| -> Vec<String> {
        let words = index.searcher(&Bm25::default()).query_words(Analysis::English, question).unwrap();
        words.into_iter().filter(|word| word.weak).map(|word| word.term).collect()
    };
    assert_eq!(weak("C++ and C"), ["c"], "the first alone");
    assert_eq!(weak("version 2.1"), ["2", "1"]);
    assert!(weak("c# and 3.1").is_empty(), "no page has these");
    assert_eq!(titles(&index, "2.1")[0], "Release v2.1");
    assert_eq!(titles(&index, "v2.1")[0], "Release v2.1");
    assert_eq!(titles(&index, "14.2.1.0")[0], "14.2.1.0");
    assert_eq!(titles(&index, "node.js")[0], "node.js");
}

#[test]
fn a_question_of_ten_thousand_words_is_read_in_part() {
    let index = index("en", &ENGLISH);
    let long: String = (0..10_000).map(|number| format!("w{number} c++ who ")).collect();
    let words = index.searcher(&Bm25::default()).query_words(Analysis::English, &long).unwrap();
    assert_eq!(words.len(), 1024);
    assert!(index.searcher(&Bm25::default()).search(format!("{long} bread").as_str(), 9).unwrap().is_empty());
    let first = index.searcher(&Bm25::default()).search(format!("launch {long}").as_str(), 9).unwrap();
    assert_eq!(first.iter().map(|hit| hit.page).collect::<Vec<_>>(), [PageNo(10)]);
}
