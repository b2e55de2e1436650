//! The verdict on a claim, its label in a review, and the evidence that it rests on.

use crate::deliberate::checks::CheckResult;
use crate::deliberate::claims::Claim;
use crate::deliberate::evidence::Passage;

/// The verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// A page states it.
    Supported,
    /// No page states it.
    Unsupported,
    /// A page states the opposite or another value.
    Contradicts,
    /// The page that may state it was not available, or the checks are undecided.
    CannotVerify,
}

impl Verdict {
    /// The label in a review; `None` for a supported claim.
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

    /// Whether the claim must not stand in an answer as it is.
    pub fn is_flag(self) -> bool {
        matches!(self, Verdict::Unsupported | Verdict::Contradicts)
    }
}

/// A claim with its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The claim.
    pub claim: Claim,
    /// The verdict.
    pub verdict: Verdict,
    /// The passage that supports or contradicts it, verbatim from its page; `None` if no page is about it.
    pub passage: Option<Passage>,
    /// The result of each check, including those that passed.
    pub checks: Vec<CheckResult>,
    /// The model's log-odds for yes, if it was asked: see [`Model::judge`](crate::Model::judge).
    pub log_odds: Option<f64>,
}

impl Judgement {
    /// The result of each check, one line each.
    pub fn notes(&self) -> Vec<String> {
        self.checks.iter().map(crate::trace::Describe::note).collect()
    }
}
