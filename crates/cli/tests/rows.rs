//! An index over rows of a TSV file, in many files; and the filters, on packs with pages.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

/// A sandbox with 6,000 rows in `things.tsv`.
fn with_rows(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let kinds = ["parser", "renderer", "scheduler"];
    let rows: String = (0..6_000)
        .map(|n| format!("npm/thing-{n}\tthing-{n}\tA small {} whose number is n{n}.\n", kinds[n % 3]))
        .collect();
    sandbox.write("things.tsv", &rows);
    sandbox
}

#[test]
fn rows_are_built_and_listed() {
    let sandbox = with_rows("rows");
    let built = sandbox.run(&["build", "things.tsv", "-o", "site", "--json"]).ends_with(0).json();
    assert_eq!((&built["packs"], &built["pages"]), (&json!(1), &json!(6_000)));
    assert!(built["index_files"].as_u64().unwrap() > 10, "{built}");

    let found = sandbox.run(&["search", "thing-4321", "--packs", "site", "--json"]).ends_with(0).json();
    assert_eq!(found["results"][0]["page"], "things/npm/thing-4321");
    assert_eq!(found["results"][0]["exact"], true);
    assert_eq!(found["results"][0]["summary"], "A small renderer whose number is n4321.");
    let many = sandbox.run(&["search", "scheduler", "--packs", "site", "-k", "20"]).ends_with(0).stdout;
    assert_eq!(many.lines().count(), 40, "{many}");

    let answer = sandbox.run(&["ask", "Which thing is a parser?", "--packs", "site"]).ends_with(4);
    assert!(answer.stdout.contains("No answer: pages that may hold it could not be read."), "{answer:?}");
    assert_eq!(answer.stderr.lines().count(), 2, "{answer:?}");
    assert!(answer.stderr.contains("an index of rows has none"), "{answer:?}");
    sandbox.run(&["explain", "Which thing is a parser?", "--packs", "site"]).ends_with(0);
}

#[test]
fn the_numbers_of_an_index_in_many_files_add_up() {
    let sandbox = with_rows("rows-stats");
    sandbox.run(&["build", "things.tsv", "-o", "site", "--packs", "150", "--name", "list"]).ends_with(0);
    let stats = sandbox.run(&["stats", "--packs", "site", "--json"]).ends_with(0).json();
    assert_eq!((stats["packs"].as_array().unwrap().len(), &stats["pages"]), (150, &json!(6_000)));
    assert_eq!((&stats["packs"][149]["path"], &stats["packs"][149]["pages"]), (&json!("list-150"), &json!(40)));
    assert_eq!(stats["packs"][0]["links_derived"], json!(null));
    let parts = stats["parts"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
    for name in ["list of packs", "root", "term shards", "text blocks"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let sum = |key: &str| parts.iter().map(|part| part[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(stats["index"]["bytes"], sum("bytes"));
    let files = sandbox.files("site/index");
    let served: Vec<_> = files.iter().filter(|(name, _)| !name.ends_with(".files")).collect();
    assert_eq!(served.len() as u64, sum("files"));
    assert_eq!(served.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>(), sum("bytes"));
    assert!(sandbox.run(&["stats", "--packs", "site"]).ends_with(0).stdout.contains("and 110 more"));

    let found = sandbox.run(&["search", "scheduler", "--packs", "site", "--pack", "list-002", "-k", "50", "--json"]);
    let found = found.ends_with(0).json();
    let rows = found["results"].as_array().unwrap();
    assert_eq!(rows.len(), 13);
    assert!(rows.iter().all(|row| row["pack_path"] == "list-002"), "{found}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_id() {
    let sandbox = Sandbox::new("rows-mark");
    sandbox.write("rows.tsv", "\u{feff}tea\tTea\tLeaves.\r\nsalt\tSalt\tIt is mined.\r\n");
    sandbox.run(&["build", "rows.tsv", "-o", "site"]).ends_with(0);
    let found = sandbox.run(&["search", "leaves", "--packs", "site", "--json"]).ends_with(0).json();
    assert_eq!(found["results"][0]["page"], "rows/tea");
}

#[test]
fn a_file_of_rows_needs_a_folder_to_write_to() {
    let sandbox = with_rows("rows-out");
    let check = |arguments: &[&str], says: &str| {
        let run = sandbox.run(arguments).ends_with(1);
        assert!(run.stderr.contains(says), "{run:?}");
    };
    check(&["build", "things.tsv"], "say with --out");
    check(&["build", "things.tsv", "-o", "site", "--name", "../x"], "\"../x\" can't be a pack's path");
    sandbox.write("odd.tsv", "a\tA\tx\nno tabs here\n");
    check(&["build", "odd.tsv", "-o", "site"], "odd.tsv: line 2 is no row");
    sandbox.write("twice.tsv", "a\tA\tx\nb\tB\ty\na\tC\tz\n");
    check(&["build", "twice.tsv", "-o", "site"], "twice.tsv: line 3 has an id that an earlier line has too");
    std::fs::write(sandbox.path("old.tsv"), b"a\tA\tx\nb\tCaf\xe9\ty\n").unwrap();
    check(&["build", "old.tsv", "-o", "site"], "old.tsv: line 2 is not in UTF-8");
    common::tea_and_bread(&sandbox);
    check(&["build", "packs", "--name", "x"], "--name is for a file of rows");
    let rows = ["build", "things.tsv", "-o", "site"];
    check(&[&rows[..], &["--tsv"]].concat(), "--tsv is for packs, and the file of rows is one already; leave it out");
    check(
        &[&rows[..], &["--body-terms", "64"]].concat(),
        "--body-terms is for packs, and rows have no bodies; leave it out",
    );
    check(
        &[&rows[..], &["--file-bytes", "4096"]].concat(),
        "--file-bytes is for packs, and an index of rows is divided by its size; leave it out",
    );
    assert!(!sandbox.path("site").exists());
    sandbox.write("mine/thesis.txt", "years of work");
    check(&["build", "things.tsv", "-o", "mine"], "holds files that no build made");
    assert_eq!(sandbox.files("mine").len(), 1);
}

#[test]
fn a_filter_keeps_to_packs_tags_and_languages() {
    let sandbox = Sandbox::with_packs("filters");
    let pages = |filter: &[&str]| -> Vec<String> {
        let run =
            sandbox.run(&[&["search", "how tea leaves and yeast rise", "--packs", "packs", "--json"], filter].concat());
        let found = run.json();
        found["results"].as_array().unwrap().iter().map(|row| row["pack_path"].as_str().unwrap().to_owned()).collect()
    };
    let tea = |found: Vec<String>| !found.is_empty() && found.iter().all(|pack| pack == "tea");
    assert!(!tea(pages(&[])));
    assert!(
        tea(pages(&["--pack", "tea"]))
            && tea(pages(&["--tag", "TEA"]))
            && tea(pages(&["--tag", "tea", "--language", "en"]))
    );
    assert!(!tea(pages(&["--pack", "tea", "--pack", "bread"])));
    assert_eq!(pages(&["--language", "de"]), [""; 0]);
    assert_eq!(pages(&["--tag", "coffee"]), [""; 0]);
    let none = sandbox.run(&["search", "tea", "--packs", "packs", "--language", "de"]).ends_with(4);
    assert_eq!(
        none.stdout,
        "No page that passes the filter holds a word of \"tea\", stop words such as \"the\" aside.\n"
    );

    let ask =
        |filter: &[&str]| sandbox.run(&[&["ask", "Why does a crust brown?", "--packs", "packs"], filter].concat());
    assert!(ask(&["--pack", "bread"]).ends_with(0).stdout.contains("A crust browns above 140 degrees."));
    ask(&["--pack", "tea"]).ends_with(4);
    assert!(ask(&["--pack", "coffee"]).ends_with(1).stderr.contains("coffee: there is no such pack"));
    let explained =
        sandbox.run(&["explain", "crust", "--packs", "packs", "--tag", "tea", "--json"]).ends_with(0).json();
    assert_eq!(explained["picks"], json!([]));
}
