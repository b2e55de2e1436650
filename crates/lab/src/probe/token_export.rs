//! The questions that a model is asked about claims, as tokens, for whoever teaches it adapters elsewhere.

use std::cell::RefCell;
use std::io::Write;

use seealso::{Judge, Prompt};
use seealso_cli::{LocalModel, ProgressLine, block_on, weighed};
use serde_json::json;

use super::{Told, part};
use crate::closure_judge::ClosureJudge;

/// Writes a line for each of `claims` that has a passage beside it: the tokens of the question alone, whether it is true, the
/// part that it is left out with, and whether it only teaches.
pub(super) fn write(claims: &[Told<'_>], model: &LocalModel, out: &mut impl Write) -> anyhow::Result<()> {
    let questions = RefCell::new(Vec::new());
    let record = Judge { auc: 0.5, supports: 0.0, rejects: 0.0 };
    let asked = ClosureJudge::new(record, async |prompt: &Prompt| {
        questions.borrow_mut().push(model.question(prompt)?);
        Ok(f64::NAN)
    });
    let progress = ProgressLine::new();
    for (at, told) in claims.iter().enumerate() {
        progress.say(&format!("claim {} of {}", at + 1, claims.len()));
        block_on(weighed(&told.claim, told.line, Some(&asked)))??;
        for tokens in questions.take() {
            let line = json!({
                "tokens": tokens, "true": told.is_true, "part": part(told), "taught": told.is_taught(),
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
