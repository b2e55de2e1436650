//! Any text as a page: it is read, taken apart, rendered and written back without a panic, soon, and nothing that
//! runs comes out of the renderer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_pack::{
    Element, Manifest, Node, Page, PageNames, LinkTarget, SectionKind, read_index, render, resolve, slugify,
};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (page, _) = Page::parse("concepts/fuzz.md", &text);
    check_parts(&page);
    check_links(&page);
    check_rendered(&page.body);
    check_round_trip(page);
    let _ = (read_index(&text), Manifest::parse(&text));
});

fn check_parts(page: &Page) {
    assert!(!page.title.is_empty() && page.body_line >= 1);
    assert!(!page.body.contains('\r') && !page.body.starts_with('\n'));
    let sections = page.sections();
    let length: usize = sections.iter().map(|section| section.text.len()).sum();
    assert!(length <= page.body.len(), "sections are the body, without what no reader is to see");
    for block in page.blocks() {
        assert!(block.section < sections.len() && !block.text.is_empty(), "{block:?}");
    }
    assert_eq!(page.has_see_also(), sections.iter().any(|section| section.kind == SectionKind::SeeAlso));
    assert!(page.snippet().chars().count() <= 200);
}

fn check_links(page: &Page) {
    let last_line = page.body_line + page.body.matches('\n').count();
    let links = page.body_links();
    for link in &links {
        assert!((page.body_line..=last_line).contains(&link.line), "{link:?}");
        let named = vec!["concepts/fuzz.md".to_owned(), format!("notes/{}.md", slugify(&link.target))];
        for names in [PageNames::default(), PageNames::new(named.clone())] {
            match resolve(link, "concepts/fuzz.md", "pack", &names) {
                LinkTarget::Page(file) => assert!(named.contains(&file), "{file:?} is no page"),
                LinkTarget::Raw(file) | LinkTarget::OtherPack(file) => {
                    assert!(!file.split('/').any(|step| step == ".."), "{file:?} leaves its folder");
                }
                _ => {}
            }
        }
    }
    for link in page.see_also().iter().chain(&page.source_links()) {
        assert!(links.contains(link), "{link:?}");
    }
}

fn check_rendered(body: &str) {
    let unknown = |_: &str, _: bool| None;
    let pages_only = |target: &str, wiki: bool| wiki.then(|| format!("#/page/{}", slugify(target)));
    // A caller that lets everything through must not be able to do harm.
    let careless = |target: &str, _: bool| Some(target.to_owned());
    for link in [&unknown as &dyn Fn(&str, bool) -> Option<String>, &pages_only, &careless] {
        let nodes = render(body, link);
        let count: usize = nodes.iter().map(|node| check_node(node, 1)).sum();
        assert!(count <= 50_000, "{count} nodes");
    }
}

/// Checks a node and all below it; returns how many they are.
fn check_node(node: &Node, depth: usize) -> usize {
    let Node::Element(element) = node else { return 1 };
    assert!(depth <= 65, "an element lies {depth} deep");
    const TAGS: &str =
        " p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del a table thead tbody tr th td hr br ";
    assert!(TAGS.contains(&format!(" {} ", element.tag)), "{}", element.tag);
    element.attrs.iter().for_each(|(name, value)| check_attribute(element, name, value));
    1 + element.children.iter().map(|child| check_node(child, depth + 1)).sum::<usize>()
}

fn check_attribute(element: &Element, name: &str, value: &str) {
    match name {
        "href" => assert!(element.tag == "a" && is_inert(value), "{value:?}"),
        "start" => assert!(element.tag == "ol" && value.chars().all(|c| c.is_ascii_digit())),
        "id" => assert!(element.tag.starts_with('h')),
        "data-lang" => assert!(matches!(element.tag, "pre" | "code")),
        _ => panic!("{name:?} is no attribute"),
    }
}

/// Whether a browser takes `href` for a page of this site or a web address, read as the URL standard does: controls
/// and spaces dropped, `\` taken for `/` (<https://url.spec.whatwg.org/#concept-basic-url-parser>).
fn is_inert(href: &str) -> bool {
    let kept: String = href.chars().filter(|c| *c > ' ').map(|c| if c == '\\' { '/' } else { c }).collect();
    let scheme =
        kept.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c)).filter(|&at| kept[at..].starts_with(':'));
    match scheme {
        Some(end) if kept.starts_with(|c: char| c.is_ascii_alphabetic()) => {
            matches!(kept[..end].to_ascii_lowercase().as_str(), "http" | "https")
        }
        _ => !kept.starts_with("//"),
    }
}

/// A page that is written and read again is the same; only its body may start on another line.
fn check_round_trip(page: Page) {
    let (mut again, _) = Page::parse(&page.file, &page.to_markdown());
    again.body_line = page.body_line;
    assert_eq!(again, page);
}
