//! Stages written beside an index, made again, kept by builds and removed.

use std::collections::BTreeSet;

use super::*;
use crate::stages::Coverage;

/// A folder of packs for a test, which goes away with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let root = std::env::temp_dir().join(format!("seealso-stage-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let folder = Folder(root);
        folder.page("Tea is a drink.");
        folder
    }

    fn page(&self, body: &str) {
        let path = self.0.join("packs/tea/wiki/concepts/tea.md");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(self.0.join("packs/tea/manifest.yaml"), "name: tea\n").unwrap();
        fs::write(path, format!("---\ntitle: Tea\nsummary: A drink.\n---\n\n{body}\n")).unwrap();
    }

    /// Publishes the pack: in place to `packs`, or a copy of it.
    fn build(&self, out: &str) -> bool {
        self.publish(out).changed
    }

    fn publish(&self, out: &str) -> super::super::PublishReport {
        let packs = crate::discover(&self.0.join("packs")).unwrap();
        let (out, in_place) = (self.0.join(out), out == "packs");
        let plan = super::super::Plan { packs, out, in_place, tsv: false, body_terms: 8 };
        super::super::publish(&plan, &mut |_| {}).unwrap()
    }

    /// Publishes a stage with a root and another file.
    fn stage(&self, out: &str, name: &str, text: &str) -> bool {
        let root = self.0.join(out);
        let mut writer = StageWriter::begin(&root).unwrap();
        let hash: Hash = Sha256::digest(text)[..size_of::<Hash>()].try_into().unwrap();
        writer.put(&hash, text.as_bytes()).unwrap();
        let root_file = writer.put_file(format!("root of {text}").as_bytes()).unwrap();
        let catalog = read_catalog(&root).unwrap();
        let packs = catalog.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone())).collect();
        let name = name.to_owned();
        writer.publish(StageRecord { name, version: 1, root: root_file, model: None, threshold: None, packs }).unwrap()
    }

    fn catalog(&self, out: &str) -> Catalog {
        read_catalog(&self.0.join(out)).unwrap()
    }

    fn index_names(&self, out: &str) -> BTreeSet<String> {
        let entries = fs::read_dir(self.0.join(out).join(INDEX_FOLDER)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_stage_stands_beside_the_index() {
    let folder = Folder::new("beside");
    folder.build("packs");
    let (catalog, names) = (folder.catalog("packs"), folder.index_names("packs"));
    assert!(folder.stage("packs", "chunks", "first"));
    let staged = folder.catalog("packs");
    assert_eq!((&staged.index, &staged.packs), (&catalog.index, &catalog.packs));
    assert_eq!(staged.stages, ["chunks"]);
    let stages = read_stages(&folder.0.join("packs")).unwrap().unwrap();
    assert_eq!(stages.names(), ["chunks"]);
    let pack = &catalog.packs[0];
    assert_eq!(stages.stages[0].coverage(&pack.path, &pack.fingerprint), Coverage::Current);
    // Two files of the stage, the stages file and the list.
    assert_eq!(folder.index_names("packs").difference(&names).count(), 4);
    assert!(!folder.stage("packs", "chunks", "first"), "the same stage changes nothing");

    // A second stage leaves the first, and one made again replaces itself alone.
    folder.stage("packs", "vectors", "other");
    folder.stage("packs", "chunks", "second");
    assert_eq!(folder.catalog("packs").stages, ["chunks", "vectors"]);
    folder.stage("packs", "chunks", "third");
    let stages = read_stages(&folder.0.join("packs")).unwrap().unwrap();
    for stage in &stages.stages {
        assert!(folder.0.join("packs").join(&stage.root.path).is_file(), "{}", stage.name);
    }
    // The chunks of before are kept for readers who are underway, those of before that are not.
    let [first, second, third] =
        ["first", "second", "third"].map(|text| hex(&Sha256::digest(format!("root of {text}"))));
    let kept = |hash: &str| folder.index_names("packs").contains(&format!("{}.idx", &hash[..16]));
    assert_eq!([kept(&first), kept(&second), kept(&third)], [false, true, true]);
}

#[test]
fn a_build_keeps_stages_and_their_fingerprints_say_that_they_are_stale() {
    for out in ["packs", "site"] {
        let folder = Folder::new(out);
        folder.build(out);
        folder.stage(out, "chunks", "first");
        let before = folder.catalog(out);
        assert!(!folder.build(out), "{out}: nothing changed");
        for body in ["Tea is hot.", "Tea is cold."] {
            folder.page(body);
            assert!(folder.build(out), "{out}");
            let after = folder.catalog(out);
            assert_ne!(after.index, before.index);
            assert_eq!((&after.stages, &after.stages_file), (&before.stages, &before.stages_file), "{out}");
            let stages = read_stages(&folder.0.join(out)).unwrap().unwrap();
            assert_eq!(stages.stages[0].outdated_packs(&after.packs), ["tea"]);
            assert!(folder.0.join(out).join(&stages.stages[0].root.path).is_file(), "{out}");
        }
        folder.stage(out, "chunks", "second");
        let stages = read_stages(&folder.0.join(out)).unwrap().unwrap();
        assert!(stages.stages[0].outdated_packs(&folder.catalog(out).packs).is_empty());
    }
}

#[test]
fn entries_of_a_pack_that_changed_are_left_out_with_their_files() {
    for (out, name) in [("packs", "outdated-in-place"), ("site", "outdated-copy")] {
        let folder = Folder::new(name);
        folder.build(out);
        folder.stage(out, "chunks", "first");
        folder.stage(out, "entries", "a position");
        assert!(folder.publish(out).lost_stages.names().is_empty(), "{out}: nothing changed");
        assert_eq!(folder.catalog(out).stages, ["chunks", "entries"], "{out}");
        folder.page("Tea is hot.");
        assert_eq!(folder.publish(out).lost_stages.names(), ["entries"], "{out}");
        assert_eq!(folder.catalog(out).stages, ["chunks"], "{out}");
        for file in folder.index_names(out) {
            let bytes = fs::read(folder.0.join(out).join(INDEX_FOLDER).join(&file)).unwrap();
            assert!(!String::from_utf8_lossy(&bytes).contains("a position"), "{out}: {file}");
        }
        assert!(folder.publish(out).lost_stages.names().is_empty() && !folder.build(out), "{out}");
    }
}

#[test]
fn a_stage_that_lacks_a_file_is_left_out_alone() {
    for (out, name) in [("packs", "lost-in-place"), ("site", "lost-copy")] {
        let folder = Folder::new(name);
        folder.build(out);
        folder.stage(out, "chunks", "first");
        folder.stage(out, "vectors", "other");
        let lose = |stage: &str| {
            let list = folder.0.join(out).join(folder.catalog(out).stages_file.unwrap().path).with_extension("stage");
            let list = fs::read_to_string(list).unwrap();
            let file = list.lines().find_map(|line| line.strip_prefix(&format!("{stage} "))).unwrap();
            fs::remove_file(folder.0.join(out).join(INDEX_FOLDER).join(file)).unwrap();
        };
        // The stage is made again: the other one stays.
        lose("chunks");
        assert!(folder.stage(out, "chunks", "first"));
        assert_eq!(folder.catalog(out).stages, ["chunks", "vectors"], "{out}");
        // The other one is made again.
        lose("chunks");
        folder.stage(out, "vectors", "another");
        assert_eq!(folder.catalog(out).stages, ["vectors"], "{out}");
        folder.stage(out, "chunks", "first");
        lose("chunks");
        assert_eq!(folder.publish(out).lost_stages.names(), ["chunks"], "{out}");
        assert_eq!(folder.catalog(out).stages, ["vectors"], "{out}");
        let stages = read_stages(&folder.0.join(out)).unwrap().unwrap();
        assert_eq!(stages.names(), ["vectors"], "{out}");
        assert!(folder.publish(out).lost_stages.names().is_empty() && !folder.build(out), "{out}");
        lose("vectors");
        folder.build(out);
        assert_eq!((folder.catalog(out).stages, folder.catalog(out).stages_file), (Vec::new(), None), "{out}");
    }
}

#[test]
fn stages_are_carried_to_the_output_that_takes_their_place() {
    let folder = Folder::new("carried");
    folder.build("old");
    folder.build("new");
    folder.stage("old", "chunks", "first");
    let [old, new] = ["old", "new"].map(|out| folder.0.join(out));
    assert!(carry_stages(&old, &new).unwrap().names().is_empty());
    assert_eq!(folder.catalog("new").stages_file, folder.catalog("old").stages_file);
    assert_eq!(read_stages(&new).unwrap().unwrap().names(), ["chunks"]);
    fs::remove_file(old.join(&read_stages(&old).unwrap().unwrap().stages[0].root.path)).unwrap();
    assert_eq!(carry_stages(&old, &new).unwrap().names(), ["chunks"]);
    assert_eq!(folder.catalog("new").stages_file, None);
}

#[test]
fn a_copy_with_stages_and_records_is_replaced() {
    let folder = Folder::new("copy");
    folder.build("site");
    for text in ["first", "second", "third"] {
        folder.stage("site", "chunks", text);
    }
    let record = folder.0.join("site/.seealso/chunks/tea/chunk-000.json");
    fs::create_dir_all(record.parent().unwrap()).unwrap();
    fs::write(&record, "{}").unwrap();
    folder.page("Tea is hot.");
    assert!(folder.build("site"));
    assert!(record.is_file() && !folder.0.join("packs/.seealso").exists());
    // A damaged catalog leaves no stage, and its files are no obstacle.
    fs::write(folder.0.join("site/catalog.json"), "{\"format\": \"seeal").unwrap();
    assert!(folder.build("site"));
    assert_eq!((folder.catalog("site").stages.len(), folder.catalog("site").stages_file), (0, None));
    assert!(record.is_file());
}

#[test]
fn without_stages_a_site_is_as_it_was() {
    let folder = Folder::new("removed");
    folder.build("packs");
    let (catalog, names) = (folder.catalog("packs"), folder.index_names("packs"));
    fs::write(folder.0.join("packs/index/mine.txt"), "mine").unwrap();
    folder.stage("packs", "chunks", "first");
    folder.stage("packs", "chunks", "second");
    let root = folder.0.join("packs");
    // Both stages' two files, their stages files and lists.
    assert_eq!(remove_stages(&root).unwrap().len(), 8);
    assert_eq!(folder.catalog("packs"), catalog);
    assert_eq!(folder.index_names("packs"), names.into_iter().chain(["mine.txt".to_owned()]).collect());
    assert!(remove_stages(&root).unwrap().is_empty());
}

#[test]
fn a_stages_file_that_was_changed_is_refused_and_not_kept() {
    let folder = Folder::new("damaged");
    folder.build("packs");
    folder.stage("packs", "chunks", "first");
    let file = folder.catalog("packs").stages_file.unwrap();
    fs::write(folder.0.join("packs").join(&file.path), "{}").unwrap();
    let refused = read_stages(&folder.0.join("packs")).unwrap_err().to_string();
    assert!(
        refused.ends_with("not the bytes that the catalog names. Make the stages again with `seealso setup`."),
        "{refused}"
    );
    folder.build("packs");
    assert_eq!(folder.catalog("packs").stages_file, None);
    let missing = StageWriter::begin(&folder.0.join("none")).err().unwrap().to_string();
    assert!(missing.contains("catalog.json"), "{missing}");
}

#[test]
fn a_list_names_only_files_of_the_folder() {
    let names = super::super::stage_list::read_list("chunks a.idx\nchunks b.idx\nno\nvectors ../x\nvectors ..\n");
    let chunks: BTreeSet<String> = ["a.idx".to_owned(), "b.idx".to_owned()].into();
    assert_eq!(names, [("chunks".to_owned(), chunks)].into());
}
