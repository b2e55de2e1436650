//! The errors of reading and writing an index. Each message says what is wrong and what to do next.

use std::fmt;

use crate::format::VERSION;

/// An error of opening, reading or writing an index.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin as an index does, for example because the server sent an error page.
    NotAnIndex {
        /// The first bytes, as text where they are UTF-8.
        found: String,
    },
    /// The index has a format version that this crate does not read.
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The bytes end before a part that the root announces.
    Truncated {
        /// The part that is cut short.
        part: &'static str,
        /// How many bytes the part should have.
        needed: u64,
        /// How many bytes there are.
        got: u64,
    },
    /// The bytes of a part are invalid.
    Corrupt {
        /// The part.
        part: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of the index was not supplied yet; [`Index::wanted`](crate::Index::wanted) lists it.
    Missing,
    /// The writer was given something that the format can't hold, or can't write.
    Unwritable {
        /// What it was given, and the limit.
        reason: String,
    },
}

impl Error {
    /// Whether the file is sound but has another format version, so that building the index again helps.
    pub fn is_version(&self) -> bool {
        matches!(self, Error::Version { .. })
    }

    pub(crate) fn corrupt(part: &'static str, reason: impl Into<String>) -> Error {
        Error::Corrupt { part, reason: reason.into() }
    }

    pub(crate) fn unwritable(reason: impl Into<String>) -> Error {
        Error::Unwritable { reason: reason.into() }
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

/// Runs all `steps`, so that each records the files that it misses, and fails where one of them failed.
///
/// # Errors
/// The first error that is not [`Error::Missing`]; otherwise [`Error::Missing`] where a step failed with it. An error
/// other than [`Error::Missing`] ends the run.
pub fn try_all(mut steps: impl Iterator<Item = Result<(), Error>>) -> Result<(), Error> {
    try_each(&mut || steps.next())
}

/// [`try_all`], compiled once for all kinds of steps.
fn try_each(next: &mut dyn FnMut() -> Option<Result<(), Error>>) -> Result<(), Error> {
    let mut missing = Ok(());
    while let Some(step) = next() {
        match step {
            Err(Error::Missing) => missing = step,
            other => other?,
        }
    }
    missing
}

/// Turns a missing file, which is recorded already, into success.
///
/// # Errors
/// Any other error.
pub(crate) fn unless_missing(error: Error) -> Result<(), Error> {
    if matches!(error, Error::Missing) { Ok(()) } else { Err(error) }
}
