//! `seealso eval claims`: the checking of claims measured on claims with evidence and a label.
//!
//! Each layer gives a score. On one half of the file the bounds between labels are fixed, those of the model's own
//! verdicts too; all figures are of the other half. Whether a claim is spoken of at all is a matter of words for gates and for
//! all layers together, as it is in verdicts; whether all of it is told, where labels know of claims that are told in part, is
//! one of words before all else. Beside the layers stand two that need none of this: everything is supported, and the
//! share of words alone.

mod report;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{GateOutcome, Judge, Weighed};
use serde_json::{Map, Value, json};

use super::claim_file::{Line, SUPPORTED, check_halves, read};
use super::claim_judge::{JudgeArguments, Remembering, weighed};
use super::markdown as page;
use super::measures::{Given, Scored, Steps, accuracy, auc, f1};
use super::shares::rounded;
use crate::exit::{Done, Outcome};
use crate::source::block_on;
use crate::style::{ProgressLine, say, warning};

/// Measure the checking of claims on a file of them: JSON Lines with id, claim, evidence and label, or with two sentences and two
/// claims, of which each bears the one at its place out.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The claims.
    file: PathBuf,
    #[command(flatten)]
    judging: JudgeArguments,
    /// Print a line of JSON for each claim of the half that bounds are fixed on too.
    #[arg(long)]
    each: bool,
    /// Write a page for readers, in markdown: the layers' figures, the bounds, and the verdicts that each label got.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// The share of supported claims that a model's bound for rejecting may lose, and of others that its bound for
/// supporting may let through.
const LOST: f64 = 0.1;

/// A claim, weighed.
struct Seen {
    line: Line,
    weighed: Weighed,
}

/// A layer's name, and what it gives a claim.
type Layer = (&'static str, fn(&Seen) -> Given);

const LAYERS: [Layer; 3] = [
    ("gates", |seen| part_by_part(seen, seen.weighed.gates, TOLD_BY_GATES)),
    ("model", |seen| alone(seen.weighed.judgement.log_odds.unwrap_or(0.0))),
    ("all", |seen| part_by_part(seen, seen.weighed.all, TOLD_BY_ALL)),
];
const OVERLAP: Layer = ("overlap", |seen| alone(seen.weighed.covered));

/// A score that is all that a layer gives.
fn alone(score: f64) -> Given {
    Given { spoken: score, told: score, score }
}

/// How many times more than for being no error the share of words counts for being told in full: what gates, or all layers, say
/// is of a claim as a whole, true or not. Fitted by logistic regression to the labels of WiCE's half that bounds are fixed on
/// (docs/claims.md).
#[derive(Clone, Copy)]
struct Told {
    /// With passages that were laid beside the claim.
    excerpt: f64,
    /// With whole pages.
    whole: f64,
}
const TOLD_BY_GATES: Told = Told { excerpt: 1.2, whole: 1.3 };
const TOLD_BY_ALL: Told = Told { excerpt: 23.0, whole: 3.3 };

/// A score, beside what words tell: whether the claim is spoken of, and with the score whether all of it is told.
fn part_by_part(seen: &Seen, score: f64, told: Told) -> Given {
    let covered = seen.weighed.covered;
    let share = if seen.line.is_whole() { told.whole } else { told.excerpt };
    Given { spoken: covered, told: score + share * covered, score }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let lines = read(&arguments.file)?;
    if let Some(lack) = check_halves(&lines).with_context(|| arguments.file.display().to_string())? {
        warning(&lack);
    }
    let mut model = arguments.judging.open(None)?;
    let mut seen = block_on(look(&lines, model.as_ref()))??;
    let judge = model.as_ref().map(|model| model.record().unwrap_or_else(|| judge(&seen)));
    if let (Some(model), Some(judge)) = (&mut model, judge) {
        model.bounded(judge);
        seen = block_on(look(&lines, Some(model)))??;
    }
    if arguments.each {
        seen.iter().filter(|seen| seen.line.is_for_tuning()).for_each(|seen| say!("{}", each(seen)));
    }
    let mut report = figures(&seen, judge);
    if let Some(model) = &model {
        report["judge"]["by"] = model.judges_by_name().into();
    }
    if let Some(path) = &arguments.report {
        page::write(path, &report::page(&page::title(&arguments.file), &report))?;
    }
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => report::print(&report),
    }
    Ok(Done::Well)
}

async fn look(lines: &[Line], model: Option<&Remembering>) -> anyhow::Result<Vec<Seen>> {
    let progress = ProgressLine::new();
    let mut seen = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        progress.say(&format!("claim {} of {}", at + 1, lines.len()));
        let weighed = weighed(&line.claim, line, model).await?;
        seen.push(Seen { line: line.clone(), weighed });
    }
    Ok(seen)
}

/// The model's record, from the half that bounds are fixed on.
fn judge(seen: &[Seen]) -> Judge {
    let tuned = seen.iter().filter(|seen| seen.line.is_for_tuning());
    let scored: Vec<Scored> =
        tuned.filter_map(|seen| Some((seen.weighed.judgement.log_odds?, seen.line.is_supported()))).collect();
    record(&scored)
}

/// The record of a judge that scored claims so.
pub fn record(scored: &[Scored]) -> Judge {
    let quantile = |supported: bool, share: f64| {
        let mut of: Vec<f64> = scored.iter().filter(|(_, is)| *is == supported).map(|(score, _)| *score).collect();
        of.sort_by(f64::total_cmp);
        of.get(((of.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0)
    };
    let (low, high) = (quantile(true, LOST), quantile(false, 1.0 - LOST));
    // Of whom nothing is known tells no better than chance.
    Judge { auc: auc(scored).unwrap_or(0.5), supports: low.max(high), rejects: low.min(high) }
}

fn figures(seen: &[Seen], judge: Option<Judge>) -> Value {
    let (tuning, reported): (Vec<&Seen>, Vec<&Seen>) = seen.iter().partition(|seen| seen.line.is_for_tuning());
    let mut layers = Map::new();
    for (name, given) in LAYERS.into_iter().filter(|(name, _)| judge.is_some() || *name == "gates") {
        layers.insert(name.to_owned(), of_layer(&tuning, &reported, given));
    }
    let truths: Vec<(&str, &str)> = reported.iter().map(|seen| (SUPPORTED, seen.line.label.as_str())).collect();
    let steps = Steps::between(tuning.iter().map(|seen| seen.line.label.as_str()));
    let mut report = json!({
        "n": reported.len(),
        "tuned_on": tuning.len(),
        "labels": steps.labels,
        "bounds_by": steps.by_names(),
        "layers": layers,
        "baselines": {
            "overlap": of_layer(&tuning, &reported, OVERLAP.1),
            "all_supported": { "accuracy": accuracy(&truths), "f1": { SUPPORTED: f1(&truths, SUPPORTED) } },
        },
        "verdicts": verdicts(&reported),
    });
    if let Some(judge) = judge {
        report["judge"] = json!({ "auc": rounded(judge.auc), "supports": rounded(judge.supports), "rejects": rounded(judge.rejects) });
    }
    report
}

/// A layer's figures on the reported half, its bounds fixed on the other.
fn of_layer(tuning: &[&Seen], reported: &[&Seen], given: fn(&Seen) -> Given) -> Value {
    let known: Vec<(Given, &str)> = tuning.iter().map(|seen| (given(seen), seen.line.label.as_str())).collect();
    let steps = Steps::fit(&known);
    let pairs: Vec<(&str, &str)> =
        reported.iter().map(|seen| (steps.label(given(seen)), seen.line.label.as_str())).collect();
    let scored: Vec<Scored> =
        reported.iter().map(|seen| (steps.supports(given(seen)), seen.line.is_supported())).collect();
    let f1: Map<String, Value> =
        steps.labels.iter().map(|label| ((*label).to_owned(), json!(f1(&pairs, label).map(rounded)))).collect();
    json!({ "auc": auc(&scored).map(rounded), "accuracy": accuracy(&pairs).map(rounded), "f1": f1, "bounds": steps.bounds })
}

/// How often each verdict was given to each label.
fn verdicts(reported: &[&Seen]) -> Value {
    let mut table: Map<String, Value> = Map::new();
    for seen in reported {
        let row = table.entry(seen.line.label.clone()).or_insert_with(|| json!({}));
        let count = &mut row[seen.weighed.judgement.verdict.code()];
        *count = json!(count.as_u64().unwrap_or(0) + 1);
    }
    Value::Object(table)
}

/// A claim's scores, for whoever fixes bounds.
fn each(seen: &Seen) -> Value {
    let Weighed { judgement, gates, all, covered, .. } = &seen.weighed;
    let told = judgement.gates.iter().filter(|gate| gate.outcome != GateOutcome::BorneOut);
    let told: Vec<Value> =
        told.map(|gate| json!([gate.kind.name(), gate.outcome.name(), gate.claimed, gate.found])).collect();
    json!({
        "id": seen.line.id, "label": seen.line.label, "verdict": judgement.verdict.code(), "covered": rounded(*covered),
        "gates": rounded(*gates), "log_odds": judgement.log_odds, "all": rounded(*all), "told": told,
        "claim": seen.line.claim, "passage": judgement.passage.as_ref().map(|passage| &passage.text),
    })
}
