//! The files of stages: which there are, and which stage each is of.
//!
//! A list stands beside the stages file, under its name and the ending `.stage`: for each file of a stage a line with the
//! stage's name, a space, and the file's name. So one stage is made anew without the others, and a build knows which
//! files to keep. A build keeps all stages, also those of packs that changed since: making a stage may take hours, and
//! its fingerprints say for which packs it is stale.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::index_names::index_names;
use super::{INDEX_FOLDER, file_ref, hex};
use crate::Error;
use crate::catalog::{Catalog, FileRef};
use crate::stages::{StageRecord, StagesFile};

/// The ending of the list of the stages' files.
const LIST_ENDING: &str = ".stage";

/// The stages beside an index, and the names of their files.
#[derive(Debug, Clone, Default)]
pub(super) struct StageFiles {
    pub(super) file: Option<(FileRef, StagesFile)>,
    /// The names of the files of each stage.
    names: BTreeMap<String, BTreeSet<String>>,
}

impl StageFiles {
    /// The stages that the catalog names; none where one of their files is not there, or the
    /// stages file can't be used.
    pub(super) fn of(root: &Path, catalog: &Catalog) -> StageFiles {
        let read = || {
            let file = catalog.stages_file.clone()?;
            let bytes = fs::read(root.join(&file.path)).ok()?;
            let stages = StagesFile::parse(&bytes).ok().filter(|_| hex(&Sha256::digest(&bytes)) == file.sha256)?;
            let list = fs::read_to_string(root.join(list_path(&file.path))).unwrap_or_default();
            Some(StageFiles { file: Some((file, stages)), names: read_list(&list) })
        };
        let is_there = |name: &String| root.join(INDEX_FOLDER).join(name).is_file();
        read().filter(|found| found.all_names().iter().all(is_there)).unwrap_or_default()
    }

    /// Writes the names of the stages and of their file into a catalog.
    pub(super) fn enter(&self, catalog: &mut Catalog) {
        catalog.stages = self.file.as_ref().map(|(_, stages)| stages.catalog_names()).unwrap_or_default();
        catalog.stages_file = self.file.as_ref().map(|(file, _)| file.clone());
    }

    /// The names of all files: those of the stages, the stages file, and the list.
    pub(super) fn all_names(&self) -> BTreeSet<String> {
        let of_file = self.file.iter().flat_map(|(file, _)| [file.path.clone(), list_path(&file.path)]);
        let own = of_file.filter_map(|path| path.rsplit('/').next().map(str::to_owned));
        self.names.values().flatten().cloned().chain(own).collect()
    }

    /// Copies the files to another folder of published files.
    pub(super) fn copy(&self, from: &Path, to: &Path) -> Result<(), Error> {
        for name in self.all_names() {
            let [from, to] = [from, to].map(|root| root.join(INDEX_FOLDER).join(&name));
            fs::copy(&from, &to).map_err(|e| Error::io(&from, "copying", e))?;
        }
        Ok(())
    }

    /// These stages with another one, in place of that of its name.
    pub(super) fn with(mut self, record: StageRecord, names: BTreeSet<String>) -> (StageFiles, Vec<u8>) {
        self.names.insert(record.name.clone(), names);
        let known = self.file.map(|(_, stages)| stages.stages).unwrap_or_default();
        let stages = StagesFile::new(known.into_iter().chain([record]).collect());
        let bytes = stages.to_json().into_bytes();
        (StageFiles { file: Some((file_ref(&bytes, "json"), stages)), names: self.names }, bytes)
    }

    pub(super) fn list(&self) -> String {
        let lines =
            self.names.iter().flat_map(|(stage, names)| names.iter().map(move |name| format!("{stage} {name}\n")));
        lines.collect()
    }
}

/// The path of the list beside the stages file at `path`.
pub(super) fn list_path(path: &str) -> String {
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
