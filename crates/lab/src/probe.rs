//! `seealso-lab probe`: learns what a model has in mind when it is asked whether a text bears a claim out.
//!
//! The Critic's question is put to the model for claims whose truth is known; what stands behind some middle layers is kept, and
//! a perceptron of it, or a linear function, is fitted to the truth. The claims are of the half of the files on which bounds are fixed, and of
//! other files, of which nothing is reported.
//!
//! How well it judges, and its bounds, come from scores of claims by functions that were fitted without them: five times,
//! a fifth of the claims is left out.

mod state_recorder;
mod token_export;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use seealso::Judge;
use seealso_cli::{
    Done, Line, MOST_WEIGHTS, Outcome, Pair, ProgressLine, Rounded, Scored, block_on, hash, load, memory, pairs, read,
    record, say, told, weighed,
};
use seealso_model::Reading;

use self::state_recorder::Watched;
use crate::claim_errors::{Case, cases};
use crate::fit::{perceptron, ridge};

/// Learn to read a model's judgement of claims: prints a record for `eval claims --reading`, or for a catalog.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    learning: Learning,
    /// Learn nothing, but write what the model would be asked to this file, as tokens with their truths: bench/claims/adapters.py
    /// learns of them what the question is to be read through.
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
}

/// What a reading is learnt from, and how.
#[derive(Args)]
pub(crate) struct Learning {
    /// Claims that are supported or not: JSON Lines as for `eval claims`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Claims whose supported ones are taken as they are, and with an error planted, as `eval planted` does.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    planted: Vec<PathBuf>,
    /// Claims of another set, of which nothing is reported: all of them are learnt from, and its supported ones with errors too.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    more: Vec<PathBuf>,
    /// Pairs of sentences with pairs of claims: JSON Lines with `sentences` and `claims`, of which the first bears the first out and
    /// contradicts the second, and the second the other way round. They are learnt from, but the record is not of them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pairs: Vec<PathBuf>,
    /// The model, a GGUF file.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// Where is kept what stood behind the model's layers.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
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
    pub(crate) seed: u64,
}

/// A penalty: a number above 0.
fn penalty(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("{text} is no number above 0"))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let learning = &arguments.learning;
    let given = learning.given()?;
    if let Some(file) = &arguments.questions {
        let naming = || format!("writing {}", file.display());
        let mut out = BufWriter::new(File::create(file).with_context(naming)?);
        let model = load(&learning.model, learning.threads)?;
        token_export::write(&given.claims(learning.seed), &model, &mut out)?;
        out.flush().with_context(naming)?;
        return Ok(Done::Well);
    }
    let examples = learning.look(&given.claims(learning.seed))?;
    let (way, read) = (learning.way(), usize::from(learning.read));
    let Learnt { reading, rounded } = examples.fit(|_| true, way).context(NOTHING_LEARNT)?;
    let Judge { auc, supports, rejects } = record(&examples.scored(&examples.without_each(way)?));
    let mut told = match rounded {
        Some(rounded) => rounded.told(learning.layers, read),
        None => told(&Reading { layers: learning.layers, read, ..reading }),
    };
    for (name, figure) in [("auc", auc), ("supports", supports), ("rejects", rejects)] {
        told[name] = ((figure * 10_000.0).round() / 10_000.0).into();
    }
    say!("{}", serde_json::to_string_pretty(&told)?);
    Ok(Done::Well)
}

const NOTHING_LEARNT: &str = "nothing can be learnt: no claim was put to the model, or it gave no numbers";

impl Learning {
    pub(crate) fn given(&self) -> anyhow::Result<Given> {
        let lines = |files: &[PathBuf]| files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>();
        let [labelled, supported, more] = [&self.files, &self.planted, &self.more].map(|files| lines(files));
        let pairs: Vec<Vec<Pair>> = self.pairs.iter().map(|file| pairs(file)).collect::<Result<_, _>>()?;
        Ok(Given {
            labelled: labelled?.concat(),
            supported: supported?.concat(),
            more: more?.concat(),
            pairs: pairs.concat(),
        })
    }

    /// Puts `claims` to the model.
    pub(crate) fn look(&self, claims: &[Told<'_>]) -> anyhow::Result<Examples> {
        let (layers, count) = (self.layers, usize::from(self.read));
        let Some(before) = layers.checked_sub(count) else {
            bail!("{count} layers can't be read where only {layers} are run: give a smaller --read");
        };
        let memory = memory(&self.model, self.cache.as_deref(), "states")?;
        let model = Watched::new(load(&self.model, self.threads)?, before + 1..=layers, &memory)?;
        let examples = block_on(look(claims, &model, usize::from(self.units)))??;
        Ok(Examples { states: model.states.into_inner(), ..examples })
    }

    pub(crate) fn way(&self) -> Way {
        match usize::from(self.units) {
            0 => Way::Linear { penalty: self.penalty },
            units => Way::Units { units, passes: usize::from(self.passes) },
        }
    }
}

/// The claims that a reading is learnt from.
pub(crate) struct Given {
    labelled: Vec<Line>,
    supported: Vec<Line>,
    more: Vec<Line>,
    pairs: Vec<Pair>,
}

/// A claim as it is put to the model.
#[derive(Clone)]
pub(crate) struct Told<'l> {
    /// With which evidence.
    pub(crate) line: &'l Line,
    pub(crate) claim: String,
    pub(crate) is_true: bool,
    /// The same number for all that was made of one claim, or of one pair of them.
    kin: u64,
    /// Whether it is only learnt from, and no measure of what was learnt.
    taught: bool,
}

impl<'l> Told<'l> {
    /// The claim of `line` as it is.
    pub(crate) fn of(line: &'l Line) -> Told<'l> {
        Told {
            line,
            claim: line.claim.clone(),
            is_true: line.is_supported(),
            kin: hash(line.claim.as_bytes()),
            taught: false,
        }
    }

    /// Whether it is only learnt from, and no measure of what was learnt.
    pub(crate) fn is_taught(&self) -> bool {
        self.taught
    }

    fn of_pair(pair: &'l Pair) -> impl Iterator<Item = Told<'l>> {
        pair.lines.iter().map(|line| Told { kin: pair.kin, taught: true, ..Told::of(line) })
    }

    /// A claim that is true only where no error was planted in it.
    fn planted(case: Case<'l>) -> Told<'l> {
        Told { claim: case.claim, is_true: case.kind.is_none(), ..Told::of(case.line) }
    }
}

impl Given {
    /// Those of labels, of pairs, and those made of supported ones. Of the first two sets none is of the half of which figures
    /// are reported.
    pub(crate) fn claims(&self, seed: u64) -> Vec<Told<'_>> {
        let planted = [planted(&self.supported, seed), planted(&self.more, seed)].concat();
        let others = cases(&self.more, false, seed).into_iter().map(Told::planted);
        self.as_they_are().chain(planted).chain(others).collect()
    }

    /// The places in [`Given::claims`] of the supported ones of `--planted`, untouched and with errors.
    pub(crate) fn planted(&self, seed: u64) -> Range<usize> {
        let before = self.as_they_are().count();
        before..before + planted(&self.supported, seed).len()
    }

    fn as_they_are(&self) -> impl Iterator<Item = Told<'_>> {
        let labelled = self.labelled.iter().filter(|line| line.is_for_tuning()).chain(&self.more);
        labelled.map(Told::of).chain(self.pairs.iter().flat_map(Told::of_pair))
    }
}

/// The supported claims of the half of which nothing is reported, untouched and with errors.
pub(crate) fn planted(lines: &[Line], seed: u64) -> Vec<Told<'_>> {
    cases(lines, true, seed).into_iter().map(Told::planted).collect()
}

/// How a reading is learnt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Way {
    Linear { penalty: f64 },
    Units { units: usize, passes: usize },
}

/// A reading, and how a catalog has it where it has units.
#[derive(Debug, PartialEq)]
pub(crate) struct Learnt {
    reading: Reading,
    rounded: Option<Rounded>,
}

/// What the model had in mind at claims whose truth is known.
#[derive(Debug, Default)]
pub(crate) struct Examples {
    states: Vec<Vec<f32>>,
    /// 1 or -1.
    truths: Vec<f64>,
    /// Into which part each falls: a claim with all that was made of it into the same.
    parts: Vec<u64>,
    /// Whether it is no measure of what was learnt.
    taught: Vec<bool>,
    /// Its place among the claims that were given; those with no passage beside them were not put to the model.
    pub(crate) places: Vec<usize>,
}

/// Parts that are left out in turn.
const PARTS: u64 = 5;

/// The part that a claim falls into, with all that was made of it.
pub(crate) fn part(told: &Told<'_>) -> u64 {
    // The last bit says which half of the file it is of.
    (told.kin >> 1) % PARTS
}

impl Examples {
    /// What is learnt of some parts: a reading of all numbers as if they stood behind one layer.
    fn fit(&self, with: impl Fn(u64) -> bool, way: Way) -> Option<Learnt> {
        let chosen = |at: &usize| with(self.parts[*at]);
        let states: Vec<&[f32]> = (0..self.states.len()).filter(chosen).map(|at| self.states[at].as_slice()).collect();
        let truths: Vec<f64> = (0..self.states.len()).filter(chosen).map(|at| self.truths[at]).collect();
        let reading = |weights, units, bias| Reading { layers: 1, read: 1, weights, units, bias, adapters: None };
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

    /// For each part, the reading that is learnt of the others.
    pub(crate) fn without_each(&self, way: Way) -> anyhow::Result<Vec<Reading>> {
        let without = |part: u64| self.fit(|other| other != part, way).map(|learnt| learnt.reading);
        (0..PARTS).map(without).collect::<Option<_>>().context(NOTHING_LEARNT)
    }

    /// Each example's score by the one of `readings` that was not learnt from its part.
    pub(crate) fn scores(&self, readings: &[Reading]) -> Vec<f64> {
        self.states.iter().zip(&self.parts).map(|(state, part)| readings[*part as usize].of(state)).collect()
    }

    /// [`Examples::scores`] of those that measure what was learnt, each with whether it is true.
    pub(crate) fn scored(&self, readings: &[Reading]) -> Vec<Scored> {
        let scored = self.scores(readings).into_iter().zip(&self.truths).zip(&self.taught);
        scored.filter(|(_, taught)| !**taught).map(|((score, truth), _)| (score, *truth > 0.0)).collect()
    }
}

/// Puts all claims to the model, and notes the truth of each that it was asked.
async fn look(claims: &[Told<'_>], model: &Watched, units: usize) -> anyhow::Result<Examples> {
    let progress = ProgressLine::new();
    let mut examples = Examples::default();
    for (at, told) in claims.iter().enumerate() {
        let Told { line, claim, is_true, taught, .. } = told;
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
        examples.places.resize(asked, at);
        examples.taught.resize(asked, *taught);
        examples.truths.resize(asked, if *is_true { 1.0 } else { -1.0 });
        examples.parts.resize(asked, part(told));
    }
    Ok(examples)
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
        let given = Given { labelled: set("Tea"), supported: set("Silk"), more: set("Salt"), pairs: Vec::new() };
        let claims = given.claims(1);
        let count = |name: &str, is: &dyn Fn(&Told) -> bool| {
            claims.iter().filter(|told| told.line.claim.starts_with(name) && is(told)).count()
        };
        let for_tuning = |lines: &[Line]| lines.iter().filter(|line| line.is_for_tuning()).count();
        assert!((1..12).contains(&for_tuning(&given.labelled)) && (1..12).contains(&for_tuning(&given.supported)));
        assert_eq!(count("Tea", &|_| true), for_tuning(&given.labelled));
        assert_eq!(count("Silk", &|told| !told.line.is_for_tuning() || !told.line.is_supported()), 0);
        // All of the other set as it is, and its six supported ones once more, with errors too.
        let untouched = |told: &Told| told.line.claim == told.claim;
        assert_eq!(count("Salt", &untouched), 12 + 6);
        assert!(count("Salt", &|told| !untouched(told)) >= 12);
        assert!(claims.iter().all(|told| untouched(told) || !told.is_true));
        assert!(claims.iter().all(|told| !untouched(told) || told.is_true == told.line.is_supported()));
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
            examples.taught.push(false);
        }
        let way = Way::Linear { penalty: 1e-3 };
        let scored = examples.scored(&examples.without_each(way).unwrap());
        assert_eq!(scored.len(), 20);
        // A part's own feature never changes elsewhere, so it has no weight there.
        let others = examples.fit(|part| part != 2, way).unwrap();
        assert_eq!(others.reading.weights[3], 0.0);
        assert!(scored.iter().all(|(score, is_true)| score.abs() < 1.1 && (*score > 0.0) == *is_true), "{scored:?}");
        assert_eq!(Examples::default().fit(|_| true, way), None);
    }
}
