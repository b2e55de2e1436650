//! Any bytes as a `catalog.json`: what is accepted names no path outside the packs root, and comes back when written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seealso_pack::{Catalog, is_safe_path};

fuzz_target!(|data: &[u8]| {
    match Catalog::parse(data) {
        Ok(catalog) => check(&catalog),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn check(catalog: &Catalog) {
    for path in catalog.index.iter().map(|file| &file.path).chain(catalog.packs.iter().map(|pack| &pack.path)) {
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
