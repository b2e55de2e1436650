//! What can be wrong with index bytes, said so that a reader knows what to do next.

use std::fmt;

use crate::format::VERSION;

/// A fault found while opening or reading an index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin as an index does: another kind of file, or an error page.
    NotAnIndex {
        /// The first bytes, as text where they are text.
        found: String,
    },
    /// An index of a format version that this reader does not know.
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The bytes end before a part that the header announces.
    Truncated {
        /// The part that is cut.
        part: &'static str,
        /// Where the part should end, in bytes from the file's start.
        needed: u64,
        /// The bytes that there are.
        got: u64,
    },
    /// A part's bytes contradict themselves.
    Corrupt {
        /// The part.
        part: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of the index has not come yet; [`Index::wanted`](crate::Index::wanted) says which.
    Missing,
    /// The writer was handed something that the format can't hold.
    Unwritable {
        /// What it was, and the limit.
        reason: String,
    },
}

impl Error {
    /// Whether the file is sound but of another version, so that a rebuild cures it.
    pub fn is_version(&self) -> bool {
        matches!(self, Error::Version { .. })
    }

    pub(crate) fn corrupt(part: &'static str, reason: impl Into<String>) -> Error {
        Error::Corrupt { part, reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotAnIndex { found } => write!(
                f,
                "not a seealso index (it begins with \"{found}\"); check that the server hands out the file itself"
            ),
            Error::Version { found } => write!(
                f,
                "the index has format version {found}, this reader knows version {VERSION}; rebuild it with `seealso build`"
            ),
            Error::Truncated { part, needed, got } => write!(
                f,
                "the index is cut short: its {part} needs {needed} bytes, there are {got}; upload it again, or rebuild it with `seealso build`"
            ),
            Error::Corrupt { part, reason } => write!(
                f,
                "the index is damaged in its {part}: {reason}; upload it again, or rebuild it with `seealso build`"
            ),
            Error::Missing => {
                f.write_str("a file of the index is still to be fetched; hand it in with `Index::supply` and ask again")
            }
            Error::Unwritable { reason } => write!(f, "the index can't be written: {reason}"),
        }
    }
}

impl std::error::Error for Error {}
