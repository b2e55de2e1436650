//! A model that can't be used: its own error, so that it ends the command with an exit code of its own.

use std::fmt;
use std::path::Path;

/// Which model, why not, and what to do.
#[derive(Debug)]
pub(crate) struct Unusable {
    /// The file.
    file: String,
    /// What is wrong with it, and what to do.
    reason: String,
}

impl Unusable {
    pub(crate) fn new(file: &Path, reason: impl fmt::Display) -> Unusable {
        Unusable { file: file.display().to_string(), reason: reason.to_string() }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for Unusable {}
