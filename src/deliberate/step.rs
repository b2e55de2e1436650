//! The steps that a deliberation reports to its caller, and the way to stop one.

use std::ops::ControlFlow;

use crate::model::GenerationEvent;
use crate::trace::Progress;

/// The role at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Writes a draft from the sources.
    Expert,
    /// Checks the draft against the sources.
    Critic,
    /// Integrates the draft and the review.
    Synthesizer,
    /// Checks the Synthesizer's text with the Critic's checks. It is no role of a model.
    Verifier,
    /// Answers from its own knowledge, where there is no page to draft from.
    OwnKnowledge,
}

impl Role {
    /// A short word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Role::Expert => "expert",
            Role::Critic => "critic",
            Role::Synthesizer => "synthesizer",
            Role::Verifier => "verifier",
            Role::OwnKnowledge => "own-knowledge",
        }
    }
}

/// A step of a deliberation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'t> {
    /// A stage begins or is done.
    Stage(&'t Progress),
    /// A role's model reads or generates.
    Generation(Role, GenerationEvent<'t>),
    /// A role judges claims.
    Judging {
        /// The role that judges.
        role: Role,
        /// Claims judged.
        done: usize,
        /// Claims in all.
        total: usize,
    },
}

/// Receives each step, and may stop the deliberation.
pub type OnStep<'w> = &'w mut dyn FnMut(Step<'_>) -> ControlFlow<()>;
