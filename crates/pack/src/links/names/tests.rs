//! Vaults and the links in them: a table with a row for each way to write a link, and vaults made at random.

use super::super::{Link, LinkKind, LinkTarget, alternative, resolve};
use super::PageNames;
use crate::page::Page;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

fn link(kind: LinkKind, target: &str) -> Link {
    Link { target: target.into(), label: String::new(), kind, line: 1, note: String::new() }
}

/// Checks where a wikilink on a page leads in a vault of those pages, and which other page is as near.
#[track_caller]
fn check(pages: &[&str], from: &str, target: &str, expected: &str, other: Option<&str>) {
    let names = PageNames::new(pages.iter().map(|&file| file.to_owned()).collect());
    let link = link(LinkKind::Wiki, target);
    let found = match resolve(&link, from, "vault", &names) {
        LinkTarget::Page(file) => file,
        other => format!("{other:?}"),
    };
    assert_eq!(found, expected, "[[{target}]] on {from}");
    assert_eq!(alternative(&link, from, "vault", &names), other, "[[{target}]] on {from}");
}

#[test]
fn neither_case_nor_normal_form_nor_separators_count() {
    for (file, targets) in [
        (
            "Sector Performance.md",
            &["sector performance", "SECTOR PERFORMANCE", "Sector%20Performance", "sector-performance"][..],
        ),
        (
            "notes/Target Page.md",
            &["Target Page", "target page.md", "Target Page#Part", "notes/target page", "target_page"],
        ),
        // Taken apart in the file's name, together in the link; and the other way.
        ("Cafe\u{301}.md", &["Café", "café", "CAFÉ", "cafe\u{301}", "Caf%C3%A9"]),
        ("\u{c5}ngstr\u{f6}m.md", &["A\u{30a}ngstro\u{308}m", "ångström"]),
        ("\u{1112}\u{1161}\u{11ab}.md", &["한"]),
        ("か\u{3099}く.md", &["がく"]),
        ("Việt Nam.md", &["việt nam", "Vie\u{323}\u{302}t Nam"]),
        ("ΛΌΓΟΣ.md", &["λόγος", "Λόγος", "λόγοσ"]),
        ("ЁЖИК.md", &["ёжик", "е\u{308}жик"]),
        ("İstanbul.md", &["İstanbul", "i\u{307}stanbul"]),
        ("docker-image.md", &["Docker Image", "docker image", "Docker_Image", "Docker, Image"]),
        ("Release v2.1.md", &["release v2.1", "Release v2.1.md"]),
        ("C++.md", &["C++", "c++", "C%2B%2B"]),
        ("Guide.MD", &["guide", "guide.md", "Guide.MD"]),
        ("Tabs.mdx", &["Tabs", "tabs.mdx"]),
        ("Old.markdown", &["old", "Old.markdown", "old.md"]),
    ] {
        for target in targets {
            check(&[file, "other.md"], "deep/er/x.md", target, file, None);
        }
    }
}

#[test]
fn a_name_that_only_looks_alike_is_none() {
    for (file, target) in [
        ("C++.md", "C"),
        ("Résumé.md", "Resume"),
        ("Plans.md", "Plan"),
        ("My Plan.md", "Plan"),
        ("a/Plan.md", "b/Plan"),
        ("Plan.md", "a/Plan"),
        ("ha/Plan.md", "a/Plan"),
        ("Plan.txt.md", "Plan"),
    ] {
        let missing = format!("Missing(\"{target}\")");
        check(&[file], "x.md", target, &missing, None);
    }
    check(&["a/untitled.md"], "x.md", "a/", "Missing(\"a\")", None);
}

#[test]
fn own_folder_first_then_the_fewest_folders() {
    let pages = &[
        "Plan.md",
        "a/Plan.md",
        "a/b/Plan.md",
        "c/d/e/Plan.md",
        "c/d/e/Far.md",
        "a/b/Far.md",
        "Café.md",
        "z/Cafe\u{301}.md",
    ];
    for (from, target, expected) in [
        ("a/x.md", "Plan", "a/Plan.md"),
        ("a/b/x.md", "Plan", "a/b/Plan.md"),
        ("c/d/e/x.md", "plan", "c/d/e/Plan.md"),
        ("c/d/x.md", "Plan", "Plan.md"),
        ("x.md", "Plan", "Plan.md"),
        ("x.md", "Far", "a/b/Far.md"),
        ("c/d/e/x.md", "Far", "c/d/e/Far.md"),
        ("x.md", "b/Plan", "a/b/Plan.md"),
        ("c/x.md", "a/Plan", "a/Plan.md"),
        ("a/x.md", "b/Plan", "a/b/Plan.md"),
        ("c/x.md", "/Plan", "Plan.md"),
        ("a/b/x.md", "../Plan", "a/Plan.md"),
        ("a/b/x.md", "./Plan", "a/b/Plan.md"),
        ("z/x.md", "Café", "z/Cafe\u{301}.md"),
        ("y/x.md", "Cafe\u{301}", "Café.md"),
    ] {
        check(pages, from, target, expected, None);
    }
}

#[test]
fn two_pages_as_near_are_told() {
    let pages = &["a/Plan.md", "b/Plan.md", "b/plan.md", "c/C#/x.md", "d/go-on.md", "e/Go On.md"];
    check(pages, "x.md", "Plan", "a/Plan.md", Some("b/Plan.md"));
    check(pages, "x.md", "PLAN", "a/Plan.md", Some("b/Plan.md"));
    check(pages, "b/x.md", "PLAN", "b/Plan.md", Some("b/plan.md"));
    // Beside the page, or spelt like one of them: no doubt is left.
    check(pages, "b/x.md", "Plan", "b/Plan.md", None);
    check(pages, "b/x.md", "plan", "b/plan.md", None);
    check(pages, "x.md", "plan", "b/plan.md", None);
    check(pages, "x.md", "a/Plan", "a/Plan.md", None);
    // A name goes before a slug.
    check(pages, "x.md", "go on", "e/Go On.md", None);
    check(pages, "x.md", "go_on", "d/go-on.md", Some("e/Go On.md"));
}

#[test]
fn links_as_pages_write_them() {
    let body = "\
See [[Target Page]], [[Target Page#Part|the part]], ![[Target Page]] and [md](<Target Page.md>).

| link | more |
|---|---|
| [[Target Page\\|alias]] | [[target page#Part\\|alias]] |

[spaced](Target%20Page.md#part) [spaced](target%20page) [up](../notes/Target%20Page.md) [root](/notes/Target%20Page.md)
";
    let names = PageNames::new(vec!["notes/Target Page.md".into(), "daily/x.md".into()]);
    let (page, _) = Page::parse("daily/x.md", body);
    let links = page.body_links();
    assert_eq!(links.len(), 10, "{links:#?}");
    for link in links {
        let found = resolve(&link, "daily/x.md", "vault", &names);
        assert_eq!(found, LinkTarget::Page("notes/Target Page.md".into()), "{}", link.target);
    }
}

/// Names with what file systems and writers change: case, accents, spaces, signs.
const NAMES: [&str; 8] = ["Plan", "target page", "Élan Vital", "C++", "v2.1", "ΛΌΓΟΣ", "がく", "what's new"];
const FOLDERS: [&str; 4] = ["notes", "Daily Notes", "Été", "2026"];

/// A page: its folders and its name, in one normal form or the other.
fn page() -> impl Strategy<Value = String> {
    let folders = prop::collection::vec(prop::sample::select(&FOLDERS[..]), 0..4);
    (folders, prop::sample::select(&NAMES[..]), any::<bool>()).prop_map(|(folders, name, apart)| {
        let path: Vec<&str> = folders.into_iter().chain([name]).collect();
        let path = path.join("/");
        format!("{}.md", if apart { path.nfd().collect() } else { path })
    })
}

/// A name as links write it.
#[derive(Debug, Clone, Copy)]
enum Form {
    Plain,
    Upper,
    Lower,
    Apart,
    Together,
    Percent,
    Ending,
    Anchor,
    Alias,
    InTable,
    Markdown,
}

const FORMS: [Form; 11] = [
    Form::Plain,
    Form::Upper,
    Form::Lower,
    Form::Apart,
    Form::Together,
    Form::Percent,
    Form::Ending,
    Form::Anchor,
    Form::Alias,
    Form::InTable,
    Form::Markdown,
];

fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

impl Form {
    fn write(self, name: &str) -> String {
        match self {
            Form::Plain => format!("[[{name}]]"),
            Form::Upper => format!("[[{}]]", name.to_uppercase()),
            Form::Lower => format!("[[{}]]", name.to_lowercase()),
            Form::Apart => format!("[[{}]]", name.nfd().collect::<String>()),
            Form::Together => format!("[[{}]]", name.nfc().collect::<String>()),
            Form::Percent => format!("[[{}]]", percent(name)),
            Form::Ending => format!("[[{name}.md]]"),
            Form::Anchor => format!("[[{name}#Some part]]"),
            Form::Alias => format!("[[{name}#part|an alias]]"),
            Form::InTable => format!("| a |\n|---|\n| [[{name}\\|an alias]] |"),
            Form::Markdown => format!("[label]({}.md)", percent(name)),
        }
    }
}

/// What two spellings of a path have in common.
fn same(path: &str) -> String {
    path.nfc().flat_map(char::to_lowercase).nfc().collect::<String>().replace('ς', "σ")
}

/// The pages that a path without its ending means, by the rule alone: beside the linking page, else in the fewest folders.
fn nearest(pages: &[String], from: &str, path: &str) -> Vec<String> {
    let steps = |file: &str| same(file).split('/').map(str::to_owned).collect::<Vec<_>>();
    let (wanted, mut own) = (steps(&format!("{path}.md")), steps(from));
    own.pop();
    let named = pages.iter().filter_map(|file| {
        let mut above = steps(file);
        let tail = above.split_off(above.len().checked_sub(wanted.len())?);
        let distance = if above == own { 0 } else { 1 + above.len() };
        (tail == wanted).then_some((distance, file.clone()))
    });
    let named: Vec<(usize, String)> = named.collect();
    let least = named.iter().map(|(distance, _)| *distance).min();
    named.into_iter().filter(|(distance, _)| Some(*distance) == least).map(|(_, file)| file).collect()
}

/// The last steps of a page's path, without its ending.
fn end_of(file: &str, steps: usize) -> String {
    let all: Vec<&str> = file.trim_end_matches(".md").split('/').collect();
    all[all.len().saturating_sub(steps)..].join("/")
}

proptest! {
    #[test]
    fn a_link_in_any_form_leads_to_the_nearest_page_of_that_name(
        mut pages in prop::collection::vec(page(), 1..24),
        from in page(),
        // A name that a page may have, or the end of a page's path.
        name in prop::option::of(prop::sample::select(&NAMES[..])),
        (which, steps) in (any::<prop::sample::Index>(), 1..4usize),
        form in prop::sample::select(&FORMS[..]),
    ) {
        pages.sort();
        pages.dedup();
        let path = name.map_or_else(|| end_of(&which.get(&pages[..])[..], steps), str::to_owned);
        let expected = nearest(&pages, &from, &path);
        let text = form.write(&path);
        let (page, _) = Page::parse(&from, &text);
        let [link] = &page.body_links()[..] else { panic!("{text} is one link") };
        let names = PageNames::new(pages.clone());
        match resolve(link, &from, "vault", &names) {
            LinkTarget::Page(file) => {
                prop_assert!(expected.contains(&file), "{} on {} leads to {}, not to {:?}", text, from, file, expected);
                // Spelling may settle it between pages in the same place.
                if expected.len() == 1 {
                    prop_assert_eq!(alternative(link, &from, "vault", &names), None);
                }
            }
            other => prop_assert!(expected.is_empty(), "{} on {} leads to {:?}, not to {:?}", text, from, other, expected),
        }
    }
}
