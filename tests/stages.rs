//! The stages of a site, through whole questions: what they find, and what they cost.
#![allow(clippy::unwrap_used)]

mod support;

use futures_executor::block_on;
use seealso::{
    AskOptions, ByStages, Config, Filter, FixedClock, Library, Mode, NoModel, NoPairScorer, StageOptions, StageReport,
    Stages, ask,
};
use seealso_vectors::Layout;
use support::boats_and_bread::{WordScorer, ask_by, ask_staged, only, packs, plain, staged, topics};
use support::staged::{Staging, TopicEncoder};
use support::{demo_pack_list, demo_packs};

const QUESTIONS: [&str; 7] = [
    "How do I containerize an MCP server in Docker?",
    "Compare Roman emperors with Neanderthals",
    "What is the difference between C4 and CAM photosynthesis?",
    "stomata",
    "How do volumes and bind mounts differ?",
    "photosinthesis",
    "How tall is Mount Everest?",
];

#[test]
fn with_all_stages_off_an_answer_is_that_of_the_words_alone() {
    let encoder = TopicEncoder::new("few", &["leaf stomata photosynthesis", "container docker", "emperor rome"]);
    let staged = Staging::with(&encoder).add(demo_packs(), &demo_pack_list());
    for question in QUESTIONS {
        let (answer, manifest) = plain(demo_packs(), question);
        // No switch is on, beside a site with all stages.
        let off = ask_by(staged.clone(), question, &StageOptions::none(), Some(&encoder), None, Mode::Standard);
        assert_eq!((&off.answer, &off.manifest), (&answer, &manifest), "{question}");
        assert_eq!(off.report, StageReport::default());
        // All are on, beside a site without any.
        let none = ask_by(demo_packs(), question, &StageOptions::default(), Some(&encoder), None, Mode::Standard);
        assert_eq!((&none.answer, &none.manifest), (&answer, &manifest), "{question}");
        assert_eq!(none.report, StageReport::default());
        assert!(encoder.asked.borrow().is_empty(), "no question was encoded");
    }
}

#[test]
fn stages_that_are_off_cost_no_request() {
    let encoder = topics();
    let asked = |options: &StageOptions| {
        let library = block_on(Library::open(staged(&encoder), FixedClock, Config::default())).map_err(|_| ()).unwrap();
        block_on(Stages::open(&library, options));
        library.source.asked().split_off(2)
    };
    assert!(asked(&StageOptions::none()).is_empty());
    assert!(asked(&only(&["graph", "quality", "expand-top"])).is_empty());
    assert_eq!(asked(&only(&["chunks"])), ["index/stages.json", "index/chunks.idx"]);
    assert_eq!(asked(&only(&["vectors"])), ["index/stages.json", "index/vectors.vec"]);
}

#[test]
fn a_page_without_the_words_of_a_question_is_found_by_its_meaning() {
    let question = "moored";
    assert!(plain(staged(&topics()), question).0.sources.is_empty());
    let asked = ask_staged(question, &only(&["vectors"]));
    assert_eq!(asked.pages()[0], "boats/concepts/anchor");
    assert_eq!((asked.report.query_type.name(), asked.report.used.as_slice()), ("vector_search", &["vectors"][..]));
}

#[test]
fn each_enhancer_has_its_line_in_the_trace() {
    let asked = ask_staged("How is a vessel moored?", &StageOptions { graph: true, ..StageOptions::default() });
    assert_eq!(
        asked.trace(),
        [
            "decompose: 1 sub-query: vessel moored",
            "embed: 1 vector",
            "chunks: 0 pages of 0 chunks by cosine",
            "vectors: 5 pages of 5 chunks, the nearest at 0.706",
            "gate: no threshold is stored",
            "graph: 0 rankings, 2 packs sparse",
            "search: 5 hits: 5 pages",
            "fetch: 5 pages",
            "merge: 5 hits: 4 pages",
            "expand: 1 page",
            "expand-top: 0 pages",
            "quality: 5 of 5 pages",
            "assemble: 1479 of 8000 characters, 5 of 5 pages",
            "answer: no page fits",
        ]
    );
}

#[test]
fn every_component_of_a_score_is_named() {
    let asked = ask_staged("moored boat", &StageOptions::default());
    let merge = asked.answer.trace.iter().find(|stage| stage.name == "merge").unwrap();
    let merge = serde_json::to_value(&merge.detail).unwrap();
    let first = &merge["rankings"][0]["hits"][0];
    assert_eq!(first["page"], "boats/concepts/anchor");
    let (fused, near) = (&first["fused"], &first["near"]);
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    assert_eq!(number(&fused["score"]), number(&fused["words"]) + number(&fused["meaning"]));
    assert!(number(&first["index"]) > 0.0 && number(&first["text"]) > 0.0);
    assert_eq!((&near["page"], &near["chunk"]), (&first["page"], &serde_json::json!(0)));
    assert!(number(&near["similarity"]) > 0.9 && number(&near["bm25"]) > 0.0);
}

#[test]
fn chunks_rank_pages_by_their_words_where_no_vector_is_known() {
    let (source, list) = packs();
    let source = Staging { encoder: None, ..Staging::with(&topics()) }.add(source, &list);
    let asked = ask_by::<_, TopicEncoder>(source, "rudder", &StageOptions::default(), None, None, Mode::Standard);
    assert_eq!(asked.pages()[0], "boats/concepts/sea-kayak");
    assert_eq!((asked.report.query_type.name(), asked.report.used[0]), ("bm25", "chunks"));
    assert!(asked.notices().is_empty());
}

#[test]
fn a_question_in_a_language_that_the_encoder_does_not_know_keeps_the_order_of_words() {
    let asked = |question: &str, without_vectors: Vec<&'static str>| {
        let encoder = topics();
        let (source, list) = packs();
        let source = Staging { without_vectors, ..Staging::with(&encoder) }.add(source, &list);
        ask_by(source, question, &StageOptions::default(), Some(&encoder), None, Mode::Standard)
    };
    let pages = |question: &str, without: Vec<&'static str>| asked(question, without).pages().join(" ");
    // "loaf" stands on both pages about bread, and the encoder takes a vessel for a kayak.
    assert_eq!(
        pages("loaf vessel", vec![]),
        "bread/concepts/oven bread/concepts/dough boats/concepts/sea-kayak boats/concepts/anchor boats/concepts/tides"
    );
    assert_eq!(pages("loaf vessel", vec!["bread"]), "bread/concepts/oven bread/concepts/dough");
    assert!(asked("loaf vessel", vec!["bread"]).notices().is_empty());
    // Nothing by words: the packs that have vectors are searched by them.
    assert!(pages("vessel", vec!["bread"]).starts_with("boats/concepts/sea-kayak"));
    assert!(!pages("heat", vec!["bread"]).contains("bread/concepts/dough"));
}

#[test]
fn the_gate_leaves_a_question_without_pages_that_none_is_near_to() {
    let check = |question: &str, threshold: Option<f64>, query_type: &str, has_sources: bool| {
        let encoder = topics();
        let (source, list) = packs();
        let source = Staging { threshold, ..Staging::with(&encoder) }.add(source, &list);
        let asked = ask_by(source, question, &StageOptions::default(), Some(&encoder), None, Mode::Standard);
        assert_eq!(
            (asked.report.query_type.name(), !asked.pages().is_empty()),
            (query_type, has_sources),
            "{question}"
        );
        assert_eq!(asked.answer.sources.len(), asked.manifest.pages.len());
        asked
    };
    check("moored", Some(0.9), "vector_search", true);
    check("moored", None, "vector_search", true);
    // The words of the page are there, but the encoder knows none of them.
    let closed = check("rudder", Some(0.5), "confidence_gated_fallback", false);
    assert!(closed.answer.is_empty());
    assert_eq!(closed.answer.text(), "These packs do not answer this question.");
    assert!(!closed.report.gate.unwrap().passes);
    check("rudder", None, "vector_search", true);
}

#[test]
fn vectors_in_many_files_find_what_those_in_one_find() {
    let encoder = topics();
    let (source, list) = packs();
    let layout = Layout { single_file_bytes: 0, leaf_vectors: 1, most_leaves: 2, inline_places: 0 };
    let source = Staging { layout, ..Staging::with(&encoder) }.add(source, &list);
    for question in ["moored", "How is a vessel paddled?", "kneaded"] {
        let many = ask_by(source.clone(), question, &StageOptions::default(), Some(&encoder), None, Mode::Standard);
        let one = ask_staged(question, &StageOptions::default());
        assert_eq!(many.pages(), one.pages(), "{question}");
    }
}

#[test]
fn a_question_of_ten_thousand_characters_is_cut_and_answered() {
    let question = "How is a vessel moored? ".repeat(420);
    let asked = ask_staged(&question, &StageOptions::default());
    assert_eq!(asked.pages()[0], "boats/concepts/anchor");
    assert_eq!(asked.notices(), ["The question is very long; only its beginning was asked."]);
}

#[test]
fn a_cross_encoder_orders_the_pages_that_were_read() {
    let options = StageOptions { cross_encoder: true, ..only(&["vectors"]) };
    let encoder = topics();
    let ask = |word: Option<&'static str>| {
        ask_by(staged(&encoder), "moored", &options, Some(&encoder), Some(&WordScorer(word)), Mode::Standard)
    };
    assert_eq!(ask_staged("moored", &only(&["vectors"])).pages()[0], "boats/concepts/anchor");
    for (word, first) in [("flour", "bread/concepts/dough"), ("moon", "boats/concepts/tides")] {
        let asked = ask(Some(word));
        assert_eq!((asked.pages()[0], asked.report.used.as_slice()), (first, &["vectors", "cross-encoder"][..]));
        assert!(asked.trace().contains(&"cross-encoder: 5 pairs".to_owned()), "{:?}", asked.trace());
    }
    let failed = ask(None);
    assert_eq!((failed.pages()[0], failed.report.used.as_slice()), ("boats/concepts/anchor", &["vectors"][..]));
    assert_eq!(failed.notices(), ["The cross-encoder failed, so pages were ranked without it: no memory."]);
}

#[test]
fn a_filter_keeps_near_pages_out_too() {
    let encoder = topics();
    let check = |filter: Filter, expected: &[&str]| {
        let mut report = StageReport::default();
        let (options, source) = (only(&["vectors", "chunks", "rerank"]), staged(&encoder));
        let run = async {
            let library = Library::open(source, FixedClock, Config::default()).await.map_err(|_| ()).unwrap();
            let stages = Stages::open(&library, &options).await;
            let finder = ByStages::<_, NoPairScorer, NoModel> {
                stages: &stages,
                options: &options,
                embedder: Some(&encoder),
                pair_scorer: None,
                writer: None,
                report: &mut report,
            };
            let asked = AskOptions { filter: Some(filter), ..AskOptions::default() };
            ask(&library, "moored loaf", asked.found_by(finder)).await.unwrap().0
        };
        let answer = block_on(run);
        let mut packs: Vec<&str> = answer.sources.iter().map(|source| source.pack.as_str()).collect();
        packs.sort_unstable();
        packs.dedup();
        assert_eq!(packs, expected);
    };
    check(Filter::default(), &["boats", "bread"]);
    check(Filter { packs: vec!["bread".into()], ..Filter::default() }, &["bread"]);
    check(Filter { languages: vec!["de".into()], ..Filter::default() }, &[]);
    check(Filter { tags: vec!["sea".into()], ..Filter::default() }, &[]);
}

#[test]
fn other_words_for_a_question_find_more() {
    let encoder = topics();
    let options = StageOptions { multi_query: true, ..only(&["vectors"]) };
    let asked = ask_by(staged(&encoder), "skirt", &options, Some(&encoder), None, Mode::Standard);
    assert_eq!(asked.report.used, ["multi-query", "vectors"]);
    // The words of one page are in the question, and its name is what the question is asked with too.
    assert_eq!(*encoder.asked.borrow(), ["skirt", "Sea kayak: skirt"]);
    let kayak = asked.report.chunks.iter().find(|chunk| chunk.id == "boats/concepts/sea-kayak").unwrap();
    assert!(kayak.similarity.unwrap() > 0.9, "{kayak:?}");
    let once = ask_by(staged(&encoder), "skirt", &only(&["vectors"]), Some(&encoder), None, Mode::Standard);
    let kayak = once.report.chunks.iter().find(|chunk| chunk.id == "boats/concepts/sea-kayak").unwrap();
    assert!(kayak.similarity.unwrap() < 0.2, "{kayak:?}");
}
