//! `eval answers`: whole answers measured, with a model and without.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;

/// Questions on the packs of [`Sandbox::with_packs`]: one with its page, one that they do not answer, and one
/// without gold pages.
const QUESTIONS: &str = r#"{"id": "tea", "question": "How is green tea steeped?", "gold": ["tea/concepts/green-tea"]}
{"id": "moons", "question": "How many moons has Jupiter?", "gold": [], "kind": "unanswerable"}
{"question": "When does a crust brown?"}
"#;

#[test]
fn quoted_answers_are_measured_without_a_model() {
    let sandbox = Sandbox::with_packs("answers");
    sandbox.write("questions.jsonl", QUESTIONS);
    let options = ["eval", "answers", "questions.jsonl", "--packs", "packs", "--json", "--report", "page.md"];
    let report = sandbox.run(&options).ends_with(0).json();
    assert_eq!((&report["n"], &report["model_name"]), (&3.into(), &serde_json::Value::Null));
    assert_eq!(report.get("model"), None);
    assert_eq!((&report["supported"], &report["citation_recall"]), (&1.0.into(), &1.0.into()));
    assert_eq!((&report["refused_unanswerable"], &report["refused_answerable"]), (&1.0.into(), &0.0.into()));
    let answers = report["answers"].as_array().unwrap();
    let first = &answers[0]["sentences"][0];
    assert_eq!(first["text"], "Green tea is steeped at about 70 degrees.");
    assert_eq!(first["cites"], serde_json::json!(["tea/concepts/green-tea"]));
    assert_eq!(answers[1]["empty"], true);
    assert_eq!(answers[2]["id"], "line 3");
    let page = sandbox.read("page.md");
    assert!(page.starts_with("# Answers to questions.jsonl\n\nQuoted answers, without a model.\n"), "{page}");
    assert!(page.contains("## moons: How many moons has Jupiter?\n\nNo answer, rightly.\n"), "{page}");
}

#[test]
fn a_line_that_is_no_question_is_named() {
    let sandbox = Sandbox::with_packs("answers-wrong");
    sandbox.write("questions.jsonl", "{\"question\": \"What is tea?\"}\n{\"ask\": 1}\n");
    let run = sandbox.run(&["eval", "answers", "questions.jsonl", "--packs", "packs"]).ends_with(1);
    assert!(run.stderr.contains("questions.jsonl: line 2: missing field `question`"), "{run:?}");
}

#[test]
fn a_file_without_questions_is_refused_and_missing_gold_pages_are_named() {
    let sandbox = Sandbox::with_packs("answers-senseless");
    sandbox.write("none.jsonl", "\n");
    let run = sandbox.run(&["eval", "answers", "none.jsonl", "--packs", "packs"]).ends_with(1);
    assert!(run.stderr.contains("none.jsonl holds no question"), "{run:?}");
    let gold = "[\"tea/concepts/green-tea\", \"tea/concepts/green-tea.md\", \"tea/concepts/oolong\"]";
    sandbox.write("questions.jsonl", &format!("{{\"question\": \"How is green tea steeped?\", \"gold\": {gold}}}\n"));
    let run = sandbox.run(&["eval", "answers", "questions.jsonl", "--packs", "packs"]).ends_with(0);
    let warning =
        "2 gold pages that no pack has and no answer can cite: tea/concepts/green-tea.md, tea/concepts/oolong";
    assert!(run.stderr.contains(warning), "{run:?}");
}

#[cfg(feature = "model")]
mod with_models {
    use super::*;
    use seealso_gguf::testing::TinyModel;

    #[test]
    fn what_a_model_wrote_is_not_computed_again() {
        let sandbox = Sandbox::with_packs("answers-model");
        let tiny = TinyModel { context: 1 << 16, tied: false, ..TinyModel::default() };
        std::fs::write(sandbox.path("tiny.gguf"), tiny.write().unwrap()).unwrap();
        sandbox.write("questions.jsonl", QUESTIONS);
        let model = ["--model", "tiny.gguf", "--tokens", "7", "--threads", "1", "--cache", "kept"];
        let options = ["eval", "answers", "questions.jsonl", "--packs", "packs", "--json"];
        let run = || sandbox.run(&[&options[..], &model].concat()).ends_with(0).json();
        let first = run();
        // Gibberish replaces nothing, and nothing is asked where the packs have no answer.
        assert_eq!((&first["model_name"], &first["answers"][1]["model"]), (&"tiny".into(), &serde_json::Value::Null));
        // The figures of the model over all questions: there is no share of no flagged claims.
        let model = &first["model"];
        assert_eq!((&model["n"], &model["replaced"], &model["flagged"]), (&2.into(), &0.0.into(), &0.into()));
        assert_eq!(model.get("flagged_survival"), Some(&serde_json::Value::Null));
        assert_eq!(first["answers"][0]["model"]["kept"], "no sentence of the model's answer is supported by a page");
        let kept = std::fs::read_dir(sandbox.path("kept")).unwrap().next().unwrap().unwrap().path();
        let lines = std::fs::read_to_string(&kept).unwrap();
        assert_eq!(lines.lines().count(), 4, "{lines}");
        let second = run();
        assert_eq!(second["answers"], first["answers"]);
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), lines);
    }
}
