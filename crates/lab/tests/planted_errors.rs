//! `claim-errors` and `draft-errors`: planted errors are flagged and removed, and faithful sentences stay.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use seealso_pack::{BODY_TERMS, Layout, Plan, discover, publish_in};
use serde_json::{Value, json};

/// A folder for one test, which is removed at its end.
struct Sandbox(PathBuf);

impl Sandbox {
    /// A new, empty folder; no other test has this `name`.
    fn new(name: &str) -> Sandbox {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap();
        Sandbox(root)
    }

    /// Runs the laboratory in this folder: its exit code, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_seealso-lab"));
        command.args(arguments).current_dir(&self.0).env_remove("CLICOLOR_FORCE").stdin(Stdio::null());
        let output = command.output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), stdout, stderr)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_help_lists_every_command() {
    let (code, help, _) = Sandbox::new("lab-help").run(&["--help"]);
    assert_eq!(code, Some(0));
    let with_model = if cfg!(feature = "model") { ["probe", "rule"].as_slice() } else { &[] };
    for command in ["claim-errors", "draft-errors"].iter().chain(with_model) {
        assert!(help.contains(&format!("\n  {command}  ")), "{help}");
    }
}

#[test]
fn a_file_without_a_claim_to_plant_an_error_in_is_refused() {
    let sandbox = Sandbox::new("claim-errors");
    // A hash of the claim says in which half of the file it is: here, the half that bounds are fixed on.
    let line = json!({ "id": "0", "claim": "Tea is hot.", "evidence": "Tea is hot.", "label": "supported" });
    let check = |text: &str, expected: &str| {
        fs::write(sandbox.0.join("claims.jsonl"), text).unwrap();
        let (code, _, stderr) = sandbox.run(&["claim-errors", "claims.jsonl", "--json"]);
        assert_eq!(code, Some(1), "{stderr}");
        assert!(stderr.contains(expected), "{stderr}");
    };
    check(&format!("{line}\n"), "the half of the claims that is reported has no supported claim");
    check("\n", "claims.jsonl holds no claim");
}

/// The packs of this repository, published into a folder of the test.
fn with_demo_packs(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let packs = discover(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs-static")).unwrap();
    let out = sandbox.0.join("packs");
    let plan = Plan { packs, out, in_place: false, tsv: false, body_terms: BODY_TERMS };
    publish_in(Layout::default(), &plan, &mut |_| ()).unwrap();
    sandbox
}

/// The same seed plants the same errors, so these figures change with the checks and the packs alone.
#[test]
fn flagged_errors_are_removed_and_faithful_sentences_stay() {
    let sandbox = with_demo_packs("draft-errors");
    let check = |more: &[&str], kept: f64| {
        let options = ["draft-errors", "--packs", "packs", "--every", "4", "--json"];
        let (code, stdout, stderr) = sandbox.run(&[&options, more].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let figures: Value = serde_json::from_str(&stdout).unwrap();
        let number = |part: &str, name: &str| figures[part][name].as_f64().unwrap();
        assert!(number("planted", "n") >= 50.0, "{figures}");
        assert!(number("planted", "flagged") >= 0.75, "{figures}");
        assert!(number("planted", "flagged_standing") <= 0.02, "{figures}");
        assert!(number("untouched", "false_alarms") <= 0.02, "{figures}");
        assert!(number("untouched", "unflagged_kept") >= kept, "{figures}");
    };
    check(&[], 0.9);
    check(&["--joined"], 0.9);
}
