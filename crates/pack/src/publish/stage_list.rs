//! The files of stages: which there are, and which stage each is of.
//!
//! A list stands beside the stages file, under its name and the ending `.stage`: for each file of a stage a line with the
//! stage's name, a space, and the file's name. So one stage is made anew without the others, and a build knows which
//! files to keep. A build keeps the stages also of packs that changed since: making a stage may take hours, and its
//! fingerprints say for which packs it is stale. Two are not kept: a stage of which a file is missing, and entries of a
//! pack that changed. Their file has whole texts, some of which may be private now, and is made in a moment.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::index_names::index_names;
use super::replace::replace;
use super::{INDEX_FOLDER, file_ref, hex};
use crate::Error;
use crate::catalog::{Catalog, CatalogPack, FileRef};
use crate::entries::ENTRIES_STAGE;
use crate::stages::{StageRecord, StagesFile};

/// The ending of the list of the stages' files.
const LIST_ENDING: &str = ".stage";

/// The stages beside an index, and the names of their files.
#[derive(Debug, Clone, Default)]
pub(super) struct StageFiles {
    file: Option<StoredStages>,
    /// The names of the files of each stage.
    names: BTreeMap<String, BTreeSet<String>>,
}

/// The stages that a build does not keep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LostStages {
    /// The names of those of which a file is missing.
    pub incomplete: Vec<String>,
    /// The entries, where a pack that they cover changed or is gone.
    pub outdated_entries: Option<StageRecord>,
}

impl LostStages {
    /// The names of all of them.
    pub fn names(&self) -> Vec<String> {
        let entries = self.outdated_entries.iter().map(|record| record.name.clone());
        self.incomplete.iter().cloned().chain(entries).collect()
    }
}

/// A stages file, and what a catalog says of it.
#[derive(Debug, Clone)]
struct StoredStages {
    file: FileRef,
    stages: StagesFile,
    bytes: Vec<u8>,
}

impl StoredStages {
    /// The file of these stages; none where there are none.
    fn of(stages: Vec<StageRecord>) -> Option<StoredStages> {
        let stages = StagesFile::new(stages);
        let bytes = stages.to_json().into_bytes();
        (!stages.stages.is_empty()).then(|| StoredStages { file: file_ref(&bytes, "json"), stages, bytes })
    }
}

impl StageFiles {
    /// The stages that the catalog names and whose files are all there; none where the stages file can't be used.
    pub(super) fn of(root: &Path, catalog: &Catalog) -> StageFiles {
        let listed = StageFiles::listed(root, catalog);
        let incomplete = listed.incomplete(root);
        listed.without(&incomplete)
    }

    /// The stages that the catalog names, whether their files are there or not; none where the stages file can't be used.
    pub(super) fn listed(root: &Path, catalog: &Catalog) -> StageFiles {
        let read = || {
            let file = catalog.stages_file.clone()?;
            let bytes = fs::read(root.join(&file.path)).ok()?;
            let stages = StagesFile::parse(&bytes).ok().filter(|_| hex(&Sha256::digest(&bytes)) == file.sha256)?;
            let list = fs::read_to_string(root.join(list_path(&file.path))).unwrap_or_default();
            Some(StageFiles { file: Some(StoredStages { file, stages, bytes }), names: read_list(&list) })
        };
        read().unwrap_or_default()
    }

    /// The names of the stages of which a file is missing, or whose files no list names.
    pub(super) fn incomplete(&self, root: &Path) -> Vec<String> {
        let is_there = |name: &String| root.join(INDEX_FOLDER).join(name).is_file();
        let is_whole = |stage: &&StageRecord| {
            let names = self.names.get(&stage.name);
            root.join(&stage.root.path).is_file() && names.is_some_and(|names| names.iter().all(is_there))
        };
        let stages = self.file.iter().flat_map(|stored| &stored.stages.stages);
        stages.filter(|stage| !is_whole(stage)).map(|stage| stage.name.clone()).collect()
    }

    /// The stages that can't stand beside an index of these packs.
    pub(super) fn lost(&self, root: &Path, packs: &[CatalogPack]) -> LostStages {
        let incomplete = self.incomplete(root);
        let is_there = |(path, fingerprint): (&String, &String)| {
            packs.iter().any(|pack| pack.path == *path && pack.fingerprint == *fingerprint)
        };
        let mut stages = self.file.iter().flat_map(|stored| &stored.stages.stages);
        let entries = stages.find(|stage| stage.name == ENTRIES_STAGE && !incomplete.contains(&stage.name));
        let outdated_entries = entries.filter(|stage| !stage.packs.iter().all(is_there)).cloned();
        LostStages { incomplete, outdated_entries }
    }

    /// The names of the files of the entries.
    pub(super) fn entries_names(&self) -> BTreeSet<String> {
        self.names.get(ENTRIES_STAGE).cloned().unwrap_or_default()
    }

    /// These stages without those of these names; the same file where none is named.
    pub(super) fn without(mut self, names: &[String]) -> StageFiles {
        if names.is_empty() {
            return self;
        }
        let mut stages = self.file.map(|stored| stored.stages.stages).unwrap_or_default();
        stages.retain(|stage| !names.contains(&stage.name));
        self.names.retain(|stage, _| !names.contains(stage));
        StageFiles { file: StoredStages::of(stages), names: self.names }
    }

    /// These stages with another one, in place of that of its name. `names` are those of its files.
    pub(super) fn with(mut self, record: StageRecord, names: BTreeSet<String>) -> StageFiles {
        self.names.insert(record.name.clone(), names);
        let known = self.file.map(|stored| stored.stages.stages).unwrap_or_default();
        StageFiles { file: StoredStages::of(known.into_iter().chain([record]).collect()), names: self.names }
    }

    /// Writes the names of the stages and of their file into a catalog.
    pub(super) fn enter(&self, catalog: &mut Catalog) {
        catalog.stages = self.file.as_ref().map(|stored| stored.stages.catalog_names()).unwrap_or_default();
        catalog.stages_file = self.file.as_ref().map(|stored| stored.file.clone());
    }

    /// The names of all files: those of the stages, the stages file, and the list.
    pub(super) fn all_names(&self) -> BTreeSet<String> {
        let of_file = self.file.iter().flat_map(|stored| [stored.file.path.clone(), list_path(&stored.file.path)]);
        let own = of_file.filter_map(|path| path.rsplit('/').next().map(str::to_owned));
        self.names.values().flatten().cloned().chain(own).collect()
    }

    /// Copies the files of the stages to another folder of published files, and writes the stages file and the list there.
    pub(super) fn copy(&self, from: &Path, to: &Path) -> Result<(), Error> {
        for name in self.names.values().flatten() {
            let [from, to] = [from, to].map(|root| root.join(INDEX_FOLDER).join(name));
            fs::copy(&from, &to).map_err(|e| Error::io(&from, "copying", e))?;
        }
        self.write(to).map(drop)
    }

    /// Writes the stages file and the list under `root`; returns whether anything changed.
    pub(super) fn write(&self, root: &Path) -> Result<bool, Error> {
        let Some(StoredStages { file, bytes, .. }) = &self.file else { return Ok(false) };
        let changed = replace(&root.join(&file.path), bytes)?;
        Ok(replace(&root.join(list_path(&file.path)), self.list().as_bytes())? || changed)
    }

    fn list(&self) -> String {
        let lines =
            self.names.iter().flat_map(|(stage, names)| names.iter().map(move |name| format!("{stage} {name}\n")));
        lines.collect()
    }
}

/// The path of the list beside the stages file at `path`.
fn list_path(path: &str) -> String {
    format!("{}{LIST_ENDING}", path.trim_end_matches(".json"))
}

/// The names of a list. A line that names no file of the folder of index files is passed over.
pub(super) fn read_list(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (stage, name) in text.lines().filter_map(|line| line.split_once(' ')) {
        if !name.contains(['/', '\\']) && name != ".." {
            names.entry(stage.to_owned()).or_default().insert(name.to_owned());
        }
    }
    names
}

/// The names of all files that any list of stages under `root` names, with the lists and the stages files: those of
/// earlier stages too.
pub(super) fn listed_stage_files(root: &Path) -> BTreeSet<String> {
    let folder = root.join(INDEX_FOLDER);
    let mut names = BTreeSet::new();
    for list in index_names(root).into_iter().filter(|name| name.ends_with(LIST_ENDING)) {
        let text = fs::read_to_string(folder.join(&list)).unwrap_or_default();
        names.extend(read_list(&text).into_values().flatten());
        names.insert(format!("{}.json", list.trim_end_matches(LIST_ENDING)));
        names.insert(list);
    }
    names
}
