//! `eval claims`: figures, warnings and reports, and files of which no figure can be given.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

/// A file of claims about tea. A hash of a claim's text says in which half it is: here "is hot", "is green" and "is red" are
/// in the half on which bounds are fixed, "is blue", "is sweet", "is cold" and "is bitter" in the one that is reported.
fn claims(sandbox: &Sandbox, file: &str, lines: &[(&str, &str, &str)]) {
    let line = |(at, (claim, evidence, label)): (usize, &(&str, &str, &str))| {
        json!({ "id": at.to_string(), "claim": claim, "evidence": evidence, "label": label }).to_string() + "\n"
    };
    sandbox.write(file, &lines.iter().enumerate().map(line).collect::<String>());
}

#[test]
fn files_of_which_no_figure_can_be_given_are_refused() {
    let sandbox = Sandbox::new("claims-refused");
    let check = |lines: &[(&str, &str, &str)], expected: &str| {
        claims(&sandbox, "claims.jsonl", lines);
        let run = sandbox.run(&["eval", "claims", "claims.jsonl", "--json"]).ends_with(1);
        assert!(run.stderr.contains(expected), "{run:?}");
    };
    let hot = ("Tea is hot.", "Tea is hot.", "supported");
    check(&[], "claims.jsonl holds no claim");
    let known = "contradicted, unsupported, partially_supported, supported";
    let upper = ("Tea is cold.", "Tea is hot.", "REFUTES");
    check(&[hot, upper], &format!("claims.jsonl, line 2: the label \"REFUTES\" is none of {known}"));
    check(&[hot, ("", "Tea is hot.", "contradicted")], "claims.jsonl, line 2: the claim is empty");
    check(
        &[hot],
        "claims.jsonl: the half of the claims that bounds are fixed on has no claim other than supported ones",
    );
}

#[test]
fn a_reported_half_of_one_kind_has_no_auc() {
    let sandbox = Sandbox::new("claims-half");
    let lines = [
        ("Tea is hot.", "Tea is hot.", "supported"),
        ("Tea is green.", "Coffee is black.", "unsupported"),
        ("Tea is blue.", "Coffee is black.", "unsupported"),
    ];
    claims(&sandbox, "claims.jsonl", &lines);
    let run = sandbox.run(&["eval", "claims", "claims.jsonl", "--json"]).ends_with(0);
    let warned = "warning: the half of the claims that is reported has no supported claim, so it has no AUC";
    assert!(run.stderr.contains(warned), "{run:?}");
    let gates = &run.json()["layers"]["gates"];
    assert_eq!((&gates["auc"], &gates["accuracy"]), (&json!(null), &json!(1.0)));
    assert_eq!(gates["f1"], json!({ "supported": null, "unsupported": 1.0 }));
}

#[test]
fn a_report_has_figures_bounds_and_verdicts() {
    let sandbox = Sandbox::new("claims-page");
    let lines = [
        ("Tea is hot.", "Tea is hot.", "supported"),
        ("Tea is green.", "Coffee is black.", "unsupported"),
        ("Tea is blue.", "Coffee is black.", "unsupported"),
        ("Tea is sweet.", "Tea is sweet.", "supported"),
    ];
    claims(&sandbox, "claims <b>.jsonl", &lines);
    let run = sandbox.run(&["eval", "claims", "claims <b>.jsonl", "--report", "page.md"]).ends_with(0);
    let page = sandbox.read("page.md");
    let check = |expected: &str| assert!(page.contains(expected), "{page}");
    check("# Claims of claims &lt;b>.jsonl\n\nFigures are of 2 claims; bounds were fixed on 2 others.\n");
    check(
        "| layer | AUC | accuracy | F1 unsupported | F1 supported |\n|---|--:|--:|--:|--:|\n\
         | gates | 1.000 | 1.000 | 1.000 | 1.000 |\n\
         | overlap | 1.000 | 1.000 | 1.000 | 1.000 |\n\
         | all supported | – | 0.500 | – | 0.667 |\n",
    );
    check("| layer | supported (score) |\n|---|--:|\n| gates | 0.400 |\n| overlap | 1.000 |\n");
    check(
        "| label | supported | unsupported | contradicts | cannot-verify |\n|---|--:|--:|--:|--:|\n\
         | unsupported | 0 | 0 | 0 | 1 |\n\
         | supported | 1 | 0 | 0 | 0 |\n",
    );
    let row = "unsupported                       0              0              0              1\n";
    assert!(run.stdout.contains(row), "{run:?}");
}
