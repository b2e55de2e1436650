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
    sandbox.write("engine/see-also.js", "export {};");
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
    sandbox.write("scripts/see-also.js", "// the element");
    sandbox.write("scripts/details/x.js", "// a part of it");
    let report = sandbox.run(&["site", "dist", "--inject", "--engine", "scripts", "--json"]).ends_with(0).json();
    assert_eq!(report["changed_pages"], 4);
    assert_eq!(sandbox.read("dist/seealso/details/x.js"), "// a part of it");
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
    let report = sandbox.run(&["site", "dist", "--inject", "--json"]).ends_with(0).json();
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
