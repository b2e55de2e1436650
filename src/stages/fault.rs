//! Why a stage cannot be used, in whole or for some packs. None of it loses the answer: pages are then found by their words, and
//! the answer says so in one sentence.

use std::fmt;

use super::options::STAGES;

/// What is wrong with a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StageFault {
    /// The site does not have it.
    NotProvided {
        /// The stage.
        stage: &'static str,
    },
    /// Its files are missing, damaged, or of another version.
    Unreadable {
        /// The stage.
        stage: &'static str,
        /// What failed, and where.
        reason: String,
    },
    /// Some packs have changed since it was made.
    Stale {
        /// The stage.
        stage: &'static str,
        /// The paths of these packs.
        packs: Vec<String>,
    },
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
    /// The encoder failed.
    EncoderFailed {
        /// What it said.
        reason: String,
    },
    /// Chunks and vectors were not made of the same pages, so that the chunks keep the order of their index.
    Mismatch,
    /// Links were to order pages whose similarities are not known.
    LinksAlone,
    /// A name that somebody gave as a stage is none.
    UnknownStage {
        /// The name.
        name: String,
    },
}

impl StageFault {
    /// Its kind as a short word, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            StageFault::NotProvided { .. } => "stage-not-provided",
            StageFault::Unreadable { .. } => "stage-unreadable",
            StageFault::Stale { .. } => "stage-stale",
            StageFault::NoEncoder { .. } => "no-encoder",
            StageFault::OtherModel { .. } => "other-encoder",
            StageFault::EncoderFailed { .. } => "encoder-failed",
            StageFault::Mismatch => "stage-mismatch",
            StageFault::LinksAlone => "links-alone",
            StageFault::UnknownStage { .. } => "unknown-stage",
        }
    }
}

/// The packs that a sentence names; of more, it says how many.
const MOST_NAMED: usize = 3;

impl fmt::Display for StageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StageFault::NotProvided { stage } => {
                write!(f, "This site has no {stage}, so pages were found without; `seealso setup` makes them.")
            }
            StageFault::Unreadable { stage, reason } => {
                write!(f, "The {stage} of this site could not be used, so pages were found without: {reason}.")
            }
            StageFault::Stale { stage, packs } => {
                let named = packs.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
                let more = packs.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(
                    f,
                    "The {stage} are older than the pages of {named}{more}, so these pages were found without; \
                     `seealso setup` brings them up to date."
                )
            }
            StageFault::NoEncoder { stored } => {
                write!(f, "No encoder is here for the vectors of {stored}, so pages were found by their words alone.")
            }
            StageFault::OtherModel { stored, encoder } => write!(
                f,
                "The vectors are of {stored}, and the encoder is {encoder}, so pages were found by their words alone."
            ),
            StageFault::EncoderFailed { reason } => {
                write!(f, "The question could not be encoded, so pages were found by their words alone: {reason}.")
            }
            StageFault::Mismatch => f.write_str(
                "Chunks and vectors were not made of the same pages, so chunks were ranked by their words alone; `seealso setup` \
                 makes both anew.",
            ),
            StageFault::LinksAlone => f.write_str(
                "Links order pages by their similarities, which only vectors give, so they had no effect on this answer.",
            ),
            StageFault::UnknownStage { name } => {
                write!(f, "There is no stage \"{name}\", so pages were found without; there are {}.", STAGES.join(", "))
            }
        }
    }
}

impl std::error::Error for StageFault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_one_sentence() {
        let stage = "vectors";
        let stale =
            |packs: &[&str]| StageFault::Stale { stage, packs: packs.iter().map(|&pack| pack.into()).collect() };
        let check = |fault: StageFault, code: &str, says: &str| {
            assert_eq!((fault.code(), fault.to_string().as_str()), (code, says));
        };
        check(
            StageFault::NotProvided { stage },
            "stage-not-provided",
            "This site has no vectors, so pages were found without; `seealso setup` makes them.",
        );
        check(
            StageFault::Unreadable { stage, reason: "index/0.vec: there is no such file".into() },
            "stage-unreadable",
            "The vectors of this site could not be used, so pages were found without: index/0.vec: there is no such file.",
        );
        check(
            stale(&["a"]),
            "stage-stale",
            "The vectors are older than the pages of a, so these pages were found without; `seealso setup` brings them up \
             to date.",
        );
        let many = stale(&["a", "b", "c", "d", "e"]).to_string();
        assert!(many.contains("the pages of a, b, c and 2 more, so"), "{many}");
        check(
            StageFault::OtherModel { stored: "one@01".into(), encoder: "other@02".into() },
            "other-encoder",
            "The vectors are of one@01, and the encoder is other@02, so pages were found by their words alone.",
        );
        check(
            StageFault::UnknownStage { name: "vector".into() },
            "unknown-stage",
            "There is no stage \"vector\", so pages were found without; there are chunks, vectors, graph.",
        );
    }
}
