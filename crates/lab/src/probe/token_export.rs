//! Writes the questions that a model is asked about claims, as tokens, for a program that teaches it adapters.

use std::cell::RefCell;
use std::io::Write;

use seealso::{Judge, Prompt};
use seealso_cli::{LocalModel, ProgressLine, block_on, weigh_claim};
use serde_json::json;

use super::training_set::TrainingClaim;
use crate::closure_judge::ClosureJudge;

/// Writes a line for each claim that has a passage beside it: the tokens of the question alone, whether the claim is true, its
/// fold as `part`, and whether it only teaches as `taught`.
pub(super) fn write(claims: &[TrainingClaim<'_>], model: &LocalModel, out: &mut impl Write) -> anyhow::Result<()> {
    let questions = RefCell::new(Vec::new());
    let record = Judge { auc: 0.5, supports: 0.0, rejects: 0.0 };
    let judge = ClosureJudge::new(record, async |prompt: &Prompt| {
        questions.borrow_mut().push(model.question_tokens(prompt)?);
        Ok(f64::NAN)
    });
    let progress = ProgressLine::on_stderr();
    for (at, claim) in claims.iter().enumerate() {
        progress.show(&format!("claim {} of {}", at + 1, claims.len()));
        block_on(weigh_claim(&claim.claim, claim.line, Some(&judge)))??;
        for tokens in questions.take() {
            let line = json!({
                "tokens": tokens, "true": claim.is_true, "part": claim.fold(), "taught": claim.teaches_only,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
