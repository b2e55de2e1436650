//! E1, E2 and E4: what is said of entries and patterns, with the line of the field.

use crate::{Dialect, Pack, lint};
use std::fs;

const ENTRY: &str = "---\ntopic: A\ntype: framework\npattern: undo\nconfidence: high\nstability: evergreen\nupdated: 2026-01-01\n---\n\n\
                     ## Position\n\nYes.\n\n## Reasoning\n\nBecause.\n";
const PATTERN: &str = "---\ndescription: D.\ntemplate: T\n---\n\n## Variants\n\n### A plugin\n\nTry it.\n";

/// The findings on a pack of these pages whose code begins with E.
fn check(name: &str, pages: &[(&str, &str)], expected: &[&str]) {
    let dir = std::env::temp_dir().join(format!("seealso-lint-entries-{name}-{}", std::process::id()));
    let all: Vec<(&str, &str)> = [("patterns/undo.md", PATTERN)]
        .into_iter()
        .filter(|(file, _)| pages.iter().all(|(other, _)| other != file))
        .chain(pages.iter().copied())
        .collect();
    for (file, text) in &all {
        fs::create_dir_all(dir.join(file).parent().unwrap()).unwrap();
        fs::write(dir.join(file), text).unwrap();
    }
    let pack = Pack { dialect: Dialect::Okf, dir: dir.clone(), ..Pack::of_pages("m", &all) };
    let findings: Vec<String> =
        lint(&pack).iter().filter(|finding| finding.code.starts_with('E')).map(ToString::to_string).collect();
    let starts = |(found, expected): (&String, &&str)| found.starts_with(expected);
    assert!(findings.len() == expected.len() && findings.iter().zip(expected).all(starts), "{name}: {findings:#?}");
    fs::remove_dir_all(dir).unwrap();
}

/// The findings on one entry that differs by a replacement.
fn check_entry(name: &str, from: &str, to: &str, expected: &[&str]) {
    assert!(ENTRY.contains(from), "{from}");
    check(name, &[("entries/a.md", &ENTRY.replace(from, to))], expected);
}

#[test]
fn fields_and_sections_of_an_entry() {
    check_entry("sound", "Yes", "No", &[]);
    check_entry(
        "type",
        "framework",
        "opinion",
        &["entries/a.md:3: E1: the type \"opinion\" is none of framework, standard,"],
    );
    check_entry("confidence", "confidence: high\n", "", &["entries/a.md:1: E1: no confidence: it counts as low"]);
    check_entry(
        "stability",
        "evergreen",
        "forever",
        &["entries/a.md:6: E1: the stability \"forever\" is none of evergreen,"],
    );
    check_entry("date", "2026-01-01", "soon", &["entries/a.md:7: E1: \"soon\" is no date"]);
    check_entry("topic", "topic: A\n", "", &["entries/a.md:1: E1: no topic: it is taken to be \"A\""]);
    check_entry("position", "## Position\n\nYes.\n\n", "", &["entries/a.md:10: E1: no section ## Position with text"]);
    check_entry(
        "reasoning",
        "Because.\n",
        "",
        &["entries/a.md:10: E1: no section ## Reasoning with text: the entry has none"],
    );
}

#[test]
fn names_of_patterns_and_successors() {
    check_entry(
        "pattern",
        "pattern: undo",
        "pattern: redo",
        &["entries/a.md:4: E2: there is no pattern redo with a template"],
    );
    let to = |slug: &str| ENTRY.replace("confidence", &format!("superseded_by: {slug}\nconfidence"));
    check(
        "gone",
        &[("entries/a.md", &to("b"))],
        &["entries/a.md:5: E2: there is no public entry b: this one counts as"],
    );
    check("there", &[("entries/a.md", &to("b")), ("entries/b.md", ENTRY)], &[]);
    let circle = [("entries/a.md", to("b")), ("entries/b.md", to("a"))];
    let circle = [(circle[0].0, circle[0].1.as_str()), (circle[1].0, circle[1].1.as_str())];
    let says =
        ["entries/a.md:5: E2: the entries from b on supersede each other", "entries/b.md:5: E2: the entries from a on"];
    check("circle", &circle, &says);
}

#[test]
fn fields_and_variants_of_a_pattern() {
    let check_pattern = |name: &str, from: &str, to: &str, expected: &[&str]| {
        check(name, &[("patterns/undo.md", &PATTERN.replace(from, to))], expected);
    };
    check_pattern("description", "description: D.\n", "", &["patterns/undo.md:1: E4: no description"]);
    check_pattern("template", "template: T", "template:", &["patterns/undo.md:3: E4: the template is empty"]);
    check_pattern("variants", "### A plugin", "A plugin", &["patterns/undo.md:6: E4: no variants"]);
    check_pattern("text", "Try it.\n", "", &["patterns/undo.md:6: E4: the variant \"A plugin\" lacks"]);
}
