//! Tables of pages and what is read from them.

use super::*;
use crate::block::ListPlace;
use crate::links::LinkKind;

mod front;
mod survival;

const WHOLE: &str = "\
---
title: Docker image
slug: docker-image
category: concept
aliases: [container image, OCI image]
sources: [raw/articles/a.md]
created: 2026-11-20
summary: What an image is.
tags: [docker, image]
---

# Docker image

> Abstract: An image is a stack of layers.

Prose with `code [[not-a-link]]` and **bold [text](layer.md)**.

## Layers

- one [[layer]] thing
  - nested
- two

```
## Not a heading
[[not-a-link]]
```

| A | B |
|---|---|
| x | [[layer\\|y]] |

## See Also

- [[dockerfile|Dockerfile]] — what builds it
- [Layer](layer.md#top)

### Deeper

- [[registry]]

## Sources

- [Notes](../../raw/articles/a.md) - the facts
- https://example.org/spec.

## Key Points

- Small.
";

fn whole() -> Page {
    let (page, findings) = Page::parse("concepts/docker-image.md", WHOLE);
    assert_eq!(findings, []);
    page
}

#[test]
fn front_matter_fills_the_page() {
    let page = whole();
    let expected = Page {
        file: "concepts/docker-image.md".into(),
        title: "Docker image".into(),
        summary: "What an image is.".into(),
        aliases: vec!["container image".into(), "OCI image".into()],
        tags: vec!["docker".into(), "image".into()],
        language: None,
        category: Some("concept".into()),
        sources: vec![Source { resource: "raw/articles/a.md".into(), title: None }],
        fields: vec![
            ("slug".into(), Value::Text("docker-image".into())),
            ("created".into(), Value::Text("2026-11-20".into())),
        ],
        body: WHOLE[WHOLE.find("# Docker").unwrap()..].into(),
        body_line: 12,
        is_on_site: false,
    };
    assert_eq!(page, expected);
    assert_eq!(page.field("Slug"), Some("docker-image".into()));
}

#[test]
fn sections_follow_the_headings() {
    let sections = whole().sections();
    let short: Vec<_> = sections.iter().map(|s| (s.level, s.anchor.as_str(), s.kind)).collect();
    assert_eq!(
        short,
        [
            (1, "docker-image", SectionKind::Lead),
            (2, "layers", SectionKind::Body),
            (2, "see-also", SectionKind::SeeAlso),
            (3, "deeper", SectionKind::SeeAlso),
            (2, "sources", SectionKind::Sources),
            (2, "key-points", SectionKind::KeyPoints),
        ]
    );
    assert_eq!(sections[3].text, "### Deeper\n\n- [[registry]]\n\n");
    assert_eq!(sections.iter().map(|s| s.text.as_str()).collect::<String>(), whole().body);
}

#[test]
fn blocks_are_plain_text() {
    let page = whole();
    let blocks: Vec<_> = page.blocks().into_iter().map(|b| (b.section, b.kind, b.text)).collect();
    let expected = [
        (0, BlockKind::Heading, "Docker image"),
        (0, BlockKind::Quote, "Abstract: An image is a stack of layers."),
        (0, BlockKind::Paragraph, "Prose with `code [[not-a-link]]` and bold text."),
        (1, BlockKind::Heading, "Layers"),
        (1, BlockKind::ListItem, "one layer thing"),
        (1, BlockKind::ListItem, "nested"),
        (1, BlockKind::ListItem, "two"),
        (1, BlockKind::Code, "## Not a heading\n[[not-a-link]]"),
        (1, BlockKind::TableRow, "x | y"),
        (2, BlockKind::Heading, "See Also"),
        (2, BlockKind::ListItem, "Dockerfile — what builds it"),
        (2, BlockKind::ListItem, "Layer"),
        (3, BlockKind::Heading, "Deeper"),
        (3, BlockKind::ListItem, "registry"),
        (4, BlockKind::Heading, "Sources"),
        (4, BlockKind::ListItem, "Notes - the facts"),
        (4, BlockKind::ListItem, "https://example.org/spec."),
        (5, BlockKind::Heading, "Key Points"),
        (5, BlockKind::ListItem, "Small."),
    ];
    assert_eq!(blocks, expected.map(|(section, kind, text)| (section, kind, text.to_string())));
}

#[test]
fn blocks_know_their_place_in_a_list() {
    let body = "Before:\n\n3. Boil\n\n   ```\n   boil\n   ```\n\n   Wait.\n4. Steep:\n   - green\n   - black\n5. Pour\n\n- cup\n\nAfter.\n";
    let (page, _) = Page::parse("tea.md", body);
    let places: Vec<_> = page.blocks().into_iter().map(|b| (b.text, b.list)).collect();
    let place = |list, depth, item, number| ListPlace { list, depth, item, number };
    let expected = [
        ("Before:", ListPlace::default()),
        ("Boil", place(1, 1, 1, Some(3))),
        ("boil", place(1, 1, 1, Some(3))),
        ("Wait.", place(1, 1, 1, Some(3))),
        ("Steep:", place(1, 1, 2, Some(4))),
        ("green", place(2, 2, 1, None)),
        ("black", place(2, 2, 2, None)),
        ("Pour", place(1, 1, 3, Some(5))),
        ("cup", place(3, 1, 1, None)),
        ("After.", ListPlace::default()),
    ];
    assert_eq!(places, expected.map(|(text, place)| (text.to_owned(), place)));
}

#[test]
fn a_row_is_said_with_the_heads_of_its_columns() {
    let check = |table: &str, expected: &[&str]| {
        let (page, _) = Page::parse("a.md", table);
        let said: Vec<String> =
            page.blocks().iter().map(|block| block.text_with_heads(|head| head == "Not allowed")).collect();
        assert_eq!(said, expected, "{table}");
    };
    let head = "| Vegetable | Cellar | Freezer |\n|---|---|---|\n";
    check(&format!("{head}| Parsnips | four months | a year |"), &["Parsnips — Cellar: four months; Freezer: a year"]);
    check(&format!("{head}| Leeks |  | a year |"), &["Leeks — Freezer: a year"]);
    check(&format!("{head}| Chard |"), &["Chard"]);
    check("| | Cost |\n|---|---|\n| Small | 3 |", &["Small — Cost: 3"]);
    check("| Key | |\n|---|---|\n| `q` | quits |", &["`q` — quits"]);
    check("Prose, no table.", &["Prose, no table."]);
}

#[test]
fn a_summary_that_tells_something_is_shown_where_the_body_does_not_say_it() {
    let check = |summary: &str, body: &str, is_shown: bool| {
        let (page, _) = Page::parse("a.md", &format!("---\ntitle: Kiln\ndescription: {summary}\n---\n{body}"));
        assert_eq!(page.unsaid_summary(), is_shown.then_some(summary), "{summary}");
    };
    let telling = "An oven that fires clay at more than a thousand degrees.";
    check(telling, "# Reference\n\nIt takes a shelf.\n", true);
    check(telling, &format!("# Kiln\n\n{telling}\n"), false);
    check("How clay is fired in a kiln.", "# Kiln\n\nIt takes a shelf.\n", false);
    check("窑是用一千多度的高温烧制粘土的炉子。", "# Kiln\n\nIt takes a shelf.\n", true);
    check("An oven that fires clay at more than a thousand…", "# Kiln\n\nIt takes a shelf.\n", false);
}

fn link(kind: LinkKind, target: &str, label: &str, line: usize, note: &str) -> Link {
    Link { target: target.into(), label: label.into(), kind, line, note: note.into() }
}

#[test]
fn own_blocks_are_neither_code_nor_of_other_pages() {
    let body = "A leaf.\n\n```\nleaf()\n```\n\n## Parts\n\n- A stalk.\n\n| part |\n|---|\n| blade |\n\n## See Also\n\n- [[stem]]\n\n### Far\n\n\
                - [[root]]\n\n## Sources\n\n- A book.\n";
    let (page, _) = Page::parse("leaf.md", &format!("---\ntitle: Leaf\n---\n{body}"));
    let texts: Vec<String> = page.own_blocks().into_iter().map(|block| block.text).collect();
    assert_eq!(texts, ["A leaf.", "Parts", "A stalk.", "blade"]);
    assert_eq!(page.blocks().len(), 11);
}

#[test]
fn links_come_from_their_section() {
    use LinkKind::{Markdown, Wiki};
    let page = whole();
    let see_also = [
        link(Wiki, "dockerfile", "Dockerfile", 35, "what builds it"),
        link(Markdown, "layer.md#top", "Layer", 36, ""),
        link(Wiki, "registry", "registry", 40, ""),
    ];
    assert_eq!(page.see_also(), see_also);
    assert!(page.has_see_also());
    assert_eq!(
        page.source_links(),
        [
            link(Markdown, "../../raw/articles/a.md", "Notes", 44, "the facts"),
            link(Markdown, "https://example.org/spec", "https://example.org/spec", 45, ""),
        ]
    );
    let all = page.body_links();
    assert_eq!(all.len(), 8);
    assert_eq!(
        all[..3],
        [
            link(Markdown, "layer.md", "text", 16, ""),
            link(Wiki, "layer", "layer", 20, ""),
            link(Wiki, "layer", "y", 31, ""),
        ]
    );
}

#[test]
fn see_also_has_several_names() {
    for (heading, expected) in [
        ("## See Also", true),
        ("# Related", true),
        ("## Related", true),
        ("###### see also:", true),
        ("Related\n=======", true),
        ("# Related rules", true),
        ("# Related work in other fields", false),
        ("# Unrelated", false),
        ("> ## See Also", false),
        ("```\n## See Also\n```", false),
    ] {
        let (page, _) = Page::parse("a.md", &format!("# A\n\n{heading}\n\n- [[b]]\n\n# Next\n\n[[c]]\n"));
        assert_eq!(page.has_see_also(), expected, "{heading}");
        assert_eq!(page.see_also().len(), usize::from(expected), "{heading}");
    }
}

#[track_caller]
fn check_flaws(text: &str, title: &str, summary: &str, body_line: usize, codes: &[(&str, usize)]) {
    let (page, findings) = Page::parse("concepts/old-page.md", text);
    let found: Vec<(&str, usize)> = findings.iter().map(|finding| (finding.code, finding.line)).collect();
    assert_eq!((page.title.as_str(), page.summary.as_str(), page.body_line), (title, summary, body_line), "{text:?}");
    assert_eq!(found, codes, "{text:?}");
}

#[test]
fn flaws_are_found_and_nothing_is_lost() {
    check_flaws("", "Old page", "", 1, &[("R1", 1), ("C2", 1), ("R6", 1)]);
    check_flaws("Just prose.", "Old page", "Just prose.", 1, &[("R1", 1), ("C2", 1), ("R6", 1)]);
    check_flaws("# Reference\n\n# Tea\n\nHot.\n", "Tea", "Hot.", 1, &[("R1", 1), ("C2", 1), ("R6", 1)]);
    check_flaws("---\ntitle: T\nsummary: S\n---\nB", "T", "S", 5, &[]);
    check_flaws("---\ntitle: T\ndescription: S\n---\n\n\nB", "T", "S", 7, &[]);
    check_flaws("---\ntitle: T\nsummary: S\n---", "T", "S", 4, &[]);
    check_flaws("\u{feff}---\r\ntitle: T\r\nsummary: S\r\n---\r\nB\r\n", "T", "S", 5, &[("R3", 1), ("R4", 1)]);
    check_flaws("---\ntitle: T\nsummary:\n  - a b\n  - c\n---\nB", "T", "a b; c", 7, &[("R5", 3)]);
    check_flaws("---\ntitle: T\nsummary: a: b\n---\nB", "T", "a: b", 5, &[("R8", 3)]);
    check_flaws("---\ntitle: T\nsummary: S\n\n# Heading\n\nprose\n", "T", "S", 5, &[("R2", 1)]);
    check_flaws("---\ntitle: T\nsummary: S\n\nprose\n", "T", "S", 5, &[("R2", 1)]);
    check_flaws("---\ntitle: T\nsummary: S\n\n# Head\n\nprose\n\n---\n\nmore\n", "T", "S", 5, &[("R2", 1)]);
    check_flaws("---\ntitle: T\n\n# a comment\nsummary: S\n---\nB", "T", "S", 7, &[]);
    check_flaws("---\n\nprose\n\n---\n\nmore", "Old page", "prose", 1, &[("R1", 1), ("C2", 1), ("R6", 1)]);
    check_flaws("---\n---\nB", "Old page", "B", 3, &[("C2", 1), ("R6", 1)]);
}

#[test]
fn open_knowledge_fields_are_read() {
    let text = "---\ntype: Chain Mechanism\ntitle: \"Mining: how\"\ndescription: D\nresource: https://x.org\ntags: a, b\n\
                generated:\n  by: me\nsources:\n  - resource: https://y.org\n    title: Y\n  - z.md\n---\n# How\n";
    let (page, findings) = Page::parse("m.md", text);
    assert_eq!(findings, []);
    assert_eq!(
        (page.title.as_str(), page.summary.as_str(), page.category.as_deref()),
        ("Mining: how", "D", Some("Chain Mechanism"))
    );
    assert_eq!(page.tags, ["a", "b"]);
    let source =
        |resource: &str, title: Option<&str>| Source { resource: resource.into(), title: title.map(Into::into) };
    assert_eq!(page.sources, [source("https://y.org", Some("Y")), source("z.md", None)]);
    let (page, _) = Page::parse("m.md", "---\ntitle: T\nresource: https://x.org\n---\n");
    assert_eq!(page.sources, [source("https://x.org", None)]);
}

#[test]
fn snippets_prefer_the_abstract() {
    let long = "word ".repeat(60);
    let cut = format!("{}…", "word ".repeat(39).trim_end());
    for (body, expected) in [
        ("# A\n\nFirst.\n\n> Abstract: Short.\n\n## B\n", "Short."),
        ("# A\n\nFirst.\n\n## B\n\n> Quoted.\n", "First."),
        ("# A\n\n> ⚠️ Conflict: x\n\nFirst.\n", "⚠️ Conflict: x"),
        ("# A\n\n## B\n\n```\ncode\n```\n\n- item\n", "item"),
        ("# A\n", ""),
        ("A *b* `c`\nd [e](f) [[g|h]].", "A b `c` d e h."),
        (&long, &cut),
        (&"漢".repeat(300), &format!("{}…", "漢".repeat(199))),
    ] {
        let (page, _) = Page::parse("a.md", body);
        assert_eq!(page.snippet(), expected, "{body:?}");
    }
}

#[test]
fn on_a_page_of_a_site_only_stated_ids_are_anchors() {
    for (body, expected) in [
        ("# A\n\nb\n\n## C {#c}\n\nd\n\n### E\n\nf\n\n## G\n\nh", &["", "c", "c", "c"][..]),
        ("a\n\n# B {#b%20c}\n\nd", &["", "b%20c"]),
        ("# A\n\nb\n\n# A\n\nc", &["", ""]),
        ("# A {#x}\n\nb\n\n# A {#x}\n\nc", &["x", "x"]),
    ] {
        let page = Page { is_on_site: true, ..Page::parse("a.html.md", body).0 };
        let anchors: Vec<String> = page.sections().into_iter().map(|section| section.anchor).collect();
        assert_eq!(anchors, expected, "{body}");
    }
}

#[test]
fn repeated_headings_get_anchors_of_their_own() {
    let (page, _) = Page::parse("a.md", "lead\n\n# A b!\n# A b\n# A b-1\n# `C` d\n#\n");
    let anchors: Vec<String> = page.sections().into_iter().map(|section| section.anchor).collect();
    assert_eq!(anchors, ["", "a-b", "a-b-1", "a-b-1-1", "c-d", ""]);
}

#[test]
fn garbage_takes_linear_time() {
    for unit in [
        "> ",
        "- ",
        "[[",
        "[a](b) - ",
        "http://x)",
        "*a_",
        "---\n",
        "| a ",
        "`",
        "<a",
        "![",
        "\n\r",
        "# x\n",
        "a: [\n",
        "&amp;http://a?b&amp;c ",
    ] {
        let (page, _) = Page::parse("a.md", &unit.repeat((1 << 16) / unit.len()));
        page.snippet();
        page.see_also();
    }
}
