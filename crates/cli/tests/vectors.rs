//! `setup` with an encoder, and `retrieve` by what the vectors say.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::Value;
#[cfg(feature = "model")]
use serde_json::json;

#[cfg(not(feature = "model"))]
#[test]
fn a_command_without_models_says_that_it_has_no_encoder() {
    let sandbox = Sandbox::with_packs("vectors-none");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    let run = sandbox.run(&["setup", "packs", "--encoder", "encoder"]).ends_with(11);
    assert!(run.stderr.contains("encoder/model.safetensors: this command was built without models"), "{run:?}");
    // What comes before the vectors is set up.
    let found = retrieve(&sandbox, "tea");
    assert_eq!(found["strategy"], "no-op");
}

/// The packs tea and bread with vectors of the tiny encoder.
#[cfg(feature = "model")]
fn set_up(name: &str) -> Sandbox {
    let sandbox = Sandbox::with_packs(name);
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    sandbox.run(&["setup", "packs", "--encoder", "encoder"]).ends_with(0);
    sandbox
}

fn retrieve(sandbox: &Sandbox, question: &str) -> Value {
    sandbox.run(&["retrieve", question, "--packs", "packs", "--json"]).ends_with(0).json()
}

#[cfg(feature = "model")]
fn pages(found: &Value) -> Vec<&str> {
    found["candidates"].as_array().unwrap().iter().map(|page| page["page_address"].as_str().unwrap()).collect()
}

#[cfg(feature = "model")]
#[test]
fn setup_makes_vectors_and_says_how_many() {
    let sandbox = Sandbox::with_packs("vectors-setup");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    let run = sandbox.run(&["setup", "packs", "--encoder", "encoder"]).ends_with(0);
    let line = |name: &str, run: &common::Run| {
        run.stdout.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned()
    };
    assert_eq!(line("encoder", &run), "encoder      encoder");
    assert!(line("vectors", &run).starts_with("vectors      4 vectors (4 encoded, 0 known), "), "{run:?}");
    assert!(line("vectors", &run).ends_with(" KB in 1 file, written"), "{run:?}");
    // The encoder is noted, and nothing is encoded again.
    let again = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert!(line("vectors", &again).contains("4 vectors (0 encoded, 4 known)"), "{again:?}");
    assert!(line("vectors", &again).ends_with("up to date"), "{again:?}");
    let check = sandbox.run(&["setup", "packs", "--check", "--json"]).ends_with(0).json();
    assert_eq!((&check["stages"], &check["vectors"]), (&json!(["chunks", "vectors"]), &json!(4)));
    // A page that changes is encoded again, and no other.
    let page = "packs/tea/wiki/concepts/green-tea.md";
    sandbox.write(page, &sandbox.read(page).replace("70 degrees", "80 degrees"));
    sandbox.run(&["build", "packs"]).ends_with(0);
    let check = sandbox.run(&["setup", "packs", "--check"]).ends_with(0);
    assert!(check.stdout.contains("stale        tea: their vectors are of other pages\n"), "{check:?}");
    let changed = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert!(line("vectors", &changed).contains("4 vectors (1 encoded, 3 known)"), "{changed:?}");
    // Another encoder encodes all.
    common::write_tiny_encoder(&sandbox.path("other"), 1);
    let other = sandbox.run(&["setup", "packs", "--encoder", "other"]).ends_with(0);
    assert!(line("vectors", &other).contains("4 vectors (4 encoded, 0 known)"), "{other:?}");
}

#[cfg(feature = "model")]
#[test]
fn passages_are_ordered_by_what_they_mean() {
    let sandbox = set_up("vectors-order");
    let found = retrieve(&sandbox, "Which crust browns on a cob, and which tea?");
    assert_eq!((&found["strategy"], &found["notices"]), (&json!("cosine"), &json!([])));
    assert_eq!(pages(&found)[0], "bread/concepts/crust");
    let first = &found["candidates"][0];
    assert_eq!(first["rerank_source"], "cosine");
    let scores: Vec<f64> =
        found["candidates"].as_array().unwrap().iter().map(|page| page["rerank_score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b) && scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
    let peek = sandbox.run(&["retrieve", "--peek", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!(peek["strategy"], "cosine");
    let plain = sandbox.run(&["retrieve", "tea", "--packs", "packs", "--json", "--no-rerank"]).ends_with(0).json();
    assert_eq!((&plain["strategy"], &plain["candidates"][0]["rerank_score"]), (&json!("bm25-only"), &json!(null)));
}

#[cfg(feature = "model")]
#[test]
fn what_can_not_be_used_is_named_and_the_order_of_words_stays() {
    let sandbox = set_up("vectors-faults");
    let question = "Which tea is steeped, and which is oxidised?";
    let plain = sandbox.run(&["retrieve", question, "--packs", "packs", "--json", "--no-rerank"]).ends_with(0).json();
    let check = |what: &str| {
        let found = retrieve(&sandbox, question);
        assert_eq!(pages(&found), pages(&plain), "{what}");
        assert_eq!(found["strategy"], "no-op", "{what}");
        assert!(found["candidates"].as_array().unwrap().iter().all(|page| page["rerank_score"].is_null()), "{what}");
        let notices = found["notices"].to_string();
        assert!(notices.contains("passages stay in the order of their words") && notices.contains(what), "{notices}");
        let peek = sandbox.run(&["retrieve", "--peek", "--packs", "packs"]).ends_with(0).stdout;
        assert!(
            peek.starts_with("no-op: ") || what.contains("changed since") || what.contains("of the model"),
            "{peek}"
        );
    };
    // An encoder with other weights.
    common::write_tiny_encoder(&sandbox.path("other"), 1);
    let noted = sandbox.read("packs/.seealso/encoder");
    sandbox.write("packs/.seealso/encoder", &noted.replace("/encoder/", "/other/"));
    check("the vectors are of the model encoder@");
    sandbox.write("packs/.seealso/encoder", "/no/such/encoder\n");
    check("/no/such/encoder: there is no such folder");
    sandbox.write("packs/.seealso/encoder", &noted);
    // A root that is damaged, and one that is gone.
    let catalog: Value = serde_json::from_str(&sandbox.read("packs/catalog.json")).unwrap();
    let stages = sandbox.read(&format!("packs/{}", catalog["stages_file"]["path"].as_str().unwrap()));
    let stages: Value = serde_json::from_str(&stages).unwrap();
    let record = stages["stages"].as_array().unwrap().iter().find(|stage| stage["name"] == "vectors").unwrap();
    assert_eq!(record["model"]["dimensions"], 16);
    let root = sandbox.path("packs").join(record["root"]["path"].as_str().unwrap());
    let sound = std::fs::read(&root).unwrap();
    let mut damaged = sound.clone();
    damaged[100] ^= 1;
    std::fs::write(&root, damaged).unwrap();
    check("not the bytes that the catalog names");
    std::fs::remove_file(&root).unwrap();
    check("there is no such file on the server");
    std::fs::write(&root, sound).unwrap();
    assert_eq!(retrieve(&sandbox, question)["strategy"], "cosine");
    // Vectors of yesterday over pages of today.
    let page = "packs/tea/wiki/concepts/green-tea.md";
    sandbox.write(page, &sandbox.read(page).replace("70 degrees", "80 degrees"));
    sandbox.run(&["build", "packs"]).ends_with(0);
    check("tea: changed since its vectors were made; run `seealso setup` again");
}
