//! What the checks say of a claim: a verdict with one of the three labels or none, and what it rests on.

use crate::deliberate::checks::CheckResult;
use crate::deliberate::claims::Claim;
use crate::deliberate::evidence::Passage;

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A page says it.
    Supported,
    /// No page says it.
    Unsupported,
    /// A page says otherwise.
    Contradicts,
    /// The page that may say it could not be had, or the checks stay undecided.
    CannotVerify,
}

impl Verdict {
    /// Its label in a review; none for what is supported.
    pub fn label(self) -> Option<&'static str> {
        match self {
            Verdict::Supported => None,
            Verdict::Unsupported => Some("unsupported by source"),
            Verdict::Contradicts => Some("contradicts source"),
            Verdict::CannotVerify => Some("cannot verify in available excerpt"),
        }
    }

    /// A short word for programs.
    pub fn code(self) -> &'static str {
        match self {
            Verdict::Supported => "supported",
            Verdict::Unsupported => "unsupported",
            Verdict::Contradicts => "contradicts",
            Verdict::CannotVerify => "cannot-verify",
        }
    }

    /// Whether a claim with it must not stand in an answer as it is.
    pub fn is_flag(self) -> bool {
        matches!(self, Verdict::Unsupported | Verdict::Contradicts)
    }
}

/// A claim with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What was claimed.
    pub claim: Claim,
    /// What the checks say.
    pub verdict: Verdict,
    /// The passage that bears it out or speaks against it, word for word from its page; none where no page speaks of it.
    pub passage: Option<Passage>,
    /// What each gate found, those that passed included.
    pub checks: Vec<CheckResult>,
    /// How much the model leans to yes, where it was asked: see [`Model::judge`](crate::Model::judge).
    pub log_odds: Option<f64>,
}

impl Judgement {
    /// What each gate found, a line each.
    pub fn notes(&self) -> Vec<String> {
        self.checks.iter().map(crate::trace::Describe::note).collect()
    }
}
