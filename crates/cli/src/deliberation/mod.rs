//! The part of models in an answer: a model may split the question, and a model deliberates after the quoted answer, or answers from
//! its own knowledge. The arguments that name the model, its work, and the result as text and JSON.
#![cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models nothing is deliberated"))]

mod decomposer;
mod ask_request;
mod work;
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
use seealso::{Model, ModelError, Step, Tier};

use crate::node_client::ConsentedNode;
use crate::stop_flag::StopFlag;

pub(crate) use ask_request::AskRequest;
pub(crate) use decomposer::Decomposer;
pub(crate) use decomposition::PreparedModels;
pub(crate) use json::{ADDS_NOTHING, as_json};
#[cfg(feature = "model")]
use local::{LoadedModel, load, run};
use terminal::TerminalView;
#[cfg(not(feature = "model"))]
use without_model::{LoadedModel, load, run};
pub(crate) use work::{Product, Work};

/// The model that deliberates, and how it generates.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// Let the model in this GGUF file deliberate: draft an answer, check each claim against the pages, integrate.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) threads: Option<u16>,
    /// The most tokens that each role writes; by default the tier's, from 512 on micro and small to 8192 on server-l.
    #[arg(long, value_name = "N", requires = "who", value_parser = clap::value_parser!(u32).range(1..))]
    tokens: Option<u32>,
    /// The temperature of sampling, from 0, which always takes the likeliest token, to 2; by default 0.2 to 0.3.
    #[arg(long, value_name = "T", requires = "who", value_parser = temperature)]
    temperature: Option<f32>,
    /// Who splits a question of several subjects: rules, or model, which takes some seconds.
    #[arg(long, value_name = "WHO", requires = "who", default_value = "rules", hide_possible_values = true)]
    pub(crate) decompose: Decomposer,
    /// The seed of sampling: the same seed draws the same words.
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
    /// The configuration of a deliberation for a machine of that class.
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

/// Characters of a prompt for each token, at the low end of what is common.
const CHARS_A_TOKEN: usize = 3;
/// Tokens of a prompt beside its sources: rules, question, review.
const OTHER_TOKENS: usize = 1_024;

/// The context that prompts and answers need, in tokens.
pub(crate) fn context_tokens(config: &seealso::DeliberationConfig) -> usize {
    config.tier.retrieval_chars() / CHARS_A_TOKEN + config.written_tokens() + OTHER_TOKENS
}

/// Work for a model.
pub(crate) struct ModelTask<'a> {
    /// The local model's file, where there is one.
    pub(crate) file: Option<&'a Path>,
    /// How the model generates.
    pub(crate) arguments: &'a ModelArguments,
    /// What the model is to do.
    pub(crate) work: Work<'a>,
    /// The class of machine whose budgets hold.
    pub(crate) tier: Tier,
    /// Whether to stop.
    pub(crate) stop: &'a StopFlag,
    /// Whether no progress is shown.
    pub(crate) quiet: bool,
}

/// The result of a model's work.
pub(crate) struct ModelResult {
    /// The model's name.
    pub(crate) model: String,
    /// What came of the work; none where it was stopped.
    pub(crate) done: Option<Product>,
    /// Why there is none, where the model failed.
    pub(crate) failed: Option<String>,
    /// The number of threads; 0 for a node.
    pub(crate) threads: usize,
    /// Seconds that loading took.
    pub(crate) load_seconds: f64,
}

impl ModelResult {
    /// The result where Ctrl-C came before the model was loaded.
    fn stopped() -> ModelResult {
        ModelResult { model: String::new(), done: None, failed: None, threads: 0, load_seconds: 0.0 }
    }
}

/// Has a model work, and shows the result unless it is to be quiet. The model is the node's where there is a `node`; where
/// it fails, and where there is none, the local model, which may be loaded already.
///
/// # Errors
/// [`crate::unusable_model::UnusableModel`], where the local model can't be used.
pub(crate) async fn work(
    task: &ModelTask<'_>,
    node: Option<ConsentedNode>,
    prepared: PreparedModels,
) -> anyhow::Result<ModelResult> {
    let (view, local) = (TerminalView::new(task.quiet), prepared.local);
    let outcome = match (node, task.file) {
        (Some(node), file) => match (node::run(task, node, &view).await, file) {
            (ModelResult { failed: Some(reason), .. }, Some(file)) => {
                view.fallback(&reason);
                run(task, file, local, &view).await?
            }
            (outcome, _) => outcome,
        },
        (None, Some(file)) => run(task, file, local, &view).await?,
        (None, None) => anyhow::bail!("neither --model nor --node says who is to answer"),
    };
    view.outcome(&outcome, task.work);
    Ok(outcome)
}

/// Has `model` work, and shows each step.
async fn work_with<M: Model>(model: &M, task: &ModelTask<'_>, view: &TerminalView) -> Result<Product, ModelError> {
    let config = task.arguments.config(task.tier);
    let mut on_step = |step: Step<'_>| {
        view.step(step);
        if task.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    task.work.run(model, &config, &mut on_step).await
}
