//! The error of a model that can't be used. It is a type of its own because it has an exit code of its own.

use std::fmt;
use std::path::Path;

/// A model that can't be used: its file, the reason, and what to do.
#[derive(Debug)]
pub(crate) struct UnusableModel {
    /// The file.
    file: String,
    /// What is wrong with it, and what to do.
    reason: String,
}

impl UnusableModel {
    pub(crate) fn new(file: &Path, reason: impl fmt::Display) -> UnusableModel {
        UnusableModel { file: file.display().to_string(), reason: reason.to_string() }
    }

    /// The refusal of a build without models.
    #[cfg(not(feature = "model"))]
    pub(crate) fn without_models(file: &Path) -> UnusableModel {
        UnusableModel::new(
            file,
            "this seealso was built without models; install it again without `--no-default-features`",
        )
    }
}

impl fmt::Display for UnusableModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for UnusableModel {}
