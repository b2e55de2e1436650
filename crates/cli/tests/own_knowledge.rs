//! `ask --own-knowledge`: a model answers from its own knowledge where the gate closed, and nowhere else.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, Sandbox, ScriptedNode};
use serde_json::Value;

const SAID: &str = "The potter Bizen fired it first [1].";

/// Asks with a node that may answer from its own knowledge.
fn ask(sandbox: &Sandbox, node: &str, question: &str, more: &[&str]) -> Run {
    let options = ["--node", node, "--node-model", "m", "--consent-to-send", "--own-knowledge"];
    sandbox.run(&[&["ask", question, "--packs", "packs"], &options[..], more].concat())
}

#[test]
fn it_is_for_the_gate_and_a_model_alone() {
    let sandbox = Sandbox::with_packs("own-knowledge-options");
    let check = |more: &[&str], says: &str| {
        let run = sandbox.run(&[&["ask", "tea", "--packs", "packs", "--own-knowledge"], more].concat()).ends_with(2);
        assert!(run.stderr.contains(says), "{run:?}");
    };
    check(&["--stages", "all"], "--model <FILE>");
    check(&["--model", "tiny.gguf"], "--stages <LIST>");
    check(&["--model", "tiny.gguf", "--stages", "all", "--no-gate"], "cannot be used with '--no-gate'");
}

#[test]
fn without_a_gate_that_closed_no_model_answers_alone() {
    let sandbox = Sandbox::with_packs("own-knowledge-open");
    sandbox.run(&["setup", "packs"]).ends_with(0);
    let node = ScriptedNode::that_answers(SAID);
    // Words alone say that no page covers it: that is no gate.
    let refused =
        ask(&sandbox, &node.url, "How many moons has Jupiter?", &["--stages", "chunks", "--json"]).ends_with(4);
    let json = refused.json();
    assert_eq!((&json["query_type"], &json["deliberation"]), (&"bm25".into(), &Value::Null));
    assert_eq!(json["own_knowledge"], Value::Null);
    assert!(json.as_object().unwrap().contains_key("own_knowledge"));
    assert_eq!(node.asked(), [""; 0]);
    // A question that the packs answer is deliberated on.
    let answered =
        ask(&sandbox, &node.url, "How is green tea steeped?", &["--stages", "chunks", "--json"]).ends_with(0);
    let json = answered.json();
    assert_eq!(json["own_knowledge"], Value::Null);
    assert_eq!(json["deliberation"]["replaces_quoted"], false);
}

#[cfg(feature = "model")]
mod with_models {
    use super::*;

    const QUESTION: &str = "Who fired the first oven?";
    const LABEL: &str = "From the model's own knowledge; no page of the packs was used.";

    /// Packs with vectors, and a threshold that no page reaches.
    fn closed(name: &str) -> Sandbox {
        let sandbox = Sandbox::with_packs(name);
        common::write_tiny_encoder(&sandbox.path("encoder"), 0);
        sandbox.run(&["setup", "packs", "--encoder", "encoder", "--threshold", "0.999"]).ends_with(0);
        sandbox
    }

    #[test]
    fn where_the_gate_closed_the_answer_bears_its_label() {
        let (sandbox, node) = (closed("own-knowledge-closed"), ScriptedNode::that_answers(SAID));
        let run = ask(&sandbox, &node.url, QUESTION, &["--stages", "all"]).ends_with(4);
        assert!(run.stdout.ends_with(&format!("\n{LABEL}\n\nThe potter Bizen fired it first.\n\n")), "{run:?}");
        assert!(run.stderr.contains("Written by m at "), "{run:?}");
        assert!(run.stderr.contains(", and not checked. "), "{run:?}");
    }

    #[test]
    fn it_is_apart_from_quoted_answers_and_has_no_sources() {
        let (sandbox, node) = (closed("own-knowledge-json"), ScriptedNode::that_answers(SAID));
        let json = ask(&sandbox, &node.url, QUESTION, &["--stages", "all", "--json"]).ends_with(4).json();
        assert_eq!((&json["query_type"], &json["status"]), (&"confidence_gated_fallback".into(), &"empty".into()));
        assert_eq!((json["sources"].as_array().unwrap().len(), &json["deliberation"]), (0, &Value::Null));
        let own = &json["own_knowledge"];
        assert_eq!((&own["text"], &own["label"]), (&"The potter Bizen fired it first.".into(), &LABEL.into()));
        assert_eq!(own["model"], format!("m at {}", node.url));
        assert_eq!(own["written"]["text"], SAID);
    }

    #[test]
    fn the_node_gets_the_question_and_no_page() {
        let (sandbox, node) = (closed("own-knowledge-sent"), ScriptedNode::that_answers(SAID));
        ask(&sandbox, &node.url, QUESTION, &["--stages", "all"]).ends_with(4);
        let asked = node.asked();
        assert_eq!(asked.len(), 1, "{asked:?}");
        assert!(asked[0].contains(QUESTION) && !asked[0].to_lowercase().contains("tea"), "{}", asked[0]);
    }

    #[test]
    fn without_the_option_the_refusal_stands_alone() {
        let (sandbox, node) = (closed("own-knowledge-off"), ScriptedNode::that_answers(SAID));
        let options = ["--node", &node.url, "--node-model", "m", "--consent-to-send", "--stages", "all", "--json"];
        let run = sandbox.run(&[&["ask", QUESTION, "--packs", "packs"], &options[..]].concat()).ends_with(4);
        assert_eq!(run.json().get("own_knowledge"), None);
        assert_eq!(node.asked(), [""; 0]);
    }

    #[test]
    fn a_node_that_fails_leaves_the_refusal_and_says_why() {
        let sandbox = closed("own-knowledge-failed");
        let silent = "http://127.0.0.1:1/v1";
        let run = ask(&sandbox, silent, QUESTION, &["--stages", "all"]).ends_with(4);
        assert!(
            run.stderr.contains("The model's answer failed, and the packs have none: the node http://127.0.0.1:1"),
            "{run:?}"
        );
        let json = ask(&sandbox, silent, QUESTION, &["--stages", "all", "--json"]).ends_with(4).json();
        assert!(json["own_knowledge"]["failed"].as_str().unwrap().contains("127.0.0.1:1"), "{json}");
    }
}
