//! `seealso eval claims`: measures the checking of claims on claims with evidence and a label.
//!
//! Each layer (the checks, the model, and both together) scores every claim. The bounds between labels, and those of the
//! model's own verdicts, are fitted to one half of the file. All figures are of the other half.
//!
//! A layer gives three scores. Whether the evidence is about the claim at all is measured by shared words, for the checks and
//! for all layers together, as it is in verdicts. Whether the evidence covers all of the claim is measured by shared words
//! first, and counts in files whose labels know of partly supported claims. Two baselines stand beside the layers: every
//! claim is supported, and the share of words alone.

mod report;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{CheckOutcome, Judge, ScoredJudgement};
use serde_json::{Map, Value, json};

use super::claim_file::{ClaimLine, SUPPORTED, check_halves, read_claims};
use super::claim_judge::{ClaimJudge, JudgeArguments, weigh_claim};
use super::markdown;
use super::measures::{LabelBounds, LayerScores, ScoredClaim, accuracy, auc, f1};
use super::shares::rounded;
use crate::exit::{CommandResult, Completion};
use crate::source::block_on;
use crate::style::{ProgressLine, print_warning, say};

/// Measure the checking of claims on a file of them: JSON Lines with id, claim, evidence and label, or with two sentences and two
/// claims, of which each sentence supports the claim at its place.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The claims.
    file: PathBuf,
    #[command(flatten)]
    judge: JudgeArguments,
    /// Also print a line of JSON for each claim of the half that bounds are fixed on.
    #[arg(long)]
    each: bool,
    /// Write a report in markdown: the layers' figures, the bounds, and the verdicts of each label.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// The share of supported claims that may lie below a judge's bound for rejecting, and of other claims that may lie above its
/// bound for supporting.
const ERROR_SHARE: f64 = 0.1;

/// A claim with what the layers say of it.
struct JudgedClaim {
    line: ClaimLine,
    scored: ScoredJudgement,
}

/// A layer's name, and its scores of a claim.
type Layer = (&'static str, fn(&JudgedClaim) -> LayerScores);

const LAYERS: [Layer; 3] = [
    ("gates", |claim| with_coverage(claim, claim.scored.checks, CHECKS_COVERAGE)),
    ("model", |claim| single_score(claim.scored.judgement.log_odds.unwrap_or(0.0))),
    ("all", |claim| with_coverage(claim, claim.scored.all, ALL_COVERAGE)),
];
const OVERLAP: Layer = ("overlap", |claim| single_score(claim.scored.covered));

/// The scores of a layer that has one score for all three.
fn single_score(score: f64) -> LayerScores {
    LayerScores { topicality: score, completeness: score, correctness: score }
}

/// The weight of the share of words in a layer's score of completeness, where the layer's score of correctness weighs 1: the
/// checks judge a claim as a whole, and tell little of how much of it is covered. Fitted by logistic regression to the labels
/// of the half of WiCE on which bounds are fixed (docs/claims.md).
#[derive(Clone, Copy)]
struct CoverageWeights {
    /// Where the evidence is passages.
    excerpt: f64,
    /// Where the evidence is a whole page.
    whole: f64,
}
const CHECKS_COVERAGE: CoverageWeights = CoverageWeights { excerpt: 1.2, whole: 1.3 };
const ALL_COVERAGE: CoverageWeights = CoverageWeights { excerpt: 23.0, whole: 3.3 };

/// The scores of a layer that tells errors by `score`, and leaves the rest to shared words.
fn with_coverage(claim: &JudgedClaim, score: f64, weights: CoverageWeights) -> LayerScores {
    let covered = claim.scored.covered;
    let share = if claim.line.is_whole() { weights.whole } else { weights.excerpt };
    LayerScores { topicality: covered, completeness: score + share * covered, correctness: score }
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let lines = read_claims(&arguments.file)?;
    if let Some(lack) = check_halves(&lines).with_context(|| arguments.file.display().to_string())? {
        print_warning(&lack);
    }
    let mut model = arguments.judge.open(None)?;
    let mut claims = block_on(judge_all(&lines, model.as_ref()))??;
    let judge = model.as_ref().map(|model| model.measured().unwrap_or_else(|| judge_of(&claims)));
    if let (Some(model), Some(judge)) = (&mut model, judge) {
        model.set_bounds(judge);
        claims = block_on(judge_all(&lines, Some(model)))??;
    }
    if arguments.each {
        claims.iter().filter(|claim| claim.line.is_for_tuning()).for_each(|claim| say!("{}", claim_json(claim)));
    }
    let mut report = figures(&claims, judge);
    if let Some(model) = &model {
        report["judge"]["by"] = model.method_name().into();
    }
    if let Some(path) = &arguments.report {
        markdown::write(path, &report::page(&markdown::title(&arguments.file), &report))?;
    }
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => report::print(&report),
    }
    Ok(Completion::Success)
}

async fn judge_all(lines: &[ClaimLine], model: Option<&ClaimJudge>) -> anyhow::Result<Vec<JudgedClaim>> {
    let progress = ProgressLine::on_stderr();
    let mut claims = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        progress.show(&format!("claim {} of {}", at + 1, lines.len()));
        let scored = weigh_claim(&line.claim, line, model).await?;
        claims.push(JudgedClaim { line: line.clone(), scored });
    }
    Ok(claims)
}

/// The model's measure and bounds, fitted to the half of the claims that bounds are fixed on.
fn judge_of(claims: &[JudgedClaim]) -> Judge {
    let tuned = claims.iter().filter(|claim| claim.line.is_for_tuning());
    let scored: Vec<ScoredClaim> =
        tuned.filter_map(|claim| Some((claim.scored.judgement.log_odds?, claim.line.is_supported()))).collect();
    fit_judge(&scored)
}

/// The measure and bounds of a judge that gave claims these scores.
pub fn fit_judge(scored: &[ScoredClaim]) -> Judge {
    let quantile = |supported: bool, share: f64| {
        let mut of: Vec<f64> = scored.iter().filter(|(_, is)| *is == supported).map(|(score, _)| *score).collect();
        of.sort_by(f64::total_cmp);
        of.get(((of.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0)
    };
    let (low, high) = (quantile(true, ERROR_SHARE), quantile(false, 1.0 - ERROR_SHARE));
    // A judge of which nothing is known is taken to be no better than chance.
    Judge { auc: auc(scored).unwrap_or(0.5), supports: low.max(high), rejects: low.min(high) }
}

fn figures(claims: &[JudgedClaim], judge: Option<Judge>) -> Value {
    let (tuning, reported): (Vec<&JudgedClaim>, Vec<&JudgedClaim>) =
        claims.iter().partition(|claim| claim.line.is_for_tuning());
    let mut layers = Map::new();
    for (name, score) in LAYERS.into_iter().filter(|(name, _)| judge.is_some() || *name == "gates") {
        layers.insert(name.to_owned(), layer_figures(&tuning, &reported, score));
    }
    let truths: Vec<(&str, &str)> = reported.iter().map(|claim| (SUPPORTED, claim.line.label.as_str())).collect();
    let bounds = LabelBounds::between(tuning.iter().map(|claim| claim.line.label.as_str()));
    let mut report = json!({
        "n": reported.len(),
        "tuned_on": tuning.len(),
        "labels": bounds.labels,
        "bounds_by": bounds.by_names(),
        "layers": layers,
        "baselines": {
            "overlap": layer_figures(&tuning, &reported, OVERLAP.1),
            "all_supported": { "accuracy": accuracy(&truths), "f1": { SUPPORTED: f1(&truths, SUPPORTED) } },
        },
        "verdicts": verdicts(&reported),
    });
    if let Some(judge) = judge {
        report["judge"] = json!({ "auc": rounded(judge.auc), "supports": rounded(judge.supports), "rejects": rounded(judge.rejects) });
    }
    report
}

/// A layer's figures on the reported half, with bounds that are fitted to the other.
fn layer_figures(tuning: &[&JudgedClaim], reported: &[&JudgedClaim], score: fn(&JudgedClaim) -> LayerScores) -> Value {
    let fitted_to: Vec<(LayerScores, &str)> =
        tuning.iter().map(|claim| (score(claim), claim.line.label.as_str())).collect();
    let bounds = LabelBounds::fit(&fitted_to);
    let pairs: Vec<(&str, &str)> =
        reported.iter().map(|claim| (bounds.label(score(claim)), claim.line.label.as_str())).collect();
    let scored: Vec<ScoredClaim> =
        reported.iter().map(|claim| (bounds.supports(score(claim)), claim.line.is_supported())).collect();
    let f1: Map<String, Value> =
        bounds.labels.iter().map(|label| ((*label).to_owned(), json!(f1(&pairs, label).map(rounded)))).collect();
    json!({ "auc": auc(&scored).map(rounded), "accuracy": accuracy(&pairs).map(rounded), "f1": f1, "bounds": bounds.bounds })
}

/// How often each verdict was given to the claims of each label.
fn verdicts(reported: &[&JudgedClaim]) -> Value {
    let mut table: Map<String, Value> = Map::new();
    for claim in reported {
        let row = table.entry(claim.line.label.clone()).or_insert_with(|| json!({}));
        let count = &mut row[claim.scored.judgement.verdict.code()];
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }
    Value::Object(table)
}

/// A claim's scores and the checks that flag it, as `--each` prints them.
fn claim_json(claim: &JudgedClaim) -> Value {
    let ScoredJudgement { judgement, checks, all, covered, .. } = &claim.scored;
    let flags = judgement.checks.iter().filter(|check| check.outcome != CheckOutcome::Supported);
    let flags: Vec<Value> =
        flags.map(|check| json!([check.kind.name(), check.outcome.name(), check.claimed, check.found])).collect();
    json!({
        "id": claim.line.id, "label": claim.line.label, "verdict": judgement.verdict.code(), "covered": rounded(*covered),
        "gates": rounded(*checks), "log_odds": judgement.log_odds, "all": rounded(*all), "flags": flags,
        "claim": claim.line.claim, "passage": judgement.passage.as_ref().map(|passage| &passage.text),
    })
}
