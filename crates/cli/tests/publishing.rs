//! The guarantees of `build`: the same packs give the same bytes, only changed packs are read, and a build that fails leaves
//! the last one whole.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

#[test]
fn building_again_changes_nothing() {
    let sandbox = Sandbox::with_packs("again");
    let before = sandbox.files("packs");
    let again = sandbox.run(&["build", "packs"]).ends_with(0);
    assert!(again.stdout.contains("2 packs, 4 pages") && again.stdout.contains("up to date"), "{again:?}");
    assert!(
        again
            .stdout
            .contains("2 unchanged packs were taken over, not read again; `seealso check packs` lists findings\n"),
        "{again:?}"
    );
    assert!(sandbox.files("packs") == before);

    let elsewhere = Sandbox::with_packs("elsewhere");
    assert!(elsewhere.files("packs") == before, "the same packs in another folder give other bytes");
}

#[test]
fn only_a_changed_pack_is_read() {
    let sandbox = Sandbox::with_packs("incremental");
    let whole = |text: &str| {
        sandbox.write("packs/tea/wiki/concepts/green-tea.md", text);
        sandbox.run(&["build", "packs", "--json"]).ends_with(0).json()
    };
    let page = sandbox.read("packs/tea/wiki/concepts/green-tea.md");
    let report = whole(&page.replace("aliases", "").replace("title: Green tea", "title: Sencha"));
    assert_eq!((&report["read"], &report["changed"]), (&json!(["tea"]), &json!(true)));
    assert_eq!(report["taken_over"], json!(["bread"]));
    let found = sandbox.run(&["search", "sencha", "--packs", "packs", "--json"]).ends_with(0).json();
    assert_eq!(found["results"][0]["page"], "tea/concepts/green-tea");
    let crust = sandbox.run(&["ask", "Why does a crust brown?", "--packs", "packs"]).ends_with(0);
    assert!(crust.stdout.contains("A crust browns above 140 degrees."), "{crust:?}");

    // Unchanged packs that were kept equal those of a build from nothing.
    let incremental = sandbox.files("packs");
    std::fs::remove_file(sandbox.path("packs/catalog.json")).unwrap();
    std::fs::remove_dir_all(sandbox.path("packs/index")).unwrap();
    sandbox.run(&["build", "packs"]).ends_with(0);
    let newest = |files: Vec<(String, Vec<u8>)>| {
        let catalog = files.iter().find(|(name, _)| name == "catalog.json").unwrap().clone();
        let text = String::from_utf8(catalog.1.clone()).unwrap();
        let index = files.into_iter().find(|(name, _)| name.ends_with(".idx") && text.contains(name.as_str()));
        (catalog, index.expect("the index that the catalog names"))
    };
    assert!(newest(sandbox.files("packs")) == newest(incremental));
}

#[test]
fn packs_are_published_elsewhere() {
    let sandbox = Sandbox::new("out");
    common::tea_and_bread(&sandbox);
    let before = sandbox.files("packs");
    sandbox.run(&["build", "packs/tea", "packs/bread", "-o", "site", "--tsv"]).ends_with(0);
    assert!(sandbox.files("packs") == before, "publishing elsewhere leaves the packs alone");
    assert_eq!(
        sandbox.read("site/tea/wiki/concepts/green-tea.md"),
        sandbox.read("packs/tea/wiki/concepts/green-tea.md")
    );
    let tsv = sandbox.read("site/index/pages.tsv");
    assert!(tsv.starts_with("bread/concepts/crust\tCrust\tWhy the crust"), "{tsv}");
    sandbox.run(&["ask", "How is green tea steeped?", "--packs", "site"]).ends_with(0);
}

#[test]
fn a_damaged_copy_is_published_anew() {
    let sandbox = Sandbox::new("damaged");
    common::tea_and_bread(&sandbox);
    let build = || sandbox.run(&["build", "packs", "-o", "site", "--json"]).ends_with(0).json();
    assert_eq!(build()["changed"], true);
    let whole = sandbox.files("site");
    assert_eq!(build()["changed"], false);
    let page = "site/tea/wiki/concepts/green-tea.md";
    let index = whole.iter().find(|(name, _)| name.ends_with(".idx")).map(|(name, _)| format!("site/{name}")).unwrap();
    let damages: [&dyn Fn(); 4] = [
        &|| std::fs::remove_file(sandbox.path(page)).unwrap(),
        &|| std::fs::remove_dir_all(sandbox.path("site/bread")).unwrap(),
        &|| sandbox.write(page, "another page"),
        &|| sandbox.write(&index, "no index"),
    ];
    for (number, damage) in damages.iter().enumerate() {
        damage();
        assert_eq!(build()["changed"], true, "damage {number}");
        assert!(sandbox.files("site") == whole, "damage {number}");
    }
    // A page that no build wrote is no damage: somebody wrote it.
    sandbox.write("site/tea/wiki/concepts/more.md", "# More");
    let refused = sandbox.run(&["build", "packs", "-o", "site"]).ends_with(1);
    assert!(refused.stderr.contains("such as tea/wiki/concepts/more.md"), "{refused:?}");
    assert_eq!(sandbox.read("site/tea/wiki/concepts/more.md"), "# More");
}

#[test]
fn a_build_of_an_older_format_is_named_and_left_whole() {
    let sandbox = Sandbox::new("older");
    common::tea_and_bread(&sandbox);
    let old =
        |name: &str| std::fs::read(format!("{}/../../tests/formats/v1/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    sandbox.write("site/catalog.json", &String::from_utf8(old("catalog.json")).unwrap());
    sandbox.write("site/index/6483dc3aad91e32e.idx", "");
    std::fs::write(sandbox.path("site/index/6483dc3aad91e32e.idx"), old("index.idx")).unwrap();
    sandbox.write("site/nero/manifest.yaml", "name: nero\n");
    sandbox.write("site/nero/wiki/concepts/nero.md", "# Nero\n");
    let before = sandbox.files("site");
    let refused = sandbox.run(&["build", "packs", "-o", "site"]).ends_with(1);
    assert_eq!(
        refused.stderr,
        "error: site: a build of format version 1 lies there and no list of its files, so nothing is replaced; if all \
         of it is but a copy, remove catalog.json, index and nero. Or name a new folder.\n"
    );
    assert!(sandbox.files("site") == before);
    for copy in ["site/catalog.json", "site/index", "site/nero"] {
        let copy = sandbox.path(copy);
        if copy.is_dir() { std::fs::remove_dir_all(copy).unwrap() } else { std::fs::remove_file(copy).unwrap() }
    }
    sandbox.run(&["build", "packs", "-o", "site"]).ends_with(0);
}

#[test]
fn an_index_of_an_older_version_is_named_and_built_anew() {
    for (version, hash) in [(2, "83769e1c96ed9ed6"), (3, "4ac797393b489639"), (4, "1156459e05a092be")] {
        let sandbox = Sandbox::new(&format!("older-index-{version}"));
        common::tea_and_bread(&sandbox);
        let old = format!("{}/../../tests/formats/v{version}", env!("CARGO_MANIFEST_DIR"));
        sandbox.write("site/catalog.json", &std::fs::read_to_string(format!("{old}/catalog.json")).unwrap());
        sandbox.write(&format!("site/index/{hash}.idx"), "");
        std::fs::copy(format!("{old}/index.idx"), sandbox.path(&format!("site/index/{hash}.idx"))).unwrap();
        sandbox.write(&format!("site/index/{hash}.files"), &format!("{hash}.idx\n"));
        let refused = sandbox.run(&["search", "kettle", "--packs", "site"]).ends_with(1);
        assert!(refused.stderr.contains("rebuild it with `seealso build`"), "{refused:?}");
        sandbox.run(&["build", "packs", "-o", "site"]).ends_with(0);
        let found = sandbox.run(&["search", "green tea", "--packs", "site"]).ends_with(0);
        assert!(found.stdout.contains("Green tea"), "{found:?}");
    }
}

#[test]
#[cfg(unix)]
fn what_no_url_can_name_is_not_published() {
    let sandbox = Sandbox::new("names");
    common::tea_and_bread(&sandbox);
    sandbox.write("packs/tea/wiki/concepts/100%.md", &sandbox.read("packs/tea/wiki/concepts/green-tea.md"));
    let report = sandbox.run(&["build", "packs", "--json"]).ends_with(0).json();
    assert_eq!(report["pages"], 4);
    let findings = report["findings"].to_string();
    assert!(findings.contains("tea/wiki/concepts/100%.md:1: R7: its name holds one of # ? %"), "{findings}");
    sandbox.run(&["check", "packs/tea"]).ends_with(3);

    sandbox.write("packs/c#/index.md", "# C#");
    sandbox.write("packs/c#/loops.md", "# Loops");
    let refused = sandbox.run(&["build", "packs"]).ends_with(1);
    assert!(refused.stderr.contains("packs/c#: \"c#\" holds one of # ? %"), "{refused:?}");
}

#[test]
fn a_build_that_fails_leaves_the_last_one() {
    let sandbox = Sandbox::new("fails");
    common::tea_and_bread(&sandbox);
    sandbox.run(&["build", "packs", "-o", "site"]).ends_with(0);
    let before = sandbox.files("site");

    // Two packs of one path can't both be published.
    sandbox.write("other/tea/manifest.yaml", "name: tea\n");
    sandbox.write("other/tea/wiki/concepts/a.md", "# A\n");
    let clash = sandbox.run(&["build", "packs", "other", "-o", "site"]).ends_with(1);
    assert!(clash.stderr.contains("two packs would have the path tea"), "{clash:?}");
    assert!(sandbox.files("site") == before);

    // A folder that no build made is not replaced.
    sandbox.write("mine/thesis.txt", "years of work");
    let refused = sandbox.run(&["build", "packs", "-o", "mine"]).ends_with(1);
    assert!(refused.stderr.contains("holds files that no build made"), "{refused:?}");
    assert_eq!(sandbox.read("mine/thesis.txt"), "years of work");

    // In place: where the index can't be written, the catalog still points at the last one.
    sandbox.run(&["build", "packs"]).ends_with(0);
    let catalog = sandbox.read("packs/catalog.json");
    std::fs::rename(sandbox.path("packs/index"), sandbox.path("kept")).unwrap();
    sandbox.write("packs/index", "a file where the folder should be");
    let page = sandbox.read("packs/tea/wiki/concepts/green-tea.md");
    sandbox.write("packs/tea/wiki/concepts/green-tea.md", &page.replace("70", "80"));
    sandbox.run(&["build", "packs"]).ends_with(1);
    assert_eq!(sandbox.read("packs/catalog.json"), catalog);
    assert!(!sandbox.files("packs").iter().any(|(name, _)| name.ends_with(".part")), "a half-written file is left");
}
