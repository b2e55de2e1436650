//! `seealso-lab probe`: fits a probe, a function of a model's state that tells whether a text supports a claim.
//!
//! The Critic's question is put to the model for claims whose truth is known. The states behind some middle layers are kept,
//! and a perceptron of them, or a linear function, is fitted to the truths. The claims are of the half of the files on which
//! bounds are fixed, and of other files of which nothing is reported.
//!
//! The measure and bounds of the probe come from scores of claims by probes that were fitted without them: in each of five
//! rounds, a fifth of the claims is left out.

mod training_set;
pub(crate) mod catalog_json;
mod examples;
mod state_recorder;
mod token_export;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::Judge;
use seealso_cli::{
    ClaimLine, ClaimPair, CommandResult, Completion, block_on, cache_path, fit_judge, load_judge, read_claims,
    read_pairs, say,
};
use seealso_model::Probe;

use self::catalog_json::linear_probe_to_json;
pub(crate) use self::examples::Examples;
use self::examples::{FittedProbe, NOTHING_TO_FIT, ProbeKind, observe};
use self::state_recorder::StateRecorder;
pub(crate) use self::training_set::{TrainingClaim, TrainingSet, plant_in_supported};

/// Fit a probe of a model's state: prints a record for `seealso eval claims --probe`, or for a catalog.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    training: TrainingArguments,
    /// Fit nothing, but write the questions that the model would be asked to this file, as tokens with their truths, for
    /// bench/claims/adapters.py to teach adapters by.
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
}

/// The claims that a probe is fitted to, and how.
#[derive(Args)]
pub(crate) struct TrainingArguments {
    /// Claims that are supported or not: JSON Lines as for `seealso eval claims`.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Claims whose supported ones are taken untouched and with errors planted, as `claim-errors` does.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    planted: Vec<PathBuf>,
    /// Claims of another set, of which nothing is reported: all of them are taken, and its supported ones with errors too.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    more: Vec<PathBuf>,
    /// Pairs of sentences with pairs of claims: JSON Lines with `sentences` and `claims`, of which the first sentence supports the
    /// first claim and contradicts the second, and the second the other way round. The probe is fitted to them, but not
    /// measured by them.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pairs: Vec<PathBuf>,
    /// The model, a GGUF file.
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// The folder in which the model's states are cached.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The last layer behind which the state is read.
    #[arg(long, value_name = "N", default_value_t = 16)]
    layers: usize,
    /// How many layers are read: that one and those just before it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=8))]
    read: u16,
    /// How many hidden units the probe has; with 0 it is a linear function.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(0..=256))]
    units: u16,
    /// How many passes over the claims fit the units.
    #[arg(long, value_name = "N", default_value_t = 120, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    passes: u16,
    /// The penalty on large weights of a linear function.
    #[arg(long, value_name = "NUMBER", default_value_t = 600.0, value_parser = parse_penalty)]
    penalty: f64,
    /// The seed by which errors are planted.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Parses a penalty: a number above 0.
fn parse_penalty(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("{text} is no number above 0"))
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let training = &arguments.training;
    let set = training.read()?;
    if let Some(file) = &arguments.questions {
        let naming = || format!("writing {}", file.display());
        let mut out = BufWriter::new(File::create(file).with_context(naming)?);
        let model = load_judge(&training.model, training.threads)?;
        token_export::write(&set.claims(training.seed), &model, &mut out)?;
        out.flush().with_context(naming)?;
        return Ok(Completion::Success);
    }
    let examples = training.observe(&set.claims(training.seed))?;
    let (kind, read) = (training.kind(), usize::from(training.read));
    let FittedProbe { probe, quantized } = examples.fit(|_| true, kind).context(NOTHING_TO_FIT)?;
    let Judge { auc, supports, rejects } = fit_judge(&examples.scored(&examples.fit_without_each_fold(kind)?));
    let mut record = match quantized {
        Some(quantized) => quantized.to_json(training.layers, read),
        None => linear_probe_to_json(&Probe { layers: training.layers, read, ..probe }),
    };
    for (name, figure) in [("auc", auc), ("supports", supports), ("rejects", rejects)] {
        record[name] = ((figure * 10_000.0).round() / 10_000.0).into();
    }
    say!("{}", serde_json::to_string_pretty(&record)?);
    Ok(Completion::Success)
}

impl TrainingArguments {
    /// The claims of the files.
    pub(crate) fn read(&self) -> anyhow::Result<TrainingSet> {
        let lines = |files: &[PathBuf]| files.iter().map(|file| read_claims(file)).collect::<Result<Vec<_>, _>>();
        let [labelled, supported, more] = [&self.files, &self.planted, &self.more].map(|files| lines(files));
        let pairs: Vec<Vec<ClaimPair>> = self.pairs.iter().map(|file| read_pairs(file)).collect::<Result<_, _>>()?;
        let all = |lines: Vec<Vec<ClaimLine>>| lines.concat();
        Ok(TrainingSet {
            labelled: all(labelled?),
            supported: all(supported?),
            more: all(more?),
            pairs: pairs.concat(),
        })
    }

    /// Puts `claims` to the model, and keeps its states.
    pub(crate) fn observe(&self, claims: &[TrainingClaim<'_>]) -> anyhow::Result<Examples> {
        let (layers, count) = (self.layers, usize::from(self.read));
        let Some(before) = layers.checked_sub(count) else {
            bail!("{count} layers can't be read where only {layers} are run: give a smaller --read");
        };
        let cache = cache_path(&self.model, self.cache.as_deref(), "states")?;
        let model = StateRecorder::new(load_judge(&self.model, self.threads)?, before + 1..=layers, &cache)?;
        let examples = block_on(observe(claims, &model, usize::from(self.units)))??;
        Ok(examples.with_states(model.states.into_inner()))
    }

    /// The kind of probe that is fitted.
    pub(crate) fn kind(&self) -> ProbeKind {
        match usize::from(self.units) {
            0 => ProbeKind::Linear { penalty: self.penalty },
            units => ProbeKind::Perceptron { units, passes: usize::from(self.passes) },
        }
    }
}
