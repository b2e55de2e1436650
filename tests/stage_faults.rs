//! What is wrong with the stages of a site costs a sentence and never the answer.
#![allow(clippy::unwrap_used)]

mod support;

use seealso::{Answer, Embedder, Mode, PackSource, StageOptions};
use support::boats_and_bread::{ask_by, only, packs, plain, renew_boats, staged, topics};
use support::staged::{BrokenEncoder, Staging, TopicEncoder};
use support::{FaultySource, Misdeed};

/// The switches of the vectors alone, with all enhancers.
fn by_vectors() -> StageOptions {
    StageOptions { chunks: false, says_missing: true, ..StageOptions::default() }
}

/// Asks for "oven" of a site with that fault: the answer is that of the words alone, with these sentences beside it.
fn check_fault<S: PackSource, E: Embedder>(source: S, encoder: Option<&E>, query_type: &str, says: &[&str]) {
    let asked = ask_by(source, "oven", &by_vectors(), encoder, None, Mode::Standard);
    let (plain, manifest) = plain(packs().0, "oven");
    assert_eq!(asked.notices(), says);
    assert_eq!(asked.report.query_type.name(), query_type, "{says:?}");
    let (notices, trace) = (asked.answer.notices.clone(), asked.answer.trace.clone());
    assert_eq!(asked.answer, Answer { notices, trace, ..plain }, "{says:?}");
    assert_eq!(asked.manifest, manifest);
}

#[test]
fn a_fault_in_a_stage_costs_a_sentence() {
    let encoder = topics();
    let of = |what: &str, reason: &str| {
        format!("The {what} of this site could not be used, so pages were found without: {reason}.")
    };
    let check = |path: &str, misdeed: Misdeed, says: &str| {
        check_fault(FaultySource::new(staged(&encoder), &[(path, misdeed)]), Some(&encoder), "bm25", &[says]);
    };
    check("stages.json", Misdeed::Missing, &of("stages", "index/stages.json: there is no such file on the server"));
    check(
        "stages.json",
        Misdeed::Silent,
        &of("stages", "index/stages.json: no answer within 30 s; ask again, or check the connection"),
    );
    let changed = "not the bytes that the catalog names; upload it again, or rebuild with `seealso build`";
    check("stages.json", Misdeed::Cut, &of("stages", &format!("index/stages.json: {changed}")));
    check("vectors.vec", Misdeed::Missing, &of("vectors", "index/vectors.vec: there is no such file on the server"));
    check("vectors.vec", Misdeed::Cut, &of("vectors", &format!("index/vectors.vec: {changed}")));
    check_fault(
        packs().0,
        Some(&encoder),
        "bm25",
        &["This site has no vectors, so pages were found without; `seealso setup` makes them."],
    );
}

#[test]
fn a_fault_of_the_encoder_costs_a_sentence() {
    let encoder = topics();
    let space = encoder.space().to_owned();
    check_fault::<_, TopicEncoder>(
        staged(&encoder),
        None,
        "vector_fallback",
        &[&format!("No encoder is here for the vectors of {space}, so pages were found by their words alone.")],
    );
    let other = TopicEncoder::new("another", &["anchor", "kayak", "tides", "flour"]);
    let says = format!(
        "The vectors are of {space}, and the encoder is {}, so pages were found by their words alone.",
        other.space()
    );
    check_fault(staged(&encoder), Some(&other), "vector_fallback", &[&says]);
    check_fault(
        staged(&encoder),
        Some(&BrokenEncoder(space)),
        "vector_fallback",
        &["The question could not be encoded, so pages were found by their words alone: its worker was ended."],
    );
}

#[test]
fn chunks_keep_the_order_of_their_words_where_the_encoder_fails() {
    let encoder = topics();
    let broken = BrokenEncoder(encoder.space().to_owned());
    let ask = |embedder: Option<&BrokenEncoder>, options: &StageOptions| {
        ask_by(staged(&encoder), "boat water", options, embedder, None, Mode::Standard)
    };
    let failed = ask(Some(&broken), &only(&["chunks", "rerank"]));
    let never = ask(None, &only(&["chunks"]));
    assert_eq!(failed.pages(), never.pages());
    assert_eq!(failed.report.chunks, never.report.chunks);
    assert!(failed.report.chunks.iter().all(|chunk| chunk.similarity.is_none() && chunk.bm25.is_some()));
    assert_eq!(failed.notices().len(), 1);
    assert!(never.notices().is_empty());
}

#[test]
fn pages_newer_than_a_stage_are_found_by_their_words() {
    let encoder = topics();
    let mut source = staged(&encoder);
    renew_boats(&mut source);
    let asked = ask_by(source, "moored kneaded", &by_vectors(), Some(&encoder), None, Mode::Standard);
    let says = "The vectors are older than the pages of boats, so these pages were found without; `seealso setup` brings \
                them up to date.";
    assert_eq!(asked.notices(), [says]);
    assert!(!asked.pages().contains(&"boats/concepts/anchor"), "{:?}", asked.pages());
    assert!(asked.pages().contains(&"bread/concepts/dough"), "{:?}", asked.pages());
}

#[test]
fn chunks_of_pages_newer_than_their_vectors_keep_the_order_of_their_words() {
    // The chunks are of today, the vectors of yesterday: their numbers may be those of other texts.
    let encoder = topics();
    let (source, list) = packs();
    let mut source = Staging { outdated_vectors: vec!["boats"], ..Staging::with(&encoder) }.add(source, &list);
    let options = only(&["chunks", "rerank"]);
    let asked = ask_by(source.clone(), "boat water", &options, Some(&encoder), None, Mode::Standard);
    assert!(asked.report.chunks.iter().all(|chunk| chunk.similarity.is_none() && chunk.bm25.is_some()));
    assert_eq!(asked.report.query_type.name(), "vector_fallback");
    assert_eq!(asked.notices().len(), 1, "{:?}", asked.notices());
    assert!(asked.notices()[0].starts_with("The vectors are older than the pages of boats"));
    // Where the chunks are of yesterday too, they count for nothing.
    renew_boats(&mut source);
    let asked = ask_by(source, "boat water", &options, Some(&encoder), None, Mode::Standard);
    assert!(asked.report.chunks.iter().all(|chunk| !chunk.id.starts_with("boats/")));
}

#[test]
fn a_question_about_a_pack_without_similarities_passes_the_gate() {
    let encoder = topics();
    let check = |question: &str, without_vectors: Vec<&'static str>, is_renewed: bool, passes: bool| {
        let (source, list) = packs();
        let staging = Staging { threshold: Some(0.9), without_vectors, ..Staging::with(&encoder) };
        let mut source = staging.add(source, &list);
        if is_renewed {
            renew_boats(&mut source);
        }
        let asked = ask_by(source, question, &by_vectors(), Some(&encoder), None, Mode::Standard);
        let gate = asked.report.gate.unwrap();
        assert_eq!((gate.passes, !asked.pages().is_empty()), (passes, passes), "{question} {gate:?}");
        asked
    };
    // The encoder knows no word of these questions, so nothing that it measured is near.
    check("loaf crust", vec![], false, false);
    let foreign = check("loaf crust", vec!["bread"], false, true);
    assert_eq!(foreign.pages()[0], "bread/concepts/oven");
    assert_eq!((foreign.report.query_type.name(), foreign.report.used.as_slice()), ("vector_fallback", &["gate"][..]));
    check("rudder", vec!["bread"], false, false);
    check("rudder", vec![], true, true);
}

#[test]
fn a_stage_that_is_none_and_links_without_similarities_cost_a_sentence() {
    let encoder = topics();
    let named = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let options = StageOptions { rerank: false, ..StageOptions::of_page(&names) };
        ask_by::<_, TopicEncoder>(staged(&encoder), "oven", &options, None, None, Mode::Standard)
    };
    let unknown = named(&["vector", "chunks"]);
    assert_eq!(unknown.pages()[0], "bread/concepts/oven");
    let says = "There is no stage \"vector\", so pages were found without; there are chunks, vectors, graph.";
    assert_eq!(unknown.notices(), [says]);
    let alone =
        "Links order pages by their similarities, which only vectors give, so they had no effect on this answer.";
    assert_eq!(named(&["chunks", "graph"]).notices(), [alone]);
}

#[test]
fn an_encoder_under_another_name_is_the_same() {
    let encoder = topics();
    let renamed = TopicEncoder::new("renamed", &encoder.topics());
    let asked = ask_by(staged(&encoder), "moored", &by_vectors(), Some(&renamed), None, Mode::Standard);
    assert_eq!((asked.report.query_type.name(), asked.pages()[0]), ("vector_search", "boats/concepts/anchor"));
    assert!(asked.notices().is_empty());
}
