//! The order of passages by the cosine of their vectors and the question's.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context as _;

use super::candidate::Candidate;
use super::reranker::Reranker;
use crate::chunk_library::read_catalog;
use crate::encoder::{EncoderFiles, find_encoder_files};
use crate::source::listed_packs;
use crate::vector_library::{ChunkPlace, VectorLibrary};

/// Vectors, and the encoder that made them.
pub(super) struct CosineReranker {
    vectors: VectorLibrary,
    encoder: EncoderFiles,
    /// The paths of packs that changed since their vectors were made.
    stale: BTreeSet<String>,
}

impl CosineReranker {
    /// Opens the vectors of the packs under `root`; none where they have none, or no encoder is there.
    ///
    /// # Errors
    /// Vectors that can't be read, and an encoder that is named and is none.
    pub(super) fn open(root: &Path) -> anyhow::Result<Option<CosineReranker>> {
        let Some(stages) = seealso_pack::read_stages(root)? else { return Ok(None) };
        let Some(vectors) = VectorLibrary::open(root, &stages)? else { return Ok(None) };
        let Some(encoder) = find_encoder_files(None, root)? else { return Ok(None) };
        let packs = listed_packs(root, &read_catalog(root)?)?.into_owned();
        let stale = vectors.record().outdated_packs(&packs).into_iter().map(str::to_owned).collect();
        Ok(Some(CosineReranker { vectors, encoder, stale }))
    }
}

impl Reranker for CosineReranker {
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>> {
        let places: Vec<ChunkPlace> = candidates.iter().map(|candidate| candidate.place.clone()).collect();
        if let Some(stale) = places.iter().find(|place| self.stale.contains(&place.pack)) {
            anyhow::bail!("{}: changed since its vectors were made; run `seealso setup` again", stale.pack);
        }
        let query = encode_question(question, &self.encoder, &self.vectors)?;
        Ok(self.vectors.similarities(&query, &places)?.into_iter().map(f64::from).collect())
    }
}

/// The vector of a question, by the encoder that made the vectors.
#[cfg(feature = "model")]
fn encode_question(question: &str, files: &EncoderFiles, vectors: &VectorLibrary) -> anyhow::Result<Vec<f32>> {
    let encoder = crate::local_encoder::LocalEncoder::load(files)?;
    vectors.vectors().space().check(&encoder.space().id())?;
    encoder.embed(&[question])?.pop().context("the encoder gave no vector")
}

#[cfg(not(feature = "model"))]
fn encode_question(_: &str, files: &EncoderFiles, _: &VectorLibrary) -> anyhow::Result<Vec<f32>> {
    let unusable = crate::unusable_model::UnusableModel::new(&files.weights, crate::encoder::WITHOUT_MODELS);
    Err(unusable).context("the question has no vector")
}
