//! Publishing into real folders: what a build takes over, leaves whole, keeps and removes.

use std::collections::BTreeSet;

use seealso_index::{Form, Index, PageEntry, PageNo};

use super::*;

mod left;

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

    fn publish(&self, out: &str) -> PublishReport {
        let packs = crate::discover(&self.0.join("packs")).unwrap();
        let plan = Plan { packs, out: self.0.join(out), in_place: out == "packs", tsv: false, body_terms: BODY_TERMS };
        publish(&plan, &mut |_| {}).unwrap()
    }

    fn rows(&self, text: &str, packs: u32) -> Result<RowsReport, Error> {
        self.rows_titled(text, packs, Titles::Paths)
    }

    fn rows_titled(&self, text: &str, packs: u32, titles: Titles) -> Result<RowsReport, Error> {
        self.write("rows.tsv", text);
        let (file, name, language, out) = (self.0.join("rows.tsv"), "rows".into(), "en".into(), self.0.join("site"));
        publish_rows(&RowsPlan { file, name, packs, titles, language, out }, &mut |_, _| {})
    }

    /// The names below a folder, with their bytes.
    fn files(&self, below: &str) -> Vec<(String, Vec<u8>)> {
        let names = previous_build::files_below(&self.0.join(below)).unwrap();
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
    assert_eq!((again.reused.len(), again.changed), (101, false));
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

/// The folder `site` of a copy, as it is after `damage`, is replaced by another build.
fn replaced(name: &str, damage: impl Fn(&Folder)) {
    let folder = Folder::new(name);
    folder.pack("tea", "Green tea");
    folder.pack("bread", "Rye");
    folder.publish("site");
    let whole = folder.files("site");
    damage(&folder);
    assert!(folder.publish("site").changed, "{name}");
    assert!(folder.files("site") == whole, "{name}");
}

/// As [`replaced`], but a file of somebody's lies there too: it stays, with all else.
fn kept(name: &str, damage: impl Fn(&Folder), says: &str) {
    let folder = Folder::new(name);
    folder.pack("tea", "Green tea");
    folder.publish("site");
    damage(&folder);
    folder.write("site/mine.txt", "years of work");
    let before = folder.files("site");
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let plan = Plan { packs, out: folder.0.join("site"), in_place: false, tsv: false, body_terms: BODY_TERMS };
    let error = publish(&plan, &mut |_| {}).unwrap_err().to_string();
    assert!(error.ends_with(says), "{name}: {error}");
    assert!(folder.files("site") == before, "{name}");
}

#[test]
fn a_copy_of_another_version_or_with_a_damaged_catalog_is_replaced_by_its_list() {
    let version = |folder: &Folder| {
        let text = std::fs::read_to_string(folder.0.join("site/catalog.json")).unwrap();
        folder.write("site/catalog.json", &text.replace("\"version\": 2", "\"version\": 3"));
    };
    let damaged = |folder: &Folder| folder.write("site/catalog.json", "{\"format\": \"seealso-cat");
    let foreign = "site: it holds files that no build made, such as mine.txt. Name an empty or a new folder.";
    replaced("other-version", version);
    kept("other-version-mine", version, foreign);
    replaced("damaged-catalog", damaged);
    kept("damaged-catalog-mine", damaged, foreign);
    kept(
        "two-lists",
        |folder| {
            damaged(folder);
            folder.write("site/index/0123456789abcdef.files", "mine.txt\n");
        },
        "site: a build whose catalog.json can't be read lies there and no list of its files, so nothing is replaced; if all \
         of it is but a copy, remove catalog.json, index and tea. Or name a new folder.",
    );
}

#[test]
fn a_catalog_json_of_another_program_stays() {
    let folder = Folder::new("stac");
    folder.pack("tea", "Green tea");
    folder.write("stac/catalog.json", r#"{"type": "Catalog", "id": "mine"}"#);
    refused(&folder, "stac", "catalog.json");
    // Also where a list of index files lies beside it.
    folder.write("stac/index/0123456789ab.files", "index/0123456789ab.idx\n");
    let before = folder.files("stac");
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let plan = Plan { packs, out: folder.0.join("stac"), in_place: false, tsv: false, body_terms: BODY_TERMS };
    let error = publish(&plan, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("so nothing is replaced") && folder.files("stac") == before, "{error}");
}

#[test]
fn what_killed_builds_left_is_removed() {
    let folder = Folder::new("killed");
    folder.pack("tea", "Green tea");
    // No process has that number: it is above what systems give.
    folder.write("packs/index/.4294967295.part/0.idx", "half");
    folder.write("packs/index/.mine.part/notes", "kept");
    folder.publish("packs");
    let is_there = |name: &str| folder.0.join("packs/index").join(name).exists();
    assert_eq!([is_there(".4294967295.part"), is_there(".mine.part/notes")], [false, true]);
}

#[test]
fn what_others_put_among_index_files_stays() {
    let folder = Folder::new("among");
    for title in ["Green tea", "Black tea", "White tea"] {
        folder.pack("tea", title);
        folder.write("packs/index/notes.json", "mine");
        folder.write("packs/index/my.words", "mine");
        assert!(folder.publish("packs").changed);
    }
    assert!(folder.index_names("packs").is_superset(&["notes.json".to_owned(), "my.words".to_owned()].into()));
}

/// Packs of several pages each, with bodies, links and tags.
fn several(folder: &Folder) {
    for (pack, word) in [("bread", "crust"), ("coffee", "roast"), ("tea", "leaf")] {
        folder.write(&format!("packs/{pack}/manifest.yaml"), &format!("name: {pack}\nlanguage: en\n"));
        for number in 0..40 {
            let front =
                format!("---\ntitle: {pack} {number}\nsummary: The {word} of number {number}.\ntags: [{word}]\n---\n");
            let body = format!("\n# {pack}\n\nA {word} and another{} make n{number}.\n", number % 7);
            let links = format!("\n## See Also\n\n- [[page-{}]]\n", (number + 1) % 40);
            folder.write(&format!("packs/{pack}/wiki/concepts/page-{number}.md"), &(front + &body + &links));
        }
    }
}

#[test]
fn packs_one_by_one_give_what_packs_in_memory_give() {
    let folder = Folder::new("streamed");
    several(&folder);
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let layout = Layout { buffered_postings: 50, ..Layout::in_files_of(200) };
    let read: Vec<Pack> = packs.iter().map(|(dir, path)| Pack::read(dir, path).unwrap()).collect();
    let expected = catalog_in(&read, layout.clone(), 3).unwrap();
    assert!(expected.catalog.index.files > 40);
    let plan = Plan { packs, out: folder.0.join("site"), in_place: false, tsv: true, body_terms: 3 };
    let publish = || publish_in(layout.clone(), &plan, &mut |_| {}).unwrap();
    assert_eq!(publish().catalog.index, expected.catalog.index);
    for (path, bytes) in &expected.files {
        assert!(std::fs::read(plan.out.join(path)).unwrap() == *bytes, "{path}");
    }
    let (whole, rows) = (folder.files("site"), std::fs::read_to_string(plan.out.join("index/pages.tsv")).unwrap());
    assert!(
        rows.starts_with("bread/concepts/page-0\tbread 0\tThe crust of number 0.\nbread/concepts/page-1\t"),
        "{rows}"
    );
    assert_eq!(rows.lines().count(), 120);

    // What is taken over, all of it or beside a pack that is read, gives the same bytes.
    assert_eq!(publish().reused, ["bread", "coffee", "tea"]);
    assert!(folder.files("site") == whole);
    let page = folder.0.join("packs/coffee/wiki/concepts/page-3.md");
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::write(&page, text.clone() + "\nA sieve.\n").unwrap();
    assert_eq!(publish().read, ["coffee"]);
    assert!(folder.files("site") != whole);
    std::fs::write(&page, text).unwrap();
    let last = publish();
    assert_eq!((last.read, last.reused), (vec!["coffee".to_owned()], vec!["bread".to_owned(), "tea".to_owned()]));
    assert!(folder.files("site") == whole);
}

#[test]
fn index_files_leave_memory_before_the_build_ends_and_a_failing_build_takes_them_along() {
    for (name, in_place) in [("leave-copy", false), ("leave-place", true)] {
        let folder = Folder::new(name);
        several(&folder);
        let out = if in_place { "packs" } else { "site" };
        folder.publish(out);
        let before = folder.files(out);
        folder.pack("bread", "Rye");
        let mut packs = crate::discover(&folder.0.join("packs")).unwrap();
        packs.push((folder.0.join("gone"), "zzz".to_owned()));
        let plan = Plan { packs, out: folder.0.join(out), in_place, tsv: false, body_terms: 3 };
        let staged = match in_place {
            true => format!("packs/index/.{}.part/index", std::process::id()),
            false => format!(".site.{}.part/index", std::process::id()),
        };
        let mut files = Vec::new();
        let failed = publish_in(Layout::in_files_of(200), &plan, &mut |progress| {
            if let Progress::Pack(_) = progress {
                files.push(previous_build::files_below(&folder.0.join(&staged)).map_or(0, |files| files.len()));
            }
        });
        assert!(failed.unwrap_err().to_string().contains("gone"), "{name}");
        assert!(files[0] == 0 && files.is_sorted() && files[3] > files[1] + 5, "{name}: {files:?}");
        assert!(!folder.0.join(&staged).parent().unwrap().exists(), "{name}");
        let mut after = folder.files(out);
        after.retain(|(path, _)| !path.starts_with("bread/"));
        let mut before = before;
        before.retain(|(path, _)| !path.starts_with("bread/"));
        assert!(after == before, "{name}");
    }
}

#[test]
fn a_large_pack_tells_how_far_it_is() {
    let folder = Folder::new("far");
    folder.write("packs/big/manifest.yaml", "name: big\n");
    for number in 0..2_001 {
        folder.write(&format!("packs/big/wiki/p{number}.md"), "---\ntitle: Page\nsummary: One.\n---\n");
    }
    folder.pack("small", "Green tea");
    let packs = crate::discover(&folder.0.join("packs")).unwrap();
    let plan = Plan { packs, out: folder.0.join("site"), in_place: false, tsv: false, body_terms: BODY_TERMS };
    let mut reports = Vec::new();
    publish(&plan, &mut |progress| reports.push(format!("{progress:?}"))).unwrap();
    assert_eq!(
        reports,
        [
            "Pack(\"big\")",
            "PagesRead { done: 1000, of: 2001 }",
            "PagesRead { done: 2000, of: 2001 }",
            "PagesCounted { done: 1000, of: 2001 }",
            "PagesCounted { done: 2000, of: 2001 }",
            "Pack(\"small\")",
            // page, one, green, tea; the tag; the two packs.
            "TermsWritten { done: 0, of: 7 }",
        ]
    );
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

    let titled = folder.rows_titled(&rows, 2, Titles::FirstRows).unwrap();
    let said: Vec<_> = titled.catalog.packs.iter().map(|pack| (&*pack.path, &*pack.title, &*pack.summary)).collect();
    let [first, second] = [("Row 0", "The summary of number 0."), ("Row 2500", "The summary of number 2500.")];
    assert_eq!(said, [("rows-1", first.0, first.1), ("rows-2", second.0, second.1)]);
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
    let plan = RowsPlan { file, name, packs: 1, titles: Titles::Paths, language, out: folder.0.join(out) };
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
    assert_eq!(publish().reused, ["tea"]);
    let index = folder.0.join("packs/index");
    let words = std::fs::read_dir(&index).unwrap().map(|entry| entry.unwrap().path());
    let words: Vec<_> = words.filter(|path| path.extension().is_some_and(|ending| ending == "words")).collect();
    assert_eq!(words.len(), 1);
    std::fs::write(&words[0], "").unwrap();
    assert_eq!(publish().read, ["tea"]);
    assert!(std::fs::metadata(&words[0]).unwrap().len() > 0, "and counted again");
}
