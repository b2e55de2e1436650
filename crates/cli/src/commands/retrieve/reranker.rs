//! What orders the found passages again.

use super::candidate::Candidate;

/// Something that scores passages by what they mean.
pub(super) trait Reranker {
    /// One score a passage, in their order; a higher one is nearer to the question. It gives all or fails: scores of
    /// words and of meaning are never mixed in one list.
    ///
    /// # Errors
    /// Why no score could be given.
    fn scores(&self, question: &str, candidates: &[Candidate]) -> anyhow::Result<Vec<f64>>;

    /// Checks, without a question, that passages of every pack could be scored.
    ///
    /// # Errors
    /// Why no score could be given, or none for passages of some packs.
    fn check(&self) -> anyhow::Result<()>;
}

/// How the list is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// By words, as was asked for.
    Bm25Only,
    /// By words, since nothing orders it again.
    NoOp,
    /// By the cosine of vectors.
    Cosine,
}

impl Strategy {
    /// The strategy that would be used.
    pub(super) fn of(no_rerank: bool, reranker: Option<&dyn Reranker>) -> Strategy {
        match (no_rerank, reranker) {
            (true, _) => Strategy::Bm25Only,
            (false, None) => Strategy::NoOp,
            (false, Some(_)) => Strategy::Cosine,
        }
    }

    /// Its name, for programs.
    pub(super) fn name(self) -> &'static str {
        match self {
            Strategy::Bm25Only => "bm25-only",
            Strategy::NoOp => "no-op",
            Strategy::Cosine => "cosine",
        }
    }

    /// Why it is used, for people.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Strategy::Bm25Only => "passages are ordered by their words, as asked for",
            Strategy::NoOp => {
                "there is no encoder with vectors of these packs, so passages stay in the order of their words"
            }
            Strategy::Cosine => "all passages are ordered by the cosine of their vectors and the question's",
        }
    }
}
