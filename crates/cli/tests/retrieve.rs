//! `retrieve` with what it cannot use: vectors without their encoder, and an index of chunks that names other files.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Sandbox, publish_vectors};
use seealso_index::{NewPack, NewPage, PackInfo, Writer};
use seealso_pack::{StageRecord, StageWriter};
use serde_json::{Value, json};

fn set_up(name: &str) -> Sandbox {
    let sandbox = Sandbox::with_packs(name);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    sandbox
}

fn retrieve(sandbox: &Sandbox, question: &str, options: &[&str]) -> Value {
    sandbox.run(&[&["retrieve", question, "--packs", "packs", "--json"], options].concat()).ends_with(0).json()
}

/// Publishes an index of chunks of the pack tea, whose chunks have these files and the word "steeped".
fn publish_chunks(sandbox: &Sandbox, files: &[&str]) {
    let mut stage = StageWriter::begin(&sandbox.path("packs")).unwrap();
    let chunk = |file: &&str| NewPage {
        file: (*file).to_owned(),
        title: "Tea".into(),
        body: vec![("steep".into(), 1)],
        ..NewPage::default()
    };
    let info = PackInfo { path: "tea".into(), page_root: "wiki".into(), language: "en".into(), ..PackInfo::default() };
    let pages = files.iter().map(chunk).collect();
    let mut sink = |hash: &_, bytes: &[u8]| stage.put(hash, bytes);
    let mut writer = Writer::new(seealso_index::Layout::default(), &mut sink);
    writer.whole_pack(&NewPack { info, pages, ..NewPack::default() }).unwrap();
    let written = writer.finish().unwrap();
    let record = StageRecord {
        name: "chunks".into(),
        version: seealso_chunks::CHUNKS_VERSION,
        root: stage.put_file(&written.root).unwrap(),
        model: None,
        threshold: None,
        packs: [("tea".to_owned(), "of other pages".to_owned())].into(),
    };
    stage.publish(record).unwrap();
}

#[test]
fn only_pages_of_bounded_size_below_the_packs_root_are_read() {
    let sandbox = set_up("retrieve-hostile");
    sandbox.write("secret.md", "---\ntitle: Secret\n---\n\nIt was steeped in secrecy.\n");
    sandbox.write("packs/tea/wiki/concepts/large.md", &"steeped ".repeat(600_000));
    publish_chunks(
        &sandbox,
        &[
            "concepts/green-tea.md#0",
            "../../../../../../../../dev/zero#0",
            "../../../secret.md#0",
            "concepts/large.md#0",
        ],
    );
    let found = retrieve(&sandbox, "steeped", &[]);
    let addresses: Vec<&Value> =
        found["candidates"].as_array().unwrap().iter().map(|page| &page["page_address"]).collect();
    assert_eq!(addresses, ["tea/concepts/green-tea"]);
    let notices: Vec<&str> =
        found["notices"].as_array().unwrap().iter().map(|notice| notice.as_str().unwrap()).collect();
    assert_eq!(notices.len(), 3, "{notices:?}");
    assert!(notices[1].contains("gone since the chunks were made, and left out"), "{notices:?}");
    assert!(notices[1].contains("dev/zero") && notices[1].contains("secret"), "{notices:?}");
    assert_eq!(
        notices[2],
        "left out: tea/wiki/concepts/large.md: larger than the 4194304 bytes allowed; publish smaller pages, or raise the \
         limit"
    );
}

#[test]
fn what_was_not_ordered_again_is_not_counted() {
    let sandbox = set_up("retrieve-count");
    for options in [&["--explain"][..], &["--explain", "--no-rerank"]] {
        let found = retrieve(&sandbox, "tea", options);
        let steps = ["bm25_candidate_count", "post_rerank_count", "deduped_count"].map(|key| &found[key]);
        assert_eq!(steps, [&json!(2), &json!(0), &json!(2)], "{options:?}");
    }
    let text = sandbox.run(&["retrieve", "tea", "--packs", "packs", "--explain"]).ends_with(0).stdout;
    assert!(text.ends_with("2 chunks by words, at most 20; 0 ordered again (no-op); 2 pages\n"), "{text}");
}

/// What `--peek` says, of a question and of none.
fn peek(sandbox: &Sandbox, question: &[&str]) -> (String, String) {
    let run = sandbox.run(&[&["retrieve", "--peek", "--packs", "packs", "--json"], question].concat()).ends_with(0);
    let said = run.json();
    (said["strategy"].as_str().unwrap().to_owned(), said["reason"].as_str().unwrap().to_owned())
}

#[test]
fn a_peek_says_what_would_order_the_passages() {
    let sandbox = set_up("retrieve-peek");
    let without = "there is no encoder with vectors of these packs, so passages stay in the order of their words";
    publish_vectors(&sandbox, None, false);
    assert_eq!(peek(&sandbox, &[]), ("no-op".to_owned(), without.to_owned()));
    let check = |question: &[&str], reason: &str| {
        let (strategy, said) = peek(&sandbox, question);
        assert_eq!((strategy.as_str(), said.contains(reason)), ("no-op", true), "{said}");
        assert!(said.starts_with("passages stay in the order of their words"), "{said}");
        if let [question] = question {
            assert_eq!(retrieve(&sandbox, question, &[])["strategy"], "no-op");
        }
    };
    // An encoder that did not make the vectors, or that this build can't load.
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    sandbox.write("packs/.seealso/encoder", &format!("{}\n", sandbox.path("encoder/model.safetensors").display()));
    let reason = if cfg!(feature = "model") { "the vectors are of the model stored@" } else { "built without models" };
    check(&[], reason);
    check(&["tea"], reason);
    assert_eq!(peek(&sandbox, &["--no-rerank"]).0, "bm25-only");
    // Vectors of yesterday over pages of today.
    let page = "packs/tea/wiki/concepts/green-tea.md";
    sandbox.write(page, &sandbox.read(page).replace("70 degrees", "80 degrees"));
    sandbox.run(&["build", "packs"]).ends_with(0);
    check(&[], "tea: changed since its vectors were made");
    check(&["tea"], "tea: changed since its vectors were made");
}

#[test]
fn the_length_of_a_chunk_counts_for_nothing() {
    let sandbox = Sandbox::new("retrieve-lengths");
    let filler = |words: usize| "plain text about pottery and glazes ".repeat(words.div_ceil(6));
    sandbox.write("packs/clay/manifest.yaml", "name: clay\ntitle: Clay\nlanguage: en\n");
    sandbox.write(
        "packs/clay/wiki/concepts/short.md",
        &format!("---\ntitle: Clay\n---\n\nIt holds celadon. {}\n", filler(36)),
    );
    sandbox.write(
        "packs/clay/wiki/concepts/tall.md",
        &format!("---\ntitle: Clay\n---\n\nIt holds celadon. {}\n", filler(240)),
    );
    sandbox.run(&["build", "packs"]).ends_with(0);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    let scores = |options: &[&str]| -> Vec<f64> {
        let found = retrieve(&sandbox, "celadon", options);
        found["candidates"].as_array().unwrap().iter().map(|page| page["bm25_score"].as_f64().unwrap()).collect()
    };
    for options in [&[][..], &["--okapi"]] {
        let scores = scores(options);
        assert_eq!((scores.len(), scores[0] == scores[1]), (2, true), "{options:?} {scores:?}");
    }
}
