//! `seealso eval reading`: learns what a model has in mind when it is asked whether a text bears a claim out.
//!
//! The Critic's question is put to the model for claims whose truth is known; what stands behind some middle layers is kept, and
//! a perceptron of it, or a linear function, is fitted to the truth. The claims are of the half of the files on which bounds are fixed, and of
//! other files, of which nothing is reported.
//!
//! How well it judges, and its bounds, come from scores of claims by functions that were fitted without them: five times,
//! a fifth of the claims is left out.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use seealso::{Abilities, Hear, Judge, Model, ModelError, Prompt, Writing, Written};
use seealso_model::Reading;

use super::claim_set::{Line, hash, read};
use super::claims::record;
use super::judging::{load, weighed};
use super::measures::Scored;
use super::planted::cases;
use super::{perceptron, ridge};
use crate::exit::{Done, Outcome};
use crate::judge_record::{MOST_WEIGHTS, Rounded, told};
use crate::local_model::LocalModel;
use crate::source::block_on;
use crate::style::{ProgressLine, say};

/// Learn to read a model's judgement of claims: prints a record for `eval claims --reading`, or for a catalog.
#[derive(Args)]
pub(super) struct Arguments {
    /// Claims that are supported or not: JSON Lines as for `eval claims`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Claims whose supported ones are taken as they are, and with an error planted, as `eval planted` does.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    planted: Vec<PathBuf>,
    /// Claims of another set, of which nothing is reported: all of them are learnt from, and its supported ones with errors too.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    more: Vec<PathBuf>,
    /// The model, a GGUF file.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The last layer behind which the model is read.
    #[arg(long, value_name = "N", default_value_t = 16)]
    layers: usize,
    /// How many layers are read: that one and those just before it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=8))]
    read: u16,
    /// How many hidden units the reading has; with 0 it is a linear function.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(0..=256))]
    units: u16,
    /// How often the claims are gone through to learn units.
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    passes: u16,
    /// How much large weights of a linear function cost.
    #[arg(long, value_name = "NUMBER", default_value_t = 600.0, value_parser = penalty)]
    penalty: f64,
    /// Which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// A penalty: a number above 0.
fn penalty(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("{text} is no number above 0"))
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let lines = |files: &[PathBuf]| files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>();
    let given = Given {
        labelled: lines(&arguments.files)?.concat(),
        supported: lines(&arguments.planted)?.concat(),
        more: lines(&arguments.more)?.concat(),
    };
    let claims = given.claims(arguments.seed);

    let (layers, count) = (arguments.layers, usize::from(arguments.read));
    let Some(before) = layers.checked_sub(count) else {
        bail!("{count} layers can't be read where only {layers} are run: give a smaller --read");
    };
    let model = Watched::new(load(&arguments.model, arguments.threads)?, before + 1..=layers);
    let examples = block_on(look(&claims, &model, usize::from(arguments.units)))??;
    let examples = Examples { states: model.states.into_inner(), ..examples };
    let way = match usize::from(arguments.units) {
        0 => Way::Linear { penalty: arguments.penalty },
        units => Way::Units { units, passes: usize::from(arguments.passes) },
    };
    let learnt = examples.fit(|_| true, way);
    let learnt = learnt.context("nothing can be learnt: no claim was put to the model, or it gave no numbers")?;
    let Judge { auc, supports, rejects } = record(&examples.scored_by_others(way));
    let mut told = match learnt.rounded {
        Some(rounded) => rounded.told(layers, count),
        None => told(&Reading { layers, read: count, ..learnt.reading }),
    };
    for (name, figure) in [("auc", auc), ("supports", supports), ("rejects", rejects)] {
        told[name] = ((figure * 10_000.0).round() / 10_000.0).into();
    }
    say!("{}", serde_json::to_string_pretty(&told)?);
    Ok(Done::Well)
}

/// What is learnt from.
struct Given {
    labelled: Vec<Line>,
    supported: Vec<Line>,
    more: Vec<Line>,
}

impl Given {
    /// Each claim with its line, and whether it is true: those of labels, and those made of supported ones. Of the first two
    /// sets none is of the half of which figures are reported.
    fn claims(&self, seed: u64) -> Vec<(&Line, String, bool)> {
        let labelled = self.labelled.iter().filter(|line| line.is_for_tuning()).chain(&self.more);
        let as_they_are = labelled.map(|line| (line, line.claim.clone(), line.is_supported()));
        let sets = [(&self.supported, true), (&self.more, true), (&self.more, false)];
        let planted = sets.into_iter().flat_map(|(lines, tuning)| cases(lines, tuning, seed));
        as_they_are.chain(planted.map(|case| (case.line, case.claim, case.kind.is_none()))).collect()
    }
}

/// How a reading is learnt.
#[derive(Debug, Clone, Copy)]
enum Way {
    Linear { penalty: f64 },
    Units { units: usize, passes: usize },
}

/// A reading, and how a catalog has it where it has units.
#[derive(Debug, PartialEq)]
struct Learnt {
    reading: Reading,
    rounded: Option<Rounded>,
}

/// What the model had in mind at claims whose truth is known.
#[derive(Debug, Default)]
struct Examples {
    states: Vec<Vec<f32>>,
    /// 1 or -1.
    truths: Vec<f64>,
    /// Into which part each falls: a claim with all that was made of it into the same.
    parts: Vec<u64>,
}

/// Parts that are left out in turn.
const PARTS: u64 = 5;

impl Examples {
    /// What is learnt of some parts: a reading of all numbers as if they stood behind one layer.
    fn fit(&self, with: impl Fn(u64) -> bool, way: Way) -> Option<Learnt> {
        let chosen = |at: &usize| with(self.parts[*at]);
        let states: Vec<&[f32]> = (0..self.states.len()).filter(chosen).map(|at| self.states[at].as_slice()).collect();
        let truths: Vec<f64> = (0..self.states.len()).filter(chosen).map(|at| self.truths[at]).collect();
        let reading = |weights, units, bias| Reading { layers: 1, read: 1, weights, units, bias };
        match way {
            Way::Linear { penalty } => {
                let linear = ridge::fit(&states, &truths, penalty)?;
                let weights = linear.weights.iter().map(|weight| *weight as f32).collect();
                Some(Learnt { reading: reading(weights, Vec::new(), linear.bias), rounded: None })
            }
            Way::Units { units, passes } => {
                let rounded = perceptron::fit(&states, &truths, units, passes)?;
                Some(Learnt { reading: rounded.reading(1, 1), rounded: Some(rounded) })
            }
        }
    }

    /// Each example's score by the function fitted to the other parts, and whether it is true.
    fn scored_by_others(&self, way: Way) -> Vec<Scored> {
        let mut scored = Vec::with_capacity(self.states.len());
        for part in 0..PARTS {
            let Some(Learnt { reading, .. }) = self.fit(|other| other != part, way) else { continue };
            for ((state, truth), _) in
                self.states.iter().zip(&self.truths).zip(&self.parts).filter(|(_, other)| **other == part)
            {
                scored.push((reading.of(state), *truth > 0.0));
            }
        }
        scored
    }
}

/// Puts all claims to the model, and notes the truth of each that it was asked.
async fn look(claims: &[(&Line, String, bool)], model: &Watched, units: usize) -> anyhow::Result<Examples> {
    let progress = ProgressLine::new();
    let mut examples = Examples::default();
    for (at, (line, claim, is_true)) in claims.iter().enumerate() {
        progress.say(&format!("claim {} of {}", at + 1, claims.len()));
        weighed(claim, line, Some(model)).await?;
        let asked = model.states.borrow().len();
        if asked == 1 {
            let weights = model.states.borrow()[0].len() * units.max(1);
            ensure!(
                weights <= MOST_WEIGHTS,
                "{weights} weights are more than a catalog may have: give fewer --units or layers"
            );
        }
        examples.truths.resize(asked, if *is_true { 1.0 } else { -1.0 });
        // The last bit says which half of the file it is of.
        examples.parts.resize(asked, (hash(line.claim.as_bytes()) >> 1) % PARTS);
    }
    Ok(examples)
}

/// A model of which is kept what it had in mind each time that it was to judge.
struct Watched {
    model: LocalModel,
    /// Behind which layers.
    layers: RangeInclusive<usize>,
    abilities: Abilities,
    states: RefCell<Vec<Vec<f32>>>,
}

impl Watched {
    fn new(model: LocalModel, layers: RangeInclusive<usize>) -> Watched {
        let judge = Some(Judge { auc: 0.5, supports: 0.0, rejects: 0.0 });
        let abilities = Abilities { judge, ..Abilities::default() };
        Watched { model, layers, abilities, states: RefCell::default() }
    }
}

impl Model for Watched {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: Hear<'_>) -> Result<Written, ModelError> {
        Err(ModelError::Failed("this model judges, and does not write".to_owned()))
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        Err(ModelError::CannotScore)
    }

    async fn judge(&self, prompt: &Prompt, _: [&str; 2]) -> Result<f64, ModelError> {
        let mut states = Vec::new();
        for layers in self.layers.clone() {
            states.extend(self.model.state(prompt, layers).await?);
        }
        self.states.borrow_mut().push(states);
        Ok(f64::NAN)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_learnt_from_the_half_that_is_reported() {
        let line = |claim: &str, label: &str| -> Line {
            let evidence = claim.replace("not ", "");
            let told = json!({ "id": claim, "claim": claim, "evidence": evidence, "label": label });
            serde_json::from_value(told).unwrap()
        };
        let set = |name: &str| -> Vec<Line> {
            let lines = (0..12).map(|at| {
                let label = if at % 2 == 0 { "supported" } else { "contradicted" };
                line(&format!("{name} was sold {} times in 1900.", at + 20), label)
            });
            lines.collect()
        };
        let given = Given { labelled: set("Tea"), supported: set("Silk"), more: set("Salt") };
        let claims = given.claims(1);
        let count = |name: &str, is: &dyn Fn(&(&Line, String, bool)) -> bool| {
            claims.iter().filter(|claim| claim.0.claim.starts_with(name) && is(claim)).count()
        };
        let for_tuning = |lines: &[Line]| lines.iter().filter(|line| line.is_for_tuning()).count();
        assert!((1..12).contains(&for_tuning(&given.labelled)) && (1..12).contains(&for_tuning(&given.supported)));
        assert_eq!(count("Tea", &|_| true), for_tuning(&given.labelled));
        assert_eq!(count("Silk", &|(line, _, _)| !line.is_for_tuning() || !line.is_supported()), 0);
        // All of the other set as it is, and its six supported ones once more, with errors too.
        let untouched = |(line, claim, _): &(&Line, String, bool)| line.claim == *claim;
        assert_eq!(count("Salt", &untouched), 12 + 6);
        assert!(count("Salt", &|claim| !untouched(claim)) >= 12);
        assert!(claims.iter().all(|claim| untouched(claim) || !claim.2));
        assert!(claims.iter().all(|claim| !untouched(claim) || claim.2 == claim.0.is_supported()));
    }

    #[test]
    fn no_example_is_scored_by_what_was_fitted_to_it() {
        // The first feature tells the truth; the second is each part's own, and tells of it alone.
        let mut examples = Examples::default();
        for at in 0..20 {
            let (part, truth) = (at % 5, if at % 2 == 0 { 1.0 } else { -1.0 });
            let mut state = vec![truth as f32; 6];
            (1..6).for_each(|own| state[own] = if own as u64 == part + 1 { 100.0 * truth as f32 } else { 0.0 });
            examples.states.push(state);
            examples.truths.push(truth);
            examples.parts.push(part);
        }
        let way = Way::Linear { penalty: 1e-3 };
        let scored = examples.scored_by_others(way);
        assert_eq!(scored.len(), 20);
        // A part's own feature never changes elsewhere, so it has no weight there.
        let others = examples.fit(|part| part != 2, way).unwrap();
        assert_eq!(others.reading.weights[3], 0.0);
        assert!(scored.iter().all(|(score, is_true)| score.abs() < 1.1 && (*score > 0.0) == *is_true), "{scored:?}");
        assert_eq!(Examples::default().fit(|_| true, way), None);
    }
}
