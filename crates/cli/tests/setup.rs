//! `setup` where something of the last one is missing: a file of a stage, or the encoder.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Sandbox, publish_vectors, remove_stage_root, stage_record};
use serde_json::{Value, json};

/// The packs tea and bread with chunks, and with vectors that have the threshold 0.25 and an encoder for browsers.
fn set_up(name: &str) -> Sandbox {
    let sandbox = Sandbox::with_packs(name);
    sandbox.run(&["setup", "packs"]).ends_with(0);
    publish_vectors(&sandbox, Some(0.25), true);
    sandbox
}

/// The line of a step.
fn line<'r>(run: &'r common::Run, step: &str) -> &'r str {
    run.stdout.lines().find(|line| line[..12].trim_end() == step).unwrap_or_default()
}

/// What the catalog lists among the stages.
fn listed(sandbox: &Sandbox) -> Value {
    serde_json::from_str::<Value>(&sandbox.read("packs/catalog.json")).unwrap()["stages"].clone()
}

#[test]
fn chunks_that_lack_a_file_are_made_again_and_vectors_stay() {
    let sandbox = set_up("setup-lost-chunks");
    let vectors = stage_record(&sandbox, "vectors");
    assert_eq!((&vectors["threshold"], listed(&sandbox)), (&json!(0.25), json!(["chunks", "encoder", "vectors"])));
    remove_stage_root(&sandbox, "chunks");
    sandbox.run(&["retrieve", "tea", "--packs", "packs"]).ends_with(10);
    let run = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(line(&run, "vectors"), "");
    assert_eq!(
        (stage_record(&sandbox, "vectors"), listed(&sandbox)),
        (vectors, json!(["chunks", "encoder", "vectors"]))
    );
    sandbox.run(&["retrieve", "tea", "--packs", "packs"]).ends_with(0);
}

#[test]
fn vectors_that_lack_a_file_are_named_with_what_goes_with_them() {
    let lost = "a file of them was missing, and there is no encoder to make them again, so they are left out; `seealso \
                setup packs --encoder DIR --threshold 0.25 --publish-encoder` makes them";
    let sandbox = set_up("setup-lost-vectors");
    remove_stage_root(&sandbox, "vectors");
    let run = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(line(&run, "vectors"), format!("vectors      {lost}"));
    assert_eq!(listed(&sandbox), json!(["chunks"]));
    let sandbox = set_up("setup-lost-vectors-json");
    remove_stage_root(&sandbox, "vectors");
    let report = sandbox.run(&["setup", "packs", "--json"]).ends_with(0).json();
    assert_eq!((&report["vectors"], &report["vectors_fault"]), (&Value::Null, &json!(lost)));

    let sandbox = set_up("setup-lost-by-build");
    remove_stage_root(&sandbox, "vectors");
    let run = sandbox.run(&["build", "packs"]).ends_with(0);
    assert_eq!(
        run.stderr,
        "warning: a file of the vectors was missing, so they are left out; `seealso setup packs` makes them\n"
    );
    assert_eq!(listed(&sandbox), json!(["chunks"]));
}

#[test]
fn a_stages_file_that_is_damaged_costs_the_threshold_and_setup_says_so() {
    let sandbox = set_up("setup-lost-stages");
    let catalog: Value = serde_json::from_str(&sandbox.read("packs/catalog.json")).unwrap();
    sandbox.write(&format!("packs/{}", catalog["stages_file"]["path"].as_str().unwrap()), "{}");
    let run = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert!(
        run.stderr.starts_with(
            "warning: the stages file can't be used, so thresholds that it names have to be given again, and so has \
             --publish-encoder: "
        ),
        "{run:?}"
    );
    assert_eq!(listed(&sandbox), json!(["chunks"]));
}

#[test]
fn an_encoder_of_the_last_setup_that_is_gone_stops_nothing() {
    let sandbox = set_up("setup-gone-encoder");
    let vectors = stage_record(&sandbox, "vectors");
    sandbox.write("packs/.seealso/encoder", "/no/such/encoder\n");
    let fault = "/no/such/encoder: there is no such folder; give the folder of an encoder";
    let expected = format!("encoder      that of the last setup is gone, so no vectors are made: {fault}");
    for arguments in [&["setup", "packs"][..], &["setup", "packs", "--check"]] {
        assert_eq!(line(&sandbox.run(arguments).ends_with(0), "encoder"), expected, "{arguments:?}");
        let report = sandbox.run(&[arguments, &["--json"]].concat()).ends_with(0).json();
        assert_eq!((&report["encoder"], &report["encoder_fault"]), (&Value::Null, &json!(fault)), "{arguments:?}");
    }
    assert_eq!(stage_record(&sandbox, "vectors"), vectors);
    // One that is named has to be there.
    for arguments in [&["setup", "packs"][..], &["setup", "packs", "--check"]] {
        let run = sandbox.run(&[arguments, &["--encoder", "/no/such/encoder"]].concat()).ends_with(11);
        assert_eq!(run.stderr, format!("error: {fault}\n"));
        let run = sandbox.command(arguments).env("SEEALSO_ENCODER", "/no/such/encoder").output().unwrap();
        assert_eq!(run.status.code(), Some(11), "{arguments:?}");
    }
}

#[test]
fn what_needs_an_encoder_is_refused_without_one() {
    let sandbox = set_up("setup-no-encoder");
    for (option, expected) in [
        (&["--publish-encoder"][..], "error: there is no encoder to publish; name its folder with --encoder\n"),
        (&["--threshold", "0.3"], "error: a threshold belongs to an encoder; name its folder with --encoder\n"),
    ] {
        let run = sandbox.run(&[&["setup", "packs"], option].concat()).ends_with(1);
        assert_eq!(run.stderr, expected);
    }
}

#[cfg(not(feature = "model"))]
#[test]
fn an_encoder_of_the_last_setup_that_can_not_be_loaded_stops_nothing() {
    let sandbox = set_up("setup-noted-encoder");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    let weights = sandbox.path("encoder/model.safetensors");
    sandbox.write("packs/.seealso/encoder", &format!("{}\n", weights.display()));
    let run = sandbox.run(&["setup", "packs"]).ends_with(0);
    assert_eq!(line(&run, "encoder"), "encoder      encoder");
    assert!(
        line(&run, "vectors").starts_with(&format!("vectors      none were made: {}: ", weights.display())),
        "{run:?}"
    );
    assert_eq!(stage_record(&sandbox, "vectors")["threshold"], 0.25);
    assert!(line(&run, "smoke test").starts_with("smoke test   the index answers: "), "{run:?}");
    sandbox.run(&["setup", "packs", "--threshold", "0.3"]).ends_with(11);
}
