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
        archived: false,
    };
    let root = FileRef { path: "index/abc.idx".into(), bytes: 12, sha256: "ab".into() };
    let inline = Some("AQID".into());
    Catalog::new(vec![pack], IndexRef { root, files: 2, total_bytes: 99, body_terms: 8, inline })
}

#[test]
fn what_is_written_comes_back() {
    let catalog = sample();
    assert_eq!(Catalog::parse(catalog.to_json().as_bytes()), Ok(catalog.clone()));
    let bare = Catalog { index: IndexRef { inline: None, ..catalog.index.clone() }, ..catalog.clone() };
    assert_eq!(Catalog::parse(bare.to_json().as_bytes()), Ok(bare));
    let old = CatalogPack { archived: true, ..catalog.packs[0].clone() };
    let old = Catalog::new(vec![old], catalog.index.clone());
    assert_eq!(old.archived, ["history/rome"]);
    assert_eq!(Catalog::parse(old.to_json().as_bytes()), Ok(old));
    let stages_file = Some(FileRef { path: "index/0f.json".into(), bytes: 7, sha256: "cd".into() });
    let staged = Catalog { stages: vec!["chunks".into()], stages_file, ..catalog.clone() };
    assert_eq!(Catalog::parse(staged.to_json().as_bytes()), Ok(staged));
    assert_eq!(catalog.index.path_of("def.idx"), "index/def.idx");
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
    check(
        b"{\"format\": \"seealso-catalog\", \"version\": 1}",
        "version 1, this reader knows version 2; rebuild it with `seealso build`",
    );
    check(b"\xff\xfe", "can't be read");
    check(&vec![b' '; CATALOG_MAX_BYTES + 1], "more than");
    check(sample().to_json().replace("history/rome", "../secret").as_bytes(), "does not lie under");
    check(sample().to_json().replace("index/abc.idx", "https://evil.example/x").as_bytes(), "does not lie under");
    let stages_file = Some(FileRef { path: "index/../../x".into(), bytes: 7, sha256: "cd".into() });
    check(Catalog { stages_file, ..sample() }.to_json().as_bytes(), "does not lie under");
}

#[test]
fn the_file_of_packs_is_checked_too() {
    let packs = serde_json::to_string(&sample().packs).unwrap();
    assert_eq!(Catalog::parse_packs(packs.as_bytes()), Ok(sample().packs));
    for hostile in [packs.replace("history/rome", "../secret"), packs.replace("wiki", "a/../..")] {
        assert!(matches!(Catalog::parse_packs(hostile.as_bytes()), Err(CatalogError::UnsafePath { .. })), "{hostile}");
    }
    assert!(Catalog::parse_packs(b"{}").is_err() && Catalog::parse_packs(b"<html>").is_err());
}

#[test]
fn a_catalog_of_version_1_is_refused() {
    let old = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/formats/v1/catalog.json")).unwrap();
    let refused = Catalog::parse(&old).unwrap_err();
    assert_eq!(refused, CatalogError::Version { found: 1 });
    assert!(refused.to_string().contains("rebuild it with `seealso build`"), "{refused}");
}

#[test]
fn an_error_says_what_to_do() {
    let large = CatalogError::TooLarge { bytes: 17_000_000 }.to_string();
    assert_eq!(
        large,
        "catalog.json has 17000000 bytes, more than the 16777216 allowed; build it again with `seealso build`"
    );
    let hostile = CatalogError::UnsafePath { path: "../x".into() }.to_string();
    assert_eq!(
        hostile,
        "catalog.json names the path \"../x\", which does not lie under the packs root; build it again with `seealso build`"
    );
}

#[test]
fn any_version_tells_where_its_index_lay() {
    let check = |text: &str, expected: Option<(u64, Option<&str>)>| {
        let read = AnyCatalog::read(text.as_bytes());
        assert_eq!(read.as_ref().map(|any| (any.version, any.root.as_deref())), expected, "{text}");
    };
    let old = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/formats/v1/catalog.json"));
    check(&old.unwrap(), Some((1, Some("index/6483dc3aad91e32e.idx"))));
    let of = |version, index| format!(r#"{{"format": "seealso-catalog", "version": {version}, "index": {index}}}"#);
    check(&of(3, r#"{"path": "index/ab.idx"}"#), Some((3, Some("index/ab.idx"))));
    check(&of(3, r#"{"path": "../ab.idx"}"#), Some((3, None)));
    check(&of(1, "[]"), Some((1, None)));
    check(r#"{"format": "other", "version": 2}"#, None);
    check(r#"{"format": "seealso-catalog", "vers"#, None);
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

#[test]
fn base64_is_that_of_the_rfc() {
    for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")] {
        assert_eq!(to_base64(bytes.as_bytes()), text);
        assert_eq!(from_base64(text), Some(bytes.as_bytes().to_vec()));
    }
    assert_eq!(from_base64("Zm 9v"), None);
}

proptest! {
    #[test]
    fn base64_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
        prop_assert_eq!(from_base64(&to_base64(&bytes)), Some(bytes));
    }

    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = Catalog::parse(&bytes);
    }
}
