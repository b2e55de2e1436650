//! What can be wrong with a model file, said so that a reader knows what to do next.

use std::fmt;

/// A fault found while reading a model file, or while making something of what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The bytes do not begin as a GGUF file does: another kind of file, or an error page.
    NotGguf {
        /// The first bytes, as text where they are text.
        found: String,
    },
    /// A GGUF file of a version that this reader does not know, or of the other byte order.
    Version {
        /// The version as read, little endian.
        found: u32,
    },
    /// The file ends before a part that it announces.
    Truncated {
        /// The part that is cut.
        part: String,
        /// Where the part ends, in bytes from the file's start.
        needed: u64,
        /// The bytes that there are.
        got: u64,
    },
    /// A part of the file contradicts itself, or says something absurd.
    Corrupt {
        /// The part.
        part: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file asks for something that is not built here.
    Unsupported {
        /// What it asks for.
        what: String,
        /// What is supported instead.
        supported: String,
    },
    /// A metadata value that is needed is not there, or is of another type.
    Metadata {
        /// The value's key.
        key: String,
        /// What was expected of it.
        expected: &'static str,
    },
    /// A tensor that is needed is not there, or has another shape.
    Tensor {
        /// The tensor's name.
        name: String,
        /// What was expected, and what was found.
        reason: String,
    },
    /// The caller handed in something that does not fit: a buffer of the wrong length, a token out of range.
    Argument {
        /// What does not fit.
        reason: String,
    },
}

impl Error {
    /// Whether another file of the same model would do: the file is sound, but not for this reader.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Error::Unsupported { .. } | Error::Version { .. })
    }

    /// Whether the file is cut short or damaged, so that fetching it again may cure it.
    pub fn is_damaged(&self) -> bool {
        matches!(self, Error::Truncated { .. } | Error::Corrupt { .. } | Error::NotGguf { .. })
    }

    pub(crate) fn corrupt(part: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Corrupt { part: part.into(), reason: reason.into() }
    }

    pub(crate) fn unsupported(what: impl Into<String>, supported: impl Into<String>) -> Error {
        Error::Unsupported { what: what.into(), supported: supported.into() }
    }

    pub(crate) fn tensor(name: impl Into<String>, reason: impl Into<String>) -> Error {
        Error::Tensor { name: name.into(), reason: reason.into() }
    }

    pub(crate) fn metadata(key: impl Into<String>, expected: &'static str) -> Error {
        Error::Metadata { key: key.into(), expected }
    }

    pub(crate) fn argument(reason: impl Into<String>) -> Error {
        Error::Argument { reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NotGguf { found } => {
                write!(
                    f,
                    "not a GGUF file (it begins with \"{found}\"); check that the server hands out the file itself"
                )
            }
            Error::Version { found } if found.swap_bytes() <= 0xffff => {
                write!(f, "the model file is big endian; only little-endian files are read: take the ordinary one")
            }
            Error::Version { found } => {
                write!(f, "the model file has GGUF version {found}; versions 2 and 3 are read: convert it anew")
            }
            Error::Truncated { part, needed, got } => write!(
                f,
                "the model file is cut short: its {part} needs {needed} bytes, there are {got}; fetch it again"
            ),
            Error::Corrupt { part, reason } => {
                write!(f, "the model file is damaged in its {part}: {reason}; fetch it again, or take another file")
            }
            Error::Unsupported { what, supported } => {
                write!(f, "the model needs {what}, which is not supported; supported are {supported}")
            }
            Error::Metadata { key, expected } => {
                write!(f, "the model file's metadata has no usable `{key}` ({expected} is needed); take another file")
            }
            Error::Tensor { name, reason } => {
                write!(f, "the model file's tensor `{name}` does not fit: {reason}; take another file")
            }
            Error::Argument { reason } => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}
