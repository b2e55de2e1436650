//! What pages are read into, and what bytes of a stage file are refused.

use super::*;
use crate::{Pack, Page};

const ENTRY: &str = "---
topic: Small releases
type: Framework
pattern: cost-of-undoing
confidence: high
stability: evergreen
created: 2024-01-31
updated: 2025-06-01
---

# Small releases

## Position

Release every merged change.

### Except

Not on Fridays.

## Reasoning

A small change is easy to take back.
";

const PATTERN: &str = "---
slug: cost-of-undoing
description: What would it cost to take this back?
template: >-
  If {change} can be undone in {time},
  try it.
---

## Variants

### A plugin

Try it at once.

#### Note

Plugins are versioned.

### The core

Ask first.
";

#[test]
fn an_entry_is_read_from_its_page() {
    let entry = KnowledgeEntry::of(&Page::parse("entries/small.md", ENTRY).0).unwrap();
    let expected = KnowledgeEntry {
        file: "entries/small.md".into(),
        topic: "Small releases".into(),
        entry_type: EntryType::Framework,
        position: "Release every merged change.\n\n### Except\n\nNot on Fridays.".into(),
        reasoning: "A small change is easy to take back.".into(),
        pattern: Some("cost-of-undoing".into()),
        confidence: Confidence::High,
        stability: Stability::Evergreen,
        updated: Date::parse("2025-06-01"),
    };
    assert_eq!(entry, expected);
}

#[test]
fn what_is_missing_or_unknown_counts_as_the_least() {
    let text =
        "---\ntopic: T\ntype: opinion\nconfidence: sure\nupdated: soon\ncreated: 2024-01-31\n---\n\nSome prose.\n";
    let (page, findings) = Page::parse("entries/t.md", text);
    assert!(findings.is_empty(), "{findings:?}");
    let entry = KnowledgeEntry::of(&page).unwrap();
    assert_eq!(
        (entry.entry_type, entry.confidence, entry.stability),
        (EntryType::Reaction, Confidence::Low, Stability::Evolving)
    );
    assert_eq!((entry.position.as_str(), entry.reasoning.as_str()), ("Some prose.", ""));
    assert_eq!((entry.pattern, entry.updated), (None, Date::parse("2024-01-31")));
}

#[test]
fn a_superseded_entry_is_a_page_and_no_entry() {
    let text = ENTRY.replace("confidence: high", "confidence: high\nsuperseded_by: other");
    let page = Page::parse("entries/small.md", &text).0;
    assert_eq!((page.role(), page.title.as_str()), (crate::PageRole::Entry, "Small releases"));
    assert_eq!(KnowledgeEntry::of(&page), None);
    for none in ["superseded_by:", "superseded_by: null", "superseded_by: ~"] {
        let text = ENTRY.replace("confidence: high", none);
        assert!(KnowledgeEntry::of(&Page::parse("entries/small.md", &text).0).is_some(), "{none}");
    }
}

#[test]
fn a_pattern_is_read_with_its_variants() {
    let pattern = Pattern::of(&Page::parse("patterns/undo.md", PATTERN).0).unwrap();
    let variant = |context: &str, text: &str| Variant { context: context.into(), text: text.into() };
    let expected = Pattern {
        file: "patterns/undo.md".into(),
        slug: "cost-of-undoing".into(),
        description: "What would it cost to take this back?".into(),
        template: "If {change} can be undone in {time}, try it.".into(),
        variants: vec![
            variant("A plugin", "Try it at once.\n\n#### Note\n\nPlugins are versioned."),
            variant("The core", "Ask first."),
        ],
    };
    assert_eq!(pattern, expected);
    let bare = Pattern::of(&Page::parse("patterns/undo.md", "---\ntemplate: T\n---\n\nWhat it is.\n").0).unwrap();
    assert_eq!((bare.slug.as_str(), bare.description.as_str(), bare.variants.len()), ("undo", "What it is.", 0));
}

#[test]
fn sections_are_found_under_both_kinds_of_headings() {
    let check = |body: &str, position: &str| {
        let text = format!("---\ntopic: T\n---\n\n{body}");
        assert_eq!(KnowledgeEntry::of(&Page::parse("entries/t.md", &text).0).unwrap().position, position, "{body}");
    };
    check("## Position\n\nYes.\n", "Yes.");
    check("## POSITION ##\nYes.\n", "Yes.");
    check("Position\n---\n\nYes.\n\nReasoning\n---\n\nNo.\n", "Yes.");
    check("# Position\n\nYes.\n\n## More\n\nThis too.\n\n# Reasoning\n", "Yes.\n\n## More\n\nThis too.");
    check("## Position\n\n## Reasoning\n\nBecause.\n", "Because.");
    check("", "");
}

fn pack() -> Pack {
    let superseded = ENTRY.replace("confidence: high", "superseded_by: small");
    let private = ENTRY.replace("confidence: high", "tier: private");
    let again = PATTERN.replace("What would", "Again: what would");
    Pack::of_pages(
        "p",
        &[
            ("entries/small.md", ENTRY),
            ("entries/old.md", &superseded),
            ("entries/secret.md", &private),
            ("patterns/undo.md", PATTERN),
            ("patterns/undo-again.md", &again),
            ("concepts/a.md", "---\ntitle: A\n---\n\nA.\n"),
        ],
    )
}

#[test]
fn a_file_has_the_active_public_entries_and_comes_back() {
    let of = PackEntries::of(&pack());
    let files: Vec<&str> = of.entries.iter().map(|entry| entry.of.file.as_str()).collect();
    let patterns: Vec<&str> = of.patterns.iter().map(|pattern| pattern.of.file.as_str()).collect();
    assert_eq!((files, patterns), (vec!["entries/small.md"], vec!["patterns/undo-again.md"]));
    let mut with_vector = of.clone();
    with_vector.entries[0].vector = Some(vec![0, 0, 128, 63, 127]);
    let empty = PackEntries { path: "a".into(), entries: Vec::new(), patterns: Vec::new() };
    let file = EntriesFile::new(vec![with_vector.clone(), empty, PackEntries { path: "n".into(), ..of.clone() }]);
    assert_eq!(file.packs.iter().map(|pack| pack.path.as_str()).collect::<Vec<_>>(), ["n", "p"]);
    let json = file.to_json();
    assert!(json.starts_with("{\"format\":\"seealso-entries\",\"version\":1,\"packs\":[{\"path\":\"n\","), "{json}");
    assert!(json.contains("\"updated\":\"2025-06-01\",\"vector\":\"AACAP38=\"}"), "{json}");
    assert_eq!(EntriesFile::parse(json.as_bytes()), Ok(file));
}

#[test]
fn vectors_stand_for_topic_and_position_and_for_a_pattern_with_its_situations() {
    let of = PackEntries::of(&pack());
    assert_eq!(of.entries[0].text(), "Small releases\n\nRelease every merged change.\n\n### Except\n\nNot on Fridays.");
    assert_eq!(
        of.patterns[0].text(),
        "Again: what would it cost to take this back?\n\nIf {change} can be undone in {time}, try it.\n\nA plugin\nThe core"
    );
}

#[test]
fn a_private_page_is_in_no_pack() {
    let pack = pack();
    assert!(pack.pages.iter().all(|page| page.file != "entries/secret.md"));
    assert_eq!(pack.private_files, ["wiki/entries/secret.md"]);
}

#[test]
fn bytes_that_are_no_file_of_entries_are_refused() {
    let good = EntriesFile::new(vec![PackEntries::of(&pack())]).to_json();
    let check = |bytes: &[u8], says: &str| {
        let error = EntriesFile::parse(bytes).unwrap_err().to_string();
        assert!(error.contains(says) && error.ends_with("; make it again with `seealso setup`"), "{error}");
    };
    check(b"<!doctype html>", "can't be read (expected value");
    check(b"{}", "can't be read (missing field `format`");
    check(good.replace("seealso-entries", "other").as_bytes(), "its format is \"other\", not \"seealso-entries\"");
    check(good.replace("\"version\":1", "\"version\":2").as_bytes(), "has version 2, this reader knows version 1");
    check(good.replace("framework", "oracle").as_bytes(), "unknown variant `oracle`");
    check(good.replace("2025-06-01", "2025-06-31").as_bytes(), "is no date such as");
    check(good.replace("\"path\":\"p\"", "\"path\":\"../p\"").as_bytes(), "names the path \"../p\"");
    check(good.replace("entries/small.md", "a\\u0000b").as_bytes(), "names the path \"a");
    check(good.replace("\"updated\"", "\"vector\":\"*\",\"updated\"").as_bytes(), "a vector is no base64");
    check(&vec![b' '; ENTRIES_MAX_BYTES + 1], "16777217 bytes, more than the 16777216 allowed");
    for end in 0..good.len() - 1 {
        assert!(EntriesFile::parse(&good.as_bytes()[..end]).is_err(), "{end}");
    }
}
