//! The files of a set beside its root: their kinds and their names.
//!
//! ```text
//! name    := hex of its hash ".idx"                as files of an index are named
//! hash    := byte[HASH_BYTES]                        the first bytes of the SHA-256 of the file
//! ```

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// How many bytes of a file's SHA-256 make its name and are checked.
pub const HASH_BYTES: usize = 6;
/// The first bytes of a file's SHA-256.
pub type Hash = [u8; HASH_BYTES];

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

/// The name of the file of that hash.
#[must_use]
pub fn file_name(hash: &Hash) -> String {
    let mut name = String::with_capacity(2 * HASH_BYTES + 4);
    for byte in hash {
        let _ = write!(name, "{byte:02x}");
    }
    name + ".idx"
}

/// The hash of a file.
pub(crate) fn hash_of(bytes: &[u8]) -> Hash {
    let mut hash = Hash::default();
    hash.copy_from_slice(&Sha256::digest(bytes)[..HASH_BYTES]);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_by_its_hash() {
        assert_eq!(file_name(&[0, 1, 0xab, 0xcd, 0xef, 0x10]), "0001abcdef10.idx");
        // FIPS 180-2: the SHA-256 of "abc" begins ba7816bf 8f01.
        assert_eq!(hash_of(b"abc"), [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01]);
    }
}
