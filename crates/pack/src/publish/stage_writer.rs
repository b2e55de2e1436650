//! The writing and removing of a stage, beside an index that stays as it is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use seealso_index::Hash;
use sha2::{Digest, Sha256};

use super::build::IndexFolder;
use super::file_list::{previous_files, remove_older};
use super::replace::{move_file, replace};
use super::stage_list::{LostStages, StageFiles, listed_stage_files};
use super::write::Staging;
use super::{INDEX_FOLDER, hex};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, FileRef};
use crate::stages::{StageRecord, StagesFile};

fn read_catalog(root: &Path) -> Result<Catalog, Error> {
    let path = root.join(CATALOG_FILE);
    let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
    Catalog::parse(&bytes).map_err(|error| Error::Invalid {
        path,
        cause: error.to_string(),
        hint: "Stages stand beside an index that can be read.",
    })
}

/// What a file of an encoder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncoderFileEnding {
    /// Its configuration, or its tokenizer.
    Json,
    /// Its weights.
    Safetensors,
}

impl EncoderFileEnding {
    fn name(self) -> &'static str {
        match self {
            EncoderFileEnding::Json => "json",
            EncoderFileEnding::Safetensors => "safetensors",
        }
    }
}

/// A writer of one stage of the site at a packs root. Nothing that is published changes before [`StageWriter::publish`].
pub struct StageWriter {
    root: PathBuf,
    folder: IndexFolder,
    staging: Staging,
}

impl StageWriter {
    /// Begins a stage of the packs that are published at `root`.
    ///
    /// # Errors
    /// An [`Error`] that names the file, where there is no catalog, or the folder can't be written to.
    pub fn begin(root: &Path) -> Result<StageWriter, Error> {
        read_catalog(root)?;
        let staging = Staging::within(root);
        Ok(StageWriter { root: root.to_path_buf(), folder: IndexFolder::create(&staging.folder)?, staging })
    }

    /// A folder for files that are needed while the stage is made; it is removed afterwards.
    pub fn scratch(&self) -> PathBuf {
        self.staging.folder.clone()
    }

    /// Writes a file of the stage, named by its hash as index files are; a file of the same bytes is written once.
    ///
    /// # Errors
    /// What the system says.
    pub fn put(&mut self, hash: &Hash, bytes: &[u8]) -> io::Result<()> {
        self.folder.put(hash, bytes)
    }

    /// Writes a file of the stage that is named by its path, such as the root: it has the hash and the size beside it.
    ///
    /// # Errors
    /// An [`Error`] that names the file.
    pub fn put_file(&mut self, bytes: &[u8]) -> Result<FileRef, Error> {
        self.folder.put_named(bytes, "idx")
    }

    /// The same for a file that is JSON.
    ///
    /// # Errors
    /// An [`Error`] that names the file.
    pub fn put_json_file(&mut self, bytes: &[u8]) -> Result<FileRef, Error> {
        self.folder.put_named(bytes, "json")
    }

    /// The same for a file of the encoder that made the stage, which other programs read too: its ending says what it is.
    ///
    /// # Errors
    /// An [`Error`] that names the file.
    pub fn put_encoder_file(&mut self, bytes: &[u8], ending: EncoderFileEnding) -> Result<FileRef, Error> {
        self.folder.put_named(bytes, ending.name())
    }

    /// Puts the stage in place of that of its name, where there is one: its files, the stages file, and then the catalog.
    /// Returns whether anything changed. The files of the stage before are kept until the next one is published. Another stage
    /// of which a file is missing is no longer named.
    ///
    /// # Errors
    /// An [`Error`] that names the file. What was published before stays whole.
    pub fn publish(self, record: StageRecord) -> Result<bool, Error> {
        let StageWriter { root, folder, staging } = self;
        let mut catalog = read_catalog(&root)?;
        let mut known = previous_files(&root).unwrap_or_default();
        let mut changed = false;
        for name in &folder.names {
            let [from, to] = [&staging.folder, &root].map(|at| at.join(INDEX_FOLDER).join(name));
            changed |= move_file(&from, &to)?;
        }
        let stages = StageFiles::of(&root, &catalog).with(record, folder.names);
        stages.enter(&mut catalog);
        changed |= stages.write(&root)?;
        changed |= replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())?;
        known.extend(stages.all_names());
        if changed {
            remove_older(&root, &known);
        }
        Ok(changed)
    }
}

/// The stages of the site at a packs root, as the catalog there names them; none where there are none.
///
/// # Errors
/// An [`Error`] that names the file, where the catalog or the stages file can't be read.
pub fn read_stages(root: &Path) -> Result<Option<StagesFile>, Error> {
    let Some(file) = read_catalog(root)?.stages_file else { return Ok(None) };
    let path = root.join(&file.path);
    let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
    let invalid = |cause: String| Error::Invalid { path, cause, hint: "Make the stages again with `seealso setup`." };
    if hex(&Sha256::digest(&bytes)) != file.sha256 {
        return Err(invalid("not the bytes that the catalog names".to_owned()));
    }
    StagesFile::parse(&bytes).map(Some).map_err(|error| invalid(error.to_string()))
}

/// Names the stages of the site at `from` in the catalog of the one at `to`, which is to take its place, and writes the
/// stages file there. The caller takes over the other files; those of stages are named by no build's list. Returns the stages
/// that are left out.
///
/// # Errors
/// An [`Error`] that names the file, where the catalog at `to` can't be read or written.
pub fn carry_stages(from: &Path, to: &Path) -> Result<LostStages, Error> {
    let Ok(last) = read_catalog(from) else { return Ok(LostStages::default()) };
    let mut catalog = read_catalog(to)?;
    let listed = StageFiles::listed(from, &last);
    let lost = listed.lost(from, &read_packs(to, &catalog)?);
    let stages = listed.without(&lost.names());
    stages.enter(&mut catalog);
    stages.write(to)?;
    replace(&to.join(CATALOG_FILE), catalog.to_json().as_bytes())?;
    Ok(lost)
}

/// The packs of a catalog, also where their list is a file of its own.
fn read_packs(root: &Path, catalog: &Catalog) -> Result<Vec<CatalogPack>, Error> {
    let Some(file) = &catalog.packs_file else { return Ok(catalog.packs.clone()) };
    let path = root.join(&file.path);
    let bytes = fs::read(&path).map_err(|e| Error::io(&path, "reading", e))?;
    Ok(Catalog::parse_packs(&bytes).unwrap_or_default())
}

/// Removes all stages of the site at a packs root: from the catalog first, then their files. Returns the names of the
/// files that were removed; no file is that no list of stages names.
///
/// # Errors
/// An [`Error`] that names the file.
pub fn remove_stages(root: &Path) -> Result<Vec<String>, Error> {
    let mut catalog = read_catalog(root)?;
    let names = listed_stage_files(root);
    StageFiles::default().enter(&mut catalog);
    replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())?;
    // An index file may have the bytes of a stage's.
    let kept = previous_files(root).unwrap_or_default();
    let mut removed = Vec::new();
    for name in names.into_iter().filter(|name| !kept.contains(name)) {
        let path = root.join(INDEX_FOLDER).join(&name);
        match fs::remove_file(&path) {
            Ok(()) => removed.push(name),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Error::io(&path, "removing", error)),
        }
    }
    Ok(removed)
}

#[cfg(test)]
mod tests;
