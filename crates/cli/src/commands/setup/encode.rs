//! The encoding of chunks into vectors, where an encoder is there. This program has none yet, so chunks are found and
//! ordered by their words alone.

use serde::Serialize;

use super::site::Site;
use crate::style::ProgressLine;

/// The vectors that were published.
#[derive(Debug, Serialize)]
pub(super) struct PublishedVectors {
    /// How many there are.
    pub(super) vectors: usize,
}

/// The name of the encoder that can be used on this machine. It is looked for, and never fetched.
pub(super) fn find_encoder() -> Option<String> {
    None
}

/// Encodes the chunks of all packs and publishes their vectors; none without an encoder.
pub(super) fn encode_stage(
    _site: &Site,
    encoder: Option<&str>,
    _line: &ProgressLine,
) -> anyhow::Result<Option<PublishedVectors>> {
    Ok(encoder.map(|_| PublishedVectors { vectors: 0 }))
}
