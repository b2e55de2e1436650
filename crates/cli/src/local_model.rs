//! A model in this process: a GGUF file, behind the engine's trait `Model`.
//!
//! The header alone says whether the model can be run, how long its context is and how much memory it needs, so a model that
//! can't be used is refused before a weight is read.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use seealso::{
    Abilities, Generation, GenerationEvent, GenerationRequest, ModelError, OnEvent, Prompt, Shape, log_odds,
};
use seealso_gguf::{Header, Message, ModelConfig, Special};
use seealso_model::mask::{Mask, NamedStrings, StringArray};
use seealso_model::sample::Sampling;
use seealso_model::{Error, Event, Finish, Model, Probe, Progress, Request, SessionOptions};

use crate::model_file;
use crate::unusable_model::UnusableModel;

/// The penalty on repeated tokens, without which small models loop.
const REPEAT_PENALTY: f32 = 1.1;

/// A model's file whose header was read and is sound.
pub(crate) struct ModelFile {
    path: PathBuf,
    header: Header,
    config: ModelConfig,
}

/// A model that is loaded.
pub struct LocalModel {
    abilities: Abilities,
    /// The probe that it judges by; by likelihoods where there is none.
    probe: Option<Probe>,
    /// The model; empty while a call uses it.
    model: Cell<Option<Box<Model>>>,
}

impl ModelFile {
    /// Reads the header of the model at `path` and checks that it can be run.
    ///
    /// # Errors
    /// [`UnusableModel`].
    pub(crate) fn open(path: &Path) -> Result<ModelFile, UnusableModel> {
        let (header, config) = model_file::read_header(path).map_err(|error| UnusableModel::new(path, error))?;
        Ok(ModelFile { path: path.to_path_buf(), header, config })
    }

    /// The name that the model's header gives, or else the file's name.
    pub(crate) fn name(&self) -> String {
        model_file::model_name(&self.path, &self.config)
    }

    /// The model's sizes.
    pub(crate) fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// The context that the model was trained for, in tokens of a prompt and its answer together.
    pub(crate) fn context(&self) -> usize {
        self.config.context
    }

    /// Loads the weights, with a cache of `context` tokens or the model's own context where that is less, to run on
    /// `threads` threads. `on_progress` is called with the bytes done and the bytes in all, and may stop it; none where it did.
    ///
    /// # Errors
    /// [`UnusableModel`].
    pub(crate) fn load(
        self,
        context: usize,
        threads: usize,
        abilities: Abilities,
        on_progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Option<LocalModel>, UnusableModel> {
        let context = context.min(self.config.context);
        let unusable = |reason: String| UnusableModel::new(&self.path, reason);
        model_file::check_memory(&self.header, &self.config, context).map_err(unusable)?;
        let failed = |error: Error| unusable(model_file::describe_error(&error));
        let mut on_bytes = |progress: Progress| on_progress(progress.done, progress.total);
        let Some(decoder) = model_file::load_decoder(&self.path, threads, context, &mut on_bytes).map_err(failed)?
        else {
            return Ok(None);
        };
        let model = Model::new(&self.header, decoder, SessionOptions::default()).map_err(failed)?;
        let abilities = Abilities { context, ..abilities };
        Ok(Some(LocalModel { abilities, probe: None, model: Cell::new(Some(Box::new(model))) }))
    }
}

impl LocalModel {
    /// The same model, which judges by this probe.
    pub(crate) fn with_probe(mut self, probe: Option<Probe>) -> LocalModel {
        self.probe = probe;
        self
    }

    /// The model's state behind the first `layers` layers, at the end of `prompt`.
    pub async fn layer_state(&self, prompt: &Prompt, layers: usize) -> Result<Vec<f32>, ModelError> {
        let mut guard = self.take()?;
        let model = guard.model();
        let tokens = self.prompt_within_context(model, prompt)?;
        let state = model.session.state(&tokens, layers, &mut async |_| ControlFlow::Continue(())).await;
        state.map_err(model_error)?.ok_or(ModelError::Stopped)
    }

    /// The tokens of the prompt's question alone, which a probe with adapters reads.
    pub fn question_tokens(&self, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
        last_turn(self.take()?.model(), prompt)
    }

    /// The tokens of the prompt, if they leave room in the context.
    fn prompt_within_context(&self, model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
        self.check_context(prompt_tokens(model, prompt)?)
    }

    fn check_context(&self, tokens: Vec<u32>) -> Result<Vec<u32>, ModelError> {
        match tokens.len() < self.abilities.context {
            true => Ok(tokens),
            false => Err(ModelError::TooLong { tokens: tokens.len(), room: self.abilities.context }),
        }
    }

    /// The model, for one call. Calls come one after the other, since each borrows this model until it is done.
    fn take(&self) -> Result<ModelGuard<'_>, ModelError> {
        let model = self.model.take();
        let model = model.ok_or_else(|| ModelError::Failed("the model is at work already".to_owned()))?;
        Ok(ModelGuard { owner: self, model: Some(model) })
    }
}

/// The model while a call uses it. Dropping the guard puts it back.
struct ModelGuard<'m> {
    owner: &'m LocalModel,
    model: Option<Box<Model>>,
}

impl ModelGuard<'_> {
    fn model(&mut self) -> &mut Model {
        self.model.as_mut().expect("it is there until this is dropped")
    }
}

impl Drop for ModelGuard<'_> {
    fn drop(&mut self) {
        self.owner.model.set(self.model.take());
    }
}

impl seealso::Model for LocalModel {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, writing: &GenerationRequest, on_event: OnEvent<'_>) -> Result<Generation, ModelError> {
        let mut guard = self.take()?;
        let model = guard.model();
        let prompt = prompt_tokens(model, &writing.prompt)?;
        let room = self.abilities.context.saturating_sub(writing.max_tokens);
        if prompt.len() > room {
            return Err(ModelError::TooLong { tokens: prompt.len(), room });
        }
        let sampling = Sampling {
            temperature: writing.temperature,
            seed: writing.seed,
            // Text of a shape ends by itself, and often repeats words of the prompt.
            repeat_penalty: if writing.shape.is_some() { 1.0 } else { REPEAT_PENALTY },
            ..Sampling::default()
        };
        let mask = writing.shape.map(mask);
        let mask = mask.as_ref().map(|mask| mask as &dyn Mask);
        let request = Request { prompt: &prompt, max_tokens: writing.max_tokens, sampling, mask, ..Request::default() };
        let mut on_model_event = async |event: Event<'_>| match event {
            Event::PrefillProgress(step) => {
                on_event(GenerationEvent::Read { done: step.done, known: step.reused, total: step.total })
            }
            Event::Drawn(_) => ControlFlow::Continue(()),
            Event::Text(text) => on_event(GenerationEvent::Text(text)),
        };
        let generated = model.generate(&request, &mut on_model_event).await.map_err(model_error)?;
        match generated.finish {
            Finish::Stopped => Err(ModelError::Stopped),
            finish => Ok(Generation {
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
        let mut guard = self.take()?;
        let model = guard.model();
        let tokens = self.prompt_within_context(model, prompt)?;
        let continuations: Vec<Vec<u32>> =
            continuations.iter().map(|text| model.language.tokenizer.encode(text, Special::Plain)).collect();
        model.session.score(&tokens, &continuations).await.map_err(model_error)
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        match &self.probe {
            Some(probe) => {
                let mut guard = self.take()?;
                let model = guard.model();
                let reads_question_alone = probe.adapters.is_some();
                let tokens = self.check_context(if reads_question_alone {
                    last_turn(model, prompt)?
                } else {
                    prompt_tokens(model, prompt)?
                })?;
                let log_odds = probe.read(&mut model.session, &tokens, &mut async |_| ControlFlow::Continue(())).await;
                log_odds.map_err(model_error)?.ok_or(ModelError::Stopped)
            }
            None => Ok(log_odds(&self.score(prompt, &answers).await?)),
        }
    }
}

fn prompt_tokens(model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
    model.language.prompt(&messages(prompt)).map_err(model_error)
}

/// The tokens of the prompt's last message alone.
fn last_turn(model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
    model.language.last_turn(&messages(prompt)).map_err(model_error)
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

fn model_error(error: Error) -> ModelError {
    match error {
        Error::TooLong { needed, context } => ModelError::TooLong { tokens: needed, room: context },
        other => ModelError::Failed(other.to_string()),
    }
}
