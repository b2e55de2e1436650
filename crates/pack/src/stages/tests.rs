//! Stages files written, read back, damaged and hostile.

use super::*;
use proptest::prelude::*;

fn record(name: &str) -> StageRecord {
    StageRecord {
        name: name.into(),
        version: 1,
        root: FileRef { path: "index/0123456789abcdef.idx".into(), bytes: 12, sha256: "ab".into() },
        model: None,
        threshold: None,
        packs: [("history/rome".to_owned(), "00".to_owned())].into(),
    }
}

/// A model, published as the files with these paths.
fn model(files: &[&str]) -> StageModel {
    let file = |path: &&str| FileRef { path: (*path).into(), bytes: 3, sha256: "ef".into() };
    StageModel {
        id: "mini".into(),
        sha256: "cd".into(),
        dimensions: 384,
        scheme: "int8".into(),
        files: files.iter().map(file).collect(),
    }
}

fn sample() -> StagesFile {
    let vectors = StageRecord { model: Some(model(&[])), threshold: Some(0.25), ..record("vectors") };
    StagesFile::new(vec![vectors, record("chunks")])
}

#[test]
fn what_is_written_comes_back() {
    let file = sample();
    assert_eq!(file.names(), ["chunks", "vectors"]);
    assert_eq!(StagesFile::parse(file.to_json().as_bytes()), Ok(file.clone()));
    assert_eq!(file.stage("vectors").and_then(|stage| stage.threshold), Some(0.25));
    assert_eq!(file.stage("graph"), None);
    assert_eq!(
        StagesFile::new(vec![record("chunks")]).to_json(),
        "{\"format\":\"seealso-stages\",\"version\":1,\"stages\":[{\"name\":\"chunks\",\"version\":1,\
         \"root\":{\"path\":\"index/0123456789abcdef.idx\",\"bytes\":12,\"sha256\":\"ab\"},\
         \"model\":null,\"threshold\":null,\"packs\":{\"history/rome\":\"00\"}}]}\n"
    );
}

#[test]
fn an_encoder_that_is_published_is_named_with_its_files() {
    let with = |files: &[&str]| {
        StagesFile::new(vec![record("chunks"), StageRecord { model: Some(model(files)), ..record("vectors") }])
    };
    let (published, plain) = (with(&["index/0123456789abcdef.json", "index/0123456789abcdef.safetensors"]), with(&[]));
    assert_eq!(
        (published.catalog_names(), plain.catalog_names()),
        (
            vec!["chunks".to_owned(), "encoder".to_owned(), "vectors".to_owned()],
            vec!["chunks".to_owned(), "vectors".to_owned()],
        )
    );
    assert_eq!(StagesFile::parse(published.to_json().as_bytes()), Ok(published));
    // A file of before the field was there.
    assert!(!plain.to_json().contains("files"));
    assert_eq!(StagesFile::parse(plain.to_json().as_bytes()), Ok(plain));
    let outside = StagesFile::parse(with(&["../secret"]).to_json().as_bytes()).unwrap_err();
    assert_eq!(outside, StagesError::UnsafePath { path: "../secret".into() });
}

#[test]
fn of_two_stages_of_one_name_the_last_counts() {
    let later = StageRecord { version: 2, ..record("chunks") };
    assert_eq!(StagesFile::new(vec![record("chunks"), later.clone()]).stages, [later]);
}

#[test]
fn other_bytes_are_told_apart() {
    let check = |bytes: &[u8], expected: &str| {
        let message = StagesFile::parse(bytes).unwrap_err().to_string();
        assert!(message.contains(expected) && message.ends_with("; make it again with `seealso setup`"), "{message}");
    };
    check(b"", "can't be read");
    check(b"<!doctype html>", "can't be read");
    check(b"{\"format\":\"seealso-catalog\",\"version\":2}", "its format is \"seealso-catalog\"");
    check(b"{\"format\":\"seealso-stages\",\"version\":9}", "has format version 9, this reader knows version 1");
    check(b"{\"format\":\"seealso-stages\",\"version\":1}", "missing field `stages`");
    check(&vec![b' '; STAGES_MAX_BYTES + 1], "has 16777217 bytes, more than the 16777216 allowed");
    let with = |from: &str, to: &str| sample().to_json().replace(from, to).into_bytes();
    check(&with("index/0123456789abcdef.idx", "../secret"), "names the path \"../secret\"");
    check(&with("history/rome", "https://evil.example"), "names the path \"https://evil.example\"");
    check(&with("0.25", "1.5"), "the threshold of \"vectors\" is no similarity");
    check(&with("0.25", "1e999"), "can't be read");
    check(&with("vectors", "chunks"), "two have one name");
    check(&with("384", "-1"), "can't be read");
}

#[test]
fn keys_of_later_versions_are_passed_over() {
    let text = sample().to_json().replace("\"version\":1,\"root\"", "\"note\":[1],\"version\":1,\"root\"");
    assert_eq!(StagesFile::parse(text.as_bytes()), Ok(sample()));
}

#[test]
fn a_stage_of_other_pages_is_stale() {
    let stage = record("chunks");
    for (path, fingerprint, expected) in [
        ("history/rome", "00", Coverage::Current),
        ("history/rome", "01", Coverage::Stale),
        ("history/greece", "00", Coverage::Absent),
    ] {
        assert_eq!(stage.coverage(path, fingerprint), expected, "{path} {fingerprint}");
    }
    let pack = |path: &str, fingerprint: &str| CatalogPack {
        path: path.into(),
        title: String::new(),
        language: "en".into(),
        page_root: String::new(),
        pages: 1,
        summary: String::new(),
        fingerprint: fingerprint.into(),
        archived: false,
    };
    let packs = [pack("history/greece", "00"), pack("history/rome", "00")];
    assert_eq!(stage.outdated_packs(&packs), ["history/greece"]);
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = StagesFile::parse(&bytes);
    }

    #[test]
    fn a_damaged_file_is_survived(at in 0usize..400, byte in any::<u8>()) {
        let mut bytes = sample().to_json().into_bytes();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(file) = StagesFile::parse(&bytes) {
            prop_assert_eq!(StagesFile::parse(file.to_json().as_bytes()), Ok(file));
        }
    }
}
