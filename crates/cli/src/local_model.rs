//! A model on this machine, in this process: a GGUF file, looked at first, then loaded, behind the seam `Model`.
//!
//! The header alone says whether it can be run, how long its context is and what memory it takes, so a model that can't
//! be used is refused before a weight is read.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use seealso::{Abilities, Hear, ModelError, Prompt, Shape, Writing, Written, Wrote, log_odds};
use seealso_gguf::{Header, Message, ModelConfig, Special};
use seealso_model::mask::{Mask, NamedStrings, StringArray};
use seealso_model::sample::Sampling;
use seealso_model::{Error, Event, Finish, Model, Progress, Reading, Request, SessionOptions};

use crate::model_file;
use crate::unusable_model::Unusable;

/// Small models loop without it.
const REPEAT_PENALTY: f32 = 1.1;

/// A model's file whose header has been read and found sound.
pub(crate) struct ModelFile {
    path: PathBuf,
    header: Header,
    config: ModelConfig,
}

/// A model that is loaded.
pub struct LocalModel {
    abilities: Abilities,
    /// How it judges, where not by likelihoods.
    reading: Option<Reading>,
    /// Empty while a call has it.
    model: Cell<Option<Box<Model>>>,
}

impl ModelFile {
    /// Reads the header of the model at `path` and checks that it can be run.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(crate) fn look(path: &Path) -> Result<ModelFile, Unusable> {
        let (header, config) = model_file::look(path).map_err(|error| Unusable::new(path, error))?;
        Ok(ModelFile { path: path.to_path_buf(), header, config })
    }

    /// The model's name: its own, or its file's.
    pub(crate) fn name(&self) -> String {
        model_file::name(&self.path, &self.config)
    }

    /// The model's sizes.
    pub(crate) fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// Tokens that the model was made for, of a prompt and its answer together.
    pub(crate) fn context(&self) -> usize {
        self.config.context
    }

    /// Loads the weights, with a cache of `context` tokens or the model's own context where that is less, to run on
    /// `threads` threads. `watch` hears of bytes done and bytes in all, and may stop it; none where it did.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(crate) fn load(
        self,
        context: usize,
        threads: usize,
        abilities: Abilities,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<LocalModel>, Unusable> {
        let context = context.min(self.config.context);
        let unusable = |reason: String| Unusable::new(&self.path, reason);
        model_file::check_memory(&self.header, &self.config, context).map_err(unusable)?;
        let failed = |error: Error| unusable(model_file::said(&error));
        let mut told = |progress: Progress| watch(progress.done, progress.total);
        let Some(decoder) = model_file::load(&self.path, threads, context, &mut told).map_err(failed)? else {
            return Ok(None);
        };
        let model = Model::new(&self.header, decoder, SessionOptions::default()).map_err(failed)?;
        let abilities = Abilities { context, ..abilities };
        Ok(Some(LocalModel { abilities, reading: None, model: Cell::new(Some(Box::new(model))) }))
    }
}

impl LocalModel {
    /// The same model, which judges by this reading.
    pub(crate) fn reading(mut self, reading: Option<Reading>) -> LocalModel {
        self.reading = reading;
        self
    }

    /// What stands behind the first `layers` layers after `prompt`.
    pub async fn state(&self, prompt: &Prompt, layers: usize) -> Result<Vec<f32>, ModelError> {
        let mut taken = self.take()?;
        let model = taken.model();
        let tokens = self.fitting(model, prompt)?;
        let state = model.session.state(&tokens, layers, &mut async |_| ControlFlow::Continue(())).await;
        state.map_err(failed)?.ok_or(ModelError::Stopped)
    }

    /// The tokens of the prompt's question alone: what a reading with adapters is of.
    pub fn question(&self, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
        last_turn(self.take()?.model(), prompt)
    }

    /// The prompt's tokens, where they leave room in the context.
    fn fitting(&self, model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
        self.within(prompt_tokens(model, prompt)?)
    }

    fn within(&self, tokens: Vec<u32>) -> Result<Vec<u32>, ModelError> {
        match tokens.len() < self.abilities.context {
            true => Ok(tokens),
            false => Err(ModelError::TooLong { tokens: tokens.len(), room: self.abilities.context }),
        }
    }

    /// The model, for one call. Calls come one after the other, since each borrows this until it is done.
    fn take(&self) -> Result<Taken<'_>, ModelError> {
        let model = self.model.take();
        let model = model.ok_or_else(|| ModelError::Failed("the model is at work already".to_owned()))?;
        Ok(Taken { home: self, model: Some(model) })
    }
}

/// The model while a call has it; dropped, it goes back.
struct Taken<'m> {
    home: &'m LocalModel,
    model: Option<Box<Model>>,
}

impl Taken<'_> {
    fn model(&mut self) -> &mut Model {
        self.model.as_mut().expect("it is there until this is dropped")
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.home.model.set(self.model.take());
    }
}

impl seealso::Model for LocalModel {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, writing: &Writing, watch: Hear<'_>) -> Result<Written, ModelError> {
        let mut taken = self.take()?;
        let model = taken.model();
        let prompt = prompt_tokens(model, &writing.prompt)?;
        let room = self.abilities.context.saturating_sub(writing.max_tokens);
        if prompt.len() > room {
            return Err(ModelError::TooLong { tokens: prompt.len(), room });
        }
        let sampling = Sampling {
            temperature: writing.temperature,
            seed: writing.seed,
            // What has a shape ends by itself, and often repeats the prompt's words.
            repeat_penalty: if writing.shape.is_some() { 1.0 } else { REPEAT_PENALTY },
            ..Sampling::default()
        };
        let mask = writing.shape.map(mask);
        let mask = mask.as_ref().map(|mask| mask as &dyn Mask);
        let request = Request { prompt: &prompt, max_tokens: writing.max_tokens, sampling, mask, ..Request::default() };
        let mut each = async |event: Event<'_>| match event {
            Event::Prefilled(step) => watch(Wrote::Read { done: step.done, known: step.reused, total: step.total }),
            Event::Drawn(_) => ControlFlow::Continue(()),
            Event::Text(text) => watch(Wrote::Text(text)),
        };
        let generated = model.generate(&request, &mut each).await.map_err(failed)?;
        match generated.finish {
            Finish::Stopped => Err(ModelError::Stopped),
            finish => Ok(Written {
                text: generated.text,
                reasoning: String::new(),
                tokens: generated.tokens.len(),
                prompt_tokens: prompt.len(),
                known_tokens: generated.reused,
                cut: matches!(finish, Finish::MaxTokens | Finish::ContextFull),
            }),
        }
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let mut taken = self.take()?;
        let model = taken.model();
        let tokens = self.fitting(model, prompt)?;
        let continuations: Vec<Vec<u32>> =
            continuations.iter().map(|text| model.language.tokenizer.encode(text, Special::Plain)).collect();
        model.session.score(&tokens, &continuations).await.map_err(failed)
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        match &self.reading {
            Some(reading) => {
                let mut taken = self.take()?;
                let model = taken.model();
                let alone = reading.adapters.is_some();
                let tokens =
                    self.within(if alone { last_turn(model, prompt)? } else { prompt_tokens(model, prompt)? })?;
                let read = reading.read(&mut model.session, &tokens, &mut async |_| ControlFlow::Continue(())).await;
                read.map_err(failed)?.ok_or(ModelError::Stopped)
            }
            None => Ok(log_odds(&self.score(prompt, &answers).await?)),
        }
    }
}

fn prompt_tokens(model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
    model.language.prompt(&messages(prompt)).map_err(failed)
}

/// The tokens of the prompt's question alone.
fn last_turn(model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
    model.language.last_turn(&messages(prompt)).map_err(failed)
}

fn messages(prompt: &Prompt) -> Vec<Message> {
    let before = prompt
        .before
        .iter()
        .flat_map(|turn| [Message::user(turn.user.as_str()), Message::assistant(turn.assistant.as_str())]);
    let system = std::iter::once(Message::system(prompt.system.as_str()));
    system.chain(before).chain([Message::user(prompt.user.as_str())]).collect()
}

fn mask(shape: Shape) -> NamedStrings {
    NamedStrings::new(shape.name, StringArray { most: shape.most, longest: shape.longest })
}

fn failed(error: Error) -> ModelError {
    match error {
        Error::TooLong { needed, context } => ModelError::TooLong { tokens: needed, room: context },
        other => ModelError::Failed(other.to_string()),
    }
}
