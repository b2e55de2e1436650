//! What models do for an answer: one may split the question, and one deliberates after the quoted answer. Which model,
//! how, and what came of it.
#![cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models nothing is deliberated"))]

mod json;
mod node;
#[cfg(feature = "model")]
mod local;
#[cfg(not(feature = "model"))]
mod without_model;
mod terminal;
mod decomposition;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use seealso::{Answer, Deliberation, Manifest, Model, ModelError, Roles, Step, Tier};

use crate::node_client::Agreed;
use crate::source::SystemClock;
use crate::stop_flag::Stop;

pub(crate) use decomposition::{Asking, Decomposer, Ready};
pub(crate) use json::{BESIDE, as_json};
#[cfg(feature = "model")]
use local::{Loaded, load, run};
use terminal::Show;
#[cfg(not(feature = "model"))]
use without_model::{Loaded, load, run};

/// Which model answers, and how.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// Let the model in this GGUF file deliberate: draft an answer, check each claim against the pages, integrate.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The most tokens that each role writes; the tier's where not given, from 512 on micro and small to 8192 on server-l.
    #[arg(long, value_name = "N", requires = "who", value_parser = clap::value_parser!(u32).range(1..))]
    tokens: Option<u32>,
    /// How freely the model draws its words, from 0, which always takes the likeliest, to 2; 0.2 to 0.3 where not given.
    #[arg(long, value_name = "T", requires = "who", value_parser = temperature)]
    temperature: Option<f32>,
    /// Who splits a question of several subjects: rules, or model, which comes at the price of its seconds.
    #[arg(long, value_name = "WHO", requires = "who", default_value = "rules", hide_possible_values = true)]
    pub(crate) decompose: Decomposer,
    /// Where the drawing begins: the same seed draws the same words.
    #[arg(long, value_name = "N", requires = "who", default_value_t = 0)]
    seed: u64,
}

fn temperature(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err(format!("{text} is not in 0..=2")),
    }
}

impl ModelArguments {
    /// How the roles work for a machine of that class.
    pub(crate) fn config(&self, tier: Tier) -> seealso::DeliberationConfig {
        let default = seealso::DeliberationConfig::default();
        seealso::DeliberationConfig {
            tier,
            max_tokens: self.tokens.map(|tokens| tokens as usize),
            temperatures: self.temperature.map_or(default.temperatures, |temperature| [temperature; 3]),
            seed: self.seed,
            ..default
        }
    }
}

/// Characters of a prompt that stand for a token, at the fewest that are seen as a rule.
const CHARS_A_TOKEN: usize = 3;
/// Tokens of a prompt that are not sources: rules, question, review.
const OTHER_TOKENS: usize = 1_024;

/// The tokens that prompts and answers have room for.
pub(crate) fn context_tokens(config: &seealso::DeliberationConfig) -> usize {
    config.tier.retrieval_chars() / CHARS_A_TOKEN + config.written_tokens() + OTHER_TOKENS
}

/// What a build without models says.
#[cfg(not(feature = "model"))]
pub(crate) const NO_MODELS: &str =
    "this seealso was built without models; install it again without `--no-default-features`";

/// What a deliberation is about.
pub(crate) struct Brief<'a> {
    /// The local model's file, where there is one.
    pub(crate) file: Option<&'a Path>,
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
    /// How many threads worked; 0 for a node's, which are its own.
    pub(crate) threads: usize,
    /// Seconds that loading took.
    pub(crate) load_seconds: f64,
}

impl Outcome {
    /// Where Ctrl-C came before the model was there.
    fn stopped() -> Outcome {
        Outcome { model: String::new(), done: None, failed: None, threads: 0, load_seconds: 0.0 }
    }
}

/// Lets a model deliberate, and shows what came of it unless that is to be quiet: the node's where `node` is one, and the
/// local one, which may be `ready`, where the node fails or there is none.
///
/// # Errors
/// [`crate::unusable_model::Unusable`], where the local model can't be used.
pub(crate) async fn deliberate(brief: &Brief<'_>, node: Option<Agreed>, ready: Ready) -> anyhow::Result<Outcome> {
    let (show, ready) = (Show::new(brief.quiet), ready.local);
    let outcome = match (node, brief.file) {
        (Some(node), file) => match (node::run(brief, node, &show).await, file) {
            (Outcome { failed: Some(reason), .. }, Some(file)) => {
                show.fallback(&reason);
                run(brief, file, ready, &show).await?
            }
            (outcome, _) => outcome,
        },
        (None, Some(file)) => run(brief, file, ready, &show).await?,
        (None, None) => anyhow::bail!("neither --model nor --node says who is to answer"),
    };
    show.outcome(&outcome, brief.answer);
    Ok(outcome)
}

/// Deliberates with `model`, telling `show` of each step.
async fn with<M: Model>(model: &M, brief: &Brief<'_>, show: &Show) -> Result<Deliberation, ModelError> {
    let config = brief.arguments.config(brief.tier);
    let mut watch = |step: Step<'_>| {
        show.step(step);
        if brief.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let clock = SystemClock::new();
    seealso::deliberate(&Roles::all(model), brief.answer, brief.manifest, &config, &clock, &mut watch).await
}
