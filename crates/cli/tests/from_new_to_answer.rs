//! One pack's way through every command: new, check, build, search, ask, explain, eval, stats.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

/// That the object has exactly these keys.
#[track_caller]
fn has_keys(value: &Value, expected: &[&str]) {
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, expected);
}

#[test]
fn a_new_pack_is_answered_from() {
    let sandbox = Sandbox::new("way");
    let new = sandbox.run(&["new", "packs/tea-notes", "--title", "Tea: \"notes\""]).ends_with(0);
    assert!(new.stdout.contains("seealso build packs"), "{new:?}");

    let check = sandbox.run(&["check", "packs"]).ends_with(0);
    assert_eq!(check.stdout, "Tea: \"notes\": 2 pages, nothing to mend (packs/tea-notes)\n");

    let build = sandbox.run(&["build", "packs"]).ends_with(0);
    assert!(build.stdout.starts_with("packs: 1 pack, 2 pages, index "), "{build:?}");

    search(&sandbox);
    ask(&sandbox);
    explain(&sandbox);
    eval(&sandbox);
    stats(&sandbox);
}

fn search(sandbox: &Sandbox) {
    let found = sandbox.run(&["search", "linking pages", "--packs", "packs", "--json"]).ends_with(0).json();
    has_keys(&found, &["query", "results"]);
    let first = &found["results"][0];
    has_keys(first, &["page", "pack_path", "page_file", "title", "summary", "score", "exact", "pack_summary"]);
    assert_eq!(first["page"], "tea-notes/concepts/linking-pages");
    assert_eq!(first["pack_path"], "tea-notes");
    assert_eq!(first["page_file"], "concepts/linking-pages.md");
    assert_eq!(first["exact"], true);
    let one = sandbox.run(&["search", "pages", "--packs", "packs", "-k", "1"]).ends_with(0);
    assert_eq!(one.stdout.lines().count(), 2, "a line and its summary: {one:?}");
}

fn ask(sandbox: &Sandbox) {
    // The question that `new` and the README suggest.
    sandbox.run(&["ask", "How is a page written?", "--packs", "packs"]).ends_with(0);
    let answer = sandbox.run(&["ask", "What is a See Also link?", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!(answer["status"], "answered");
    let source = &answer["sources"][0];
    assert_eq!(source["path"], "tea-notes/wiki/concepts/linking-pages.md");
    assert_eq!(source["page"], "tea-notes/concepts/linking-pages");
    assert_eq!(source["title"], "Linking pages");
    assert_eq!(source["url"], source["path"]);
    let part = &answer["parts"][0];
    has_keys(part, &["sub_query", "text", "sources"]);
    assert_eq!(part["sub_query"], answer["sub_queries"][0]["text"]);
    assert_eq!(part["sources"][0], 1);
    // The text of a part is the quoted text, without the numbers of sources.
    assert!(answer["text"].as_str().unwrap().contains("[1]"), "{answer}");
    assert!(!part["text"].as_str().unwrap().contains("[1]"), "{answer}");
    let text = sandbox.run(&["ask", "What is a See Also link?", "--packs", "packs"]).ends_with(0).stdout;
    assert!(text.contains("[1] Linking pages"), "{text}");
}

fn explain(sandbox: &Sandbox) {
    let why = sandbox.run(&["explain", "What is a See Also link?", "--packs", "packs", "--json"]).ends_with(0).json();
    for key in ["sub_queries", "hits", "picks", "pages", "context_chars", "stages"] {
        assert!(!why[key].is_null(), "no {key} in {why}");
    }
    let hit = &why["hits"][0][0];
    assert!(hit["page"].is_string() && hit["score"].is_f64() && hit["terms"].is_object(), "{hit}");
    assert!(hit["adjacent"].is_f64(), "{hit}");
    let read = &why["read"][0][0];
    has_keys(read, &["page", "score", "exact", "quoted", "index", "text", "length", "terms"]);
    assert_eq!(why["picks"][0], read["page"]);
    let text = sandbox.run(&["explain", "What is linking pages?", "--packs", "packs"]).ends_with(0).stdout;
    assert!(text.contains("words side by side, whole names: "), "{text}");
    assert!(text.contains("once read:") && text.contains(" by its text"), "{text}");
    let stage = &why["stages"][0];
    assert!(stage["name"].is_string() && stage["ms"].is_number(), "{stage}");
}

fn eval(sandbox: &Sandbox) {
    let line = |id: &str, question: &str, gold: &[&str], kind: &str| {
        json!({ "id": id, "question": question, "gold": gold, "kind": kind }).to_string()
    };
    let lines = [
        line("1", "How are pages linked?", &["tea-notes/concepts/linking-pages"], "single"),
        line("2", "How many moons has Jupiter?", &[], "unanswerable"),
    ];
    sandbox.write("questions.jsonl", &lines.join("\n"));
    let report = sandbox.run(&["eval", "questions.jsonl", "--packs", "packs", "--json"]).ends_with(0).json();
    let numbers = [
        "n",
        "hit_at_1",
        "hit_at_5",
        "mrr",
        "all_gold_at_12",
        "all_gold_in_pages",
        "empty_on_unanswerable",
        "empty_on_answerable",
        "answer_chars",
    ];
    for of in [&report, &report["kinds"]["single"], &report["kinds"]["unanswerable"]] {
        for key in numbers {
            assert!(of[key].is_number(), "no {key} in {of}");
        }
    }
    assert_eq!(report["n"], 2);
    assert_eq!(report["hit_at_1"], 1.0);
    assert_eq!(report["empty_on_unanswerable"], 1.0);
    assert_eq!(report["empty_on_answerable"], 0.0);
}

fn stats(sandbox: &Sandbox) {
    let stats = sandbox.run(&["stats", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!((&stats["pages"], &stats["packs"][0]["path"]), (&json!(2), &json!("tea-notes")));
    let longest = &stats["longest_postings"][0];
    assert!(longest["term"].is_string() && longest["pages"] == 2 && longest["analysis"] == "English", "{longest}");
    assert_eq!(stats["analyses"][0]["name"], "English");
    let (raw, gzip) = (stats["index"]["bytes"].as_u64().unwrap(), stats["index"]["gzip_bytes"].as_u64().unwrap());
    // The index is deflated already.
    assert!(0 < gzip && gzip < raw + 100, "{gzip} of {raw}");
    assert_eq!(stats["index_bytes_per_page"], raw as f64 / 2.0);
    assert_eq!(
        stats["parts"],
        json!([{ "name": "root", "files": 1, "bytes": raw, "min": raw, "median": raw, "max": raw }])
    );
    let inside: Vec<&str> =
        stats["inside"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(inside, ["term shards", "text blocks"]);
}

#[test]
fn a_new_pack_takes_no_folder_that_is_in_use() {
    let sandbox = Sandbox::new("new");
    sandbox.write("full/note.txt", "mine");
    let refused = sandbox.run(&["new", "full"]).ends_with(1);
    assert!(refused.stderr.contains("full: the folder is not empty"), "{refused:?}");
    assert_eq!(sandbox.files("full").len(), 1);
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.run(&["new", "empty", "--language", "de"]).ends_with(0);
    assert!(sandbox.read("empty/manifest.yaml").contains("title: \"Empty\"\nversion: 0.1.0\nlanguage: de\n"));
    sandbox.run(&["check", "empty"]).ends_with(0);
}
