//! Tables of links and what they point at.

use super::LinkTarget::{Anchor, External, Missing, OtherPack, Page, Raw};
use super::*;

const PAGES: [&str; 6] =
    ["concepts/a.md", "concepts/b-c.md", "concepts/漢字.md", "services/x.md", "top.md", "concepts/deep/d.md"];

#[track_caller]
fn check(kind: LinkKind, target: &str, expected: LinkTarget) {
    let link = Link { target: target.into(), label: String::new(), kind, line: 1, note: String::new() };
    let names = PageNames::new(PAGES.map(str::to_owned).into());
    let found = resolve(&link, "concepts/a.md", "pack", &names);
    assert_eq!(found, expected, "{target:?}");
}

fn page(file: &str) -> LinkTarget {
    Page(file.into())
}

fn missing(path: &str) -> LinkTarget {
    Missing(path.into())
}

#[test]
fn wikilinks() {
    let check = |target: &str, expected| check(LinkKind::Wiki, target, expected);
    check("b-c", page("concepts/b-c.md"));
    check(" b-c#part ", page("concepts/b-c.md"));
    check("B c", page("concepts/b-c.md"));
    check("漢字", page("concepts/漢字.md"));
    check("top", page("top.md"));
    check("services/x", page("services/x.md"));
    check("deep/d.md", page("concepts/deep/d.md"));
    check("#part", Anchor("part".into()));
    check("gone", missing("concepts/gone"));
    check("../../etc/passwd", missing("../../etc/passwd"));
    check("../services/x", page("services/x.md"));
    check("/services/x", page("services/x.md"));
    check("concepts/x", missing("concepts/concepts/x"));
    check("d", page("concepts/deep/d.md"));
    check("B%20C|b", missing("concepts/B C|b"));
    check("B%20C", page("concepts/b-c.md"));
    check("a\\b", missing("a\\b"));
    check("", missing(""));
    check("https://x.org/a", missing("concepts/https:/x.org/a"));
    check("//services/x", missing("//services/x"));
}

#[test]
fn markdown_links() {
    let check = |target: &str, expected| check(LinkKind::Markdown, target, expected);
    check("b-c.md", page("concepts/b-c.md"));
    check("./b-c.md#part", page("concepts/b-c.md"));
    check("b-c.md?x=1", page("concepts/b-c.md"));
    check("b-c", page("concepts/b-c.md"));
    check("../services/x.md", page("services/x.md"));
    check("/services/x.md", page("services/x.md"));
    check("/services/../top.md", page("top.md"));
    check("%E6%BC%A2%E5%AD%97.md", page("concepts/漢字.md"));
    check("/oks/pack/services/x.md", page("services/x.md"));
    check("/oks/other/y.md", OtherPack("other/y.md".into()));
    check("/oks/../y.md", missing("/oks/../y.md"));
    check("/oks/pack/../../y.md", missing("/oks/pack/../../y.md"));
    check("#part", Anchor("part".into()));
    check("https://x.org/a", External("https://x.org/a".into()));
    check("mailto:a@b.org", External("mailto:a@b.org".into()));
    check("../../raw/articles/n.md", Raw("raw/articles/n.md".into()));
    check("/raw/n.md", Raw("raw/n.md".into()));
    check("x.md", page("services/x.md"));
    check("./x.md", missing("concepts/x.md"));
    check("/x.md", missing("x.md"));
    check("C:/notes/x.md", missing("concepts/C:/notes/x.md"));
}

#[test]
fn addresses_outside_the_pack_are_no_pages() {
    for target in [
        "tel:+44-20-7946-0000",
        "obsidian://open?vault=v",
        "ftp://x.org/a",
        "sms:1",
        "zotero://select/1",
        "//host/x.md",
        "?q=x",
        "?",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "message:%3Cx%3E",
        "x-devonthink-item://A-1",
    ] {
        check(LinkKind::Markdown, target, missing(target));
    }
}

#[test]
fn hostile_links_lead_nowhere() {
    let check = |target: &str| check(LinkKind::Markdown, target, missing(target));
    for target in ["", " ", "\\\\host\\x"] {
        super::tests::check(LinkKind::Markdown, target, missing(target.trim()));
    }
    check("../../../top.md");
    check("../../top.md");
    check("a\u{0}b.md");
    super::tests::check(LinkKind::Markdown, "..%2f..%2f..%2fetc", missing("../../../etc"));
    super::tests::check(LinkKind::Markdown, "../../raw/../../x", missing("../../raw/../../x"));
}

#[test]
fn slugs() {
    for (title, expected) in [
        ("Docker Image", "docker-image"),
        ("  C++ & Rust!  ", "c-rust"),
        ("what's new", "what-s-new"),
        ("日本語 の 題", "日本語-の-題"),
        ("Ελληνικά", "ελληνικά"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("ภาษาไทย", "ภาษาไทย"),
        ("Größe", "größe"),
        ("İ", "i\u{307}"),
        ("a--b", "a-b"),
        ("!!!", "untitled"),
        ("", "untitled"),
    ] {
        assert_eq!(slugify(title), expected, "{title}");
        assert_eq!(slugify(expected), expected, "a slug is its own slug");
    }
}

#[test]
fn anchors() {
    for (heading, expected) in
        [("A b!", "a-b"), ("What's new?", "whats-new"), ("a_b - c", "a_b---c"), ("Über 漢字", "über-漢字"), ("…", "")]
    {
        assert_eq!(anchor(heading), expected, "{heading}");
    }
}
