//! `seealso site`: from a folder of HTML to an answer with a link to the section of the page that says it.
#![allow(clippy::unwrap_used)]

mod common;

use common::Sandbox;
use serde_json::json;

fn page(title: &str, body: &str) -> String {
    format!(
        "<html lang=en><head><title>{title} - Kitchen</title></head><body><nav><a href=index.html>Home</a></nav>\
         <main><h1 id=top>{title}</h1>{body}</main></body></html>"
    )
}

/// A site of three pages and a redirect in the folder `dist`.
fn kitchen(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let pots = "<p>A teapot keeps tea warm while its leaves are steeped.</p><h2 id=lids>Lids</h2>\
        <p>The lid of a teapot has a small hole, so that air comes in while tea is poured out.</p>\
        <h2 id=cleaning>Cleaning</h2><p>A teapot is cleaned with soda, never with soap.</p>";
    sandbox.write(
        "dist/index.html",
        &page(
            "Home",
            "<p>All about the kitchen, its pots and its ovens.</p><p><a href=guide/teapots.html>Teapots</a></p>",
        ),
    );
    sandbox.write("dist/guide/teapots.html", &page("Teapots", pots));
    sandbox.write(
        "dist/guide/ovens.html",
        &page("Ovens", "<p>An oven is heated for a quarter of an hour before bread is put in.</p>"),
    );
    sandbox.write("dist/old.html", "<meta http-equiv=refresh content='0; url=index.html'>");
    sandbox
}

#[test]
fn a_built_site_answers_with_links_to_its_sections() {
    let sandbox = kitchen("site");
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["pages"], &report["sections"], &report["packs"]), (&json!(3), &json!(5), &json!(["en"])));
    assert_eq!((&report["skipped"], &report["unchanged"]), (&json!({ "redirect": 1 }), &json!(false)));

    let question = "Why does the lid of a teapot have a hole?";
    let answer = sandbox.run(&["ask", question, "--packs", "dist/seealso", "--json"]).ends_with(0).json();
    assert_eq!(answer["sources"][0]["url"], "../guide/teapots.html");
    assert_eq!(answer["sentences"][0]["anchor"], "lids");
    let answer = sandbox.run(&["ask", question, "--packs", "dist/seealso"]).ends_with(0);
    assert!(answer.stdout.contains("../guide/teapots.html#lids"), "{answer:?}");
}

#[test]
fn a_second_run_reads_what_changed_and_drops_what_is_gone() {
    let sandbox = kitchen("site-again");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let before = sandbox.files("dist/seealso");
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["pages"], &report["unchanged"]), (&json!(3), &json!(true)));
    assert_eq!(sandbox.files("dist/seealso"), before);

    std::fs::remove_file(sandbox.path("dist/guide/ovens.html")).unwrap();
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["pages"], &report["unchanged"]), (&json!(2), &json!(false)));
    let found = sandbox.run(&["search", "oven bread", "--packs", "dist/seealso", "--json"]).json();
    assert!(!found.to_string().contains("ovens.html"), "{found}");
}

#[test]
fn a_second_run_with_the_same_engine_changes_nothing() {
    let sandbox = kitchen("site-same-engine");
    engine(&sandbox);
    sandbox.write("engine/talk/words.js", "export const WORDS = [];");
    let run = || sandbox.run(&["site", "dist", "--engine", "engine", "--inject", "--json"]).ends_with(0).json();
    assert_eq!(run()["unchanged"], false);
    let before = sandbox.files("dist");
    assert_eq!(run()["unchanged"], true);
    assert_eq!(sandbox.files("dist"), before);

    sandbox.write("engine/talk/words.js", "export const WORDS = [1];");
    assert_eq!(run()["unchanged"], false);
    assert_eq!(sandbox.read("dist/seealso/talk/words.js"), "export const WORDS = [1];");
    sandbox.write("engine/new.js", "export {};");
    assert_eq!(run()["unchanged"], false);
    std::fs::remove_file(sandbox.path("engine/new.js")).unwrap();
    assert_eq!(run()["unchanged"], false);
    assert!(!sandbox.path("dist/seealso/new.js").exists());
}

#[test]
fn a_run_over_a_changed_site_writes_what_a_first_run_would() {
    let sandbox = kitchen("site-changed");
    sandbox.run(&["site", "dist"]).ends_with(0);
    sandbox.write("dist/guide/ovens.html", &page("Ovens", "<p>An oven of clay is heated with wood for an hour.</p>"));
    std::fs::remove_file(sandbox.path("dist/old.html")).unwrap();
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["read_files"], &report["pages"], &report["skipped"]), (&json!(1), &json!(3), &json!({})));
    let changed = sandbox.files("dist/seealso");

    std::fs::remove_dir_all(sandbox.path("dist/seealso")).unwrap();
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!(report["read_files"], 3);
    assert_eq!(sandbox.files("dist/seealso"), changed);
    // What was read with other settings is read again.
    sandbox.write("dist/seealso.toml", "split = 2000\n");
    assert_eq!(sandbox.run(&["site", "dist", "--json"]).ends_with(0).json()["read_files"], 3);
}

#[test]
fn a_damaged_output_is_written_again() {
    let sandbox = kitchen("site-damaged");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let whole = sandbox.files("dist/seealso");
    for damage in ["catalog.json", ".pages.cache", "en/wiki/guide/ovens.html.md"] {
        sandbox.write(&format!("dist/seealso/{damage}"), "damaged");
        let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
        assert_eq!(report["unchanged"], false, "{damage}");
        assert_eq!(sandbox.files("dist/seealso"), whole, "{damage}");
    }
}

#[test]
fn files_of_others_stay() {
    let sandbox = kitchen("site-others");
    sandbox.write("dist/seealso/recipes/wiki/soup.md", "# Soup\n");
    sandbox.write("dist/seealso/models/models.json", "[]");
    sandbox.run(&["site", "dist"]).ends_with(0);
    sandbox.write("dist/index.html", &page("Home", "<p>Another text about the kitchen and its pots.</p>"));
    sandbox.run(&["site", "dist"]).ends_with(0);
    assert_eq!(sandbox.read("dist/seealso/recipes/wiki/soup.md"), "# Soup\n");
    assert_eq!(sandbox.read("dist/seealso/models/models.json"), "[]");

    let sandbox = kitchen("site-taken");
    sandbox.write("dist/seealso/catalog.json", "mine");
    let failed = sandbox.run(&["site", "dist"]).ends_with(1);
    assert!(failed.stderr.contains("catalog.json: this file was not written by seealso site"), "{failed:?}");
    assert_eq!(sandbox.files("dist/seealso"), [("catalog.json".to_owned(), b"mine".to_vec())]);
}

/// The names in the site's folder that begin with `.seealso`.
fn leavings(sandbox: &Sandbox) -> Vec<String> {
    let entries = std::fs::read_dir(sandbox.path("dist")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".seealso")).collect()
}

#[test]
fn a_run_that_is_killed_leaves_the_last_output() {
    let sandbox = kitchen("site-killed");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let before = sandbox.files("dist/seealso");
    for n in 0..200 {
        let text = format!("<p>Recipe {n} of the book has an ingredient that no other has, called stuff-{n}.</p>");
        sandbox.write(&format!("dist/recipes/{n}.html"), &page(&format!("Recipe {n}"), &text));
    }
    let mut child = sandbox.command(&["site", "dist"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    while !sandbox.path("dist/.seealso.part").exists() {
        assert!(child.try_wait().unwrap().is_none() || sandbox.path("dist/seealso/en/wiki/recipes").exists());
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let after = sandbox.files("dist/seealso");
    assert!(after == before || after.iter().any(|(name, _)| name.contains("recipes/199")), "neither old nor new");

    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!(report["pages"], 203);
    assert!(leavings(&sandbox).is_empty(), "{:?}", leavings(&sandbox));
}

#[test]
fn an_output_that_was_moved_away_is_moved_back() {
    let sandbox = kitchen("site-moved");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let before = sandbox.files("dist/seealso");
    std::fs::rename(sandbox.path("dist/seealso"), sandbox.path("dist/.seealso.old")).unwrap();
    sandbox.write("dist/.seealso.part/.made-by-seealso-site", "");
    sandbox.write("dist/.seealso.part/half", "written");
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!(report["unchanged"], true);
    assert_eq!((sandbox.files("dist/seealso"), leavings(&sandbox)), (before, Vec::new()));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_last_output() {
    let sandbox = kitchen("site-full");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let before = sandbox.files("dist/seealso");
    let long = "<p>More than the disk can take, in words that differ: one, two, three, four.</p>".repeat(500);
    sandbox.write("dist/long.html", &page("Long", &long));
    // A file that grows beyond the limit fails as on a full disk.
    let mut shell = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" site dist";
    let run = shell.args(["-c", script, env!("CARGO_BIN_EXE_seealso")]).current_dir(sandbox.path("")).output().unwrap();
    let error = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.code() == Some(1) && error.contains("writing ") && error.contains(".seealso.part"), "{error}");
    assert_eq!((sandbox.files("dist/seealso"), leavings(&sandbox)), (before, Vec::new()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_the_last_output() {
    let sandbox = kitchen("site-ctrl-c");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let before = sandbox.files("dist/seealso");
    for n in 0..300 {
        let text = format!("<p>Recipe {n} of the book has an ingredient that no other has, called stuff-{n}.</p>");
        sandbox.write(&format!("dist/recipes/{n}.html"), &page(&format!("Recipe {n}"), &text));
    }
    let child = sandbox.command(&["site", "dist"]).stdout(std::process::Stdio::null()).spawn().unwrap();
    while !sandbox.path("dist/.seealso.part").exists() {
        std::thread::yield_now();
    }
    let interrupt = ["-INT", &child.id().to_string()].map(str::to_owned);
    std::process::Command::new("kill").args(interrupt).status().unwrap();
    let run = child.wait_with_output().unwrap();
    // Pressed too late, it stops nothing.
    match run.status.code() {
        Some(130) => assert_eq!(sandbox.files("dist/seealso"), before),
        code => assert_eq!(code, Some(0)),
    }
    assert!(leavings(&sandbox).is_empty(), "{:?}", leavings(&sandbox));
}

#[cfg(unix)]
#[test]
fn two_runs_at_once_do_not_mix() {
    let sandbox = kitchen("site-twice");
    let other = std::fs::File::open(sandbox.path("dist")).unwrap();
    other.try_lock().unwrap();
    let failed = sandbox.run(&["site", "dist"]).ends_with(1);
    assert!(failed.stderr.contains("another run of seealso site is writing there"), "{failed:?}");
    assert!(!sandbox.path("dist/seealso").exists());
    drop(other);
    sandbox.run(&["site", "dist"]).ends_with(0);
}

#[test]
fn a_dry_run_writes_nothing() {
    let sandbox = kitchen("site-dry");
    let before = sandbox.files("dist");
    let report = sandbox.run(&["site", "dist", "--dry-run"]).ends_with(0);
    assert!(
        report.stdout.contains("nothing written") && report.stdout.contains("1 file skipped: a redirect"),
        "{report:?}"
    );
    assert_eq!(sandbox.files("dist"), before);
}

#[test]
fn the_element_goes_into_every_page_and_comes_out_again() {
    let sandbox = kitchen("site-inject");
    let pages = |sandbox: &Sandbox| {
        sandbox.files("dist").into_iter().filter(|(name, _)| name.ends_with(".html")).collect::<Vec<_>>()
    };
    let before = pages(&sandbox);
    engine(&sandbox);
    let report = sandbox.run(&["site", "dist", "--inject", "--engine", "engine", "--json"]).ends_with(0).json();
    assert_eq!(report["changed_pages"], 4);
    assert_eq!(sandbox.read("dist/seealso/details/x.js"), "// details/x.js");
    assert!(sandbox.read("dist/guide/ovens.html").contains("<see-also packs=\"../seealso/\"></see-also>"));
    assert!(sandbox.read("dist/index.html").contains("src=\"seealso/see-also.js\""));
    let report = sandbox.run(&["site", "dist", "--inject", "--json"]).ends_with(0).json();
    assert_eq!((&report["changed_pages"], &report["unchanged"]), (&json!(0), &json!(true)));
    sandbox.run(&["site", "dist", "--remove"]).ends_with(0);
    assert_eq!(pages(&sandbox), before);
}

#[test]
fn markdown_stands_beside_the_pages_and_comes_out_again() {
    let sandbox = kitchen("site-markdown");
    let before = sandbox.files("dist");
    sandbox.run(&["site", "dist"]).ends_with(0);
    let report = sandbox.run(&["site", "dist", "--markdown", "--json"]).ends_with(0).json();
    assert_eq!((&report["markdown_written"], &report["read_files"]), (&json!(4), &json!(0)));
    assert!(sandbox.read("dist/guide/ovens.md").starts_with("# Ovens\n\nAn oven is heated"));
    assert_eq!(
        sandbox.read("dist/llms.txt"),
        "# Kitchen\n\n> The pages of the site Kitchen.\n\n## Pages\n\n\
         - [Home](index.md): All about the kitchen, its pots and its ovens.\n\n## guide\n\n\
         - [Ovens](guide/ovens.md): An oven is heated for a quarter of an hour before bread is put in.\n\
         - [Teapots](guide/teapots.md): A teapot keeps tea warm while its leaves are steeped.\n"
    );
    let report = sandbox.run(&["site", "dist", "--markdown", "--json"]).ends_with(0).json();
    assert_eq!(report["unchanged"], true);

    // A page that is gone takes its Markdown with it, and one that changed is written again.
    std::fs::remove_file(sandbox.path("dist/guide/ovens.html")).unwrap();
    sandbox.write("dist/index.html", &page("Home", "<p>All about the kitchen and what is in it today.</p>"));
    let report = sandbox.run(&["site", "dist", "--markdown", "--json"]).ends_with(0).json();
    // Home, and the list.
    assert_eq!((&report["markdown_written"], &report["markdown_removed"]), (&json!(2), &json!(1)));
    assert!(!sandbox.path("dist/guide/ovens.md").exists());

    let report = sandbox.run(&["site", "dist", "--remove", "--json"]).ends_with(0).json();
    assert_eq!(report["markdown_removed"], 3);
    let rest: Vec<String> = sandbox.files("dist").into_iter().map(|(name, _)| name).collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).filter(|name| !name.starts_with("seealso/")).collect();
    assert_eq!(rest, ["guide/teapots.html", "index.html", "old.html"]);
    assert_eq!(before.len(), 4);
}

#[test]
fn markdown_of_others_is_never_replaced() {
    let sandbox = kitchen("site-markdown-others");
    sandbox.write("dist/llms.txt", "# Mine\n");
    sandbox.write("dist/guide/ovens.md", "Mine.\n");
    let report = sandbox.run(&["site", "dist", "--markdown", "--json"]).ends_with(0).json();
    assert_eq!(report["markdown_left"], json!(["guide/ovens.md", "llms.txt"]));
    // What was written and then changed by somebody is somebody's.
    sandbox.write("dist/guide/teapots.md", "Changed by hand.\n");
    sandbox.write("dist/guide/teapots.html", &page("Teapots", "<p>A teapot is made of clay or of iron.</p>"));
    let report = sandbox.run(&["site", "dist", "--markdown", "--json"]).ends_with(0).json();
    assert_eq!(report["markdown_left"], json!(["guide/ovens.md", "guide/teapots.md", "llms.txt"]));
    sandbox.run(&["site", "dist", "--remove"]).ends_with(0);
    assert_eq!(sandbox.read("dist/guide/teapots.md"), "Changed by hand.\n");
    assert_eq!(
        (sandbox.read("dist/llms.txt"), sandbox.read("dist/guide/ovens.md")),
        ("# Mine\n".into(), "Mine.\n".into())
    );
    assert!(!sandbox.path("dist/index.md").exists());
}

#[test]
fn older_versions_are_searched_where_a_filter_names_them() {
    let sandbox = kitchen("site-versions");
    let tea = |temperature: &str| {
        page("Green tea", &format!("<p>Green tea is steeped with water of {temperature} degrees.</p>"))
    };
    sandbox.write("dist/2.0/tea.html", &tea("seventy"));
    sandbox.write("dist/1.0/tea.html", &tea("ninety"));
    engine(&sandbox);
    let report = sandbox.run(&["site", "dist", "--engine", "engine", "--inject", "--json"]).ends_with(0).json();
    assert_eq!(report["older"], json!({ "1.0": { "pages": 1, "packs": "versions/1.0" } }));
    assert_eq!(report["packs"], json!(["en", "versions/1.0/en"]));
    let question = "What is green tea steeped with?";
    for (filter, expected, other) in
        [(&[][..], "seventy", "ninety"), (&["--pack", "versions/1.0"], "ninety", "seventy")]
    {
        let asked = [&["ask", question, "--packs", "dist/seealso", "--json"], filter].concat();
        let answer = sandbox.run(&asked).ends_with(0).json().to_string();
        assert!(answer.contains(expected) && !answer.contains(other), "{answer}");
        let found =
            sandbox.run(&[&["search", "green tea", "--packs", "dist/seealso", "--json"], filter].concat()).json();
        assert_eq!(found.to_string().contains("1.0/tea.html"), expected == "ninety", "{found}");
    }
    // On a page of an old version the element keeps to it.
    assert!(sandbox.read("dist/1.0/tea.html").contains("packs=\"../seealso/\" only-packs=\"versions/1.0\""));
    assert!(!sandbox.read("dist/2.0/tea.html").contains("only-packs"));

    sandbox.write("dist/seealso.toml", "versions = 'newest'\n");
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["packs"], &report["skipped"]["old-version"]), (&json!(["en"]), &json!(1)));
}

#[test]
fn what_is_wrong_is_said() {
    let sandbox = kitchen("site-wrong");
    let stderr = |arguments: &[&str]| sandbox.run(arguments).ends_with(1).stderr;
    assert!(stderr(&["site", "nowhere"]).contains("nowhere: there is no such folder"));
    sandbox.write("empty/notes.txt", "No HTML.");
    assert!(stderr(&["site", "empty"]).contains("no page with text was found; name the folder"));
    assert!(stderr(&["site", "dist", "--engine", "empty"]).contains("there is no see-also.js in it"));
    sandbox.write("dist/seealso.toml", "content = 'a:hover'\n");
    assert!(stderr(&["site", "dist"]).contains("is no selector"));
}

/// Writes a package of the engine to `engine`, as far as the command looks into one.
fn engine(sandbox: &Sandbox) {
    for file in ["see-also.js", "details/x.js", "seealso_bg.wasm", "seealso_bg.wasm.deflate"] {
        sandbox.write(&format!("engine/{file}"), &format!("// {file}"));
    }
    for file in ["README.md", "LICENSE-MIT", "package.json", "seealso.d.ts", "node_modules/x/x.js"] {
        sandbox.write(&format!("engine/{file}"), "not loaded by pages");
    }
}

/// The paths of the files in a folder.
fn names(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    sandbox.files(folder).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn pages_are_not_made_to_load_what_is_not_there() {
    let sandbox = kitchen("site-no-engine");
    let before = sandbox.files("dist");
    for extra in [&[][..], &["--dry-run"]] {
        let failed = sandbox.run(&[&["site", "dist", "--inject"], extra].concat()).ends_with(1);
        let expected =
            "dist/seealso: there is no see-also.js in it, so that no page could load the element; name the folder of";
        assert!(failed.stderr.contains(expected), "{failed:?}");
        assert_eq!(sandbox.files("dist"), before);
    }
    // Scripts without the engine are no engine.
    sandbox.write("scripts/see-also.js", "export {};");
    let failed = sandbox.run(&["site", "dist", "--inject", "--engine", "scripts"]).ends_with(1);
    assert!(failed.stderr.contains("scripts: there is no seealso_bg.wasm in it"), "{failed:?}");
    assert_eq!(sandbox.files("dist"), before);

    engine(&sandbox);
    sandbox.run(&["site", "dist", "--engine", "engine"]).ends_with(0);
    let copied: Vec<String> = names(&sandbox, "dist/seealso")
        .into_iter()
        .filter(|name| !name.contains(".md") && !name.starts_with("index/"))
        .collect();
    assert_eq!(
        copied,
        [
            ".pages.cache",
            "catalog.json",
            "details/x.js",
            "en/manifest.yaml",
            "see-also.js",
            "seealso_bg.wasm",
            "seealso_bg.wasm.deflate",
            "site.json"
        ]
    );
    // Once it is there, no run has to name it again.
    assert_eq!(sandbox.run(&["site", "dist", "--inject", "--json"]).ends_with(0).json()["changed_pages"], 4);
}

#[test]
fn headings_without_ids_are_cited_where_the_page_can_be_opened() {
    let sandbox = Sandbox::new("site-no-ids");
    let long = "<p>A kettle is a vessel, and of vessels there is much to tell on any page about them.</p>".repeat(60);
    let body = format!(
        "<p>All about kettles.</p><h2>Whistles</h2><p>The whistle of a kettle tells that its water boils.</p>{long}\
         <h2 id=handles>Handles</h2><p>The handle of a kettle is made of wood.</p>{long}\
         <h3>Grips</h3><p>The grip of a kettle is covered with cork.</p>{long}"
    );
    let html = format!("<html lang=en><title>Kettles</title><main><h1>Kettles</h1>{body}</main>");
    sandbox.write("dist/guide/kettles.html", &html);
    sandbox.write("dist/index.html", &page("Home", "<p>All about the kitchen, its pots and its ovens.</p>"));
    sandbox.run(&["site", "dist"]).ends_with(0);
    let files: Vec<String> =
        names(&sandbox, "dist/seealso").into_iter().filter(|name| name.contains("kettles")).collect();
    assert_eq!(
        files,
        [
            "en/wiki/guide/kettles.html.md",
            "en/wiki/guide/kettles.html~~handles.md",
            "en/wiki/guide/kettles.html~~handles~~3.md",
            "en/wiki/guide/kettles.html~~~~1.md"
        ]
    );
    for (question, place) in [
        ("What does the whistle of a kettle tell?", "../guide/kettles.html"),
        ("What is the handle of a kettle made of?", "../guide/kettles.html#handles"),
        ("What is the grip of a kettle covered with?", "../guide/kettles.html#handles"),
    ] {
        let answer = sandbox.run(&["ask", question, "--packs", "dist/seealso", "--json"]).ends_with(0).json();
        assert_eq!(answer["sources"][0]["url"], place, "{question}");
        let anchor = place.split_once('#').map_or("", |(_, anchor)| anchor);
        assert_eq!(answer["sentences"][0]["anchor"], anchor, "{question}");
        let shown = sandbox.run(&["ask", question, "--packs", "dist/seealso"]).ends_with(0).stdout;
        let shown = shown.lines().find(|line| line.starts_with("[1]")).unwrap().to_owned();
        assert!(shown.ends_with(&format!("  {place}")), "{shown}");
    }
}

#[test]
fn settings_that_make_no_sense_are_named_with_file_line_and_key() {
    let sandbox = kitchen("site-settings");
    let before = names(&sandbox, "");
    for (text, expected) in [
        (
            "title = 'Kitchen'\nlanguage = 'xx/../../../evil'\n",
            &["line 2", "language: \"xx/../../../evil\" is no language tag"][..],
        ),
        ("language = ''\n", &["line 1", "language: \"\" is no language tag"]),
        ("split = 3\n", &["line 1", "split: write a number of bytes"]),
        ("exclude = [\n  'a/*',\n  '/b',\n]\n", &["line 1", "exclude: \"/b\" names no pages"]),
    ] {
        sandbox.write("dist/seealso.toml", text);
        let failed = sandbox.run(&["site", "dist"]).ends_with(1);
        assert!(failed.stderr.contains("dist/seealso.toml: TOML parse error at "), "{failed:?}");
        for part in expected {
            assert!(failed.stderr.contains(part), "{part}: {failed:?}");
        }
    }
    std::fs::remove_file(sandbox.path("dist/seealso.toml")).unwrap();
    assert_eq!(names(&sandbox, ""), before);
    // What pages say is taken for a language only where it has the shape of one.
    let evil =
        "<html lang='de/../../../evil'><h1>Pans</h1><p>The pan is in the oven, and it is hot for an hour of that.</p>";
    sandbox.write("dist/pans.html", evil);
    assert_eq!(sandbox.run(&["site", "dist", "--json"]).ends_with(0).json()["packs"], json!(["en"]));
}

#[test]
fn a_page_that_cannot_be_written_keeps_no_other_from_it() {
    let sandbox = kitchen("site-read-only");
    engine(&sandbox);
    sandbox.write("dist/frames.html", "<html><frameset cols='1,1'><frame src=index.html></frameset></html>");
    let path = sandbox.path("dist/guide/ovens.html");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    let report = sandbox.run(&["site", "dist", "--engine", "engine", "--inject", "--json"]).ends_with(3).json();
    assert_eq!((&report["changed_pages"], &report["skipped"]["frames"]), (&json!(3), &json!(1)));
    let failed = report["failed_pages"]["guide/ovens.html"].as_str().unwrap();
    assert!(failed.ends_with("guide/ovens.html: the file is read-only"), "{failed}");
    let reason = "without a place for the element: frames, or an end within a script or comment";
    assert_eq!(report["left_pages"], json!({ "frames.html": reason }));
    assert!(sandbox.read("dist/index.html").contains("<see-also packs=\"seealso/\"></see-also>"));
    let shown = sandbox.run(&["site", "dist", "--inject"]).ends_with(3).stdout;
    assert!(shown.contains(&format!("1 page left without the element: {reason}")), "{shown}");
    assert!(shown.contains("not changed: guide/ovens.html: "), "{shown}");
}

#[test]
fn what_authors_put_between_marks_of_their_own_stays() {
    let sandbox = kitchen("site-own-marks");
    engine(&sandbox);
    let own =
        page("Pans", "<p>A pan is flat.</p><!-- seealso: start -->\n<p>My notes on pans.</p>\n<!-- seealso: end -->");
    sandbox.write("dist/pans.html", &own);
    sandbox.run(&["site", "dist", "--engine", "engine", "--inject"]).ends_with(0);
    assert!(sandbox.read("dist/pans.html").contains("<p>My notes on pans.</p>"));
    sandbox.run(&["site", "dist", "--remove"]).ends_with(0);
    assert_eq!(sandbox.read("dist/pans.html"), own);
}

#[test]
fn an_output_whose_list_is_lost_is_replaced() {
    let sandbox = kitchen("site-lost-list");
    engine(&sandbox);
    sandbox.write("dist/1.0/tea.html", &page("Tea", "<p>Tea is steeped with water of ninety degrees.</p>"));
    sandbox.write("dist/2.0/tea.html", &page("Tea", "<p>Tea is steeped with water of seventy degrees.</p>"));
    sandbox.run(&["site", "dist", "--engine", "engine"]).ends_with(0);
    sandbox.write("dist/seealso/recipes/wiki/soup.md", "# Soup\n");
    sandbox.write("dist/seealso/mine.js", "// mine");
    let list = sandbox.read("dist/seealso/site.json");
    let older = list.replace("\"made_by\": \"seealso site\",", "").replace("\"version\": 2,", "");
    assert_ne!(older, list);
    for damage in [None, Some("{}"), Some("damaged"), Some(older.as_str())] {
        let path = sandbox.path("dist/seealso/site.json");
        match damage {
            Some(text) => std::fs::write(&path, text).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        sandbox.write("dist/guide/ovens.html", &page("Ovens", &format!("<p>An oven of clay, {damage:?}, is hot.</p>")));
        std::fs::rename(sandbox.path("dist/guide/teapots.html"), sandbox.path("dist/guide/pots.html")).unwrap();
        for arguments in [&["site", "dist"][..], &["site", "dist", "--engine", "engine"]] {
            sandbox.run(arguments).ends_with(0);
            let files = names(&sandbox, "dist/seealso");
            let has = |name: &str| files.iter().any(|file| file == name);
            for name in ["recipes/wiki/soup.md", "mine.js", "seealso_bg.wasm", "versions/1.0/en/manifest.yaml"] {
                assert!(has(name), "{damage:?} {name}: {files:?}");
            }
            assert!(has("en/wiki/guide/pots.html.md") && !has("en/wiki/guide/teapots.html.md"), "{damage:?} {files:?}");
        }
        assert!(sandbox.read("dist/seealso/en/wiki/guide/ovens.html.md").contains(&format!("{damage:?}")[..4]));
        std::fs::rename(sandbox.path("dist/guide/pots.html"), sandbox.path("dist/guide/teapots.html")).unwrap();
        sandbox.run(&["site", "dist", "--engine", "engine"]).ends_with(0);
    }
}

#[cfg(unix)]
#[test]
fn folders_of_others_with_the_names_of_the_command_stay() {
    use std::os::unix::fs::symlink;

    let sandbox = kitchen("site-foreign");
    for name in [".seealso.part", ".seealso.old"] {
        sandbox.write(&format!("dist/{name}/notes.txt"), "mine");
        let failed = sandbox.run(&["site", "dist"]).ends_with(1);
        assert!(failed.stderr.contains(&format!("{name}: this was not made by seealso site")), "{failed:?}");
        assert_eq!(sandbox.read(&format!("dist/{name}/notes.txt")), "mine");
        assert!(!sandbox.path("dist/seealso").exists());
        std::fs::remove_dir_all(sandbox.path(&format!("dist/{name}"))).unwrap();
        symlink("../elsewhere", sandbox.path(&format!("dist/{name}"))).unwrap();
        sandbox.run(&["site", "dist"]).ends_with(1);
        std::fs::remove_file(sandbox.path(&format!("dist/{name}"))).unwrap();
    }
    sandbox.write("elsewhere/notes.txt", "mine");
    symlink("../elsewhere", sandbox.path("dist/seealso")).unwrap();
    for extra in [&[][..], &["--dry-run"], &["--remove"]] {
        let failed = sandbox.run(&[&["site", "dist"], extra].concat()).ends_with(1);
        assert!(
            failed.stderr.contains("dist/seealso: this is a link, which seealso site does not replace"),
            "{failed:?}"
        );
    }
    assert_eq!(names(&sandbox, "elsewhere"), ["notes.txt"]);
    std::fs::remove_file(sandbox.path("dist/seealso")).unwrap();
    sandbox.write("dist/seealso", "a file");
    let failed = sandbox.run(&["site", "dist"]).ends_with(1);
    assert!(failed.stderr.contains("dist/seealso: this is no folder"), "{failed:?}");
}

#[test]
fn a_site_below_a_folder_of_its_host_is_linked_and_shown_there() {
    let sandbox = Sandbox::new("site-sub-path");
    engine(&sandbox);
    let based = |title: &str, body: &str| page(title, body).replace("<head>", "<head><base href=/docs/>");
    sandbox.write(
        "dist/index.html",
        &based("Home", "<p>All about the kitchen. See <a href=guide/teapots.html#lids>lids</a>.</p>"),
    );
    sandbox.write(
        "dist/guide/teapots.html",
        &based("Teapots", "<p>A teapot keeps tea warm.</p><h2 id=lids>Lids</h2><p>A lid closes it. <a href=/docs/guide/ovens.html>Ovens</a></p>"),
    );
    sandbox
        .write("dist/guide/ovens.html", &page("Ovens", "<p>An oven is heated. <a href=/shop/index.html>Shop</a></p>"));
    sandbox.run(&["site", "dist", "--engine", "engine", "--inject"]).ends_with(0);
    let see_also = |file: &str| {
        let page = sandbox.read(&format!("dist/seealso/en/wiki/{file}"));
        page.split_once("# See Also\n\n").map_or_else(String::new, |(_, links)| links.to_owned())
    };
    assert_eq!(see_also("index.html.md"), "- [[/guide/teapots.html.md|Teapots]]\n");
    assert_eq!(see_also("guide/teapots.html.md"), "- [[/guide/ovens.html.md|Ovens]]\n");
    assert!(!see_also("guide/ovens.html.md").contains("index.html"));
    // On a page with a base the packs are named from there.
    assert!(sandbox.read("dist/guide/teapots.html").contains("<see-also packs=\"seealso/\">"));
    assert!(sandbox.read("dist/guide/ovens.html").contains("<see-also packs=\"../seealso/\">"));
}

#[test]
fn the_report_says_what_a_question_costs() {
    let sandbox = kitchen("site-cost");
    let run = || sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    let report = run();
    let cost = &report["question_cost"];
    let (bytes, requests) = (cost["bytes"].as_u64().unwrap(), cost["requests"].as_u64().unwrap());
    // A small index is one file beside the catalog.
    let catalog = sandbox.read("dist/seealso/catalog.json").len() as u64;
    assert_eq!((bytes, requests), (catalog + report["index_bytes"].as_u64().unwrap(), 2));
    assert_eq!(run()["question_cost"], *cost);
    let shown = sandbox.run(&["site", "dist"]).ends_with(0).stdout;
    let kilobytes = bytes as f64 / 1000.0;
    assert!(shown.contains(&format!("a question fetches {kilobytes:.1} KB of the index in 2 requests")), "{shown}");
}

#[test]
fn what_is_no_page_is_not_counted_as_one() {
    let sandbox = kitchen("site-not-counted");
    let words: String = (0..700_000).map(|n| format!("w{n} ")).collect();
    sandbox.write("dist/huge.html", &page("Huge", &format!("<p>{words}</p>")));
    sandbox.write("dist/seealso/mine.html", &page("Mine", "<p>A page in the wrong folder.</p>"));
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["pages"], &report["parts"]), (&json!(3), &json!(3)));
    assert_eq!(report["left_out"], json!(["en/wiki/huge.html.md: larger than 4 MiB: left out"]));
    assert_eq!(report["skipped_files"]["seealso/mine.html"], "output-folder");
    let shown = sandbox.run(&["site", "dist"]).ends_with(0).stdout;
    assert!(shown.contains("1 file skipped: in the folder that the packs are written to"), "{shown}");
    assert!(shown.contains("not in the index: en/wiki/huge.html.md: larger than 4 MiB"), "{shown}");
}

#[test]
fn long_names_are_names_too() {
    let sandbox = Sandbox::new("site-long-names");
    engine(&sandbox);
    let name = format!("{}.html", "n".repeat(245));
    sandbox.write("dist/index.html", &page("Home", "<p>All about the kitchen, its pots and its ovens.</p>"));
    sandbox.write(&format!("dist/{name}"), &page("Samovars", "<p>A samovar boils water with charcoal.</p>"));
    sandbox.run(&["site", "dist", "--engine", "engine", "--inject", "--markdown"]).ends_with(0);
    let question = "What does a samovar boil water with?";
    let answer = sandbox.run(&["ask", question, "--packs", "dist/seealso", "--json"]).ends_with(0).json();
    assert_eq!(answer["sources"][0]["url"], format!("../{name}"));
    assert!(sandbox.read(&format!("dist/{name}")).contains("<see-also"));
    sandbox.run(&["site", "dist", "--remove"]).ends_with(0);
}

#[test]
fn names_are_taken_from_inventories_in_any_folder() {
    let sandbox = kitchen("site-inventory");
    let text = "pour_tea py:function 1 teapots.html#lids -\n";
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packer, text.as_bytes()).unwrap();
    let head = b"# Sphinx inventory version 2\n# Project: Tea\n# Version: 1\n# The remainder is compressed.\n";
    let bytes = [&head[..], &packer.finish().unwrap()].concat();
    std::fs::write(sandbox.path("dist/guide/objects.inv"), bytes).unwrap();
    sandbox.run(&["site", "dist"]).ends_with(0);
    assert!(sandbox.read("dist/seealso/en/wiki/guide/teapots.html.md").contains("aliases:\n  - pour_tea\n"));
    std::fs::remove_file(sandbox.path("dist/guide/objects.inv")).unwrap();
    assert_eq!(sandbox.run(&["site", "dist", "--json"]).ends_with(0).json()["unchanged"], false);
}

#[test]
fn old_editions_that_say_so_stay_out() {
    let sandbox = kitchen("site-editions");
    let notice = "<div class=version-banner>This documentation is for an unsupported version of Kitchen.</div>";
    sandbox.write(
        "dist/archive/pots.html",
        &page("Pots", &format!("{notice}<p>Pots of that time were made of clay.</p>")),
    );
    let report = sandbox.run(&["site", "dist", "--json"]).ends_with(0).json();
    assert_eq!((&report["pages"], &report["skipped_files"]["archive/pots.html"]), (&json!(3), &json!("old-version")));
}
