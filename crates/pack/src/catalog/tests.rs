//! Catalogs written, read back, damaged and hostile.

use super::*;
use proptest::prelude::*;

fn sample() -> Catalog {
    let pack = CatalogPack {
        path: "history/rome".into(),
        title: "Rome".into(),
        language: "en".into(),
        page_root: "wiki".into(),
        pages: 3,
        summary: "Emperors.".into(),
        fingerprint: "00".into(),
    };
    let file = IndexFile { path: "index/abc.idx".into(), bytes: 12, sha256: "ab".into() };
    Catalog::new(vec![pack], vec![file])
}

#[test]
fn what_is_written_comes_back() {
    let catalog = sample();
    assert_eq!(Catalog::parse(catalog.to_json().as_bytes()), Ok(catalog.clone()));
    assert_eq!(catalog.packs[0].page_path("concepts/nero.md"), "history/rome/wiki/concepts/nero.md");
}

#[test]
fn other_bytes_are_told_apart() {
    let check = |bytes: &[u8], expected: &str| {
        let message = Catalog::parse(bytes).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    };
    check(b"<!doctype html><h1>404</h1>", "an HTML page");
    check(b"", "can't be read");
    check(b"{\"format\": \"seealso-catalog\"", "can't be read");
    check(b"{\"format\": \"other\", \"version\": 1}", "its format is");
    check(b"{\"format\": \"seealso-catalog\", \"version\": 2}", "version 2");
    check(b"\xff\xfe", "can't be read");
    check(&vec![b' '; CATALOG_MAX_BYTES + 1], "more than");
    check(sample().to_json().replace("history/rome", "../secret").as_bytes(), "does not lie under");
    check(sample().to_json().replace("index/abc.idx", "https://evil.example/x").as_bytes(), "does not lie under");
}

#[test]
fn paths_that_leave_the_root_are_unsafe() {
    for good in ["a", "a/b.md", "history/rome", "größe/猫.md", "a b.md"] {
        assert!(is_safe_path(good), "{good}");
    }
    for bad in ["", "/a", "a/", "a//b", "../a", "a/../b", ".", "a\\b", "c:a", "a?b", "a#b", "%2e%2e/a", "a\nb"] {
        assert!(!is_safe_path(bad), "{bad}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Catalog::parse(&bytes);
    }
}
