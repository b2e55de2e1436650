//! The file of the stage `entries`: the entries that are public and that no other supersedes, with the patterns, pack by pack.
//!
//! It is JSON, and one file, since a scan compares a question with every entry:
//!
//! ```text
//! {"format": "seealso-entries", "version": 1, "packs": [
//!   {"path": "history/rome",
//!    "entries": [{"file": "entries/….md", "topic": "…", "type": "framework", "position": "…", "reasoning": "…",
//!                 "pattern": "…" | null, "confidence": "high", "stability": "stable", "updated": "2026-01-31" | null,
//!                 "vector": BASE64}],
//!    "patterns": [{"file": "patterns/….md", "slug": "…", "description": "…", "template": "…",
//!                  "variants": [{"context": "…", "text": "…"}], "vector": BASE64}]}]}
//! ```
//!
//! A vector is the stage's model's, of the text that [`WithVector::text`] gives. There is none without an encoder, nor in a
//! pack whose language the encoder does not know.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entry::KnowledgeEntry;
use super::pattern::Pattern;
use crate::catalog::{from_base64, is_safe_path, to_base64};
use crate::pack::Pack;

/// The name of the stage.
pub const ENTRIES_STAGE: &str = "entries";
/// The version of the file that this crate writes and reads.
pub const ENTRIES_VERSION: u32 = 1;
/// A file of entries larger than this many bytes is refused.
pub const ENTRIES_MAX_BYTES: usize = 16 << 20;
/// What the `format` key says.
const FORMAT: &str = "seealso-entries";

/// The entries of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntriesFile {
    format: String,
    version: u32,
    /// The packs that have entries or patterns, sorted by path.
    pub packs: Vec<PackEntries>,
}

/// The entries of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackEntries {
    /// The path of the pack.
    pub path: String,
    /// Its entries, in the order of its pages.
    pub entries: Vec<WithVector<KnowledgeEntry>>,
    /// Its patterns, in the order of its pages; no two have one slug.
    pub patterns: Vec<WithVector<Pattern>>,
}

/// An entry or a pattern, with its vector.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithVector<T> {
    /// The entry or the pattern.
    #[serde(flatten)]
    pub of: T,
    /// The bytes of its vector, as the crate of vectors writes them.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        serialize_with = "put_base64",
        deserialize_with = "read_base64"
    )]
    pub vector: Option<Vec<u8>>,
}

/// Why a file of entries can't be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntriesError {
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
    /// A path in it leaves the packs root, or is no path.
    UnsafePath {
        /// The path as written.
        path: String,
    },
}

impl fmt::Display for EntriesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntriesError::TooLarge { bytes } => {
                write!(f, "the file of entries has {bytes} bytes, more than the {ENTRIES_MAX_BYTES} allowed")?;
            }
            EntriesError::Malformed { reason } => write!(f, "the file of entries can't be read ({reason})")?,
            EntriesError::Version { found } => {
                write!(f, "the file of entries has version {found}, this reader knows version {ENTRIES_VERSION}")?;
            }
            EntriesError::UnsafePath { path } => {
                write!(f, "the file of entries names the path \"{path}\", which does not lie under the packs root")?;
            }
        }
        f.write_str("; make it again with `seealso setup`")
    }
}

impl std::error::Error for EntriesError {}

/// What a file of entries of any version says of itself.
#[derive(Deserialize)]
struct Header {
    format: String,
    version: u32,
}

impl EntriesFile {
    /// The file of these packs. A pack with neither entries nor patterns is left out.
    pub fn new(packs: Vec<PackEntries>) -> EntriesFile {
        let mut packs: Vec<PackEntries> = packs.into_iter().filter(|pack| !pack.is_empty()).collect();
        packs.sort_by(|one, next| one.path.cmp(&next.path));
        EntriesFile { format: FORMAT.to_owned(), version: ENTRIES_VERSION, packs }
    }

    /// Reads and checks the bytes of a file.
    ///
    /// # Errors
    /// An [`EntriesError`] that says what the bytes are instead.
    pub fn parse(bytes: &[u8]) -> Result<EntriesFile, EntriesError> {
        if bytes.len() > ENTRIES_MAX_BYTES {
            return Err(EntriesError::TooLarge { bytes: bytes.len() });
        }
        let malformed = |reason: String| EntriesError::Malformed { reason };
        let header: Header = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        if header.format != FORMAT {
            return Err(malformed(format!("its format is \"{}\", not \"{FORMAT}\"", header.format)));
        }
        if header.version != ENTRIES_VERSION {
            return Err(EntriesError::Version { found: header.version });
        }
        let file: EntriesFile = serde_json::from_slice(bytes).map_err(|error| malformed(error.to_string()))?;
        file.check()?;
        Ok(file)
    }

    fn check(&self) -> Result<(), EntriesError> {
        let malformed = |reason: String| Err(EntriesError::Malformed { reason });
        if !self.packs.is_sorted_by(|one, next| one.path < next.path) {
            return malformed("its packs are not sorted by path, or two have one path".to_owned());
        }
        for pack in &self.packs {
            let files = pack.entries.iter().map(|entry| &entry.of.file);
            let files = files.chain(pack.patterns.iter().map(|pattern| &pattern.of.file));
            if let Some(path) = [&pack.path].into_iter().chain(files).find(|path| !is_safe_path(path)) {
                return Err(EntriesError::UnsafePath { path: path.clone() });
            }
        }
        Ok(())
    }

    /// The file as JSON text, with a line end.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("entries hold only strings and numbers");
        text.push('\n');
        text
    }
}

impl PackEntries {
    /// The entries and patterns of a pack, without vectors. Of two patterns of one slug, the first counts.
    pub fn of(pack: &Pack) -> PackEntries {
        let mut patterns: Vec<WithVector<Pattern>> = Vec::new();
        for of in pack.pages.iter().filter_map(Pattern::of) {
            if patterns.iter().all(|known| known.of.slug != of.slug) {
                patterns.push(WithVector { of, vector: None });
            }
        }
        let entries =
            pack.pages.iter().filter_map(KnowledgeEntry::of).map(|of| WithVector { of, vector: None }).collect();
        PackEntries { path: pack.path.clone(), entries, patterns }
    }

    /// Whether it has neither entries nor patterns.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.patterns.is_empty()
    }
}

impl WithVector<KnowledgeEntry> {
    /// The text that its vector stands for: the topic and the position. The reasoning names other subjects than the entry's
    /// own, so it does not count.
    pub fn text(&self) -> String {
        format!("{}\n\n{}", self.of.topic, self.of.position)
    }
}

impl WithVector<Pattern> {
    /// The text that its vector stands for: what it is for, the reasoning, and the situations of its variants.
    pub fn text(&self) -> String {
        let contexts = self.of.variants.iter().map(|variant| format!("\n{}", variant.context));
        format!("{}\n\n{}\n{}", self.of.description, self.of.template, contexts.collect::<String>())
    }
}

fn put_base64<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_base64(bytes.as_deref().unwrap_or_default()))
}

fn read_base64<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let bytes = from_base64(&text).ok_or_else(|| serde::de::Error::custom("a vector is no base64"))?;
    Ok(Some(bytes))
}
