//! The reranker that is there for some packs.

use std::path::Path;

use super::candidate::Candidate;
use super::cosine::CosineReranker;
use super::reranker::Reranker;

/// What can order the passages of some packs.
pub(super) enum FoundReranker {
    /// Nothing: there are no vectors, or no encoder.
    None,
    /// This.
    Ready(Box<dyn Reranker>),
    /// Vectors or an encoder that can't be used.
    Unusable(String),
}

impl FoundReranker {
    /// The reranker; one that fails where it can't be used, so that the list says why.
    pub(super) fn reranker(&self) -> Option<&dyn Reranker> {
        match self {
            FoundReranker::None => None,
            FoundReranker::Ready(reranker) => Some(reranker.as_ref()),
            FoundReranker::Unusable(_) => Some(self),
        }
    }
}

impl Reranker for FoundReranker {
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>> {
        match self {
            FoundReranker::Ready(reranker) => reranker.scores(question, candidates),
            FoundReranker::None => anyhow::bail!("there is none"),
            FoundReranker::Unusable(why) => anyhow::bail!("{why}"),
        }
    }
}

/// The reranker that can be used for the packs under `root`.
pub(super) fn find_reranker(root: &Path) -> FoundReranker {
    match CosineReranker::open(root) {
        Ok(Some(reranker)) => FoundReranker::Ready(Box::new(reranker)),
        Ok(None) => FoundReranker::None,
        Err(error) => FoundReranker::Unusable(format!("{error:#}")),
    }
}
