//! `judge`: the verdict on a claim from its aligned passages.
//!
//! Two layers: the checks compare values, and the words that claim and passages share are weighted. A model that was
//! measured as a judge is asked whether the passages support the claim, and adds its log-odds for "yes". One fixed rule
//! makes a verdict of both (`rule`): a model never makes a claim true that words and values do not support.

use crate::deliberate::checks::{Finding, check};
use crate::deliberate::claims::Claim;
use crate::deliberate::evidence::{Alignment, Evidence};
use crate::deliberate::verdict::Judgement;
use crate::model::{Judge, Model, ModelError, Prompt};

mod rule;
mod few_shot;
use few_shot::{NO, YES};
pub use rule::LAYERS;
use rule::Support;

/// The number of passages that are aligned with a claim.
const PASSAGES: usize = 8;
/// The number of passages that the model reads.
const MODEL_PASSAGES: usize = 3;
/// The most characters of a passage that the model reads.
const MODEL_PASSAGE_CHARS: usize = 700;

/// A judgement with the scores that it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredJudgement {
    /// The judgement.
    pub judgement: Judgement,
    /// The support by shared words and checks alone; higher is better supported.
    pub checks: f64,
    /// The support by all layers.
    pub all: f64,
    /// The share of the claim's weight that the passages cover.
    pub covered: f64,
    /// The inputs of the weighted sum that is the support by all layers, if a model judges: [`LAYERS`].
    pub layers: [f64; LAYERS.len()],
    /// Whether the model alone flags the claim on whole pages: one passage has nearly all of its words.
    pub is_rejected_by_model: bool,
}

/// Judges `claim` by `evidence`; `model` is asked where it was measured to be a judge.
///
/// # Errors
/// The model's.
pub async fn judge<M: Model>(
    claim: Claim,
    evidence: &Evidence<'_>,
    model: Option<&M>,
) -> Result<Judgement, ModelError> {
    Ok(score_claim(claim, evidence, model).await?.judgement)
}

/// [`judge`], with the scores behind the verdict.
///
/// # Errors
/// The model's.
pub async fn score_claim<M: Model>(
    claim: Claim,
    evidence: &Evidence<'_>,
    model: Option<&M>,
) -> Result<ScoredJudgement, ModelError> {
    let alignment = evidence.align(&claim, PASSAGES);
    let findings = check(&claim.text, &alignment);
    let asked = model.and_then(|model| Some((model, model.abilities().judge?)));
    let answer = match asked {
        Some((model, record)) if !alignment.passages.is_empty() => {
            let odds = ask_model(model, &claim.text, &alignment).await?;
            // A device that computes no finite number gave no answer.
            odds.filter(|odds| odds.is_finite()).map(|odds| (odds, record))
        }
        _ => None,
    };
    Ok(score_with(claim, &alignment, findings, answer))
}

fn score_with(
    claim: Claim,
    alignment: &Alignment<'_>,
    findings: Vec<Finding>,
    answer: Option<(f64, Judge)>,
) -> ScoredJudgement {
    let support = Support::of(alignment, &findings, answer);
    let verdict = support.verdict();
    let contradicting =
        rule::first_contradiction(&findings).filter(|_| verdict.is_flag()).and_then(|finding| finding.passage);
    let best = contradicting.unwrap_or(0);
    let passage = alignment.passages.get(best).filter(|_| support.is_related()).map(|aligned| aligned.passage.clone());
    let judgement = Judgement {
        claim,
        verdict,
        passage,
        checks: findings.into_iter().map(|finding| finding.result).collect(),
        log_odds: answer.map(|(log_odds, _)| log_odds),
    };
    let (checks, all, layers) = (support.by_checks(), support.all(), support.layers());
    let is_rejected_by_model = support.is_rejected_by_model();
    ScoredJudgement { judgement, checks, all, covered: alignment.covered, layers, is_rejected_by_model }
}

/// The model's log-odds for yes; `None` if its context has no room for even one passage.
async fn ask_model<M: Model>(model: &M, claim: &str, alignment: &Alignment<'_>) -> Result<Option<f64>, ModelError> {
    for read in (1..=MODEL_PASSAGES.min(alignment.passages.len())).rev() {
        match model.judge(&prompt(claim, alignment, read), [YES, NO]).await {
            Ok(odds) => return Ok(Some(odds)),
            Err(ModelError::TooLong { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// The question whether the best `read` passages, in the order of the pages, support the claim.
fn prompt(claim: &str, alignment: &Alignment<'_>, read: usize) -> Prompt {
    let mut passages: Vec<_> = alignment.passages.iter().take(read).collect();
    passages.sort_by_key(|aligned| aligned.place);
    let mut text = String::new();
    let mut source = 0;
    for aligned in passages {
        let passage = aligned.passage;
        let title = alignment.evidence.title(passage.source);
        if passage.source != source && !title.is_empty() {
            text += &format!("({title}) ");
        }
        source = passage.source;
        text.extend(passage.text.chars().take(MODEL_PASSAGE_CHARS));
        text.push('\n');
    }
    few_shot::prompt(text.trim_end(), claim)
}

#[cfg(test)]
mod tests;
