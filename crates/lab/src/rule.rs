//! `seealso-lab rule`: fits the weights of checks, shared words and a model's probe in a verdict to claims whose truth is known.
//!
//! The claims are those that a probe is fitted to, with passages for evidence, and others with whole pages. The score of a
//! claim is that of a probe that was fitted without it and all claims of its group. The weights are those of a logistic
//! regression. The bound is the highest that flags no more untouched claims than may be flagged.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{Judge, LAYERS, Prompt, ScoredJudgement};
use seealso_cli::{ClaimLine, CommandResult, Completion, block_on, fit_judge, read_claims, say, weigh_claim};
use seealso_model::Probe;
use serde_json::{Map, Value, json};

use crate::closure_judge::ClosureJudge;
use crate::fit::logistic;
use crate::probe::{Examples, TrainingArguments, TrainingClaim, plant_in_supported};

/// Fit the weights of checks, words and a model's probe in a verdict: prints weights for `judge/rule.rs`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    training: TrainingArguments,
    /// Claims with whole pages for evidence, for weights of their own: as labelled, and the supported ones with planted errors.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    whole: Vec<PathBuf>,
    /// The share of untouched claims that may be flagged, with passages for evidence.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = parse_share)]
    alarms: f64,
    /// The same share with whole pages for evidence.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = parse_share)]
    alarms_of_whole: f64,
}

/// Parses a share: a number from 0 to 1.
fn parse_share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("{text} is no share: give a number from 0 to 1"))
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let training = &arguments.training;
    let set = training.read()?;
    let claims = set.claims(training.seed);
    let examples = training.observe(&claims)?;
    let probes = examples.fit_without_each_fold(training.kind())?;
    let probes = HeldOutProbes { judge: fit_judge(&examples.scored(&probes)), probes };
    let rows = probes.rows(&claims, set.planted(training.seed), &examples)?;
    let mut report = json!({ "passages": fit(&rows, arguments.alarms)? });
    if !arguments.whole.is_empty() {
        let lines: Vec<Vec<ClaimLine>> =
            arguments.whole.iter().map(|file| read_claims(file)).collect::<Result<_, _>>()?;
        let lines = lines.concat();
        let labelled = lines.iter().filter(|line| line.is_for_tuning());
        let mut claims: Vec<TrainingClaim> = labelled.map(TrainingClaim::of).collect();
        let planted_from = claims.len();
        claims.extend(plant_in_supported(&lines, training.seed));
        let rows = probes.rows(&claims, planted_from..claims.len(), &training.observe(&claims)?)?;
        report["whole_pages"] = fit(&rows, arguments.alarms_of_whole)?;
    }
    say!("{}", serde_json::to_string_pretty(&report)?);
    Ok(Completion::Success)
}

/// Fits a rule to `rows`, and reports it.
fn fit(rows: &[RuleRow], alarms: f64) -> anyhow::Result<Value> {
    let rule = Rule::fit(rows, alarms);
    Ok(rule.context("nothing can be fitted: no supported claim was put to the model")?.as_json(rows))
}

/// A claim as the rule sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RuleRow {
    layers: [f64; LAYERS.len()],
    is_true: bool,
    /// Whether the bound is set by it: a supported claim of `--planted` or `--whole`, untouched or with an error.
    sets_bound: bool,
    /// Whether it is flagged whatever the weights are.
    is_flagged: bool,
    /// Whether the weights in use flag it.
    is_flagged_in_use: bool,
}

/// Probes, one for each fold of the claims, that were fitted to the other folds, and their measure and bounds.
struct HeldOutProbes {
    probes: Vec<Probe>,
    judge: Judge,
}

impl HeldOutProbes {
    /// The row of each claim that was put to the model.
    fn rows(
        &self,
        claims: &[TrainingClaim<'_>],
        planted: Range<usize>,
        examples: &Examples,
    ) -> anyhow::Result<Vec<RuleRow>> {
        let scores = examples.scores(&self.probes);
        let rows = examples.places.iter().zip(scores).map(|(&place, score)| {
            let TrainingClaim { line, claim, is_true, .. } = &claims[place];
            let judge = |score| ClosureJudge::new(self.judge, async move |_: &Prompt| Ok(score));
            let weigh_with = |score| block_on(weigh_claim(claim, line, Some(&judge(score))))?;
            let scored: ScoredJudgement = weigh_with(score)?;
            let by_probe = line.is_whole() && scored.is_rejected_by_model;
            Ok(RuleRow {
                layers: scored.layers,
                is_true: *is_true,
                sets_bound: planted.contains(&place),
                is_flagged: by_probe || weigh_with(CERTAIN)?.judgement.verdict.is_flag(),
                is_flagged_in_use: scored.judgement.verdict.is_flag(),
            })
        });
        rows.collect()
    }
}

/// A score that outweighs all else.
const CERTAIN: f64 = 1e9;

/// The weights of layers in a verdict, and the bound below which a claim is flagged, as a bias.
#[derive(Debug, Clone, PartialEq)]
struct Rule {
    weights: Vec<f64>,
    bias: f64,
}

impl Rule {
    /// Fits weights to all `rows`, and the highest bound that flags no more than a share `alarms` of the untouched ones; none
    /// where there is no such row, or the weights are not finite.
    fn fit(rows: &[RuleRow], alarms: f64) -> Option<Rule> {
        let (layers, truths): (Vec<&[f64]>, Vec<bool>) = rows.iter().map(|row| (&row.layers[..], row.is_true)).unzip();
        let weights = logistic::fit(&layers, &truths, PENALTY)?.weights;
        let untouched = || rows.iter().filter(|row| row.sets_bound && row.is_true);
        let mut sums: Vec<f64> = untouched().filter(|row| !row.is_flagged).map(|row| sum(&weights, row)).collect();
        sums.sort_by(f64::total_cmp);
        let flagged = untouched().filter(|row| row.is_flagged).count();
        let may_be_flagged = ((untouched().count() as f64 * alarms) as usize).saturating_sub(flagged);
        let bound = sums.get(may_be_flagged.min(sums.len().saturating_sub(1)))?;
        Some(Rule { weights, bias: -bound })
    }

    fn flags(&self, row: &RuleRow) -> bool {
        row.is_flagged || sum(&self.weights, row) + self.bias < 0.0
    }

    /// The rule as JSON, with the shares that it flags of the claims that set the bound; it was fitted to these too.
    fn as_json(&self, rows: &[RuleRow]) -> Value {
        let weights = LAYERS.iter().zip(&self.weights).map(|(name, weight)| ((*name).to_owned(), rounded(*weight)));
        let share = |is_true: bool, is_flagged: &dyn Fn(&RuleRow) -> bool| {
            let of: Vec<&RuleRow> = rows.iter().filter(|row| row.sets_bound && row.is_true == is_true).collect();
            rounded(of.iter().filter(|row| is_flagged(row)).count() as f64 / of.len().max(1) as f64)
        };
        let flagged =
            |is: &dyn Fn(&RuleRow) -> bool| json!({ "errors": share(false, is), "untouched": share(true, is) });
        json!({
            "weights": weights.collect::<Map<_, _>>(),
            "bias": rounded(self.bias),
            "claims": rows.len(),
            "flagged": flagged(&|row| self.flags(row)),
            "flagged_by_those_in_use": flagged(&|row| row.is_flagged_in_use),
        })
    }
}

/// The penalty on squares of weights: next to nothing, so that there is a solution where a layer is always 0.
const PENALTY: f64 = 1e-3;

fn sum(weights: &[f64], row: &RuleRow) -> f64 {
    weights.iter().zip(row.layers).map(|(weight, layer)| weight * layer).sum()
}

fn rounded(number: f64) -> Value {
    ((number * 1_000.0).round() / 1_000.0).into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A row whose words are covered so far, and to which the model gives this score.
    fn row(is_true: bool, covered: f64, model: f64) -> RuleRow {
        let layers = [covered, 0.0, 0.0, 0.0, 0.0, 0.0, model];
        RuleRow { layers, is_true, sets_bound: true, is_flagged: false, is_flagged_in_use: is_true }
    }

    /// Forty claims, true more often where the model scores them so; shared words tell nothing.
    fn rows() -> Vec<RuleRow> {
        let of = |at: usize, model: f64| row((at % 4 != 3) == (model > 0.0), (at % 2) as f64, model);
        (0..20).map(|at| of(at, 1.0)).chain((20..40).map(|at| of(at, -1.0))).collect()
    }

    #[test]
    fn a_layer_that_tells_more_weighs_more() {
        let rule = Rule::fit(&rows(), 0.1).unwrap();
        let [covered, .., model] = rule.weights[..] else { panic!("{rule:?}") };
        // Of twenty claims, fifteen are as the model scores them: log odds of ln 3 on either side.
        assert!((model - 3.0_f64.ln()).abs() < 0.01 && model > 4.0 * covered.abs(), "{model} {covered}");
    }

    #[test]
    fn the_bound_flags_no_more_untouched_claims_than_it_may() {
        let share = |rows: &[RuleRow], alarms: f64| {
            let rule = Rule::fit(rows, alarms).unwrap();
            let untouched: Vec<&RuleRow> = rows.iter().filter(|row| row.sets_bound && row.is_true).collect();
            untouched.iter().filter(|row| rule.flags(row)).count() as f64 / untouched.len() as f64
        };
        let mut rows = rows();
        rows.iter_mut().zip(0..).for_each(|(row, at)| row.layers[1] = f64::from(at) / 1000.0);
        for alarms in [0.0, 0.1, 0.25, 0.5] {
            let share = share(&rows, alarms);
            assert!(share <= alarms && share > alarms - 0.06, "{share} of {alarms}");
        }
        // Claims that checks flag count, even where these are more.
        rows.iter_mut().take(8).for_each(|row| row.is_flagged = true);
        assert_eq!(share(&rows, 0.5), 0.5);
        assert_eq!(share(&rows, 0.1), 6.0 / 20.0);
        // Claims that set no bound don't count.
        let others = [vec![RuleRow { sets_bound: false, ..row(true, 0.0, -9.0) }; 9], rows.clone()].concat();
        assert_eq!(share(&others, 0.5), 0.5);
        assert_eq!(Rule::fit(&others[..9], 0.1), None);
    }

    #[test]
    fn the_report_has_the_shares_that_are_flagged() {
        let json = Rule { weights: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], bias: 0.5 }.as_json(&rows());
        assert_eq!(json["weights"]["model"], 1.0);
        assert_eq!((&json["bias"], &json["claims"]), (&json!(0.5), &json!(40)));
        assert_eq!(json["flagged"], json!({ "errors": 0.75, "untouched": 0.25 }));
        assert_eq!(json["flagged_by_those_in_use"], json!({ "errors": 0.0, "untouched": 1.0 }));
    }
}
