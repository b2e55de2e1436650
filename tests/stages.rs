//! The stages of a site, through whole questions: what they find, what they cost, and that a fault in them costs a sentence and
//! never the answer.
#![allow(clippy::unwrap_used)]

mod support;

use futures_executor::block_on;
use seealso::{
    Answer, AskOptions, ByStages, Config, Embedder, Filter, FixedClock, Library, Manifest, MemorySource, Mode, NoModel,
    NoPairScorer, PackSource, PairScoreError, PairScorer, StageOptions, StageReport, Stages, ask,
};
use seealso_pack::{CATALOG_FILE, Catalog, Pack};
use seealso_vectors::Layout;
use support::staged::{BrokenEncoder, Staging, TopicEncoder};
use support::{FaultySource, Misdeed, demo_pack_list, demo_packs};

fn page(title: &str, summary: &str, body: &str) -> String {
    format!("---\ntitle: {title}\nsummary: {summary}\n---\n\n# {title}\n\n> {body}\n")
}

/// Three pages on boats and two on bread. No page has a word such as "moored" or "vessel".
fn pages() -> Vec<(&'static str, Vec<(&'static str, String)>)> {
    let links = "\n## See Also\n\n- [[tides]]\n";
    vec![
        (
            "boats",
            vec![
                (
                    "concepts/anchor.md",
                    page(
                        "Anchor",
                        "How a boat is held in place.",
                        "An anchor is a weight that holds a boat in place on open water, whatever the wind does, and its chain lies along the ground so that the pull comes from the side rather than from above.",
                    ),
                ),
                (
                    "concepts/sea-kayak.md",
                    page(
                        "Sea kayak",
                        "A narrow boat for one.",
                        "A sea kayak is a narrow boat that one person paddles on open water, sitting low, with a skirt that keeps the waves out and a small rudder at the end that helps it to keep its course in the wind.",
                    ) + links,
                ),
                (
                    "concepts/tides.md",
                    page(
                        "Tides",
                        "Why water rises and falls.",
                        "Tides are the rise and fall of the sea, caused by the pull of the moon and of the sun, twice a day in most places, and they are highest when both of them stand in one line with the earth.",
                    ),
                ),
            ],
        ),
        (
            "bread",
            vec![
                (
                    "concepts/dough.md",
                    page(
                        "Dough",
                        "What a loaf is made of.",
                        "Dough is flour and water that were kneaded for ten minutes and then left to rise for some hours in a warm place, until it is twice as large as it was and springs back when a finger is pressed into it.",
                    ),
                ),
                (
                    "concepts/oven.md",
                    page(
                        "Oven",
                        "The heat that a loaf needs.",
                        "An oven bakes a loaf at 230 degrees for half an hour, with a little steam at the start so that the crust stays soft while the loaf grows, and dry heat at the end so that it becomes crisp and brown.",
                    ),
                ),
            ],
        ),
    ]
}

fn topics() -> TopicEncoder {
    TopicEncoder::new(
        "topics",
        &[
            "anchor moored holds",
            "kayak paddled paddles vessel",
            "tides moon",
            "flour dough kneaded",
            "oven bakes heat",
        ],
    )
}

fn packs() -> (MemorySource, Vec<Pack>) {
    let pages = pages();
    let borrowed: Vec<(&str, Vec<(&str, &str)>)> = pages
        .iter()
        .map(|(path, pages)| (*path, pages.iter().map(|(file, text)| (*file, text.as_str())).collect()))
        .collect();
    let borrowed: Vec<(&str, &[(&str, &str)])> =
        borrowed.iter().map(|(path, pages)| (*path, pages.as_slice())).collect();
    let packs = borrowed.iter().map(|(path, pages)| Pack::of_pages(path, pages)).collect();
    (MemorySource::of_packs(&borrowed), packs)
}

/// The packs with chunks and vectors by `encoder`.
fn staged(encoder: &TopicEncoder) -> MemorySource {
    let (source, packs) = packs();
    Staging::with(encoder).add(source, &packs)
}

/// A cross-encoder for which a text with that word answers every query; without a word it fails.
struct WordScorer(Option<&'static str>);

impl PairScorer for WordScorer {
    fn name(&self) -> &str {
        "words"
    }

    async fn score(&self, _: &str, texts: &[&str]) -> Result<Vec<f64>, PairScoreError> {
        let word = self.0.ok_or_else(|| PairScoreError { reason: "no memory".to_owned() })?;
        Ok(texts.iter().map(|text| if text.contains(word) { 5.0 } else { -11.0 }).collect())
    }
}

/// A question's answer by the stages, and what they did.
struct StageRun {
    answer: Answer,
    manifest: Manifest,
    report: StageReport,
}

impl StageRun {
    fn pages(&self) -> Vec<&str> {
        self.answer.sources.iter().map(|source| source.page.as_str()).collect()
    }

    fn trace(&self) -> Vec<String> {
        self.answer.trace.iter().map(|stage| format!("{}: {}", stage.name, stage.summary)).collect()
    }

    fn notices(&self) -> Vec<&str> {
        self.answer.notices.iter().map(|notice| notice.message.as_str()).collect()
    }
}

/// Asks `source` by its stages, with that encoder and cross-encoder.
fn ask_by<S: PackSource, E: Embedder>(
    source: S,
    question: &str,
    options: &StageOptions,
    encoder: Option<&E>,
    pair_scorer: Option<&WordScorer>,
    mode: Mode,
) -> StageRun {
    let mut report = StageReport::default();
    let run = async {
        let library = Library::open(source, FixedClock, Config::default()).await.map_err(|_| ()).unwrap();
        let stages = Stages::open(&library, options).await;
        let finder = ByStages::<E, WordScorer, NoModel> {
            stages: &stages,
            options,
            embedder: encoder,
            pair_scorer,
            writer: None,
            report: &mut report,
        };
        let asked = AskOptions { mode, ..AskOptions::default() };
        ask(&library, question, asked.found_by(finder)).await.unwrap()
    };
    let (answer, manifest) = block_on(run);
    StageRun { answer, manifest, report }
}

fn ask_staged(question: &str, options: &StageOptions) -> StageRun {
    let encoder = topics();
    ask_by(staged(&encoder), question, options, Some(&encoder), None, Mode::Standard)
}

fn only(names: &[&str]) -> StageOptions {
    let mut options = StageOptions::none();
    names.iter().for_each(|name| options.set(name, true).unwrap());
    options
}

fn plain<S: PackSource>(source: S, question: &str) -> (Answer, Manifest) {
    let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
    block_on(ask(&library, question, AskOptions::default())).unwrap()
}

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
    let other = TopicEncoder::new("another", &["anchor", "kayak", "tides", "flour", "oven"]);
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
    let catalog = source.file(CATALOG_FILE).unwrap();
    let mut newer = Catalog::parse(catalog).unwrap();
    assert_eq!(newer.packs[0].path, "boats");
    newer.packs[0].fingerprint = "today".to_owned();
    *catalog = newer.to_json().into_bytes();
    let asked = ask_by(source, "moored kneaded", &by_vectors(), Some(&encoder), None, Mode::Standard);
    let says = "The vectors are older than the pages of boats, so these pages were found without; `seealso setup` brings \
                them up to date.";
    assert_eq!(asked.notices(), [says]);
    assert!(!asked.pages().contains(&"boats/concepts/anchor"), "{:?}", asked.pages());
    assert!(asked.pages().contains(&"bread/concepts/dough"), "{:?}", asked.pages());
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
