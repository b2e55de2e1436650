//! `seealso-lab rule`: what gates, shared words and a model's voice count beside each other in a verdict, fitted to
//! claims whose truth is known.
//!
//! The claims are those that a reading is learnt from, with passages laid beside them, and others with whole pages. A claim's
//! voice is that of a reading that was learnt without it and all that was made of it. The weights are those of a
//! logistic regression; the bound is the one below which so many of the untouched claims fall as may be flagged.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{Judge, LAYERS, Prompt, Weighed};
use seealso_cli::{Done, Line, Outcome, block_on, read, record, say, weighed};
use seealso_model::Reading;
use serde_json::{Map, Value, json};

use crate::closure_judge::ClosureJudge;
use crate::fit::logistic;
use crate::probe::{Examples, Learning, Told, planted};

/// Fit what gates, words and a model's reading count beside each other: prints weights for `judge/rule.rs`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    learning: Learning,
    /// Claims with whole pages for evidence, for a rule of their own: as labelled, and the supported ones with errors planted.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    whole: Vec<PathBuf>,
    /// The share of untouched claims that may be flagged, with passages laid beside them.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    alarms: f64,
    /// The same with whole pages.
    #[arg(long, value_name = "SHARE", default_value_t = 0.3, value_parser = share)]
    alarms_of_whole: f64,
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("{text} is no share: give a number from 0 to 1"))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let learning = &arguments.learning;
    let given = learning.given()?;
    let claims = given.claims(learning.seed);
    let examples = learning.look(&claims)?;
    let readings = examples.without_each(learning.way())?;
    let voices = Voices { judge: record(&examples.scored(&readings)), readings };
    let rows = voices.rows(&claims, given.planted(learning.seed), &examples)?;
    let mut told = json!({ "passages": fitted(&rows, arguments.alarms)? });
    if !arguments.whole.is_empty() {
        let lines: Vec<Vec<Line>> = arguments.whole.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
        let lines = lines.concat();
        let labelled = lines.iter().filter(|line| line.is_for_tuning());
        let mut claims: Vec<Told> = labelled.map(Told::of).collect();
        let planted_from = claims.len();
        claims.extend(planted(&lines, learning.seed));
        let rows = voices.rows(&claims, planted_from..claims.len(), &learning.look(&claims)?)?;
        told["whole_pages"] = fitted(&rows, arguments.alarms_of_whole)?;
    }
    say!("{}", serde_json::to_string_pretty(&told)?);
    Ok(Done::Well)
}

/// What is fitted to `rows`, for a report.
fn fitted(rows: &[Row], alarms: f64) -> anyhow::Result<Value> {
    let fitted = Fitted::to(rows, alarms);
    Ok(fitted.context("nothing can be fitted: no supported claim was put to the model")?.told(rows))
}

/// A claim as the rule sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row {
    layers: [f64; LAYERS.len()],
    is_true: bool,
    /// Whether it is a supported claim of `--planted` or `--whole`, untouched or with an error, by which the bound is set.
    bounds: bool,
    /// Whether it is flagged whatever is weighed.
    flagged: bool,
    /// Whether the weights in use flag it.
    flagged_in_use: bool,
}

/// Readings of which each knows nothing of one part of the claims, and how they judge.
struct Voices {
    readings: Vec<Reading>,
    judge: Judge,
}

impl Voices {
    /// What the layers say of each of `claims` that was put to the model.
    fn rows(&self, claims: &[Told<'_>], planted: Range<usize>, examples: &Examples) -> anyhow::Result<Vec<Row>> {
        let scores = examples.scores(&self.readings);
        let rows = examples.places.iter().zip(scores).map(|(&place, leaning)| {
            let Told { line, claim, is_true, .. } = &claims[place];
            let leaning_so = |leaning| ClosureJudge::new(self.judge, async move |_: &Prompt| Ok(leaning));
            let told = |leaning| block_on(weighed(claim, line, Some(&leaning_so(leaning))))?;
            let weighed: Weighed = told(leaning)?;
            let by_voice = line.is_whole() && weighed.is_rejected_by_voice;
            Ok(Row {
                layers: weighed.layers,
                is_true: *is_true,
                bounds: planted.contains(&place),
                flagged: by_voice || told(CERTAIN)?.judgement.verdict.is_flag(),
                flagged_in_use: weighed.judgement.verdict.is_flag(),
            })
        });
        rows.collect()
    }
}

/// A leaning that outweighs all else.
const CERTAIN: f64 = 1e9;

/// The rule's weights, and the bound below which a claim is flagged, as a bias.
#[derive(Debug, Clone, PartialEq)]
struct Fitted {
    weights: Vec<f64>,
    bias: f64,
}

impl Fitted {
    /// Weights fitted to all `rows`, and the highest bound that flags no more than a share `alarms` of the untouched ones; none
    /// where there is no such row, or no finite weights come of them.
    fn to(rows: &[Row], alarms: f64) -> Option<Fitted> {
        let (layers, truths): (Vec<&[f64]>, Vec<bool>) = rows.iter().map(|row| (&row.layers[..], row.is_true)).unzip();
        let weights = logistic::fit(&layers, &truths, PENALTY)?.weights;
        let untouched = || rows.iter().filter(|row| row.bounds && row.is_true);
        let mut sums: Vec<f64> = untouched().filter(|row| !row.flagged).map(|row| sum(&weights, row)).collect();
        sums.sort_by(f64::total_cmp);
        let flagged = untouched().filter(|row| row.flagged).count();
        let may_fall = ((untouched().count() as f64 * alarms) as usize).saturating_sub(flagged);
        let bound = sums.get(may_fall.min(sums.len().saturating_sub(1)))?;
        Some(Fitted { weights, bias: -bound })
    }

    fn flags(&self, row: &Row) -> bool {
        row.flagged || sum(&self.weights, row) + self.bias < 0.0
    }

    /// For a report, with what it flags of the claims that set the bound; it was fitted to these too.
    fn told(&self, rows: &[Row]) -> Value {
        let weights = LAYERS.iter().zip(&self.weights).map(|(name, weight)| ((*name).to_owned(), rounded(*weight)));
        let share = |is_true: bool, is_flagged: &dyn Fn(&Row) -> bool| {
            let of: Vec<&Row> = rows.iter().filter(|row| row.bounds && row.is_true == is_true).collect();
            rounded(of.iter().filter(|row| is_flagged(row)).count() as f64 / of.len().max(1) as f64)
        };
        let flagged = |is: &dyn Fn(&Row) -> bool| json!({ "errors": share(false, is), "untouched": share(true, is) });
        json!({
            "weights": weights.collect::<Map<_, _>>(),
            "bias": rounded(self.bias),
            "claims": rows.len(),
            "flagged": flagged(&|row| self.flags(row)),
            "flagged_by_those_in_use": flagged(&|row| row.flagged_in_use),
        })
    }
}

/// What squares of weights cost: next to nothing, so that there are some where a layer never speaks.
const PENALTY: f64 = 1e-3;

fn sum(weights: &[f64], row: &Row) -> f64 {
    weights.iter().zip(row.layers).map(|(weight, layer)| weight * layer).sum()
}

fn rounded(number: f64) -> Value {
    ((number * 1_000.0).round() / 1_000.0).into()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A supported claim or an error, whose words are held so far and of which the model says so much.
    fn row(is_true: bool, covered: f64, model: f64) -> Row {
        let layers = [covered, 0.0, 0.0, 0.0, 0.0, 0.0, model];
        Row { layers, is_true, bounds: true, flagged: false, flagged_in_use: is_true }
    }

    /// Forty claims, true more often where the model says so; words tell nothing.
    fn rows() -> Vec<Row> {
        let of = |at: usize, model: f64| row((at % 4 != 3) == (model > 0.0), (at % 2) as f64, model);
        (0..20).map(|at| of(at, 1.0)).chain((20..40).map(|at| of(at, -1.0))).collect()
    }

    #[test]
    fn what_tells_more_weighs_more() {
        let fitted = Fitted::to(&rows(), 0.1).unwrap();
        let [covered, .., model] = fitted.weights[..] else { panic!("{fitted:?}") };
        // Of twenty claims fifteen are as the model says: log odds of ln 3 on either side.
        assert!((model - 3.0_f64.ln()).abs() < 0.01 && model > 4.0 * covered.abs(), "{model} {covered}");
    }

    #[test]
    fn the_bound_flags_no_more_untouched_claims_than_it_may() {
        let share = |rows: &[Row], alarms: f64| {
            let fitted = Fitted::to(rows, alarms).unwrap();
            let untouched: Vec<&Row> = rows.iter().filter(|row| row.bounds && row.is_true).collect();
            untouched.iter().filter(|row| fitted.flags(row)).count() as f64 / untouched.len() as f64
        };
        let mut rows = rows();
        rows.iter_mut().zip(0..).for_each(|(row, at)| row.layers[1] = f64::from(at) / 1000.0);
        for alarms in [0.0, 0.1, 0.25, 0.5] {
            let share = share(&rows, alarms);
            assert!(share <= alarms && share > alarms - 0.06, "{share} of {alarms}");
        }
        // What gates flag counts, even where that is more.
        rows.iter_mut().take(8).for_each(|row| row.flagged = true);
        assert_eq!(share(&rows, 0.5), 0.5);
        assert_eq!(share(&rows, 0.1), 6.0 / 20.0);
        // Claims that set no bound don't.
        let others = [vec![Row { bounds: false, ..row(true, 0.0, -9.0) }; 9], rows.clone()].concat();
        assert_eq!(share(&others, 0.5), 0.5);
        assert_eq!(Fitted::to(&others[..9], 0.1), None);
    }

    #[test]
    fn the_report_tells_what_is_flagged() {
        let told = Fitted { weights: vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], bias: 0.5 }.told(&rows());
        assert_eq!(told["weights"]["model"], 1.0);
        assert_eq!((&told["bias"], &told["claims"]), (&json!(0.5), &json!(40)));
        assert_eq!(told["flagged"], json!({ "errors": 0.75, "untouched": 0.25 }));
        assert_eq!(told["flagged_by_those_in_use"], json!({ "errors": 0.0, "untouched": 1.0 }));
    }
}
