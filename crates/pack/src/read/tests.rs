//! Packs in a folder of their own, found and read.

use super::*;
use std::path::PathBuf;

mod bundles;
mod left_out;

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder(std::env::temp_dir().join(format!("seealso-pack-{name}-{}", std::process::id())));
        drop(fs::remove_dir_all(&folder.0));
        for (file, bytes) in files {
            let path = folder.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

const PAGE: &[u8] = b"---\ntitle: T\nsummary: S\n---\n# T\n";

#[test]
fn packs_are_found_wherever_they_lie() {
    let folder = Folder::new(
        "find",
        &[
            ("b/manifest.yaml", b"name: b"),
            ("b/wiki/concepts/x.md", PAGE),
            ("b/inner/manifest.yaml", b"never found"),
            ("b/inner/wiki/x.md", PAGE),
            ("a/c/index.md", b"# C"),
            ("a/c/sub/x.md", PAGE),
            ("a/lonely/index.md", b"# no other page"),
            ("a/manifest/manifest.yaml", b"no wiki"),
            (".hidden/index.md", b"# H"),
            (".hidden/x.md", PAGE),
            ("index/index.md", b"# I"),
            ("index/x.md", PAGE),
            ("node_modules/index.md", b"# N"),
            ("node_modules/x.md", PAGE),
            ("catalog.json", b"{}"),
        ],
    );
    let found = discover(&folder.0).unwrap();
    let paths: Vec<&str> = found.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(paths, ["a/c", "b"]);
    assert_eq!(found[0].0, folder.0.join("a").join("c"));

    let itself = discover(&folder.0.join("b")).unwrap();
    assert_eq!(itself, [(folder.0.join("b"), "b".to_string())]);
    let error = discover(&folder.0.join("gone")).unwrap_err();
    assert!(error.to_string().contains("gone"), "{error}");
}

#[test]
fn a_root_of_packs_may_have_an_index_page() {
    let check = |name: &str, files: &[(&str, &[u8])], expected: &[&str]| {
        let folder = Folder::new(name, files);
        let found = discover(&folder.0).unwrap();
        assert_eq!(found.iter().map(|(_, path)| path.as_str()).collect::<Vec<_>>(), expected, "{name}");
    };
    let tea: [(&str, &[u8]); 2] = [("tea/manifest.yaml", b"name: tea"), ("tea/wiki/concepts/x.md", PAGE)];
    check("root", &[("index.md", b"# Our packs"), ("about.md", PAGE), tea[0], tea[1]], &["tea"]);
    let below = [("set/tea/manifest.yaml", tea[0].1), ("set/tea/wiki/x.md", PAGE)];
    check("set", &[("set/index.md", b"# A set"), below[0], below[1]], &["set/tea"]);
    // A manifest alone makes no pack.
    check("okf-root", &[("okf/index.md", b"# One pack"), ("okf/tea/manifest.yaml", b""), ("okf/a.md", PAGE)], &["okf"]);
}

#[test]
fn a_wiki_pack_is_read() {
    let folder = Folder::new(
        "wiki",
        &[
            ("manifest.yaml", b"name: p\ntitle: The pack\nlanguage: de\nsummary: All of it."),
            ("raw/articles/n.md", b"never a page"),
            ("wiki/index.md", b"| File | Title | Summary |\n|---|---|---|\n| concepts/b.md | B | s |\n| broken |\n"),
            ("wiki/schema.md", b"the schema"),
            ("wiki/log.md", b"the log"),
            ("wiki/concepts/_index.md", b"never a page"),
            ("wiki/concepts/b.md", PAGE),
            ("wiki/concepts/a.md", b"no front matter\r\n"),
            ("wiki/concepts/image.md", b"\x89PNG\0\xff"),
            ("wiki/concepts/latin.md", b"---\ntitle: caf\xe9\nsummary: S\n---\n"),
            ("wiki/concepts/big.md", &vec![b'x'; (4 << 20) + 1]),
            ("wiki/concepts/picture.png", b"\x89PNG"),
        ],
    );
    let pack = Pack::read(&folder.0, "set/p").unwrap();
    let files: Vec<&str> = pack.pages.iter().map(|page| page.file.as_str()).collect();
    assert_eq!(files, ["concepts/a.md", "concepts/b.md", "concepts/latin.md"]);
    assert_eq!(pack.pages[2].title, "caf\u{fffd}");
    assert_eq!(
        (pack.dialect, pack.name(), pack.title(), pack.summary()),
        (Dialect::Wiki, "p", "The pack", "All of it.")
    );
    assert_eq!((pack.language(), pack.page_root(), pack.schema.as_deref()), ("de", "wiki", Some("the schema")));
    assert_eq!(pack.log.as_deref(), Some("the log"));
    assert_eq!(pack.index_rows.as_ref().map(Vec::len), Some(1));
    assert_eq!(pack.page_hashes[1], <[u8; 32]>::from(Sha256::digest(PAGE)));
    let mut found: Vec<String> = pack.findings.iter().map(|f| format!("{}:{}: {}", f.file, f.line, f.code)).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "wiki/concepts/a.md:1: C2",
            "wiki/concepts/a.md:1: R1",
            "wiki/concepts/a.md:1: R4",
            "wiki/concepts/a.md:1: R6",
            "wiki/concepts/big.md:1: R7",
            "wiki/concepts/image.md:1: R7",
            "wiki/concepts/latin.md:1: R7",
            "wiki/index.md:4: R9",
        ]
    );
}

#[test]
fn an_open_knowledge_pack_is_read() {
    let folder = Folder::new(
        "okf",
        &[
            ("index.md", b"---\nokf_version: 0.2\n---\n\n# Tea\n\nAll about tea.\n\n- [Green](green.md) - a kind\n"),
            ("log.md", b"log"),
            ("LICENSE", b"MIT"),
            ("LICENSE.md", b"MIT"),
            ("NOTICE.md", b"notice"),
            ("README.md", b"readme"),
            ("green.md", PAGE),
            ("licence-a-teahouse.md", PAGE),
            ("kinds/black.md", PAGE),
            ("kinds/index.md", b"# Kinds"),
            (".git/x.md", PAGE),
        ],
    );
    let pack = Pack::read(&folder.0, "tea").unwrap();
    let files: Vec<&str> = pack.pages.iter().map(|page| page.file.as_str()).collect();
    assert_eq!(files, ["green.md", "kinds/black.md", "licence-a-teahouse.md"]);
    assert_eq!((pack.dialect, pack.title(), pack.summary()), (Dialect::Okf, "Tea", "All about tea."));
    assert_eq!((pack.language(), pack.page_root(), pack.manifest.name.as_str()), ("en", "", "tea"));
    assert_eq!(pack.index_rows.as_ref().map(|rows| rows[0].file.as_str()), Some("green.md"));
    assert!(pack.directory().derived());
    let found: Vec<String> = pack.findings.iter().map(|f| format!("{} {:?}", f, f.severity)).collect();
    let readme = "README.md:1: R7: left out, as it has no front matter: with a title and a summary it is a page Note";
    assert_eq!(found, [readme]);
}

#[test]
fn what_is_no_pack_is_an_error() {
    let folder =
        Folder::new("none", &[("x.txt", PAGE), ("README.md", b"# Us"), ("index.md", b"# I"), (".x/y.md", PAGE)]);
    assert!(matches!(Pack::read(&folder.0, "x"), Err(Error::NotAPack { .. })));
    assert!(matches!(Pack::read(&folder.0.join("gone"), "x"), Err(Error::Io { .. })));
    assert_eq!(discover(&folder.0).unwrap(), []);
}

#[cfg(unix)]
#[test]
fn names_that_no_url_can_carry_are_left_out() {
    let folder = Folder::new(
        "names",
        &[
            ("p/index.md", b"# P"),
            ("p/a b.md", PAGE),
            ("p/c#.md", PAGE),
            ("p/why?.md", PAGE),
            ("p/100%.md", PAGE),
            ("p/a:b.md", PAGE),
            ("p/a\\b.md", PAGE),
            ("p/f#/x.md", PAGE),
            ("c#/index.md", b"# C"),
            ("c#/a.md", PAGE),
        ],
    );
    let pack = Pack::read(&folder.0.join("p"), "p").unwrap();
    assert_eq!(pack.pages.iter().map(|page| page.file.as_str()).collect::<Vec<_>>(), ["a b.md"]);
    let found: Vec<String> = pack.findings.iter().map(|f| format!("{}: {} {:?}", f.file, f.code, f.severity)).collect();
    let lost = ["100%.md", "a:b.md", "a\\b.md", "c#.md", "f#/x.md", "why?.md"];
    assert_eq!(found, lost.map(|file| format!("{file}: R7 Error")));
    assert_eq!(
        pack.findings[0].message,
        "its name holds one of # ? % : \\ or a control character, or is too long for a URL: left out"
    );
    let error = Pack::read(&folder.0.join("c#"), "c#").unwrap_err().to_string();
    assert!(
        error.contains("\"c#\" holds one of # ? % : \\") && error.ends_with("Rename the pack's folder."),
        "{error}"
    );
    // A pack's path may be so long that no page fits behind it.
    let deep = Pack::read(&folder.0.join("p"), &["x"; 512].join("/")).unwrap();
    assert_eq!((deep.pages.len(), deep.findings.len()), (0, 7));
}
