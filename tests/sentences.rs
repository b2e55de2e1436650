//! Sentences beside those of an oracle: ICU's segmenter, which cuts by Unicode's rules (UAX 29) and has no abbreviations.
//!
//! The corpus, `tests/sentences/corpus.jsonl`, has a text a line: its language, its sentences, and what they are joined by
//! where that is no space. Where the oracle cuts otherwise, `oracle` holds its pieces and `why` the reason. The browser's
//! `Intl.Segmenter` is held to the same file (`tests/browser/sentences.test.mjs`).
#![allow(clippy::unwrap_used)]

use icu_segmenter::SentenceSegmenter;
use icu_segmenter::options::SentenceBreakInvariantOptions;
use seealso::SentenceRules;
use seealso_index::Analysis;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    language: String,
    sentences: Vec<String>,
    #[serde(default = "space")]
    join: String,
    oracle: Option<Vec<String>>,
    why: Option<String>,
}

fn space() -> String {
    " ".to_owned()
}

fn corpus() -> Vec<Row> {
    let lines = include_str!("sentences/corpus.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

fn of_oracle(text: &str) -> Vec<&str> {
    let bounds: Vec<usize> =
        SentenceSegmenter::new(SentenceBreakInvariantOptions::default()).segment_str(text).collect();
    let pieces = bounds.windows(2).map(|two| text[two[0]..two[1]].trim());
    pieces.filter(|piece| !piece.is_empty()).collect()
}

#[test]
fn texts_are_cut_into_the_sentences_of_the_corpus() {
    for row in corpus() {
        let text = row.sentences.join(&row.join);
        let rules = SentenceRules::of(Analysis::of_language(&row.language));
        assert_eq!(rules.sentences(&text), row.sentences, "{}", row.language);
    }
}

#[test]
fn the_oracle_differs_where_the_corpus_says_why() {
    for row in corpus() {
        let text = row.sentences.join(&row.join);
        assert_eq!(of_oracle(&text), *row.oracle.as_ref().unwrap_or(&row.sentences), "{}", row.language);
        assert_eq!(row.oracle.is_some(), row.why.is_some(), "a difference has its reason: {text}");
    }
}

#[test]
fn the_corpus_has_ten_languages_at_least() {
    let mut languages: Vec<String> = corpus().into_iter().map(|row| row.language).collect();
    languages.dedup();
    assert!(languages.len() >= 10, "{languages:?}");
}
