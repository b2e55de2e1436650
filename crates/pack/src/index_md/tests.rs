//! Tables of index.md lines and what is read from them; an index survives being written and read.

use super::*;
use proptest::prelude::*;

#[track_caller]
fn check(text: &str, expected: &[(&str, &str, &str, usize)], broken: usize) {
    let (rows, findings) = read(text);
    let rows: Vec<_> =
        rows.iter().map(|row| (row.file.as_str(), row.title.as_str(), row.summary.as_str(), row.line)).collect();
    assert_eq!(rows, expected, "{text:?}");
    assert_eq!(findings.len(), broken, "{text:?}");
}

#[test]
fn tables() {
    let head = "# Wiki Index\n\n| File | Title | Summary |\n|---|:---:|---|\n";
    check(&format!("{head}| concepts/a.md | A | s |\n"), &[("concepts/a.md", "A", "s", 5)], 0);
    check(&format!("{head}| concepts/a.md | A | s | more | x |"), &[("concepts/a.md", "A", "s | more | x", 5)], 0);
    check(&format!("{head}|a.md|A \\| B|c \\| d|"), &[("a.md", "A | B", "c | d", 5)], 0);
    check("| a.md | A | no end", &[("a.md", "A", "no end", 1)], 0);
    check("| a.md | A |", &[("a.md", "A", "", 1)], 0);
    check(
        "| `a.md` | A | s |\r\n| [x](./b.md) | B | |\r\n| [[c\\|C]] | C | t |",
        &[("a.md", "A", "s", 1), ("b.md", "B", "", 2), ("concepts/c.md", "C", "t", 3)],
        0,
    );
    check("|  | A | s |\n| a.md |  | s |\n| a.md |\n|\n", &[], 4);
    check("| file | x | y |\n| -x | y | z |\n| --- | --- | --- |\n", &[], 0);
    check("```\n| a.md | A | s |\n```\n~~~~\n~~~\n| b.md | B | s |\n", &[], 0);
}

#[test]
fn bullets() {
    check("- [A b](x/a.md) — the note", &[("x/a.md", "A b", "the note", 1)], 0);
    check(
        "\n* [A](/a.md) - n\n  - [B](./b.md#p): m\n+ [C](c.md)",
        &[("a.md", "A", "n", 2), ("b.md", "B", "m", 3), ("c.md", "C", "", 4)],
        0,
    );
    check("- [A](/oks/pack/x/a.md) – n", &[("x/a.md", "A", "n", 1)], 0);
    check("- text\n- [A](https://x.org/a.md)\n- [A](a.html)\n- [A\n- [](a.md)\n1. [A](a.md)\n[A](a.md)", &[], 0);
}

#[test]
fn the_written_form() {
    let page = |file: &str, title: &str, summary: &str| Page {
        file: file.into(),
        title: title.into(),
        summary: summary.into(),
        ..Page::default()
    };
    let pages = [page("concepts/b.md", "B", "x | y"), page("concepts/a.md", "A", "")];
    let expected = "\
# Wiki Index

Last updated: 2026-11-21
Total pages: 2

## Pages

| File | Title | Summary |
|---|---|---|
| concepts/a.md | A |  |
| concepts/b.md | B | x / y |
";
    assert_eq!(write(&pages, "2026-11-21"), expected);
}

prop_compose! {
    fn page()(slug in "[a-z0-9-]{1,12}|\\w{1,6}", title in any::<String>(), summary in any::<String>()) -> Page {
        let title = one_line(&title);
        Page {
            file: format!("concepts/{slug}.md"),
            title: if title.is_empty() { "T".into() } else { title },
            summary: one_line(&summary),
            ..Page::default()
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(pages in prop::collection::vec(page(), 0..8)) {
        let (rows, findings) = read(&write(&pages, "2026-11-21"));
        let mut expected: Vec<&Page> = pages.iter().collect();
        expected.sort_by_key(|page| (slug(&page.file), &page.file));
        let expected: Vec<_> = expected.iter().map(|p| (p.file.clone(), cell(&p.title), cell(&p.summary))).collect();
        let rows: Vec<_> = rows.into_iter().map(|row| (row.file, row.title, row.summary)).collect();
        prop_assert_eq!(rows, expected);
        prop_assert_eq!(findings, vec![]);
    }

    #[test]
    fn any_text_is_read(text in "(\\||\\\\|- |\\[|\\]|\\(|\\)|```|\n|a\\.md|\\PC){0,60}") {
        read(&text);
    }
}
