//! What can keep a pack from being read or published: each error names the path, the cause and what to do.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A pack could not be read or written. Flaws inside a pack are [`Finding`](crate::Finding)s, not errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    Io {
        /// The file or folder concerned.
        path: PathBuf,
        /// What was tried, as in "reading".
        doing: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// The folder is a pack of neither dialect.
    NotAPack {
        /// The folder.
        path: PathBuf,
    },
    /// A file is there but its content cannot be used.
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
        /// What to do about it, as a whole sentence.
        hint: &'static str,
    },
}

impl Error {
    /// An [`Error::Io`] for `path`; `doing` says what was tried, as in "reading".
    pub fn io(path: &Path, doing: &'static str, cause: io::Error) -> Error {
        Error::Io { path: path.to_path_buf(), doing, cause }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io { path, doing, cause } => {
                write!(f, "{doing} {}: {cause}. Check that the path exists and that you may use it.", path.display())
            }
            Error::NotAPack { path } => write!(
                f,
                "{}: not a pack. A pack holds manifest.yaml and wiki/, or is a folder of markdown pages.",
                path.display()
            ),
            Error::Invalid { path, cause, hint } => write!(f, "{}: {cause}. {hint}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_path_cause_and_remedy() {
        let io = Error::io(Path::new("a/b"), "reading", io::Error::other("it is gone"));
        assert_eq!(io.to_string(), "reading a/b: it is gone. Check that the path exists and that you may use it.");
        assert!(std::error::Error::source(&io).is_some());
        let invalid = Error::Invalid { path: "x".into(), cause: "bad".into(), hint: "Build again." };
        assert_eq!(invalid.to_string(), "x: bad. Build again.");
        assert!(Error::NotAPack { path: "x".into() }.to_string().starts_with("x: not a pack."));
    }
}
