//! The order of passages by the cosine of their vectors and the question's.

use std::path::Path;

use anyhow::{Context as _, bail};
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

impl CosineReranker {
    /// The first of the packs whose vectors are of other pages is an error.
    fn ensure_current<'p>(&self, mut packs: impl Iterator<Item = &'p String>) -> anyhow::Result<()> {
        let outdated = self.vectors.stage.outdated();
        match packs.find(|pack| outdated.contains(pack)) {
            Some(stale) => bail!("{stale}: changed since its vectors were made; run `seealso setup` again"),
            None => Ok(()),
        }
    }
}

impl Reranker for CosineReranker {
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>> {
        let places: Vec<ChunkPlace> = candidates.iter().map(|candidate| candidate.place.clone()).collect();
        self.ensure_current(places.iter().map(|place| &place.pack))?;
        let query = self.load_encoder()?.embed(&[question])?.pop().context("the encoder gave no vector")?;
        let measured = block_on(self.vectors.stage.similarities(&self.vectors.library, &query, &places))??;
        if let Some((_, place)) = measured.iter().zip(&places).find(|(similarity, _)| similarity.is_none()) {
            bail!("{}: it has no vectors, since the encoder does not know its language", place.pack);
        }
        Ok(measured.into_iter().flatten().map(f64::from).collect())
    }

    fn check(&self) -> anyhow::Result<()> {
        self.ensure_current(self.vectors.stage.outdated().iter())?;
        self.load_encoder().map(drop)
    }
}

#[cfg(feature = "model")]
impl CosineReranker {
    /// The encoder, if it is the one that made the vectors.
    fn load_encoder(&self) -> anyhow::Result<crate::local_encoder::LocalEncoder> {
        let encoder = crate::local_encoder::LocalEncoder::load(&self.encoder)?;
        self.vectors.stage.vectors().space().check(&encoder.space().id())?;
        Ok(encoder)
    }
}

#[cfg(not(feature = "model"))]
impl CosineReranker {
    fn load_encoder(&self) -> anyhow::Result<AbsentEncoder> {
        let unusable = crate::unusable_model::UnusableModel::without_models(&self.encoder.weights);
        Err(unusable).context("the question has no vector")
    }
}

/// No encoder can be loaded in a build without models.
#[cfg(not(feature = "model"))]
enum AbsentEncoder {}

#[cfg(not(feature = "model"))]
impl AbsentEncoder {
    fn embed(&self, _: &[&str]) -> anyhow::Result<Vec<Vec<f32>>> {
        match *self {}
    }
}
