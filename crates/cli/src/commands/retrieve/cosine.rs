//! The order of passages by the cosine of their vectors and the question's.

use std::path::Path;

use anyhow::Context as _;
use seealso::ChunkPlace;

use super::candidate::Candidate;
use super::reranker::Reranker;
use crate::encoder::{EncoderFiles, find_encoder_files};
use crate::source::block_on;
use crate::vector_library::VectorLibrary;

/// Vectors, and the encoder that made them.
pub(super) struct CosineReranker {
    vectors: VectorLibrary,
    encoder: EncoderFiles,
}

impl CosineReranker {
    /// Opens the vectors of the packs under `root`; none where they have none, or no encoder is there.
    ///
    /// # Errors
    /// Vectors that can't be read, and an encoder that is named and is none.
    pub(super) fn open(root: &Path) -> anyhow::Result<Option<CosineReranker>> {
        let Some(vectors) = block_on(VectorLibrary::open(root))?? else { return Ok(None) };
        let Some(encoder) = find_encoder_files(None, root)? else { return Ok(None) };
        Ok(Some(CosineReranker { vectors, encoder }))
    }
}

impl Reranker for CosineReranker {
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>> {
        let places: Vec<ChunkPlace> = candidates.iter().map(|candidate| candidate.place.clone()).collect();
        let outdated = self.vectors.stage.outdated();
        if let Some(stale) = places.iter().find(|place| outdated.contains(&place.pack)) {
            anyhow::bail!("{}: changed since its vectors were made; run `seealso setup` again", stale.pack);
        }
        let query = encode_question(question, &self.encoder, &self.vectors)?;
        let measured = block_on(self.vectors.stage.similarities(&self.vectors.library, &query, &places))??;
        if let Some((_, place)) = measured.iter().zip(&places).find(|(similarity, _)| similarity.is_none()) {
            anyhow::bail!("{}: it has no vectors, since the encoder does not know its language", place.pack);
        }
        Ok(measured.into_iter().flatten().map(f64::from).collect())
    }
}

/// The vector of a question, by the encoder that made the vectors.
#[cfg(feature = "model")]
fn encode_question(question: &str, files: &EncoderFiles, vectors: &VectorLibrary) -> anyhow::Result<Vec<f32>> {
    let encoder = crate::local_encoder::LocalEncoder::load(files)?;
    vectors.stage.vectors().space().check(&encoder.space().id())?;
    encoder.embed(&[question])?.pop().context("the encoder gave no vector")
}

#[cfg(not(feature = "model"))]
fn encode_question(_: &str, files: &EncoderFiles, _: &VectorLibrary) -> anyhow::Result<Vec<f32>> {
    let unusable = crate::unusable_model::UnusableModel::new(&files.weights, crate::encoder::WITHOUT_MODELS);
    Err(unusable).context("the question has no vector")
}
