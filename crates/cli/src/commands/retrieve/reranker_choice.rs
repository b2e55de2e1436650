//! The reranker that is there for some packs.

use std::path::Path;

use super::candidate::Candidate;
use super::cosine::CosineReranker;
use super::reranker::{Reranker, Strategy};

/// What can order the passages of some packs.
pub(super) enum RerankerChoice {
    /// Nothing: there are no vectors, or no encoder.
    None,
    /// This.
    Ready(Box<dyn Reranker>),
    /// Vectors or an encoder that can't be used.
    Unusable(String),
}

impl RerankerChoice {
    /// The reranker; one that fails where it can't be used, so that the list says why.
    pub(super) fn reranker(&self) -> Option<&dyn Reranker> {
        match self {
            RerankerChoice::None => None,
            RerankerChoice::Ready(reranker) => Some(reranker.as_ref()),
            RerankerChoice::Unusable(_) => Some(self),
        }
    }
}

impl RerankerChoice {
    /// The strategy for a question that is not known, and why it is not another one.
    pub(super) fn strategy(&self, no_rerank: bool) -> (Strategy, Option<String>) {
        match self.reranker().map(Reranker::check) {
            Some(Err(why)) => (Strategy::NoOp, Some(format!("passages stay in the order of their words: {why:#}"))),
            _ => (Strategy::of(no_rerank, self.reranker()), None),
        }
    }
}

impl Reranker for RerankerChoice {
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>> {
        match self {
            RerankerChoice::Ready(reranker) => reranker.scores(question, candidates),
            RerankerChoice::None => anyhow::bail!("there is none"),
            RerankerChoice::Unusable(why) => anyhow::bail!("{why}"),
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        match self {
            RerankerChoice::Ready(reranker) => reranker.check(),
            RerankerChoice::None => Ok(()),
            RerankerChoice::Unusable(why) => anyhow::bail!("{why}"),
        }
    }
}

/// The reranker that can be used for the packs under `root`.
pub(super) fn find_reranker(root: &Path) -> RerankerChoice {
    match CosineReranker::open(root) {
        Ok(Some(reranker)) => RerankerChoice::Ready(Box::new(reranker)),
        Ok(None) => RerankerChoice::None,
        Err(error) => RerankerChoice::Unusable(format!("{error:#}")),
    }
}
