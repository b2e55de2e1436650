//! Any bytes as a page of a built site: it is read, kept for the next run, and made into a pack without a panic, soon, and
//! no link, name or address in what comes out leads out of the site.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use seealso_import::{Inventory, PageReader, Selector, Settings, Site, SitePage, Target, inject, markdown_files, packs};
use seealso_pack::{Element, Node, Page, is_safe_path, render, site_url};

static SETTINGS: LazyLock<Settings> = LazyLock::new(Settings::default);
static READER: LazyLock<PageReader<'static>> = LazyLock::new(|| PageReader::new(&SETTINGS));

fuzz_target!(|data: &[u8]| {
    check_injection(data);
    let _ = (Inventory::parse("objects.inv", data), Selector::parse(&String::from_utf8_lossy(data)));
    let Ok(page) = READER.read("guide/fuzz.html", data) else { return };
    check_page(&page);
    let mut site = Site::default();
    site.pages.push(page);
    for pack in packs(&site, &Inventory::default(), &SETTINGS, "../") {
        assert!(is_safe_path(&pack.path), "{:?}", pack.path);
        for (file, text) in &pack.pages {
            assert!(is_safe_path(file), "{file:?}");
            let url = site_url("../", file).expect("a page of a site has a URL");
            assert!(url.starts_with("../guide/fuzz.html"), "{url:?}");
            check_written(file, text);
        }
    }
    assert!(markdown_files(&site, &SETTINGS).iter().all(|(path, _)| is_safe_path(path)));
});

/// What is put into a page comes out again, and nothing else changes.
fn check_injection(html: &[u8]) {
    let bare = inject::remove(html);
    let inject = |html: &[u8]| inject::inject(html, "a/b.html", "", "seealso", None);
    if let Ok(once) = inject(html) {
        assert_eq!(inject(&once).as_deref(), Ok(once.as_slice()));
        assert_eq!(inject::remove(&once), bare);
    }
}

fn check_page(page: &SitePage) {
    assert!(!page.title.is_empty() && !page.sections.is_empty());
    let neighbours = [&page.previous, &page.next, &page.parent].into_iter().flatten();
    for target in page.sections.iter().flat_map(|section| &section.links).chain(neighbours) {
        check_target(target);
    }
    for section in &page.sections {
        assert!(section.level <= 6 && !section.heading.contains('\n') && !section.title.contains('\n'));
        assert!(!section.id.contains(char::is_whitespace), "{:?}", section.id);
    }
}

fn check_target(target: &Target) {
    let address = &target.address;
    assert!(!address.starts_with('/') && !address.split('/').any(|step| step == ".."), "{address:?}");
}

/// A page that was written is a sound page of a pack, and nothing that runs comes out of it.
fn check_written(file: &str, text: &str) {
    let (page, _) = Page::parse(file, text);
    assert!(!page.title.is_empty());
    let careless = |target: &str, _: bool| Some(target.to_owned());
    render(&page.body, &careless).iter().for_each(check_node);
}

fn check_node(node: &Node) {
    let Node::Element(Element { attrs, children, .. }) = node else { return };
    for (name, value) in attrs {
        assert!(matches!(*name, "href" | "start" | "id" | "data-lang"), "{name:?}");
        let is_harmful = |value: &str| value.trim_start().to_ascii_lowercase().starts_with("javascript:");
        assert!(*name != "href" || !is_harmful(value), "{value:?}");
    }
    children.iter().for_each(check_node);
}
