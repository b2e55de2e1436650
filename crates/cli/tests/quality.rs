//! Retrieval quality on the shared question sets, where they lie beside the repository: no number may fall below its
//! floor. The floors are what this version reaches, rounded down; `seealso eval` prints the numbers.
#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The evaluation data, the folder that holds `questions` and `packs`: `SEEALSO_SHARED`, or `../shared/data` beside
/// the repository.
fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let named = std::env::var_os("SEEALSO_SHARED");
    let data = named.clone().map_or_else(beside, PathBuf::from);
    let is_there = data.join("questions").is_dir();
    assert!(is_there || named.is_none(), "SEEALSO_SHARED is {}, which has no questions/", data.display());
    if !is_there {
        // Printing macros are captured, and then nobody would hear of it.
        let _ = writeln!(std::io::stderr(), "not run: the evaluation data is not there; SEEALSO_SHARED may name it");
    }
    is_there.then_some(data)
}

fn seealso(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_seealso")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn eval(data: &Path, questions: &str, packs: &str, body_terms: &str) -> Value {
    let name = format!("{}-{body_terms}", packs.replace('/', "-"));
    let built = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("quality-{name}-{}", std::process::id()));
    let built = built.to_str().unwrap();
    seealso(&["build", data.join(packs).to_str().unwrap(), "--out", built, "--body-terms", body_terms]);
    let file = data.join("questions").join(questions);
    let numbers = seealso(&["eval", file.to_str().unwrap(), "--packs", built, "--json"]);
    std::fs::remove_dir_all(built).unwrap();
    serde_json::from_str(&numbers).unwrap()
}

fn check(numbers: &Value, floors: &[(&str, f64)]) {
    for (key, floor) in floors {
        let number = numbers[*key].as_f64().unwrap();
        assert!(number >= *floor, "{key} is {number}, its floor {floor}");
    }
}

#[test]
fn natural_questions_over_five_packs() {
    let Some(data) = data() else { return };
    let numbers = eval(&data, "natural.jsonl", "packs", "64");
    let single = &numbers["kinds"]["single"];
    check(single, &[("hit_at_1", 0.83), ("hit_at_5", 0.87), ("mrr", 0.86), ("all_gold_at_12", 1.0)]);
    assert!(single["split"].as_f64().unwrap() <= 0.10);
    let multi = &numbers["kinds"]["multi"];
    check(multi, &[("hit_at_1", 0.62), ("hit_at_5", 0.93), ("mrr", 0.72), ("all_gold_at_12", 0.75), ("split", 0.75)]);
    check(&numbers, &[("mrr", 0.81), ("all_gold_at_12", 0.90), ("empty_on_unanswerable", 0.62)]);
    assert!(numbers["empty_on_answerable"].as_f64().unwrap() <= 0.05);
}

#[test]
fn questions_over_one_pack() {
    let Some(data) = data() else { return };
    let numbers = eval(&data, "uk-living.jsonl", "packs/uk-living", "64");
    check(&numbers, &[("hit_at_1", 0.76), ("hit_at_5", 0.94), ("mrr", 0.83), ("all_gold_at_12", 0.96)]);
    assert!(numbers["split"].as_f64().unwrap() <= 0.10);
}

/// hit@5 of uk-living is one question below a plain BM25 over the same two fields; all else here is at or above it.
#[test]
fn titles_and_summaries_alone() {
    let Some(data) = data() else { return };
    let natural = eval(&data, "natural.jsonl", "packs", "0");
    let (single, multi) = (&natural["kinds"]["single"], &natural["kinds"]["multi"]);
    check(single, &[("hit_at_1", 0.45), ("hit_at_5", 0.62), ("mrr", 0.52), ("all_gold_at_12", 0.70)]);
    check(multi, &[("hit_at_1", 0.50), ("hit_at_5", 0.93), ("mrr", 0.70), ("all_gold_at_12", 0.75)]);
    let services = eval(&data, "uk-living.jsonl", "packs/uk-living", "0");
    check(&services, &[("hit_at_1", 0.76), ("hit_at_5", 0.90), ("mrr", 0.83), ("all_gold_at_12", 0.96)]);
}
