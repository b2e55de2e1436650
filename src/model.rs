//! `Model`: the trait of a language model. It generates text for a prompt, piece by piece, and scores given
//! continuations of a prompt. Where it runs (this process, a worker, a node elsewhere) is hidden behind it.

use std::fmt;
use std::ops::ControlFlow;

/// A prompt, in the messages that every chat template has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// The system message: what the model's task is.
    pub system: String,
    /// Earlier turns that the model is shown, the oldest first.
    pub before: Vec<Turn>,
    /// The current user message.
    pub user: String,
}

impl Prompt {
    /// The texts of all messages, in their order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let before = self.before.iter().flat_map(|turn| [turn.user.as_str(), &turn.assistant]);
        std::iter::once(self.system.as_str()).chain(before).chain([self.user.as_str()])
    }
}

/// An earlier user message and the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The user message.
    pub user: String,
    /// The answer.
    pub assistant: String,
}

/// The abilities of a model, from its catalog entry or its node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Abilities {
    /// Its name, for readers.
    pub name: String,
    /// The context size in tokens, shared by a prompt and its continuation; 0 if unknown.
    pub context: usize,
    /// How well it judges claims, if that was measured. Without a measurement, the model is not asked for verdicts.
    pub judge: Option<Judge>,
    /// Whether it can call the tool that fetches a page.
    pub tools: bool,
}

/// A measurement of how well [`Model::judge`] separates supported claims from others, and the bounds that were fixed
/// with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judge {
    /// Area under the ROC curve (0.5 is chance).
    pub auc: f64,
    /// The log-odds from which on a claim counts as supported.
    pub supports: f64,
    /// The log-odds below which it does not count as supported; between the two bounds, the model is undecided.
    pub rejects: f64,
}

impl Judge {
    /// Log-odds scaled to the judge's own bounds: 1 where it supports, -1 where it rejects.
    pub fn scaled(self, log_odds: f64) -> f64 {
        let half = ((self.supports - self.rejects) / 2.0).max(f64::EPSILON);
        (log_odds - (self.supports + self.rejects) / 2.0) / half
    }

    /// Log-odds as an input of a weighted sum: [`Judge::scaled`], multiplied by 0 for a judge at chance up to 1 for one
    /// that never errs (the Gini coefficient of its ROC curve).
    pub fn weighted_score(self, log_odds: f64) -> f64 {
        (2.0 * self.auc - 1.0).max(0.0) * self.scaled(log_odds)
    }
}

/// A request to generate text.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationRequest {
    /// The prompt.
    pub prompt: Prompt,
    /// The most tokens to generate.
    pub max_tokens: usize,
    /// The sampling temperature; at 0, the likeliest token is taken.
    pub temperature: f32,
    /// The sampling seed; the same seed gives the same tokens, if the model honours it.
    pub seed: u64,
    /// The form that the text must have if a program reads it. A model that cannot be constrained ignores it.
    pub shape: Option<Shape>,
}

/// A form that programs read: `{"NAME": ["…", "…"]}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The name of the list, in letters that JSON needs no escapes for.
    pub name: &'static str,
    /// The most texts.
    pub most: usize,
    /// The most bytes of a text.
    pub longest: usize,
}

/// An event during generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerationEvent<'t> {
    /// Tokens of the prompt were read; some of them were known from an earlier prompt.
    Read {
        /// Tokens read, known ones included.
        done: usize,
        /// Tokens that were cached from an earlier prompt.
        known: usize,
        /// All tokens of the prompt.
        total: usize,
    },
    /// The text continues.
    Text(&'t str),
    /// The model's reasoning continues; it is not part of the text.
    Reasoning(&'t str),
    /// The text so far is replaced by this: the rest of it proved to be reasoning, and follows as that.
    Revised(&'t str),
}

/// The output of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generation {
    /// The text.
    pub text: String,
    /// The reasoning before it or between its parts; empty if there was none.
    pub reasoning: String,
    /// The tokens of text and reasoning; 0 if the model does not count them.
    pub tokens: usize,
    /// Tokens of the prompt, including those known from an earlier prompt; 0 if the model does not count them.
    pub prompt_tokens: usize,
    /// Tokens of the prompt that were known from an earlier prompt.
    pub known_tokens: usize,
    /// Whether it ended because `max_tokens` was reached.
    pub cut: bool,
}

/// Why a model gave no result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The caller stopped it.
    Stopped,
    /// The prompt and the room for its continuation exceed the context.
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that there is room for.
        room: usize,
    },
    /// It cannot score continuations.
    CannotScore,
    /// It failed; the text says what failed, where, and what to do.
    Failed(String),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Stopped => f.write_str("the model was stopped"),
            ModelError::TooLong { tokens, room } => {
                write!(f, "the prompt of {tokens} tokens exceeds the {room} that the model has room for")
            }
            ModelError::CannotScore => f.write_str("the model can't tell how likely a given answer is"),
            ModelError::Failed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for ModelError {}

/// Receives the events of a model, and may stop it.
pub type OnEvent<'w> = &'w mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>;

/// A language model.
#[allow(async_fn_in_trait)]
pub trait Model {
    /// Its abilities.
    fn abilities(&self) -> &Abilities;

    /// Generates what `writing` requests. `on_event` receives each piece before the next one comes, and may stop the
    /// model.
    ///
    /// # Errors
    /// [`ModelError`]; what was written before a failure is lost.
    async fn write(&self, writing: &GenerationRequest, on_event: OnEvent<'_>) -> Result<Generation, ModelError>;

    /// The log-likelihood, in nats, of each continuation as the answer to `prompt`.
    ///
    /// # Errors
    /// [`ModelError::CannotScore`] where the model can't, and what else fails.
    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError>;

    /// The log-odds of the first of two answers to `prompt` against the second, or a probe of the model's state, on the
    /// scale of its [`Judge`]. NaN if it gives no number.
    ///
    /// # Errors
    /// As of [`Model::score`].
    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        Ok(log_odds(&self.score(prompt, &answers).await?))
    }
}

/// The log-odds of the first of two answers, from their log-likelihoods; NaN if one is missing.
pub fn log_odds(scores: &[f64]) -> f64 {
    scores.first().zip(scores.get(1)).map_or(f64::NAN, |(first, second)| first - second)
}

/// The type of a model where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoModel {}

impl Model for NoModel {
    fn abilities(&self) -> &Abilities {
        match *self {}
    }

    async fn write(&self, _: &GenerationRequest, _: OnEvent<'_>) -> Result<Generation, ModelError> {
        match *self {}
    }

    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        match *self {}
    }
}
