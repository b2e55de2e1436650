//! Why a request to the entries fails. Each fault fails that request alone; the next one may succeed.

use std::fmt;

/// Why entries cannot be found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryFault {
    /// The site has no stage of entries.
    NotProvided,
    /// Its files are missing, damaged, or of another version.
    Unreadable {
        /// What failed, and where.
        reason: String,
    },
    /// The entries have no vectors: the stage was made without an encoder.
    NoVectors,
    /// No encoder is there for the question.
    NoEncoder {
        /// The space of the stored vectors.
        stored: String,
    },
    /// The encoder's vectors cannot be compared with the stored ones.
    OtherModel {
        /// The space of the stored vectors.
        stored: String,
        /// That of the encoder.
        encoder: String,
    },
    /// The encoder failed on this question.
    EncoderFailed {
        /// What it said.
        reason: String,
    },
}

impl EntryFault {
    /// Its kind as a short word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            EntryFault::NotProvided => "entries-not-provided",
            EntryFault::Unreadable { .. } => "entries-unreadable",
            EntryFault::NoVectors => "no-vectors",
            EntryFault::NoEncoder { .. } => "no-encoder",
            EntryFault::OtherModel { .. } => "other-encoder",
            EntryFault::EncoderFailed { .. } => "encoder-failed",
        }
    }
}

impl fmt::Display for EntryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryFault::NotProvided => {
                f.write_str("these packs have no entries that can be asked; `seealso setup` makes them of the packs' `entries` folders")
            }
            EntryFault::Unreadable { reason } => write!(f, "the entries cannot be read: {reason}"),
            EntryFault::NoVectors => {
                f.write_str("the entries have no vectors; run `seealso setup` with --encoder and the folder of an encoder")
            }
            EntryFault::NoEncoder { stored } => {
                write!(f, "no encoder is here for the question; the entries need that of {stored}")
            }
            EntryFault::OtherModel { stored, encoder } => write!(
                f,
                "the entries are of {stored}, and the encoder is {encoder}; use that encoder, or run `seealso setup` with this one"
            ),
            EntryFault::EncoderFailed { reason } => {
                write!(f, "the question could not be encoded: {reason}; ask again, and if that fails, load the encoder anew")
            }
        }
    }
}

impl std::error::Error for EntryFault {}
