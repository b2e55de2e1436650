//! The names of published files: a file is named by the hash of its bytes, so that no file is ever changed.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// How many bytes of a file's SHA-256 make its name and are checked.
pub const HASH_BYTES: usize = 6;
/// The first bytes of a file's SHA-256.
pub type Hash = [u8; HASH_BYTES];

/// The name of the file of that hash.
#[must_use]
pub fn file_name(hash: &Hash) -> String {
    let mut name = String::with_capacity(2 * HASH_BYTES + 4);
    for byte in hash {
        let _ = write!(name, "{byte:02x}");
    }
    name + ".idx"
}

/// The hash of a file of these bytes.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> Hash {
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
