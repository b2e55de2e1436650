//! C4 in packs of other folders than `concepts/`, and for targets that are no pages.

use super::super::lint;
use crate::pack::{Dialect, Pack};

/// Checks the messages of C4 on the page `notes/a.md`, whose body is `body`, beside some other pages.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    check_in(Dialect::Okf, "notes/a.md", body, expected);
}

#[track_caller]
fn check_in(dialect: Dialect, file: &str, body: &str, expected: &[&str]) {
    let text = format!("---\ntype: Note\ntitle: A\ndescription: D\n---\n\n{body}\n");
    let other = "---\ntype: Note\ntitle: B\ndescription: D\n---\n";
    let others = ["Sector Performance.md", "x/Plan.md", "y/Plan.md", "notes/Cafe\u{301}.md"];
    let pages: Vec<(&str, &str)> =
        others.map(|file| (file, other)).into_iter().chain([(file, text.as_str())]).collect();
    let pack = Pack { dialect, ..Pack::of_pages("vaults/mine", &pages) };
    let found = lint(&pack).into_iter().filter(|finding| finding.code == "C4").map(|finding| finding.message);
    assert_eq!(found.collect::<Vec<_>>(), expected, "{body}");
}

#[test]
fn what_is_outside_the_pack_is_not_looked_for() {
    for target in [
        "tel:+1-555-0100",
        "mailto:a@b.org",
        "obsidian://open?vault=v&file=x",
        "//host/x",
        "?q=x",
        "ftp://x.org/a",
        "zotero://select/items/1",
        "https://x.org/a.md",
        "#part",
    ] {
        check(&format!("See [it]({target})."), &[]);
    }
    check("[[obsidian://open?vault=v]] [[https://x.org|x]]", &[]);
    check("[[Box:x]]", &["[[Box:x]]: there is no Box:x.md in notes or another folder of the pack"]);
}

#[test]
fn pictures_and_attachments_are_not_looked_for() {
    for text in [
        "![a picture](gone.png)",
        "![a picture](<img/a b.JPG>)",
        "[a picture](../img/gone.svg?raw=1)",
        "![[gone.png]]",
        "![[Pasted image 2024.png|300]]",
        "[the report](files/Report%202024.pdf#page=3)",
        "[[Report.pdf]]",
        "[[Board.canvas]]",
        "[a table](data.csv), [all](all.tar.gz) and [a film](film.webm)",
    ] {
        check(text, &[]);
    }
}

#[test]
fn a_page_that_is_not_there_is_named_with_the_folder() {
    check("[[gone]]", &["[[gone]]: there is no gone.md in notes or another folder of the pack"]);
    check("[[gone#part|x]]", &["[[gone#part]]: there is no gone.md in notes or another folder of the pack"]);
    check("[[q1/gone]]", &["[[q1/gone]]: there is no q1/gone.md in notes or another folder of the pack"]);
    check("[[../gone]]", &["[[../gone]]: there is no gone.md"]);
    check("[[/q1/gone]]", &["[[/q1/gone]]: there is no q1/gone.md"]);
    check("[x](gone.md)", &["link to gone.md: not there"]);
    let root = "[[gone]]: there is no gone.md in mine or another folder of the pack";
    check_in(Dialect::Okf, "a.md", "[[gone]]", &[root]);
    let wiki = "[[gone]]: there is no gone.md in wiki/concepts or another folder of the pack";
    check_in(Dialect::Wiki, "concepts/a.md", "[[gone]]", &[wiki]);
}

#[test]
fn a_page_in_another_folder_or_spelling_is_there() {
    check(
        "[[sector performance]] [[Café]] [s](Sector%20Performance.md) [s](../sector%20performance.md) [[x/plan]]",
        &[],
    );
}

#[test]
fn two_pages_as_near_are_named() {
    let plan = "link to Plan: leads to x/Plan.md, and y/Plan.md is as near: name the folder too";
    check("[[Plan]]", &[plan]);
    check("[[Plan|one]], [[Plan|two]] on a line, and [p](x/Plan.md)", &[plan]);
    check("[p](Plan.md)", &["link to Plan.md: leads to x/Plan.md, and y/Plan.md is as near: name the folder too"]);
}

#[test]
fn links_that_could_harm_are_told() {
    for target in ["javascript:alert(1)", "JavaScript:x", "data:text/html,x", "vbscript:x", "file:///etc/passwd"] {
        check(&format!("[x]({target})"), &[&format!("link to {target}: such links are not followed")]);
    }
}

#[test]
fn files_that_are_no_pages_are_there() {
    let dir = std::env::temp_dir().join(format!("seealso-lint-files-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("notes/folder")).unwrap();
    for file in ["notes/index.md", "notes/run.py"] {
        std::fs::write(dir.join(file), "x").unwrap();
    }
    let body = "[i](index.md), [f](folder), [r](run.py), [[index]], [[run.py]], [[folder]], [[gone.py]]";
    let text = format!("---\ntype: Note\ntitle: A\ndescription: D\n---\n\n{body}\n");
    let pack = Pack { dialect: Dialect::Okf, dir: dir.clone(), ..Pack::of_pages("mine", &[("notes/a.md", &text)]) };
    let found = lint(&pack).into_iter().filter(|finding| finding.code == "C4").map(|finding| finding.message);
    let no_page = |name: &str| format!("[[{name}]]: there is no {name}.md in notes or another folder of the pack");
    assert_eq!(found.collect::<Vec<_>>(), [no_page("folder"), no_page("gone.py")]);
    std::fs::remove_dir_all(dir).unwrap();
}
