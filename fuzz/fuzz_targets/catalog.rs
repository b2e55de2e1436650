//! Any bytes as a `catalog.json`, its file of packs, or a text in base64: what is accepted names no path outside the packs root, and comes back when written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_pack::{Catalog, from_base64, is_safe_path, to_base64};

fuzz_target!(|data: &[u8]| {
    check_packs_file(data);
    check_base64(data);
    match Catalog::parse(data) {
        Ok(catalog) => check(&catalog),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn check(catalog: &Catalog) {
    let files = catalog.packs_file.iter().chain([&catalog.index.root]).map(|file| &file.path);
    for path in files.chain(catalog.packs.iter().map(|pack| &pack.path)) {
        assert!(is_safe_path(path), "{path:?}");
        // As a file path and as a URL, whatever is put before it.
        assert!(!path.starts_with('/') && !path.contains("//") && !path.contains(':'), "{path:?}");
        assert!(!path.split(['/', '\\']).any(|step| matches!(step, ".." | "." | "")), "{path:?}");
    }
    for pack in &catalog.packs {
        assert!(is_safe_path(&pack.page_root) || pack.page_root.is_empty());
        assert!(pack.page_path("concepts/a.md").starts_with(&pack.path));
    }
    assert_eq!(Catalog::parse(catalog.to_json().as_bytes()).as_ref(), Ok(catalog));
}

fn check_packs_file(data: &[u8]) {
    for pack in Catalog::parse_packs(data).unwrap_or_default() {
        assert!(is_safe_path(&pack.path), "{:?}", pack.path);
        assert!(is_safe_path(&pack.page_root) || pack.page_root.is_empty());
    }
}

fn check_base64(data: &[u8]) {
    assert_eq!(from_base64(&to_base64(data)).as_deref(), Some(data));
    if let Ok(text) = std::str::from_utf8(data) {
        assert!(from_base64(text).is_none_or(|bytes| bytes.len() <= text.len()));
    }
}
