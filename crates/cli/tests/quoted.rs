//! `eval` of the facts that quoted answers state, and `ask --json`.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::{Value, json};

/// The folder `packs` with one pack, `docs`, of two pages; the first has sections, and an address of its own.
fn docs(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("packs/docs/index.md", "---\nokf_version: \"0.2\"\ntitle: Docs\n---\n");
    sandbox.write(
        "packs/docs/guide/install.md",
        "---\ntype: Guide\ntitle: Installing Fenwick\ndescription: How the Fenwick program is installed and removed on \
         each system.\nurl: https://fenwick.example/guide/install.html\n---\n\n## Windows\n\nFenwick is installed on Windows \
         by an installer of 40 MB.\n\n## Linux\n\nFenwick is installed on Linux by the package manager apt.\n\n### Removing \
         it\n\nThe Fenwick package is removed on Linux with apt purge fenwick.\n",
    );
    sandbox.write(
        "packs/docs/guide/lamp.md",
        "---\ntype: Guide\ntitle: The lamp of a lighthouse\ndescription: What the lamp of a lighthouse is made \
         of.\n---\n\nThe lamp of a lighthouse burns a thousand watts behind a lens by Fresnel.\n",
    );
    sandbox.run(&["build", "packs"]).ends_with(0);
    sandbox
}

fn eval(sandbox: &Sandbox, lines: &[Value], more: &[&str]) -> Value {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    sandbox.write("questions.jsonl", &lines.join("\n"));
    sandbox.run(&[&["eval", "questions.jsonl", "--packs", "packs", "--json"], more].concat()).ends_with(0).json()
}

#[test]
fn answers_are_measured_by_the_facts_that_they_state() {
    let sandbox = docs("says");
    let lines = [
        json!({ "id": "1", "question": "What does the lamp of a lighthouse burn?", "gold": ["docs/guide/lamp"],
                "must_say": ["1000 watts|thousand watts", "**FRESNEL**"] }),
        json!({ "id": "2", "question": "What is the lamp of a lighthouse made of?", "gold": ["docs/guide/lamp"],
                "must_say": ["brass"] }),
        json!({ "id": "3", "question": "How many moons has Jupiter?", "gold": [], "kind": "unanswerable", "must_say": [] }),
    ];
    let report = eval(&sandbox, &lines, &["--curve"]);
    let single = &report["kinds"]["single"];
    for key in ["says_at_300", "says_at_600", "says_at_1200", "says", "lead", "density"] {
        assert_eq!((&single[key], &report[key]), (&json!(0.5), &json!(0.5)), "{key}");
        assert!(report["kinds"]["unanswerable"][key].is_null(), "{key}");
    }
    let length = "The lamp of a lighthouse burns a thousand watts behind a lens by Fresnel.".chars().count();
    assert_eq!(single["answer_chars"], length as f64);
    assert_eq!(report["answer_chars"], 2.0 * length as f64 / 3.0);
    assert_eq!((&report["empty_on_unanswerable"], &report["empty_on_answerable"]), (&json!(1.0), &json!(0.0)));
    let curve = report["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 21);
    assert_eq!(curve[0], json!({ "bound": 0.0, "unanswerable": 0.0, "answerable": 0.0 }));
    assert_eq!(curve[5]["unanswerable"], 1.0);

    let table = sandbox.run(&["eval", "questions.jsonl", "--packs", "packs", "--curve"]).ends_with(0).stdout;
    assert!(table.contains("says@300") && table.contains("\nbound 0.25: below it 1.000 of unanswerable"), "{table}");
}

#[test]
fn addresses_of_a_site_are_gold_too() {
    let sandbox = docs("addresses");
    let asked = |gold: Value, more: Value| {
        let mut line = json!({ "id": "1", "question": "How is Fenwick installed on Linux?", "gold": gold });
        line.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let report = eval(&sandbox, &[line], &[]);
        ["hit_at_1", "section_hit_at_5", "all_gold_in_pages"].map(|key| report[key].clone())
    };
    let found = [json!(1.0), json!(1.0), json!(1.0)];
    assert_eq!(asked(json!(["guide/install.html#linux"]), json!({})), found);
    // Another place of the same fact counts too.
    assert_eq!(asked(json!(["none.html#none"]), json!({ "also": ["guide/install.html#linux"] })), found);
    let no_section = [json!(1.0), json!(0.0), json!(1.0)];
    assert_eq!(asked(json!(["guide/install.html#macos"]), json!({})), no_section);
    let no_sections = [json!(1.0), Value::Null, json!(1.0)];
    assert_eq!(asked(json!(["guide/install.html"]), json!({})), no_sections);
    // Of two places, the second has no other place.
    let also = json!({ "also": ["guide/install.html#linux"], "also_for": [0] });
    assert_eq!(asked(json!(["none.html#none", "lost.html#lost"]), also), [json!(1.0), json!(1.0), json!(0.0)]);
}

#[test]
fn a_place_that_stands_for_no_gold_place_is_refused() {
    let sandbox = docs("refused");
    sandbox.write("questions.jsonl", r#"{"id": "1", "question": "What?", "gold": ["a", "b"], "also": ["c"]}"#);
    let run = sandbox.run(&["eval", "questions.jsonl", "--packs", "packs"]).ends_with(1);
    assert!(run.stderr.contains("line 1: `also_for` must give"), "{run:?}");
}

#[test]
fn json_has_the_addresses_of_pages() {
    let sandbox = docs("urls");
    let ask = |question: &str| sandbox.run(&["ask", question, "--packs", "packs", "--json"]).ends_with(0).json();
    let answer = ask("How is Fenwick installed on Linux?");
    assert_eq!(answer["sources"][0]["url"], "https://fenwick.example/guide/install.html");
    let answer = ask("What does the lamp of a lighthouse burn?");
    assert_eq!(answer["sources"][0]["url"], "docs/guide/lamp.md");
    let quoted = "The lamp of a lighthouse burns a thousand watts behind a lens by Fresnel.";
    let part = json!({ "sub_query": answer["sub_queries"][0]["text"], "text": quoted, "sources": [1] });
    assert_eq!(answer["parts"], json!([part]));
}
