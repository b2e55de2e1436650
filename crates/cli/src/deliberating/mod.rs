//! The answer that a model deliberates, after the quoted one: which model, how, and what came of it.
#![cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models nothing is deliberated"))]

mod json;
#[cfg(feature = "model")]
mod local;
#[cfg(not(feature = "model"))]
mod absent;
mod show;

use std::path::{Path, PathBuf};

use clap::Args;
use seealso::{Answer, Deliberation, Manifest, Tier};

use crate::stop::Stop;

#[cfg(not(feature = "model"))]
use absent::run;
pub(crate) use json::as_json;
#[cfg(feature = "model")]
use local::run;
use show::Show;

/// Which model answers, and how.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// Let the model in this GGUF file deliberate: draft an answer, check each claim against the pages, integrate.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The most tokens that each role writes.
    #[arg(long, value_name = "N", requires = "model", default_value_t = 512, value_parser = clap::value_parser!(u32).range(1..))]
    tokens: u32,
    /// How freely the model draws its words, from 0, which always takes the likeliest, to 2; 0.2 to 0.3 where not given.
    #[arg(long, value_name = "T", requires = "model", value_parser = temperature)]
    temperature: Option<f32>,
    /// Where the drawing begins: the same seed draws the same words.
    #[arg(long, value_name = "N", requires = "model", default_value_t = 0)]
    seed: u64,
}

fn temperature(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err(format!("{text} is not in 0..=2")),
    }
}

impl ModelArguments {
    fn config(&self, tier: Tier) -> seealso::DeliberationConfig {
        let default = seealso::DeliberationConfig::default();
        seealso::DeliberationConfig {
            tier,
            max_tokens: self.tokens as usize,
            temperatures: self.temperature.map_or(default.temperatures, |temperature| [temperature; 3]),
            seed: self.seed,
            ..default
        }
    }
}

/// What a deliberation is about.
pub(crate) struct Brief<'a> {
    /// The model's file.
    pub(crate) file: &'a Path,
    /// How it deliberates.
    pub(crate) arguments: &'a ModelArguments,
    /// The quoted answer.
    pub(crate) answer: &'a Answer,
    /// The pages behind it, in the order of its sources.
    pub(crate) manifest: &'a Manifest,
    /// Whose budgets hold.
    pub(crate) tier: Tier,
    /// Whether to stop.
    pub(crate) stop: &'a Stop,
    /// Whether nothing is shown on the way.
    pub(crate) quiet: bool,
}

/// What came of it.
pub(crate) struct Outcome {
    /// The model's name.
    pub(crate) model: String,
    /// The deliberation; none where it was stopped.
    pub(crate) done: Option<Deliberation>,
    /// Why there is none, where the model failed.
    pub(crate) failed: Option<String>,
    /// How many threads worked.
    pub(crate) threads: usize,
    /// Seconds that loading took.
    pub(crate) load_seconds: f64,
}

/// Lets the model of `brief` deliberate, and shows what came of it unless that is to be quiet.
///
/// # Errors
/// [`crate::unusable::Unusable`], where the model can't be used.
pub(crate) async fn deliberate(brief: &Brief<'_>) -> anyhow::Result<Outcome> {
    let show = Show::new(brief.quiet);
    let outcome = run(brief, &show).await?;
    show.outcome(&outcome, brief.answer);
    Ok(outcome)
}
