//! `ask`, `explain` and `eval` with the stages that `setup` makes, and in the modes.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

fn set_up(name: &str) -> Sandbox {
    let sandbox = Sandbox::with_packs(name);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    sandbox
}

fn ask(sandbox: &Sandbox, question: &str, options: &[&str]) -> Value {
    let run = sandbox.run(&[&["ask", question, "--packs", "packs", "--json"], options].concat());
    assert!(run.code == 0 || run.code == 4, "{run:?}");
    run.json()
}

fn pages(answer: &Value) -> Vec<&str> {
    answer["sources"].as_array().unwrap().iter().map(|source| source["page"].as_str().unwrap()).collect()
}

#[test]
fn an_answer_by_stages_says_what_was_used() {
    let sandbox = set_up("stages-used");
    let answer = ask(&sandbox, "How is green tea steeped?", &["--stages", "chunks"]);
    assert_eq!(answer["query_type"], "bm25");
    assert_eq!(answer["stages"]["used"], json!(["chunks"]));
    assert_eq!(answer["stages"]["gate"], Value::Null);
    let chunk = &answer["stages"]["chunks"][0];
    assert_eq!((&chunk["page"], &chunk["chunk"]), (&json!("tea/concepts/green-tea"), &json!(0)));
    assert_eq!((&chunk["similarity"], chunk["bm25"].is_f64()), (&Value::Null, true));
    let plain = ask(&sandbox, "How is green tea steeped?", &[]);
    assert_eq!((plain.get("query_type"), plain.get("stages")), (None, None));
}

#[test]
fn a_stage_that_is_not_there_is_a_hint_of_one_sentence() {
    let sandbox = Sandbox::with_packs("stages-absent");
    let plain = ask(&sandbox, "How is green tea steeped?", &[]);
    let check = |stages: &str, says: &[&str]| {
        let answer = ask(&sandbox, "How is green tea steeped?", &["--stages", stages]);
        let notices: Vec<&str> =
            answer["notices"].as_array().unwrap().iter().map(|notice| notice["message"].as_str().unwrap()).collect();
        assert_eq!(notices, says);
        assert_eq!((&answer["text"], &answer["sources"]), (&plain["text"], &plain["sources"]));
    };
    check("chunks", &["This site has no chunks, so pages were found without; `seealso setup` makes them."]);
    check("all", &[]);
    let run = sandbox.run(&["ask", "tea", "--packs", "packs", "--stages", "hnsw"]).ends_with(2);
    assert!(run.stderr.contains("there is no such stage; there are chunks, vectors, graph, or all"), "{run:?}");
}

#[test]
fn explain_shows_each_enhancer_and_each_component() {
    let sandbox = set_up("stages-explain");
    let explain = |options: &[&str]| {
        sandbox
            .run(&[&["explain", "oxidised for hours", "--packs", "packs", "--stages", "all"], options].concat())
            .ends_with(0)
    };
    let value = explain(&["--json"]).json();
    let names: Vec<&String> = value["enhancers"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["chunks", "expand-top", "quality"]);
    assert_eq!(value["enhancers"]["chunks"][0]["bm25_top_param"], 40);
    assert!(value["read"][0][0]["fused"]["words"].is_number(), "{value}");
    assert!(explain(&[]).stdout.contains(" by words + "));
    let without = explain(&["--json", "--no-expand-top", "--no-quality"]).json();
    assert_eq!(without["enhancers"].as_object().unwrap().keys().collect::<Vec<_>>(), ["chunks"]);
}

#[test]
fn the_modes_read_little_and_much() {
    let sandbox = set_up("stages-modes");
    assert_eq!(
        pages(&ask(&sandbox, "What is sourdough?", &["--mode", "quick"])),
        ["bread/concepts/crust", "tea/concepts/black-tea"]
    );
    assert_eq!(
        pages(&ask(&sandbox, "What is sourdough?", &["--mode", "quick", "--pack", "tea"])),
        ["tea/concepts/black-tea"]
    );
    let standard = ask(&sandbox, "What is sourdough?", &["--mode", "standard"]);
    assert_eq!(standard["sources"], ask(&sandbox, "What is sourdough?", &[])["sources"]);
    assert!(pages(&ask(&sandbox, "What is sourdough?", &["--mode", "deep"])).contains(&"bread/concepts/sourdough"));
    sandbox.run(&["ask", "tea", "--packs", "packs", "--mode", "slow"]).ends_with(2);
}

#[test]
fn stages_are_measured_as_words_are() {
    let sandbox = set_up("stages-eval");
    sandbox.write(
        "questions.jsonl",
        "{\"id\": \"a\", \"question\": \"How is green tea steeped?\", \"gold\": [\"tea/concepts/green-tea\"]}\n",
    );
    let measure = |options: &[&str]| {
        sandbox.run(&[&["eval", "questions.jsonl", "--packs", "packs", "--json"], options].concat()).ends_with(0).json()
    };
    for options in [&[][..], &["--stages", "chunks"], &["--stages", "all", "--mode", "deep"]] {
        assert_eq!(measure(options)["mrr"], 1.0, "{options:?}");
    }
}

#[cfg(not(feature = "model"))]
#[test]
fn a_cross_encoder_needs_a_program_with_models() {
    let sandbox = set_up("stages-models");
    let run =
        sandbox.run(&["ask", "tea", "--packs", "packs", "--stages", "all", "--cross-encoder", "models"]).ends_with(11);
    assert!(run.stderr.contains("built without models"), "{run:?}");
}

#[test]
fn switches_of_stages_need_stages() {
    let sandbox = set_up("stages-switches");
    let refuse = |options: &[&str], code: i32, says: &str| {
        let run = sandbox.run(&[&["ask", "tea", "--packs", "packs"], options].concat()).ends_with(code);
        assert!(run.stderr.contains(says), "{options:?} {run:?}");
    };
    for options in [
        &["--no-rerank"][..],
        &["--no-gate"],
        &["--no-graph"],
        &["--no-expand-top"],
        &["--no-quality"],
        &["--multi-query"],
        &["--cross-encoder", "/no/such"],
        &["--fusion", "reciprocal-rank"],
        &["--graph-weights", "0.6,0.4"],
    ] {
        refuse(options, 2, "--stages <LIST>");
    }
    refuse(&["--encoder", "/no/such"], 1, "--encoder needs stages that use it, as in `--stages vectors`");
    let weigh = |weights: &str, code: i32, says: &str| {
        refuse(&["--stages", "chunks,graph", "--graph-weights", weights], code, says);
    };
    weigh("0.5,0.5", 0, "");
    weigh("0.7,0.4", 2, "the weights 0.7 of similarity and 0.4 of centrality must not be negative and must sum to 1");
    weigh("1.2,-0.2", 2, "the weights 1.2 of similarity and -0.2 of centrality must not be negative");
    weigh("0.6", 2, "give two numbers with a comma between, such as 0.6,0.4");
    refuse(
        &["--stages", "all", "--graph-weights", "0.6,0.4"],
        1,
        "--graph-weights needs the stage graph, as in `--stages chunks,vectors,graph`",
    );
    refuse(&["--stages", "all", "--fusion", "dice"], 2, "[possible values: likelihood, reciprocal-rank]");
}

#[test]
fn rankings_are_fused_by_likelihood_or_by_their_places() {
    let sandbox = set_up("stages-fusion");
    let fused = |options: &[&str]| {
        let arguments =
            [&["explain", "green tea", "--packs", "packs", "--stages", "chunks", "--json"], options].concat();
        let value = sandbox.run(&arguments).ends_with(0).json();
        let fused = &value["read"][0][0]["fused"];
        [&fused["words"], &fused["meaning"]].map(|part| (part.as_f64().unwrap() * 1e4).round() / 1e4)
    };
    assert_eq!(fused(&[]), [0.65, 0.35]);
    assert_eq!(fused(&["--fusion", "likelihood"]), [0.65, 0.35]);
    // 1 / 61 of each.
    assert_eq!(fused(&["--fusion", "reciprocal-rank"]), [0.0164, 0.0164]);
}

#[test]
fn a_model_says_a_question_in_other_words_where_that_is_asked_for() {
    let sandbox = set_up("stages-writer");
    let node = common::ScriptedNode::that_answers(r#"{"alternatives": ["oxidised leaves", "leaves that turn dark"]}"#);
    let node = ["--node", &node.url, "--node-model", "m", "--consent-to-send"];
    let alternatives = |options: &[&str]| {
        let answer = ask(&sandbox, "How is green tea steeped?", &[&["--stages", "chunks"], options].concat());
        let stage = answer["trace"].as_array().unwrap().iter().find(|stage| stage["name"] == "multi-query").cloned();
        stage.unwrap_or_default()["detail"]["queries"][0]["alternatives"].clone()
    };
    assert_eq!(alternatives(&["--multi-query"]), json!(["Black tea: How is green tea steeped?"]));
    assert_eq!(
        alternatives(&[&["--multi-query"], &node[..]].concat()),
        json!(["oxidised leaves", "leaves that turn dark"])
    );
    assert_eq!(alternatives(&node), Value::Null);
    // A node that can't be reached leaves the names that the index has.
    let gone = ["--node", "http://127.0.0.1:1/v1", "--node-model", "m", "--consent-to-send", "--multi-query"];
    assert_eq!(alternatives(&gone), json!(["Black tea: How is green tea steeped?"]));
}
