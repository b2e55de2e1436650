//! The questions that a model is asked about claims, as tokens, for whoever teaches it adapters elsewhere.

use std::cell::RefCell;
use std::io::Write;

use seealso::{Abilities, Hear, Judge, Model, ModelError, Prompt, Writing, Written};
use serde_json::json;

use super::judging::{does_not_write, weighed};
use super::reading::{Told, part};
use crate::local_model::LocalModel;
use crate::source::block_on;
use crate::style::ProgressLine;

/// A model that notes what it is asked, and says nothing.
struct Asked {
    model: LocalModel,
    abilities: Abilities,
    questions: RefCell<Vec<Vec<u32>>>,
}

impl Model for Asked {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: Hear<'_>) -> Result<Written, ModelError> {
        Err(does_not_write())
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        Err(ModelError::CannotScore)
    }

    async fn judge(&self, prompt: &Prompt, _: [&str; 2]) -> Result<f64, ModelError> {
        self.questions.borrow_mut().push(self.model.question(prompt)?);
        Ok(f64::NAN)
    }
}

/// Writes a line for each of `claims` that has a passage beside it: the tokens of the question alone, whether it is true, the
/// part that it is left out with, and whether it only teaches.
pub(super) fn write(claims: &[Told<'_>], model: LocalModel, out: &mut impl Write) -> anyhow::Result<()> {
    let judge = Some(Judge { auc: 0.5, supports: 0.0, rejects: 0.0 });
    let abilities = Abilities { judge, ..Abilities::default() };
    let asked = Asked { model, abilities, questions: RefCell::default() };
    let progress = ProgressLine::new();
    for (at, told) in claims.iter().enumerate() {
        progress.say(&format!("claim {} of {}", at + 1, claims.len()));
        block_on(weighed(&told.claim, told.line, Some(&asked)))??;
        for tokens in asked.questions.take() {
            let line = json!({
                "tokens": tokens, "true": told.is_true, "part": part(told), "taught": told.is_taught(),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
