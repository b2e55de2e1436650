//! What a watcher is told while a deliberation goes on, and how it stops one.

use std::ops::ControlFlow;

use crate::model::GenerationEvent;
use crate::trace::Progress;

/// Who is at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Drafts from the sources.
    Expert,
    /// Checks the draft against the sources.
    Critic,
    /// Integrates the draft and the review.
    Synthesizer,
    /// Checks what the Synthesizer wrote. No model role of the seeds: the same checks as the Critic's.
    Verifier,
}

impl Role {
    /// A short word for programs.
    pub fn name(self) -> &'static str {
        match self {
            Role::Expert => "expert",
            Role::Critic => "critic",
            Role::Synthesizer => "synthesizer",
            Role::Verifier => "verifier",
        }
    }
}

/// What happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step<'t> {
    /// A stage begins or is done.
    Stage(&'t Progress),
    /// A role's model reads or writes.
    Generation(Role, GenerationEvent<'t>),
    /// A role judges claims.
    Judging {
        /// Whose claims.
        role: Role,
        /// Claims judged.
        done: usize,
        /// Claims in all.
        total: usize,
    },
}

/// Hears of each step, and may stop the deliberation.
pub type OnStep<'w> = &'w mut dyn FnMut(Step<'_>) -> ControlFlow<()>;
