//! The files of a set beside its root. They are named as files of an index are ([`seealso_bytes`]).

use seealso_bytes::{Hash, file_name};

/// The kinds of files beside the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum File {
    /// The leaves of a group.
    Group,
    /// The vectors of a leaf.
    Leaf,
    /// The leaves of some chunks.
    Places,
}

/// A file that a call needs and that was not supplied yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WantedFile {
    /// What it is.
    pub file: File,
    /// The hash that its bytes must have.
    pub hash: Hash,
    /// How many bytes it has.
    pub bytes: u32,
    /// How many leaves, vectors or places it has.
    pub(crate) entries: u32,
}

impl WantedFile {
    /// The file's name, in the folder of the root.
    #[must_use]
    pub fn name(&self) -> String {
        file_name(&self.hash)
    }
}
