//! Publishing into real folders: what a build takes over, leaves whole, keeps and removes.

use std::collections::BTreeSet;

use seealso_index::{Form, Index, PageEntry, PageNo};

use super::*;

/// A folder of its own for a test, which goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let root = std::env::temp_dir().join(format!("seealso-publish-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(&root).unwrap();
        Folder(root)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// A pack with one page.
    fn pack(&self, name: &str, title: &str) {
        self.write(&format!("packs/{name}/manifest.yaml"), &format!("name: {name}\nlanguage: en\n"));
        let page = format!("---\ntitle: {title}\nsummary: All of {title}.\ntags: [Small Thing]\n---\n\n# {title}\n");
        self.write(&format!("packs/{name}/wiki/concepts/page.md"), &page);
    }

    fn publish(&self, out: &str) -> Published {
        let packs = crate::discover(&self.0.join("packs")).unwrap();
        let plan = Plan { packs, out: self.0.join(out), in_place: out == "packs", tsv: false, body_terms: BODY_TERMS };
        publish(&plan, &mut |_| {}).unwrap()
    }

    fn rows(&self, text: &str, packs: u32) -> Result<RowsBuilt, Error> {
        self.write("rows.tsv", text);
        let plan = RowsPlan {
            file: self.0.join("rows.tsv"),
            name: "rows".into(),
            packs,
            language: "en".into(),
            out: self.0.join("site"),
        };
        publish_rows(&plan, &mut |_, _| {})
    }

    /// The names below a folder, with their bytes.
    fn files(&self, below: &str) -> Vec<(String, Vec<u8>)> {
        let names = last::files_below(&self.0.join(below)).unwrap();
        names.into_iter().map(|(name, path)| (name, std::fs::read(path).unwrap())).collect()
    }

    /// A page as the index of `site` has it.
    fn page(&self, catalog: &Catalog, number: u32) -> PageEntry {
        let file = |path: String| std::fs::read(self.0.join("site").join(path)).unwrap();
        let index = Index::open(&file(catalog.index.root.path.clone())).unwrap();
        loop {
            match index.page(PageNo(number)) {
                Err(seealso_index::Error::Missing) => (),
                found => return found.unwrap(),
            }
            for want in index.wanted() {
                let bytes = file(catalog.index.path_of(&want.name()));
                index.supply(want.file, Form::of(&bytes).unwrap().unpack().unwrap()).unwrap();
            }
        }
    }

    fn index_names(&self, out: &str) -> BTreeSet<String> {
        self.files(&format!("{out}/index")).into_iter().map(|(name, _)| name).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_of_the_build_before_last_are_removed() {
    let folder = Folder::new("older");
    let mut builds = Vec::new();
    for title in ["Green tea", "Black tea", "White tea"] {
        folder.pack("tea", title);
        folder.write("packs/index/pages.tsv", "mine");
        assert!(folder.publish("packs").changed);
        builds.push(folder.index_names("packs"));
    }
    // A root, the list of files and a list of words each; the site owner's file stays.
    assert_eq!(builds.iter().map(BTreeSet::len).collect::<Vec<_>>(), [4, 7, 7]);
    assert!(builds[0].is_subset(&builds[1]), "the last build is kept for readers who are underway");
    let gone: Vec<&String> = builds[1].difference(&builds[2]).collect();
    assert_eq!(gone.len(), 3);
    assert!(gone.iter().all(|name| builds[0].contains(*name)), "{gone:?}");
    assert!(!folder.publish("packs").changed);
    assert_eq!(folder.index_names("packs"), builds[2]);
}

#[test]
fn many_packs_stand_in_a_file_of_their_own() {
    let folder = Folder::new("many");
    for number in 0..=MOST_PACKS_INLINE {
        folder.pack(&format!("pack-{number:03}"), &format!("Title {number}"));
    }
    let first = folder.publish("site");
    assert_eq!((first.catalog.pack_count, first.catalog.packs.len(), first.pages), (101, 0, 101));
    let list = first.catalog.packs_file.clone().unwrap();
    let listed = Catalog::parse_packs(&std::fs::read(folder.0.join("site").join(&list.path)).unwrap()).unwrap();
    assert_eq!((listed.len(), listed[100].path.as_str()), (101, "pack-100"));
    assert_eq!(Catalog::parse(first.catalog.to_json().as_bytes()).unwrap(), first.catalog);

    // The list serves the next build: nothing is read again, and a damaged copy is seen.
    let again = folder.publish("site");
    assert_eq!((again.taken_over.len(), again.changed), (101, false));
    folder.write("site/pack-007/wiki/concepts/page.md", "another page");
    assert!(folder.publish("site").changed);
    folder.pack("pack-007", "Changed");
    assert_eq!(folder.publish("site").read, ["pack-007"]);
}

#[test]
fn a_list_of_packs_is_checked_like_the_catalog() {
    let list = r#"[{"path": "../x", "title": "", "language": "", "page_root": "", "pages": 1, "summary": "", "fingerprint": ""}]"#;
    let error = Catalog::parse_packs(list.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("\"../x\", which does not lie under the packs root"), "{error}");
    assert!(Catalog::parse_packs(b"{}").is_err() && Catalog::parse_packs(b"[").is_err());
}

#[test]
fn a_catalog_of_the_first_version_is_built_anew() {
    let folder = Folder::new("version");
    folder.pack("tea", "Green tea");
    let old = r#"{"format": "seealso-catalog", "version": 1, "generator": "seealso 0.1.0", "packs": [], "index": []}"#;
    folder.write("packs/catalog.json", old);
    let error = Catalog::parse(old.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("version 1") && error.contains("rebuild it with `seealso build`"), "{error}");
    let built = folder.publish("packs");
    assert_eq!((built.read, built.changed), (vec!["tea".to_owned()], true));
}

#[test]
fn rows_become_pages_of_one_pack_or_of_several() {
    let folder = Folder::new("rows");
    let rows: String =
        (0..5_000).map(|n| format!("npm/row-{n}\tRow {n}\tThe summary of number {n}.\textra\n")).collect();
    let one = folder.rows(&rows, 1).unwrap();
    assert_eq!((one.rows, one.catalog.packs[0].path.as_str(), one.catalog.packs[0].pages), (5_000, "rows", 5_000));
    assert_eq!(Catalog::parse(one.catalog.to_json().as_bytes()).unwrap(), one.catalog);
    let before = folder.files("site");
    let bytes: u64 =
        before.iter().filter(|(name, _)| name.ends_with(".idx")).map(|(_, bytes)| bytes.len() as u64).sum();
    assert_eq!(bytes, one.catalog.index.total_bytes);
    assert_eq!(before.iter().filter(|(name, _)| name.ends_with(".idx")).count() as u64, one.catalog.index.files + 1);

    // The same rows give the same bytes, and their order is kept.
    folder.rows(&rows, 1).unwrap();
    assert!(folder.files("site") == before);
    assert_eq!(folder.page(&one.catalog, 4_321).file, "npm/row-4321.md");
    assert_eq!(folder.page(&one.catalog, 4_999).summary, "The summary of number 4999.");

    let three = folder.rows(&rows, 3).unwrap();
    let packs: Vec<(&str, u32)> = three.catalog.packs.iter().map(|pack| (&*pack.path, pack.pages)).collect();
    assert_eq!(packs, [("rows-1", 1_666), ("rows-2", 1_667), ("rows-3", 1_667)]);
    let fingerprints: BTreeSet<&str> = three.catalog.packs.iter().map(|pack| &*pack.fingerprint).collect();
    assert_eq!(fingerprints.len(), 3);
}

#[test]
fn rows_that_are_none_leave_the_last_build_whole() {
    let folder = Folder::new("no-rows");
    folder.rows("a\tA\tThe first.\nb\tB\tThe second.", 1).unwrap();
    let before = folder.files("site");
    for (text, says) in [
        ("", "it has no rows"),
        ("a\tA\tx\nonly an id\n", "line 2 is no row"),
        ("a\tA\tx\n../b\tB\ty\n", "line 2 is no row"),
        ("a\tA\tx\n\nb\tB\tx\n", "line 2 is no row"),
    ] {
        let error = folder.rows(text, 1).unwrap_err().to_string();
        assert!(error.contains("rows.tsv") && error.contains(says), "{error}");
        assert!(folder.files("site") == before, "{says}");
    }
    assert!(folder.rows("a\tA\tx\n", 9).unwrap().catalog.pack_count == 1, "no pack without rows");
    let left: Vec<_> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing but the rows and the site: {left:?}");
}

/// Publishing onto a folder that may not be replaced: what is said, and that nothing there changed.
fn refused(folder: &Folder, out: &str, names: &str) {
    let before = folder.files(out);
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let plan = Plan { packs, out: folder.0.join(out), in_place: false, tsv: false, body_terms: BODY_TERMS };
    let copy = publish(&plan, &mut |_| {}).unwrap_err().to_string();
    folder.write("rows.tsv", "a\tA\tx\n");
    let (file, name, language) = (folder.0.join("rows.tsv"), "rows".into(), "en".into());
    let plan = RowsPlan { file, name, packs: 1, language, out: folder.0.join(out) };
    let rows = publish_rows(&plan, &mut |_, _| {}).unwrap_err().to_string();
    for error in [copy, rows] {
        assert!(error.contains(&format!("holds files that no build made, such as {names}")), "{error}");
    }
    assert!(folder.files(out) == before, "{out}");
}

#[test]
fn packs_that_are_built_in_place_are_never_replaced() {
    let folder = Folder::new("authored");
    folder.pack("tea", "Green tea");
    folder.publish("packs");
    std::fs::create_dir(folder.0.join("empty")).unwrap();
    folder.pack("tea", "White tea");
    refused(&folder, "packs", "tea/");
    // A copy that was built in place afterwards is somebody's work as well.
    folder.publish("site");
    let packs = crate::discover(&folder.0.join("site")).unwrap();
    let plan = Plan { packs, out: folder.0.join("site"), in_place: true, tsv: false, body_terms: BODY_TERMS };
    publish(&plan, &mut |_| {}).unwrap();
    folder.pack("tea", "Black tea");
    refused(&folder, "site", "tea/");
    assert!(folder.publish("empty").changed, "an empty folder is free");
}

#[test]
fn a_copy_is_replaced_while_nothing_else_lies_in_it() {
    let folder = Folder::new("replaced");
    folder.pack("tea", "Green tea");
    folder.pack("bread", "Rye");
    folder.publish("site");
    std::fs::remove_dir_all(folder.0.join("packs/bread")).unwrap();
    assert!(folder.publish("site").changed, "a pack that is gone takes its copy along");
    assert!(!folder.0.join("site/bread").exists());
    for mine in ["site/.htaccess", "site/index.html", "site/tea/wiki/concepts/mine.md", "site/index/notes.txt"] {
        folder.write(mine, "years of work");
        folder.pack("tea", mine);
        refused(&folder, "site", &mine["site/".len()..]);
        std::fs::remove_file(folder.0.join(mine)).unwrap();
        assert!(folder.publish("site").changed, "{mine}");
    }
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let plan = Plan { packs, out: folder.0.join("site"), in_place: false, tsv: true, body_terms: BODY_TERMS };
    publish(&plan, &mut |_| {}).unwrap();
    folder.rows("a\tA\tx\n", 1).unwrap();
    folder.rows("a\tA\ty\n", 1).unwrap();
    assert!(folder.publish("site").changed, "rows leave nothing that is not theirs");
}

#[test]
fn an_index_whose_words_were_not_counted_is_not_taken_over() {
    let folder = Folder::new("words");
    folder.pack("tea", "Green tea");
    let publish = || {
        let packs = crate::discover(&folder.0.join("packs")).unwrap();
        let plan = Plan { packs, out: folder.0.join("packs"), in_place: true, tsv: false, body_terms: 0 };
        publish(&plan, &mut |_| {}).unwrap()
    };
    publish();
    assert_eq!(publish().taken_over, ["tea"]);
    let index = folder.0.join("packs/index");
    let words = std::fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    let words: Vec<_> = words.filter(|path| path.extension().is_some_and(|ending| ending == "words")).collect();
    assert_eq!(words.len(), 1);
    std::fs::write(&words[0], "").unwrap();
    assert_eq!(publish().read, ["tea"]);
    assert!(std::fs::metadata(&words[0]).unwrap().len() > 0, "and counted again");
}
