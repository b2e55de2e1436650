//! `check`: findings with file and line, and the index that `--fix` writes.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

const INDEX: &str = "\
# Wiki Index

Last updated: 2026-11-21
Total pages: 2

## Pages

| File | Title | Summary |
|---|---|---|
| concepts/black-tea.md | Black tea | How black tea is oxidised, rolled and dried, and why its leaves turn dark. |
| concepts/green-tea.md | Green tea | How green tea is made, and at which temperature its leaves are steeped. |
";

#[test]
fn the_index_is_written_from_the_pages() {
    let sandbox = Sandbox::new("fix");
    common::tea_and_bread(&sandbox);
    assert_eq!(sandbox.read("packs/tea/wiki/index.md"), INDEX);
    let again = sandbox.run(&["check", "--fix", "packs"]).ends_with(0);
    assert!(!again.stdout.contains("written"), "{again:?}");

    let careless = INDEX.replace("| concepts/black-tea.md | Black tea", "| concepts/gone.md | Gone");
    sandbox.write("packs/tea/wiki/index.md", &careless);
    let found = sandbox.run(&["check", "packs/tea"]).ends_with(3);
    assert_eq!(
        found.stdout,
        "packs/tea/wiki/concepts/black-tea.md:1: C3: not listed in wiki/index.md\n\
         packs/tea/wiki/index.md:10: C3: lists concepts/gone.md, which is not there\n\
         Tea: 2 pages, 1 error, 1 warning (packs/tea)\n\
         --fix writes wiki/index.md anew\n"
    );
    let fixed = sandbox.run(&["check", "packs/tea", "--fix", "--json"]).ends_with(0).json();
    assert_eq!(fixed["packs"][0]["written"], json!(["packs/tea/wiki/index.md"]));
    assert_eq!(sandbox.read("packs/tea/wiki/index.md"), INDEX);
}

#[test]
fn findings_can_be_printed_as_json() {
    let sandbox = Sandbox::new("findings");
    common::tea_and_bread(&sandbox);
    let page = sandbox.read("packs/bread/wiki/concepts/crust.md");
    sandbox.write("packs/bread/wiki/concepts/crust.md", &page.replace("tags: [bread]\n", ""));
    let report = sandbox.run(&["check", "packs", "--json"]).ends_with(0).json();
    assert_eq!((&report["errors"], &report["warnings"], &report["notes"]), (&json!(0), &json!(1), &json!(0)));
    assert_eq!(
        report["findings"][0],
        json!({
            "file": "packs/bread/wiki/concepts/crust.md", "line": 1, "code": "C2", "severity": "warning",
            "message": "no tags in the front matter",
        })
    );
    let packs: Vec<&str> =
        report["packs"].as_array().unwrap().iter().map(|pack| pack["path"].as_str().unwrap()).collect();
    assert_eq!(packs, ["bread", "tea"]);
    assert_eq!(report["packs"][0]["dialect"], "wiki");
}

#[test]
fn an_open_knowledge_pack_keeps_its_own_index() {
    let sandbox = Sandbox::new("okf");
    sandbox.write("notes/index.md", "# Notes\n\n- [Rain](rain.md) — water from clouds\n");
    sandbox.write("notes/rain.md", "---\ntype: note\ntitle: Rain\ndescription: Why it rains.\n---\n\nRain falls.\n");
    let before = sandbox.files("notes");
    let run = sandbox.run(&["check", "--fix", "notes"]).ends_with(0);
    assert!(run.stdout.contains("notes/rain.md:7: Q1: "), "{run:?}");
    assert!(sandbox.files("notes") == before);
}

#[test]
fn control_characters_are_not_printed() {
    let sandbox = Sandbox::new("terminal");
    common::tea_and_bread(&sandbox);
    let page = sandbox.read("packs/tea/wiki/concepts/green-tea.md");
    let hostile = page.replace("[[black-tea]]", "[[black\u{1b}[2Jtea]]").replace("Green tea", "Green\u{1b}[2J tea");
    sandbox.write("packs/tea/wiki/concepts/green-tea.md", &hostile);
    sandbox.run(&["build", "packs"]).ends_with(0);
    for arguments in
        [&["check", "packs"][..], &["search", "tea", "--packs", "packs"], &["ask", "green tea", "--packs", "packs"]]
    {
        let run = sandbox.command(arguments).env("CLICOLOR_FORCE", "1").output().unwrap();
        assert!(!String::from_utf8(run.stdout).unwrap().contains("\u{1b}[2J"), "{arguments:?}");
    }
}
