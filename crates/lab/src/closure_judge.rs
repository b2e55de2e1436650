//! A model that judges by a closure, to weigh claims by judgements that no model makes.

use seealso::{Abilities, Hear, Judge, Model, ModelError, Prompt, Writing, Written};
use seealso_cli::cannot_write;

/// A model that judges by a closure, and does nothing else.
pub(crate) struct ClosureJudge<F> {
    abilities: Abilities,
    judge: F,
}

impl<F: AsyncFn(&Prompt) -> Result<f64, ModelError>> ClosureJudge<F> {
    /// A judge with this measure and these bounds.
    pub(crate) fn new(record: Judge, judge: F) -> Self {
        Self { abilities: Abilities { judge: Some(record), ..Abilities::default() }, judge }
    }
}

impl<F: AsyncFn(&Prompt) -> Result<f64, ModelError>> Model for ClosureJudge<F> {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: Hear<'_>) -> Result<Written, ModelError> {
        Err(cannot_write())
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        Err(ModelError::CannotScore)
    }

    async fn judge(&self, prompt: &Prompt, _: [&str; 2]) -> Result<f64, ModelError> {
        (self.judge)(prompt).await
    }
}
