//! The encoder that made a stage, as the stage's record names it.

use anyhow::Context as _;
use seealso_pack::{FileRef, StageModel, StageRecord, hex};
use seealso_vectors::Space;

/// `last`, where the encoder of that space made it.
pub(super) fn of_same_encoder(last: Option<StageRecord>, space: &Space) -> Option<StageRecord> {
    let is_same = |model: &StageModel| model.sha256 == hex(&space.sha256);
    last.filter(|last| last.model.as_ref().is_some_and(is_same))
}

/// The encoder of a space as stages name it, with its files for browsers.
pub(super) fn stage_model(space: &Space, files: Vec<FileRef>) -> anyhow::Result<StageModel> {
    Ok(StageModel {
        id: space.model.clone(),
        sha256: hex(&space.sha256),
        dimensions: u32::try_from(space.dimensions).context("a vector has too many numbers")?,
        scheme: space.scheme.clone(),
        files,
    })
}
