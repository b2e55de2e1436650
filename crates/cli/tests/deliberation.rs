//! `ask --model`: a tiny model of random weights writes gibberish, so that all stages run and the quoted answer stands.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Run, Sandbox, ScriptedNode};
use seealso_gguf::testing::TinyModel;

const QUESTION: &str = "How is green tea steeped?";

/// A sandbox with packs and the model `tiny.gguf`.
fn sandbox(name: &str, model: &TinyModel) -> Sandbox {
    let sandbox = Sandbox::with_packs(name);
    write(&sandbox, "tiny.gguf", &model.write().unwrap());
    sandbox
}

fn write(sandbox: &Sandbox, name: &str, bytes: &[u8]) {
    std::fs::write(sandbox.path(name), bytes).unwrap();
}

/// A model with room for two pages, of which every letter is a token. Its output weights are not its embedding: with those
/// tied, a model of random weights repeats its last token.
fn roomy() -> TinyModel {
    TinyModel { context: 1 << 16, tied: false, ..TinyModel::default() }
}

fn ask(sandbox: &Sandbox, more: &[&str]) -> Run {
    sandbox.run(&[&["ask", QUESTION, "--packs", "packs"], more].concat())
}

#[cfg(feature = "model")]
mod with_models {
    use super::*;
    use seealso_gguf::testing::Writer;

    #[test]
    fn gibberish_leaves_the_quoted_answer_and_says_why() {
        let sandbox = sandbox("deliberate", &roomy());
        let quoted = ask(&sandbox, &[]).ends_with(0).stdout;
        let run = ask(&sandbox, &["--model", "tiny.gguf", "--tokens", "7", "--threads", "2"]).ends_with(0);
        assert_eq!(run.stdout, quoted);
        assert!(run.stderr.contains("The quoted answer stands: "), "{run:?}");
        assert!(run.stderr.contains("14 tokens written, "), "{run:?}");
    }

    #[test]
    fn the_whole_exchange_is_part_of_the_json() {
        let sandbox = sandbox("deliberate-json", &roomy());
        let deliberation = |more: &[&str]| {
            let options = ["--model", "tiny.gguf", "--tier", "mid", "--tokens", "9", "--threads", "1", "--json"];
            let answer = ask(&sandbox, &[&options, more].concat()).ends_with(0).json();
            assert_eq!(answer["status"], "answered");
            answer["deliberation"].clone()
        };
        let greedy = deliberation(&["--temperature", "0"]);
        assert_eq!((&greedy["model"], &greedy["threads"]), (&"tiny".into(), &1.into()));
        assert_eq!(greedy["replaces_quoted"], false);
        let written = &greedy["draft"]["written"];
        assert_eq!((&written["tokens"], &written["cut"]), (&9.into(), &true.into()));
        assert!(written["prompt_tokens"].as_u64().unwrap() > 500, "{greedy}");
        assert_eq!(greedy["draft"]["sources"][0], serde_json::json!({ "number": 1, "whole": true }));
        let stages: Vec<&str> =
            greedy["trace"].as_array().unwrap().iter().map(|stage| stage["name"].as_str().unwrap()).collect();
        assert_eq!(stages, ["expert", "critic", "synthesize", "verify", "complete"]);
        let drawn =
            |seed: &str| deliberation(&["--temperature", "2", "--seed", seed])["draft"]["written"]["text"].clone();
        assert_eq!(drawn("1"), drawn("1"));
        assert_ne!(drawn("1"), drawn("2"));
        assert_eq!(ask(&sandbox, &["--json"]).ends_with(0).json().get("deliberation"), None);
    }

    #[test]
    fn a_model_that_cannot_be_used_leaves_the_quoted_answer() {
        let sandbox = sandbox("deliberate-errors", &TinyModel::default());
        let whole = roomy().write().unwrap();
        write(&sandbox, "cut.gguf", &whole[..whole.len() - 100]);
        write(&sandbox, "head.gguf", &whole[..100]);
        write(&sandbox, "page.gguf", b"<!doctype html><title>404</title>");
        write(&sandbox, "empty.gguf", b"");
        write(&sandbox, "other.gguf", &Writer::new().text("general.architecture", "mamba").finish());
        let check = |file: &str, says: &str| {
            let run = ask(&sandbox, &["--model", file]).ends_with(11);
            assert!(run.stdout.contains("Green tea is steeped at about 70 degrees."), "{run:?}");
            assert!(run.stderr.contains(&format!("error: {file}: {says}")), "{run:?}");
            assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
            let run = ask(&sandbox, &["--model", file, "--json"]).ends_with(11);
            assert_eq!(run.json()["deliberation"], serde_json::Value::Null);
        };
        check("gone.gguf", "there is no such file");
        check("packs", "this is a folder");
        check("page.gguf", "not a GGUF file (it begins with \"<!do");
        check("cut.gguf", "the model file is cut short");
        check("head.gguf", "the model file is cut short");
        check("empty.gguf", "the model file is cut short");
        check("other.gguf", "the model needs architecture `mamba`");
        check("tiny.gguf", "the prompt of ");
    }

    #[test]
    fn only_sources_that_the_context_holds_are_read() {
        let sandbox = sandbox("deliberate-context", &TinyModel { context: 1300, ..TinyModel::default() });
        let options = ["--model", "tiny.gguf", "--tokens", "5", "--json"];
        let draft = ask(&sandbox, &options).ends_with(0).json()["deliberation"]["draft"].clone();
        assert_eq!(draft["sources"], serde_json::json!([{ "number": 1, "whole": true }]), "{draft}");
        assert!(draft["written"]["prompt_tokens"].as_u64().unwrap() <= 1295, "{draft}");
    }

    #[test]
    fn a_node_that_fails_leaves_the_local_model() {
        let sandbox = sandbox("deliberate-node-local", &roomy());
        let node = ["--node", "http://127.0.0.1:1/v1", "--node-model", "m", "--consent-to-send"];
        let run = ask(&sandbox, &[&node[..], &["--model", "tiny.gguf", "--tokens", "7"]].concat()).ends_with(0);
        assert!(run.stderr.contains(" The local model goes on."), "{run:?}");
        assert!(run.stderr.contains("14 tokens written, "), "{run:?}");
    }

    #[test]
    fn a_model_that_cannot_be_used_does_not_split_either() {
        let sandbox = sandbox("decompose-errors", &TinyModel::default());
        let run = ask(&sandbox, &["--model", "gone.gguf", "--decompose", "model"]).ends_with(11);
        assert!(run.stdout.contains("Green tea is steeped at about 70 degrees."), "{run:?}");
        assert_eq!(run.stderr, "error: gone.gguf: there is no such file; give the path of a model in GGUF\n");
    }

    #[test]
    fn where_the_packs_do_not_answer_no_model_is_asked() {
        let sandbox = sandbox("deliberate-none", &roomy());
        let jupiter = ["ask", "How many moons has Jupiter?", "--packs", "packs", "--model", "tiny.gguf"];
        let run = sandbox.run(&jupiter).ends_with(4);
        assert!(!run.stderr.contains("tokens written"), "{run:?}");
        let run = sandbox.run(&[&jupiter[..], &["--json"]].concat()).ends_with(4);
        assert_eq!(run.json()["deliberation"], serde_json::Value::Null);
    }

    #[test]
    #[cfg(unix)]
    fn ctrl_c_ends_a_deliberation() {
        use std::io::{Read as _, Write as _};

        let sandbox = sandbox("deliberate-stop", &roomy());
        let options = ["ask", QUESTION, "--packs", "packs", "--model", "tiny.gguf", "--tokens", "20000"];
        let mut child = sandbox
            .command(&options)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (mut read, mut piece) = (Vec::new(), [0; 256]);
        // The quoted answer has been printed when its source has.
        while !String::from_utf8_lossy(&read).contains("[1] Green tea") {
            let count = stdout.read(&mut piece).unwrap();
            assert_ne!(count, 0, "{}", String::from_utf8_lossy(&read));
            read.write_all(&piece[..count]).unwrap();
        }
        let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        stdout.read_to_end(&mut read).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(read.ends_with(b"\n"));
    }
}

#[cfg(not(feature = "model"))]
#[test]
fn a_build_without_models_refuses_them() {
    let sandbox = sandbox("deliberate-absent", &roomy());
    let run = ask(&sandbox, &["--model", "tiny.gguf"]).ends_with(11);
    assert!(run.stdout.contains("Green tea is steeped"), "{run:?}");
    assert!(run.stderr.contains("built without models"), "{run:?}");
}

#[test]
fn a_node_is_asked_after_consent_alone_and_one_that_fails_leaves_the_quoted_answer() {
    let sandbox = sandbox("deliberate-node", &TinyModel::default());
    let node = ["--node", "http://127.0.0.1:1/v1", "--node-model", "m"];
    let run = ask(&sandbox, &node).ends_with(1);
    assert!(run.stdout.contains("Green tea is steeped at about 70 degrees."), "{run:?}");
    assert!(run.stderr.contains("Add --consent-to-send to agree; nothing was sent."), "{run:?}");
    let run = ask(&sandbox, &[&node[..], &["--consent-to-send"]].concat()).ends_with(0);
    assert!(run.stdout.contains("Green tea is steeped at about 70 degrees."), "{run:?}");
    assert!(run.stderr.contains("the quoted one stands: the node http://127.0.0.1:1 can't be reached"), "{run:?}");
    let run = ask(&sandbox, &[&node[..], &["--consent-to-send", "--decompose", "model"]].concat()).ends_with(0);
    assert!(
        run.stderr.contains("The model's answer failed, and the quoted one stands: the node http://127.0.0.1:1"),
        "{run:?}"
    );
    let json = ask(&sandbox, &[&node[..], &["--consent-to-send", "--json"]].concat()).ends_with(0).json();
    assert!(json["deliberation"]["failed"].as_str().unwrap().contains("127.0.0.1:1"), "{json}");
}

#[test]
fn reasoning_of_a_node_is_no_part_of_its_answer() {
    let sandbox = sandbox("deliberate-reasoning", &TinyModel::default());
    let lie = "Perhaps the emperor Qianlong steeped it in Vienna.";
    for answer in [format!("<think>{lie}</think>\n\n"), format!("{lie}\n</think>\n\n")] {
        let node = ScriptedNode::that_answers(&format!("{answer}Green tea is steeped at about 70 degrees [1]."));
        let node = ["--node", &node.url, "--node-model", "m", "--consent-to-send"];
        let run = ask(&sandbox, &node).ends_with(0);
        assert!(run.stdout.contains("each sentence checked") && !run.stdout.contains("Qianlong"), "{run:?}");
        assert!(!run.stderr.contains("Qianlong"), "{run:?}");
        let words = "Reasoning, not checked and no part of the answer: 16 words; --json has them.";
        assert!(run.stderr.contains(words), "{run:?}");
        let json = ask(&sandbox, &[&node[..], &["--json"]].concat()).ends_with(0).json();
        let done = &json["deliberation"];
        assert_eq!((&done["replaces_quoted"], &done["draft"]["written"]["reasoning"]), (&true.into(), &lie.into()));
        assert!(!done["review"].to_string().contains("Qianlong"), "{json}");
    }
}

#[test]
fn options_of_models_are_checked() {
    let sandbox = sandbox("deliberate-options", &TinyModel::default());
    let check = |more: &[&str], says: &str| {
        let run = ask(&sandbox, more).ends_with(2);
        assert!(run.stderr.contains(says), "{run:?}");
    };
    check(&["--tokens", "5"], "--model <FILE>");
    check(&["--consent-to-send"], "--node <URL>");
    check(&["--decompose", "model"], "--model <FILE>");
    check(&["--model", "tiny.gguf", "--decompose", "dice"], "[possible values: rules, model]");
    check(&["--model", "tiny.gguf", "--tokens", "0"], "0 is not in 1..");
    check(&["--model", "tiny.gguf", "--threads", "0"], "0 is not in 1..=256");
    check(&["--model", "tiny.gguf", "--temperature", "3"], "3 is not in 0..=2");
    check(&["--model", "tiny.gguf", "--temperature", "NaN"], "NaN is not in 0..=2");
}
