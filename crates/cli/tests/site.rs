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
fn what_is_wrong_is_said() {
    let sandbox = kitchen("site-wrong");
    let stderr = |arguments: &[&str]| sandbox.run(arguments).ends_with(1).stderr;
    assert!(stderr(&["site", "nowhere"]).contains("nowhere: there is no such folder"));
    sandbox.write("empty/notes.txt", "No HTML.");
    assert!(stderr(&["site", "empty"]).contains("no page with text was found in 0 HTML files"));
    assert!(stderr(&["site", "dist", "--engine", "empty"]).contains("there is no see-also.js in it"));
    sandbox.write("dist/seealso.toml", "content = 'a:hover'\n");
    assert!(stderr(&["site", "dist"]).contains("is no selector"));
}
