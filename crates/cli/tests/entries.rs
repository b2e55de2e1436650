//! Entries by the command: checked, built, set up, and asked, without an encoder and with one.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;

const ENTRY: &str = "---\ntopic: Small releases\ntype: framework\npattern: undo\nconfidence: high\nstability: evergreen\n\
                     updated: 2026-01-01\n---\n\n## Position\n\nRelease every merged change.\n\n## Reasoning\n\nA small change is easy to take back.\n";
const PATTERN: &str = "---\nslug: undo\ndescription: What it costs to undo.\ntemplate: If {x}, then {y}.\n---\n\n## Variants\n\n\
                       ### A plugin\n\nTry it.\n";

/// A pack with an entry, a superseded one, a private one and a pattern, as authored in `from`.
fn authored(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("from/m/index.md", "# M\n\n- [Small releases](entries/small.md)\n");
    sandbox.write("from/m/entries/small.md", ENTRY);
    sandbox.write(
        "from/m/entries/large.md",
        &ENTRY.replace("Small", "Large").replace("confidence", "superseded_by: small\nconfidence"),
    );
    sandbox.write(
        "from/m/entries/heir.md",
        &ENTRY.replace("Small releases", "Heirloom").replace("confidence", "tier: private\nconfidence"),
    );
    sandbox.write("from/m/patterns/undo.md", PATTERN);
    sandbox
}

#[test]
fn a_private_entry_is_in_nothing_that_is_published() {
    let sandbox = authored("entries-private");
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    sandbox.run(&["setup", "site"]).ends_with(0);
    for (name, bytes) in sandbox.files("site") {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("heirloom") && !name.contains("heir"), "{name}");
    }
    let found = sandbox.run(&["search", "heirloom", "--packs", "site"]);
    assert_eq!(found.code, 4, "{found:?}");
    // The superseded one stays a page.
    let found = sandbox.run(&["search", "large releases", "--packs", "site"]).ends_with(0);
    assert!(found.stdout.contains("m/entries/large"), "{found:?}");
    // A second build finds nothing that changed, also where the private entry did.
    sandbox.write("from/m/entries/heir.md", &ENTRY.replace("confidence", "tier: private\nconfidence"));
    let again = sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    assert!(again.stdout.contains("up to date"), "{again:?}");
}

#[test]
fn an_entry_that_turns_private_leaves_what_is_published_with_the_next_build() {
    let sandbox = authored("entries-turned");
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    sandbox.run(&["setup", "site"]).ends_with(0);
    let holding = |sandbox: &Sandbox| {
        // What no host is to serve is not published.
        let files = sandbox.files("site").into_iter().filter(|(name, _)| !name.contains(".seealso"));
        files.filter(|(_, bytes)| String::from_utf8_lossy(bytes).contains("Release every merged change.")).count()
    };
    // The two pages, and the entries.
    assert_eq!(holding(&sandbox), 3);
    for name in ["small", "large"] {
        sandbox.write(&format!("from/m/entries/{name}.md"), &ENTRY.replace("confidence", "tier: private\nconfidence"));
    }
    let build = sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    assert!(
        build.stderr.contains("packs have changed, so their entries are left out; `seealso setup site` makes them"),
        "{build:?}"
    );
    assert_eq!(holding(&sandbox), 0);
    let setup = sandbox.run(&["setup", "site"]).ends_with(0);
    assert!(setup.stdout.contains("0 entries and 1 pattern"), "{setup:?}");
    assert_eq!(holding(&sandbox), 0);
}

#[test]
fn private_entries_in_a_published_folder_are_an_error() {
    let sandbox = authored("entries-published");
    let check = sandbox.run(&["check", "from"]).ends_with(0);
    assert!(check.stdout.contains("m/entries/heir.md:1: E3: a private page: it is in no index"), "{check:?}");
    sandbox.run(&["build", "from"]).ends_with(0);
    let check = sandbox.run(&["check", "from"]).ends_with(3);
    assert!(
        check.stdout.contains("m/entries/heir.md:1: E3: a private page in a folder that is published"),
        "{check:?}"
    );
}

#[test]
fn a_tier_outside_front_matter_is_an_error_and_keeps_the_page_back() {
    let sandbox = authored("entries-loose");
    sandbox.write("from/m/entries/heir.md", &format!("\n{}", ENTRY.replace("confidence", "tier: private\nconfidence")));
    let check = sandbox.run(&["check", "from"]).ends_with(3);
    assert!(check.stdout.contains("m/entries/heir.md:6: E3: a tier outside front matter"), "{check:?}");
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    assert!(!sandbox.path("site/m/entries/heir.md").exists() && sandbox.path("site/m/entries/small.md").exists());
}

#[test]
fn entries_without_an_encoder_are_set_up_and_say_what_they_lack() {
    let sandbox = authored("entries-setup");
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    let ask = |sandbox: &Sandbox| sandbox.run(&["entries", "How often?", "--asker", "Ada", "--packs", "site"]);
    let none = ask(&sandbox).ends_with(1);
    assert!(
        none.stderr.contains("these packs have no entries that can be asked; `seealso setup` makes them"),
        "{none:?}"
    );
    let setup = sandbox.run(&["setup", "site"]).ends_with(0);
    assert!(setup.stdout.contains("1 entry and 1 pattern (0 vectors), "), "{setup:?}");
    assert!(setup.stdout.contains("written; without an encoder, no question finds them"), "{setup:?}");
    let check = sandbox.run(&["setup", "site", "--check"]).ends_with(0);
    assert!(check.stdout.contains("entries      the entries have no vectors; run `seealso setup`"), "{check:?}");
    let without = ask(&sandbox).ends_with(1);
    assert!(without.stderr.contains("the entries have no vectors; run `seealso setup` with --encoder"), "{without:?}");
    let again = sandbox.run(&["setup", "site", "--json"]).ends_with(0).json();
    assert_eq!(
        (&again["entries"]["entries"], &again["entries"]["changed"], &again["changed"]),
        (&1.into(), &false.into(), &false.into())
    );
    let refused = sandbox.run(&["setup", "site", "--strong-match", "0.5"]).ends_with(1);
    assert!(refused.stderr.contains("there is no encoder that the threshold could be of"), "{refused:?}");
    let empty = sandbox.run(&["entries", " ", "--asker", "Ada", "--packs", "site"]).ends_with(1);
    assert!(empty.stderr.contains("the question is missing or empty"), "{empty:?}");
}

#[test]
fn a_label_that_no_entry_has_is_refused() {
    let sandbox = authored("entries-labels");
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    sandbox.run(&["setup", "site"]).ends_with(0);
    sandbox.write("q.jsonl", "{\"question\": \"How often?\", \"entry\": \"smal\"}\n");
    let run = sandbox.run(&["eval", "threshold", "q.jsonl", "--packs", "site"]).ends_with(1);
    assert!(run.stderr.contains("no active public entry has the slug \"smal\"; correct the label"), "{run:?}");
}

#[cfg(feature = "model")]
#[test]
fn entries_are_asked_with_the_encoder_that_made_their_vectors() {
    let sandbox = authored("entries-asked");
    common::write_tiny_encoder(&sandbox.path("encoder"), 0);
    sandbox.run(&["build", "from", "--out", "site"]).ends_with(0);
    let setup = sandbox.run(&["setup", "site", "--encoder", "encoder", "--strong-match", "0.5"]).ends_with(0);
    assert!(setup.stdout.contains("1 entry and 1 pattern (2 vectors), "), "{setup:?}");
    assert!(setup.stdout.contains("written, a strong match from 0.5 on"), "{setup:?}");
    let question = ["entries", "Small releases", "--asker", "Ada", "--packs", "site"];
    let found = sandbox.run(&[&question[..], &["--json"]].concat()).ends_with(0).json();
    assert_eq!((&found["matches_found"], &found["threshold"]), (&1.into(), &0.5.into()));
    assert_eq!(found["entries"][0]["page"], "m/entries/small");
    let prompt = sandbox.run(&[&question[..], &["--prompt"]].concat()).ends_with(0);
    assert!(prompt.stdout.contains("Topic: Small releases\n"), "{prompt:?}");
    // Another run keeps the threshold, and another encoder has none.
    let again = sandbox.run(&["setup", "site"]).ends_with(0);
    assert!(again.stdout.contains("up to date, a strong match from 0.5 on"), "{again:?}");
    sandbox.write(
        "q.jsonl",
        "{\"question\": \"Small releases\", \"entry\": \"small\"}\n{\"question\": \"tea\", \"entry\": null}\n",
    );
    let curve = sandbox.run(&["eval", "threshold", "q.jsonl", "--packs", "site", "--json"]).ends_with(0).json();
    assert_eq!((&curve["questions"], &curve["labelled"], &curve["right"]), (&2.into(), &1.into(), &1.into()));
    common::write_tiny_encoder(&sandbox.path("other"), 1);
    let other = sandbox.run(&["setup", "site", "--encoder", "other"]).ends_with(0);
    assert!(other.stdout.contains("written, no match is strong"), "{other:?}");
}
