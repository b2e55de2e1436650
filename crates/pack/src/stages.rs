//! The stages file: which optional data a site publishes beside its index, and of which packs it was made.
//!
//! A stage is chunks, vectors or the like, which a question may use and does without where it is not there. The catalog
//! names the stages and this file, which is fetched only when a stage is used. It is JSON:
//!
//! ```text
//! {"format": "seealso-stages", "version": 1, "stages": [
//!   {"name": "chunks", "version": 1, "root": {"path": "index/….idx", "bytes": 9, "sha256": "…"},
//!    "model": {"id": "…", "sha256": "…", "dimensions": 384, "scheme": "…",
//!              "files": [{"path": "index/….json", "bytes": 9, "sha256": "…"}, …]} | null, "threshold": 0.5 | null,
//!    "packs": {"history/rome": FINGERPRINT}}]}
//! ```
//!
//! Pages may change after a stage was made. The fingerprints say so: a stage is stale for a pack whose fingerprint in
//! the catalog is another one, or that the stage does not name.
//!
//! It is read by `serde_json`, not by the catalog's own small reader: a threshold is a fraction, and no page loads this
//! file before its first question.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::catalog::{CatalogPack, FileRef, IndexRef, is_safe_path};

/// The version of the format that this crate writes and reads.
pub const STAGES_VERSION: u32 = 1;
/// A stages file larger than this many bytes is refused.
pub const STAGES_MAX_BYTES: usize = 16 << 20;
/// What a catalog lists among the stages where the site publishes the encoder of its vectors for browsers.
pub const ENCODER: &str = "encoder";
/// What the `format` key says.
const FORMAT: &str = "seealso-stages";

/// The stages of a site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StagesFile {
    format: String,
    version: u32,
    /// The stages, sorted by name; no two have the same name.
    pub stages: Vec<StageRecord>,
}

/// One stage: where its files begin, and what it was made with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StageRecord {
    /// Its name, such as `chunks`.
    pub name: String,
    /// The version of the stage's own format.
    pub version: u32,
    /// Its root file; the root names the stage's other files, which lie beside it.
    pub root: FileRef,
    /// The model that made it, where one did: a question is encoded by the same one.
    pub model: Option<StageModel>,
    /// The least similarity, by that model, of a page that has to do with a question; −1 to 1.
    pub threshold: Option<f64>,
    /// For each pack that it covers, by path, the catalog's fingerprint of the pack when the stage was made.
    pub packs: BTreeMap<String, String>,
}

/// The model that a stage was made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageModel {
    /// Its name for people.
    pub id: String,
    /// SHA-256 of its weights, in hex.
    pub sha256: String,
    /// How many numbers a vector of it has.
    pub dimensions: u32,
    /// How a text is prepared for it and its vector stored; vectors of two schemes are never compared.
    pub scheme: String,
    /// Its files for browsers, in the order in which they are read: `config.json`, `tokenizer.json`, and the weights in a byte
    /// a number. None where the site does not publish them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileRef>,
}

/// How a stage stands to a pack as the catalog lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// The stage was made of the same pages.
    Current,
    /// The pack has changed since.
    Stale,
    /// The stage has nothing of the pack.
    Absent,
}

/// Why a stages file can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StagesError {
    /// It is too large to be one.
    TooLarge {
        /// Its size in bytes.
        bytes: usize,
    },
    /// It is no JSON, or JSON of another shape.
    Malformed {
        /// What the reader said.
        reason: String,
    },
    /// It is of a version that this reader doesn't know.
    Version {
        /// The version in the file.
        found: u32,
    },
    /// A stage is of a version that this reader doesn't know.
    StageVersion {
        /// The stage.
        stage: String,
        /// The version in the file.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// A path in it leaves the packs root, or is no path.
    UnsafePath {
        /// The path as written.
        path: String,
    },
}

impl fmt::Display for StagesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StagesError::TooLarge { bytes } => {
                write!(f, "the stages file has {bytes} bytes, more than the {STAGES_MAX_BYTES} allowed")?;
            }
            StagesError::Malformed { reason } => write!(f, "the stages file can't be read ({reason})")?,
            StagesError::Version { found } => {
                write!(f, "the stages file has format version {found}, this reader knows version {STAGES_VERSION}")?;
            }
            StagesError::StageVersion { stage, found, known } => {
                write!(f, "the {stage} have format version {found}, this reader knows version {known}")?;
            }
            StagesError::UnsafePath { path } => {
                write!(f, "the stages file names the path \"{path}\", which does not lie under the packs root")?;
            }
        }
        f.write_str("; make it again with `seealso setup`")
    }
}

impl std::error::Error for StagesError {}

/// What a stages file of any version says of itself.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl StagesFile {
    /// A file of these stages. Of two of one name the last counts.
    pub fn new(stages: Vec<StageRecord>) -> StagesFile {
        let by_name: BTreeMap<String, StageRecord> =
            stages.into_iter().map(|stage| (stage.name.clone(), stage)).collect();
        StagesFile { format: FORMAT.to_owned(), version: STAGES_VERSION, stages: by_name.into_values().collect() }
    }

    /// Reads and checks the bytes of a stages file.
    ///
    /// # Errors
    /// A [`StagesError`] that says what the bytes are instead.
    pub fn parse(bytes: &[u8]) -> Result<StagesFile, StagesError> {
        if bytes.len() > STAGES_MAX_BYTES {
            return Err(StagesError::TooLarge { bytes: bytes.len() });
        }
        let malformed = |reason: String| StagesError::Malformed { reason };
        let header: Header = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        if header.format != FORMAT {
            return Err(malformed(format!("its format is \"{}\", not \"{FORMAT}\"", header.format)));
        }
        if header.version != STAGES_VERSION {
            return Err(StagesError::Version { found: header.version });
        }
        let file: StagesFile = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), StagesError> {
        let malformed = |reason: String| Err(StagesError::Malformed { reason });
        if !self.stages.is_sorted_by(|one, next| one.name < next.name) {
            return malformed("its stages are not sorted by name, or two have one name".to_owned());
        }
        for stage in &self.stages {
            let of_model = stage.model.iter().flat_map(|model| &model.files).map(|file| &file.path);
            let mut paths = std::iter::once(&stage.root.path).chain(of_model).chain(stage.packs.keys());
            if let Some(path) = paths.find(|path| !is_safe_path(path)) {
                return Err(StagesError::UnsafePath { path: path.clone() });
            }
            if stage.threshold.is_some_and(|threshold| !(-1.0..=1.0).contains(&threshold)) {
                return malformed(format!("the threshold of \"{}\" is no similarity", stage.name));
            }
        }
        Ok(())
    }

    /// The stage of that name.
    pub fn stage(&self, name: &str) -> Option<&StageRecord> {
        self.stages.iter().find(|stage| stage.name == name)
    }

    /// The names of the stages.
    pub fn names(&self) -> Vec<String> {
        self.stages.iter().map(|stage| stage.name.clone()).collect()
    }

    /// What a catalog names of the file: the stages, and [`ENCODER`] where a browser can run a model of one. In order.
    pub fn catalog_names(&self) -> Vec<String> {
        let has_encoder = self.stages.iter().flat_map(|stage| &stage.model).any(|model| !model.files.is_empty());
        let mut names = self.names();
        names.extend(has_encoder.then(|| ENCODER.to_owned()));
        names.sort();
        names
    }

    /// The file as JSON text, with a line end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("stages hold only strings and numbers");
        text.push('\n');
        text
    }
}

impl StageRecord {
    /// Checks that the stage is of the version that is read.
    ///
    /// # Errors
    /// [`StagesError::StageVersion`].
    pub fn check_version(&self, known: u32) -> Result<(), StagesError> {
        match self.version == known {
            true => Ok(()),
            false => Err(StagesError::StageVersion { stage: self.name.clone(), found: self.version, known }),
        }
    }

    /// The stage's files where it is an index, as the catalog names those of the index of pages. How many there are beside the
    /// root is not known.
    pub fn index(&self) -> IndexRef {
        let root = self.root.clone();
        IndexRef { total_bytes: root.bytes, root, files: 0, body_terms: 0, inline: None }
    }

    /// How the stage stands to the pack at `path`, whose fingerprint in the catalog is `fingerprint`.
    pub fn coverage(&self, path: &str, fingerprint: &str) -> Coverage {
        match self.packs.get(path) {
            Some(known) if known == fingerprint => Coverage::Current,
            Some(_) => Coverage::Stale,
            None => Coverage::Absent,
        }
    }

    /// The paths of those of the catalog's packs for which the stage is not current, in the catalog's order.
    pub fn outdated_packs<'c>(&self, packs: &'c [CatalogPack]) -> Vec<&'c str> {
        let outdated = packs.iter().filter(|pack| self.coverage(&pack.path, &pack.fingerprint) != Coverage::Current);
        outdated.map(|pack| pack.path.as_str()).collect()
    }
}

#[cfg(test)]
mod tests;
