//! The errors of reading and writing vectors. Each message says what is wrong, where, and what to do next.

use std::fmt;

use crate::format::VERSION;

/// An error of opening, reading or writing vectors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin as a root of vectors does, for example because the server sent an error page.
    NotVectors {
        /// The first bytes, as text where they are UTF-8.
        found: String,
    },
    /// The root has a format version that this crate does not read.
    Version {
        /// The version in the file.
        found: u16,
    },
    /// The bytes of a file are invalid.
    Corrupt {
        /// The file: its name, or "root".
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A file was not supplied yet; [`Vectors::wanted`](crate::Vectors::wanted) lists it.
    Missing,
    /// The vectors were made by another model than the one that is asked, or from texts that were put together in
    /// another way.
    OtherSpace {
        /// The space of the stored vectors, as a reader can tell it from others.
        stored: String,
        /// The space of the encoder that is asked.
        asked: String,
    },
    /// A vector has another number of dimensions than its set.
    Dimensions {
        /// The dimensions of the set.
        expected: usize,
        /// The dimensions of the vector.
        got: usize,
    },
    /// A vector has no direction: all its numbers are zero, or one of them is not finite.
    NoDirection,
    /// There is no such chunk.
    NoChunk {
        /// The number that was asked for.
        chunk: u32,
        /// How many chunks there are.
        count: u32,
    },
    /// The writer was given something that the format can't hold, or can't write.
    Unwritable {
        /// What it was given, and the limit.
        reason: String,
    },
}

impl Error {
    /// Whether the file is sound but has another format version, so that making the stage again helps.
    pub fn is_version(&self) -> bool {
        matches!(self, Error::Version { .. })
    }

    pub(crate) fn corrupt(file: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Corrupt { file: file.into(), reason: reason.into() }
    }

    pub(crate) fn unwritable(reason: impl Into<String>) -> Error {
        Error::Unwritable { reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotVectors { found } => write!(
                f,
                "not a file of vectors (it begins with \"{found}\"); check that the server hands out the file itself"
            ),
            Error::Version { found } => write!(
                f,
                "the vectors have format version {found}, this reader knows version {VERSION}; make them again with `seealso setup`"
            ),
            Error::Corrupt { file, reason } => write!(
                f,
                "the vectors are damaged in the file {file}: {reason}; upload it again, or make them again with `seealso setup`"
            ),
            Error::Missing => f.write_str(
                "a file of the vectors is still to be fetched; hand it in with `Vectors::supply` and ask again",
            ),
            Error::OtherSpace { stored, asked } => write!(
                f,
                "the vectors are of the model {stored}, the encoder is {asked}; use that model, or make the vectors again with `seealso setup`"
            ),
            Error::Dimensions { expected, got } => write!(
                f,
                "a vector has {got} dimensions, the set has {expected}; encode the question with the model that made the vectors"
            ),
            Error::NoDirection => {
                f.write_str("a vector is all zeros or has a number that is not finite; check the encoder's files")
            }
            Error::NoChunk { chunk, count } => {
                write!(f, "there is no chunk {chunk} among {count}; make the vectors again with `seealso setup`")
            }
            Error::Unwritable { reason } => write!(f, "the vectors can't be written: {reason}"),
        }
    }
}

impl std::error::Error for Error {}
