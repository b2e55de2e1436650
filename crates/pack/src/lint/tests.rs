//! For each code, a pack that has the flaw and, the same but for it, one that has not.

use super::*;
use crate::index_md::IndexRow;
use crate::manifest::Manifest;
use crate::pack::Dialect;
use crate::page::Page;
use std::path::PathBuf;

mod entries;
mod links;
mod text;

const FRONT: &str = "\
title: A
slug: a
category: concept
sources: [https://example.org/a]
created: 2026-11-20
updated: 2026-11-20
summary: What a is.
tags: [one]
";

const BODY: &str = "\
# A

> Abstract: A is the first page. It stands for all pages that have nothing wrong with them, which takes some words.

## Section

Prose that goes on long enough to be worth asking, with a fact here and there, and a number: 42. More of it follows.

## See Also

- [[b]]

## Sources

- [A](https://example.org/a)
";

/// A wiki pack of two pages without a flaw; `a` is the first page's text, the second leads back to it.
fn pack(a: &str) -> Pack {
    let b = format!(
        "---\n{}---\n\n{}",
        FRONT.replace("title: A\nslug: a", "title: B\nslug: b"),
        BODY.replace("[[b]]", "[[a]]")
    );
    let mut pack = Pack {
        path: "p".into(),
        dialect: Dialect::Wiki,
        manifest: Manifest {
            name: "p".into(),
            version: "1".into(),
            domains: vec!["d".into()],
            language: "en".into(),
            summary: "A pack of two pages that lead to each other and have no flaw.".into(),
            ..Manifest::default()
        },
        pages: Vec::new(),
        index_rows: None,
        schema: Some(String::new()),
        log: Some(String::new()),
        dir: PathBuf::from("no-such-folder"),
        page_hashes: Vec::new(),
        private_files: Vec::new(),
        findings: Vec::new(),
    };
    for (file, text) in [("concepts/a.md", a), ("concepts/b.md", &b)] {
        let (page, findings) = Page::parse(file, text);
        let path = pack.page_path(file);
        pack.findings.extend(findings.into_iter().map(|finding| Finding { file: path.clone(), ..finding }));
        pack.pages.push(page);
    }
    let row = |(i, page): (usize, &Page)| IndexRow {
        file: page.file.clone(),
        title: page.title.clone(),
        summary: page.summary.clone(),
        line: 10 + i,
    };
    pack.index_rows = Some(pack.pages.iter().enumerate().map(row).collect());
    pack
}

fn text(front: &str, body: &str) -> String {
    format!("---\n{front}---\n\n{body}")
}

#[track_caller]
fn check(pack: &Pack, expected: &[&str]) {
    let found: Vec<String> = lint(pack).iter().map(|f| format!("{}:{}: {}", f.file, f.line, f.code)).collect();
    assert_eq!(found, expected, "{:#?}", lint(pack));
}

/// Checks a pack whose first page has other front matter.
#[track_caller]
fn check_front(from: &str, to: &str, expected: &[&str]) {
    assert!(FRONT.contains(from), "{from}");
    check(&pack(&text(&FRONT.replace(from, to), BODY)), expected);
}

/// Checks a pack whose first page has another body.
#[track_caller]
fn check_body(from: &str, to: &str, expected: &[&str]) {
    assert!(BODY.contains(from), "{from}");
    check(&pack(&text(FRONT, &BODY.replace(from, to))), expected);
}

/// Checks a pack that has been changed.
#[track_caller]
fn check_changed(change: impl FnOnce(&mut Pack), expected: &[&str]) {
    let mut pack = pack(&text(FRONT, BODY));
    change(&mut pack);
    check(&pack, expected);
}

#[test]
fn a_pack_without_flaws() {
    check_changed(|_| {}, &[]);
}

#[test]
fn c1_structure() {
    check_changed(|pack| pack.schema = None, &["wiki/schema.md:1: C1"]);
    check_changed(|pack| pack.log = None, &["wiki/log.md:1: C1"]);
    check_changed(|pack| pack.index_rows = None, &["wiki/index.md:1: C1"]);
    check_body("## Sources", "## Origin", &["wiki/concepts/a.md:12: C1"]);
    check_body("## See Also", "## More", &["wiki/concepts/a.md:12: C1", "wiki/concepts/b.md:1: C4"]);
    check_changed(
        |pack| {
            pack.pages.clear();
            pack.index_rows = Some(vec![]);
        },
        &["wiki/concepts:1: C1"],
    );
}

#[test]
fn c2_fields() {
    check_front("title: A\n", "", &["wiki/concepts/a.md:1: C2"]);
    for field in ["category: concept\n", "sources: [https://example.org/a]\n", "created: 2026-11-20\n", "tags: [one]\n"]
    {
        check_front(field, "", &["wiki/concepts/a.md:1: C2"]);
    }
    check_front("updated: 2026-11-20\n", "updated:\n", &["wiki/concepts/a.md:1: C2"]);
}

#[test]
fn c3_index() {
    check_changed(|pack| drop(pack.index_rows.as_mut().unwrap().pop()), &["wiki/concepts/b.md:1: C3"]);
    check_changed(
        |pack| {
            let rows = pack.index_rows.as_mut().unwrap();
            rows.push(IndexRow { file: "concepts/gone.md".into(), line: 12, ..rows[0].clone() });
            rows.push(IndexRow { line: 13, ..rows[0].clone() });
        },
        &["wiki/index.md:12: C3", "wiki/index.md:13: C3"],
    );
}

#[test]
fn c4_links() {
    check_body("- [[b]]", "- [[b]]\n- [[gone]]", &["wiki/concepts/a.md:23: C4"]);
    check_body("- [[b]]", "- [[b]]\n- [[a]]", &["wiki/concepts/a.md:23: C4"]);
    check_body("- [[b]]", "_none_", &["wiki/concepts/b.md:1: C4"]);
    check_body("a fact", "a [fact](gone.md)", &["wiki/concepts/a.md:18: C4"]);
    check_body("a fact", "a [fact](b.md#section) `[[gone]]`", &[]);
    let severity = |body: &str| lint(&pack(&text(FRONT, body)))[0].severity;
    assert_eq!(severity(&BODY.replace("- [[b]]", "- [[b]]\n- [[gone]]")), crate::Severity::Error);
    assert_eq!(severity(&BODY.replace("a fact", "[[gone]]")), crate::Severity::Warning);
}

#[test]
fn c4b_sources() {
    check_front("https://example.org/a", "raw/gone.md", &["wiki/concepts/a.md:1: C4b"]);
    check_front("https://example.org/a", "../../etc/passwd", &["wiki/concepts/a.md:1: C4b"]);
    check_body("(https://example.org/a)", "(../../raw/gone.md)", &["wiki/concepts/a.md:26: C4b"]);
}

#[test]
fn c4b_orphans() {
    let dir = std::env::temp_dir().join(format!("seealso-lint-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("raw/articles")).unwrap();
    for file in ["used.md", "orphan.md", "_index.md"] {
        std::fs::write(dir.join("raw/articles").join(file), "x").unwrap();
    }
    let mut pack = pack(&text(&FRONT.replace("https://example.org/a", "raw/articles/used.md"), BODY));
    pack.dir = dir.clone();
    check(&pack, &["raw/articles/orphan.md:1: C4b"]);
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn c5_tags() {
    check_front("tags: [one]", "tags: [one, One]", &["wiki/concepts/a.md:1: C5"]);
    check_front("tags: [one]", "tags: [ones]", &["wiki/concepts/a.md:1: C5"]);
    check_front("tags: [one]", "tags: [onset, class, c, glass]", &[]);
}

#[test]
fn c11_placement() {
    check_front("slug: a", "slug: other", &["wiki/concepts/a.md:1: C11"]);
    let moved = |file: &'static str| {
        move |pack: &mut Pack| {
            pack.pages[1].file = file.into();
            pack.index_rows.as_mut().unwrap()[1].file = file.into();
            pack.pages[1].fields.clear();
            pack.pages[1].fields.push(("created".into(), crate::Value::Text("x".into())));
            pack.pages[1].fields.push(("updated".into(), crate::Value::Text("x".into())));
        }
    };
    check_changed(moved("b.md"), &["wiki/b.md:1: C11"]);
    check_changed(moved("concepts/B.md"), &["wiki/concepts/B.md:1: C11"]);
}

#[test]
fn m1_and_m2_manifest() {
    check_changed(|pack| pack.manifest.name.clear(), &["manifest.yaml:1: M1"]);
    check_changed(|pack| pack.manifest.version.clear(), &["manifest.yaml:1: M1"]);
    check_changed(|pack| pack.manifest.domains.clear(), &["manifest.yaml:1: M1"]);
    check_changed(|pack| pack.manifest.language.clear(), &["manifest.yaml:1: M1"]);
    check_changed(|pack| pack.manifest.summary = String::new(), &["manifest.yaml:1: M2"]);
    check_changed(|pack| pack.manifest.summary = "x".repeat(49), &["manifest.yaml:1: M2"]);
    check_changed(|pack| pack.manifest.summary = "ü".repeat(50), &[]);
    check_changed(|pack| pack.manifest.summary = "ü".repeat(2_000), &[]);
    check_changed(|pack| pack.manifest.summary = "x".repeat(2_001), &["manifest.yaml:1: M2"]);
}

#[test]
fn readers_findings_are_kept() {
    check(&pack(&format!("\u{feff}{}", text(FRONT, BODY))), &["wiki/concepts/a.md:1: R3"]);
    check_front("summary: What a is.\n", "", &["wiki/concepts/a.md:1: R6"]);
}

#[test]
fn an_open_knowledge_pack_is_asked_less() {
    let text = "---\ntype: Note\ntitle: A\ndescription: D\n---\n\nShort, with [b](b.md), [c](gone.md) and `x`.\n";
    let mut pack = pack(text);
    pack.dialect = Dialect::Okf;
    pack.manifest = Manifest::default();
    pack.schema = None;
    pack.index_rows = Some(vec![]);
    check(&pack, &["concepts/a.md:7: C4", "concepts/a.md:7: Q1"]);
    pack.pages[0].category = None;
    check(&pack, &["concepts/a.md:1: C2", "concepts/a.md:7: C4", "concepts/a.md:7: Q1"]);
}
