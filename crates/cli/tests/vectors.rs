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
    assert!(run.stderr.contains("encoder/model.safetensors: this seealso was built without models"), "{run:?}");
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
fn catalog(sandbox: &Sandbox) -> Value {
    serde_json::from_str(&sandbox.read("packs/catalog.json")).unwrap()
}

/// The record of the vectors that the packs have.
#[cfg(feature = "model")]
fn vector_record(sandbox: &Sandbox) -> Value {
    common::stage_record(sandbox, "vectors")
}

#[cfg(feature = "model")]
#[test]
fn a_threshold_belongs_to_the_encoder_and_is_kept() {
    let sandbox = set_up("vectors-threshold");
    assert_eq!(vector_record(&sandbox)["threshold"], Value::Null);
    let run = sandbox.run(&["setup", "packs", "--threshold", "0.25"]).ends_with(0);
    assert!(run.stdout.contains(", written, threshold 0.25\n"), "{run:?}");
    assert_eq!(vector_record(&sandbox)["threshold"], 0.25);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(vector_record(&sandbox)["threshold"], 0.25);
    common::write_tiny_encoder(&sandbox.path("other"), 1);
    sandbox.run(&["setup", "packs", "--encoder", "other"]).ends_with(0);
    assert_eq!(vector_record(&sandbox)["threshold"], Value::Null);
    let wrong = sandbox.run(&["setup", "packs", "--threshold", "1.5"]).ends_with(2);
    assert!(wrong.stderr.contains("it must be a number from -1 to 1"), "{wrong:?}");
}

#[cfg(feature = "model")]
#[test]
fn packs_in_languages_that_the_encoder_does_not_know_have_no_vectors() {
    let sandbox = Sandbox::with_packs("vectors-languages");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    sandbox.write("encoder/README.md", "---\nlanguage: de\n---\n");
    let run = sandbox.run(&["setup", "packs", "--encoder", "encoder"]).ends_with(0);
    assert!(
        run.stdout.contains("none for bread, tea, whose language the encoder's model card does not name"),
        "{run:?}"
    );
    let found = retrieve(&sandbox, "tea");
    assert_eq!(found["strategy"], "no-op");
}

/// The paths of the encoder's files for browsers, and what the catalog lists.
#[cfg(feature = "model")]
fn published_encoder(sandbox: &Sandbox) -> (Vec<String>, Value) {
    let record = vector_record(sandbox);
    let files = record["model"]["files"].as_array().cloned().unwrap_or_default();
    (files.iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect(), catalog(sandbox)["stages"].clone())
}

#[cfg(feature = "model")]
#[test]
fn the_encoder_is_published_for_browsers_where_that_is_asked_for() {
    let sandbox = set_up("vectors-published");
    assert_eq!(published_encoder(&sandbox), (Vec::new(), json!(["chunks", "vectors"])));
    let run = sandbox.run(&["setup", "packs", "--publish-encoder"]).ends_with(0);
    assert!(
        run.stdout.contains("for browsers the encoder, 0.0 MB, which a browser loads once its reader agrees\n"),
        "{run:?}"
    );
    let (files, listed) = published_encoder(&sandbox);
    assert_eq!(listed, json!(["chunks", "encoder", "vectors"]));
    let endings: Vec<&str> = files.iter().map(|path| path.rsplit_once('.').unwrap().1).collect();
    assert_eq!(endings, ["json", "json", "safetensors"]);
    let bytes = |path: &str| std::fs::read(sandbox.path("packs").join(path)).unwrap();
    assert_eq!(bytes(&files[0]), std::fs::read(sandbox.path("encoder/config.json")).unwrap());
    assert!(bytes(&files[2]).len() * 2 < std::fs::read(sandbox.path("encoder/model.safetensors")).unwrap().len());
    // Later runs keep it, and builds.
    sandbox.run(&["setup", "packs"]).ends_with(0);
    sandbox.run(&["build", "packs"]).ends_with(0);
    assert_eq!(published_encoder(&sandbox), (files.clone(), listed));
    assert_eq!(retrieve(&sandbox, "tea")["strategy"], "cosine");
    sandbox.run(&["clean", "packs"]).ends_with(0);
    assert!(files.iter().all(|path| !sandbox.path("packs").join(path).exists()), "{files:?}");
}

#[cfg(feature = "model")]
#[test]
fn setup_mends_a_stage_that_lacks_a_file_and_keeps_what_was_published() {
    let sandbox = set_up("vectors-mended");
    sandbox.run(&["setup", "packs", "--threshold", "0.25", "--publish-encoder"]).ends_with(0);
    let whole = vector_record(&sandbox);
    assert_eq!((&whole["threshold"], whole["model"]["files"].as_array().unwrap().len()), (&json!(0.25), 3));
    for stage in ["chunks", "vectors"] {
        common::remove_stage_root(&sandbox, stage);
        sandbox.run(&["setup", "packs"]).ends_with(0);
        assert_eq!(vector_record(&sandbox), whole, "{stage}");
        assert_eq!(catalog(&sandbox)["stages"], json!(["chunks", "encoder", "vectors"]), "{stage}");
        assert_eq!(retrieve(&sandbox, "tea")["strategy"], "cosine", "{stage}");
    }
}

#[cfg(feature = "model")]
#[test]
fn an_encoder_that_is_not_there_is_not_published() {
    let sandbox = Sandbox::with_packs("vectors-unpublished");
    let run = sandbox.run(&["setup", "packs", "--publish-encoder"]).ends_with(1);
    assert!(run.stderr.contains("there is no encoder to publish; name its folder with --encoder"), "{run:?}");
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
        for question in [&[][..], &[question]] {
            let arguments = [&["retrieve", "--peek", "--packs", "packs"], question].concat();
            let peek = sandbox.run(&arguments).ends_with(0).stdout;
            assert!(peek.starts_with("no-op: ") && peek.contains(what), "{peek}");
        }
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
    let record = vector_record(&sandbox);
    assert_eq!(record["model"]["dimensions"], 20);
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
