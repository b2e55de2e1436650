//! Stamps: a file that says from which inputs something was made, so that it is not made again.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// A hash over inputs, in the order in which they are added.
pub(crate) struct Stamp(Sha256);

impl Stamp {
    /// A stamp over nothing.
    pub(crate) fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds bytes, with their length, so that neighbours cannot flow into each other.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a file's bytes.
    pub(crate) fn add_file(&mut self, path: &Path) -> Result<()> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        self.add(&bytes);
        Ok(())
    }

    /// Whether the file at `path` was written from the same inputs.
    pub(crate) fn matches(&self, path: &Path) -> bool {
        fs::read_to_string(path).is_ok_and(|written| written == self.hex())
    }

    /// Writes the stamp; done last, when what it stands for is complete.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        fs::write(path, self.hex()).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The hash, in hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        let digest = self.0.clone().finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn inputs_do_not_flow_into_each_other() {
        let hex = |parts: &[&str]| {
            let mut stamp = Stamp::new();
            for part in parts {
                stamp.add(part.as_bytes());
            }
            stamp.hex()
        };
        assert_ne!(hex(&["ab", "c"]), hex(&["a", "bc"]));
        assert_eq!(hex(&["ab", "c"]), hex(&["ab", "c"]));
    }
}
