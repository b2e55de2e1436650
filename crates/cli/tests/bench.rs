//! `bench`: the counts follow from the files that were built. Times depend on the machine, so they are not tested.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;

use common::Sandbox;
use serde_json::{Value, json};

/// A sandbox in which `site` is the repository's demo packs, built with these options.
fn with_demo_packs(name: &str, options: &[&str]) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs-static");
    sandbox.run(&[&["build", packs.to_str().unwrap(), "--out", "site"], options].concat()).ends_with(0);
    sandbox
}

/// The demo packs' own questions.
fn demo_questions() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/search/demo-questions.jsonl");
    file.to_str().unwrap().to_owned()
}

fn bench(sandbox: &Sandbox, questions: &str, more: &[&str]) -> Value {
    sandbox.run(&[&["bench", questions, "--packs", "site", "--runs", "1", "--json"], more].concat()).ends_with(0).json()
}

/// The files that readers may fetch: how many, and their bytes.
fn served(sandbox: &Sandbox) -> (u64, u64) {
    let files = sandbox.files("site/index");
    let bytes = files.iter().filter(|(name, _)| name.ends_with(".idx")).map(|(_, bytes)| bytes.len() as u64);
    (bytes.clone().count() as u64, bytes.sum())
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn an_index_of_one_file_costs_every_question_the_same() {
    let sandbox = with_demo_packs("bench-one", &[]);
    let (files, index) = served(&sandbox);
    let catalog = sandbox.path("site/catalog.json").metadata().unwrap().len();
    let report = bench(&sandbox, &demo_questions(), &["--typing"]);
    assert_eq!((files, &report["index_files"], &report["index_bytes"]), (1, &json!(1), &json!(index)));
    assert_eq!((&report["questions"], &report["packs"], &report["runs"]), (&json!(28), &json!(6), &json!(1)));
    for percentile in ["p50", "p95", "worst"] {
        let cold = |of: &str| &report["cold"][of][percentile];
        let costs = (cold("bytes"), cold("requests"), cold("rounds"));
        assert_eq!(costs, (&json!(index + catalog), &json!(2), &json!(2)), "{percentile}");
        assert_eq!(&report["typing"]["cold_bytes"][percentile], cold("bytes"), "all is there after the first letter");
    }
    let first = "My container dies with exit code 137, what does that mean?";
    assert_eq!(report["cold"]["bytes"]["worst_question"], first);
}

#[test]
fn many_files_are_fetched_in_rounds_each_once() {
    let sandbox = with_demo_packs("bench-many", &["--file-bytes", "500"]);
    let (files, index) = served(&sandbox);
    let catalog = sandbox.path("site/catalog.json").metadata().unwrap().len();
    let report = bench(&sandbox, &demo_questions(), &["--typing"]);
    let number = |part: &str, of: &str, percentile: &str| report[part][of][percentile].as_u64().unwrap();
    assert!(files > 20 && number("cold", "requests", "worst") < files, "{files}: {report}");
    assert!(number("cold", "bytes", "worst") < index + catalog, "{report}");
    for percentile in ["p50", "p95", "worst"] {
        let rounds = number("cold", "rounds", percentile);
        assert!(rounds > 1 && rounds <= number("cold", "requests", percentile), "{report}");
        // Typing needs the files of the whole question, and others on the way; no file is fetched twice.
        let typed = number("typing", "cold_requests", percentile);
        assert!((number("cold", "requests", percentile)..=files + 1).contains(&typed), "{report}");
        let typed = number("typing", "cold_bytes", percentile);
        assert!((number("cold", "bytes", percentile)..=index + catalog).contains(&typed), "{report}");
    }
}

#[test]
fn the_report_has_its_keys() {
    let sandbox = Sandbox::with_packs("bench-keys");
    std::fs::rename(sandbox.path("packs"), sandbox.path("site")).unwrap();
    sandbox.write("asked.txt", "How is green tea made?\n\nWhy?\n");
    let report = bench(&sandbox, "asked.txt", &[]);
    let all = ["questions", "listed", "runs", "packs", "pages", "index_files", "index_bytes", "cold", "warm"];
    assert_eq!(keys(&report), BTreeSet::from(all));
    assert_eq!(keys(&report["cold"]), BTreeSet::from(["bytes", "requests", "rounds", "ms"]));
    let spread = BTreeSet::from(["p50", "p95", "worst", "worst_question"]);
    for of in [&report["cold"]["rounds"], &report["cold"]["ms"], &report["warm"]["ms"]] {
        assert_eq!(keys(of), spread);
    }
    let report = bench(&sandbox, "asked.txt", &["--typing"]);
    let typing = ["keystrokes", "warm_ms", "worst_typed", "cold_bytes", "cold_requests"];
    assert_eq!(keys(&report["typing"]), BTreeSet::from(typing));
    assert_eq!(report["typing"]["keystrokes"], "How is green tea made?Why?".len());
    assert_eq!(keys(&report["typing"]["warm_ms"]), spread);

    let table = sandbox.run(&["bench", "asked.txt", "--packs", "site", "--typing"]).ends_with(0);
    assert!(table.stdout.starts_with("2 questions over 2 packs, 4 pages; index "), "{table:?}");
    for row in ["cold: bytes", "      requests", "      rounds", "      ms", "warm: ms", "typing: ms a letter"] {
        assert!(table.stdout.lines().any(|line| line.starts_with(row)), "{row}: {table:?}");
    }
    assert_eq!(table.stderr, "");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let sandbox = Sandbox::with_packs("bench-errors");
    sandbox.write("none.jsonl", "\n\n");
    sandbox.write("broken.jsonl", "{\"question\": \"Why?\"}\n{\"question\": \n");
    sandbox.write("asked.txt", "Why?\n");
    sandbox.write("unbuilt/tea/wiki/index.md", "# Tea\n");
    let check = |questions: &str, packs: &str, code: i32, says: &str| {
        let run = sandbox.run(&["bench", questions, "--packs", packs]).ends_with(code);
        assert!(run.stderr.contains(says) && run.stderr.lines().count() == 1, "{run:?}");
    };
    check("none.jsonl", "packs", 1, "none.jsonl: there is no question in it; write one on each line");
    check("broken.jsonl", "packs", 1, "broken.jsonl: line 2: ");
    check("gone.jsonl", "packs", 1, "reading gone.jsonl: ");
    check("asked.txt", "gone", 1, "gone: there is no such folder");
    check("asked.txt", "unbuilt", 10, "unbuilt has no index yet; run `seealso build unbuilt` first");
}
