//! `Model`: the seam to a language model. It writes what a prompt asks for, piece by piece, and scores given
//! continuations of a prompt. Where it runs (this process, a worker, a node elsewhere) is behind it.

use std::fmt;
use std::ops::ControlFlow;

/// A prompt, in the messages that every chat template knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What the model is told about its place.
    pub system: String,
    /// What it is shown to have been asked and to have answered before, the oldest first.
    pub before: Vec<Turn>,
    /// What it is to do now.
    pub user: String,
}

impl Prompt {
    /// The texts of all messages, in their order.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let before = self.before.iter().flat_map(|turn| [turn.user.as_str(), &turn.assistant]);
        std::iter::once(self.system.as_str()).chain(before).chain([self.user.as_str()])
    }
}

/// A question that was asked of a model, and what it answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// What was asked.
    pub user: String,
    /// What was answered.
    pub assistant: String,
}

/// What a model can do, as its catalog entry or its node says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Abilities {
    /// Its name, for the reader.
    pub name: String,
    /// Tokens that a prompt and what comes after it may have together; 0 where nobody says.
    pub context: usize,
    /// How well it judges claims, where that was measured. Without it the model is not asked for verdicts.
    pub judge: Option<Judge>,
    /// Whether it can call the tool that fetches a page.
    pub tools: bool,
}

/// A measurement of how well what [`Model::judge`] gives tells supported claims from others, and the bounds that were
/// fixed with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judge {
    /// Area under the ROC curve (0.5 is chance).
    pub auc: f64,
    /// The number from which on a claim counts as supported.
    pub supports: f64,
    /// The number below which it does not count as supported; between the two the model is undecided.
    pub rejects: f64,
}

impl Judge {
    /// A leaning on the scale of its own bounds: 1 where it supports, -1 where it rejects.
    pub fn scaled(self, log_odds: f64) -> f64 {
        let half = ((self.supports - self.rejects) / 2.0).max(f64::EPSILON);
        (log_odds - (self.supports + self.rejects) / 2.0) / half
    }

    /// How much a leaning counts beside what else is known: [`Judge::scaled`], times 0 for a judge at chance and 1 for
    /// one that never errs (Gini's coefficient of its ROC curve).
    pub fn weighted_score(self, log_odds: f64) -> f64 {
        (2.0 * self.auc - 1.0).max(0.0) * self.scaled(log_odds)
    }
}

/// What a model is asked to write.
#[derive(Debug, Clone, PartialEq)]
pub struct GenerationRequest {
    /// What it continues.
    pub prompt: Prompt,
    /// The most tokens it may write.
    pub max_tokens: usize,
    /// 0 takes the likeliest token; above that, tokens are drawn.
    pub temperature: f32,
    /// The same seed draws the same tokens, where the model keeps to it.
    pub seed: u64,
    /// The form that it must have, where a program reads it. A model that can't be held to one writes what it likes.
    pub shape: Option<Shape>,
}

/// A form for programs: `{"NAME": ["…", "…"]}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// The name of the list, in letters that JSON needs no escapes for.
    pub name: &'static str,
    /// The most texts.
    pub most: usize,
    /// The most bytes of a text.
    pub longest: usize,
}

/// What happens while a model writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GenerationEvent<'t> {
    /// Of the prompt's tokens, so many are read; some of them were known from an earlier prompt.
    Read {
        /// Tokens read, known ones included.
        done: usize,
        /// Tokens that an earlier prompt had brought already.
        known: usize,
        /// All tokens of the prompt.
        total: usize,
    },
    /// The text goes on.
    Text(&'t str),
    /// The model's reasoning goes on, which is no part of the text.
    Reasoning(&'t str),
    /// The text so far is this: what else was told as text proved to be reasoning, and is told as that next.
    Revised(&'t str),
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Generation {
    /// The text.
    pub text: String,
    /// The reasoning that came before it, or between its parts; empty where there was none.
    pub reasoning: String,
    /// The tokens of both; 0 where the model does not say.
    pub tokens: usize,
    /// Tokens of the prompt, and of these the ones known from an earlier prompt; 0 where it does not say.
    pub prompt_tokens: usize,
    /// See [`Generation::prompt_tokens`].
    pub known_tokens: usize,
    /// Whether it ended because `max_tokens` came.
    pub cut: bool,
}

/// Why a model gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// The caller stopped it.
    Stopped,
    /// The prompt and the room for what comes after it exceed the context.
    TooLong {
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens that there is room for.
        room: usize,
    },
    /// It can't score continuations.
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

/// Hears of all that a model does, and may stop it.
pub type OnEvent<'w> = &'w mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>;

/// A language model.
#[allow(async_fn_in_trait)]
pub trait Model {
    /// What it can do.
    fn abilities(&self) -> &Abilities;

    /// Writes what `writing` asks for. `on_event` sees each piece before the next comes, and may stop it.
    ///
    /// # Errors
    /// [`ModelError`]; what was written before a failure is lost.
    async fn write(&self, writing: &GenerationRequest, on_event: OnEvent<'_>) -> Result<Generation, ModelError>;

    /// The log-likelihood, in nats, of each continuation as the answer to `prompt`.
    ///
    /// # Errors
    /// [`ModelError::CannotScore`] where the model can't, and what else fails.
    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError>;

    /// How much rather it would answer `prompt` with the first of two answers: their log-odds, or a reading of what it has
    /// in mind, on the scale of its [`Judge`]. No number where it says nothing.
    ///
    /// # Errors
    /// As of [`Model::score`].
    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        Ok(log_odds(&self.score(prompt, &answers).await?))
    }
}

/// The log-odds of the first of two answers, from their log-likelihoods; no number where one is missing.
pub fn log_odds(scores: &[f64]) -> f64 {
    scores.first().zip(scores.get(1)).map_or(f64::NAN, |(first, second)| first - second)
}
