//! A model on this machine, in this process: a GGUF file, looked at first, then loaded, behind the seam `Model`.
//!
//! The header alone says whether it can be run, how long its context is and what memory it takes, so a model that can't
//! be used is refused before a weight is read.

use std::cell::Cell;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use seealso::{Abilities, Judge, ModelError, Prompt, Writing, Written, Wrote};
use seealso_gguf::{Header, Message, ModelConfig, Reader, Special, TensorSink};
use seealso_model::ops::flex::{FlexHome, memory_bytes};
use seealso_model::sample::Sampling;
use seealso_model::{Error, Event, Finish, LoadOptions, Loader, Model, Request, SessionOptions};

use crate::unusable::Unusable;

/// Bytes of the file that are read at once.
const PIECE: usize = 1 << 20;
/// Small models loop without it.
const REPEAT_PENALTY: f32 = 1.1;

/// The catalog of models that stands beside their files, as `cargo xtask model` writes it.
const CATALOG: &str = "models.json";

/// How well the model in the file at `path` judges claims, where the catalog beside it has a measurement.
pub(crate) fn judge_of(path: &Path) -> Option<Judge> {
    let file = path.file_name()?.to_str()?;
    let catalog = std::fs::read(path.with_file_name(CATALOG)).ok()?;
    let catalog: serde_json::Value = serde_json::from_slice(&catalog).ok()?;
    let of_file = |model: &&serde_json::Value| model["files"].as_array().is_some_and(|files| files.iter().any(|of| of["url"] == file));
    let judge = &catalog["models"].as_array()?.iter().find(of_file)?["judge"];
    let number = |name: &str| judge[name].as_f64();
    Some(Judge { auc: number("auc")?, supports: number("supports")?, rejects: number("rejects")? })
}

/// A model's file whose header has been read and found sound.
pub(crate) struct ModelFile {
    path: PathBuf,
    header: Header,
    config: ModelConfig,
}

/// A model that is loaded.
pub(crate) struct LocalModel {
    abilities: Abilities,
    /// Empty while a call has it.
    model: Cell<Option<Box<Model>>>,
}

impl ModelFile {
    /// Reads the header of the model at `path` and checks that it can be run.
    ///
    /// # Errors
    /// [`Unusable`].
    pub(crate) fn look(path: &Path) -> Result<ModelFile, Unusable> {
        let (header, config) = look(path).map_err(|error| Unusable::new(path, error))?;
        Ok(ModelFile { path: path.to_path_buf(), header, config })
    }

    /// The model's name: its own, or its file's.
    pub(crate) fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.config.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(&file).to_owned()
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
        enough_memory(memory_bytes(&self.header, &self.config, context), available_bytes()).map_err(unusable)?;
        let model = load(&self.path, threads, context, watch).map_err(|error| unusable(said(&error)))?;
        let abilities = Abilities { context, ..abilities };
        Ok(model.map(|model| LocalModel { abilities, model: Cell::new(Some(Box::new(model))) }))
    }
}

impl LocalModel {
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

    async fn write(
        &self,
        writing: &Writing,
        watch: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>,
    ) -> Result<Written, ModelError> {
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
            repeat_penalty: REPEAT_PENALTY,
            ..Sampling::default()
        };
        let request = Request { prompt: &prompt, max_tokens: writing.max_tokens, sampling, ..Request::default() };
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
        let tokens = prompt_tokens(model, prompt)?;
        if tokens.len() >= self.abilities.context {
            return Err(ModelError::TooLong { tokens: tokens.len(), room: self.abilities.context });
        }
        let continuations: Vec<Vec<u32>> =
            continuations.iter().map(|text| model.language.tokenizer.encode(text, Special::Plain)).collect();
        model.session.score(&tokens, &continuations).await.map_err(failed)
    }
}

fn prompt_tokens(model: &Model, prompt: &Prompt) -> Result<Vec<u32>, ModelError> {
    let messages = [Message::system(prompt.system.as_str()), Message::user(prompt.user.as_str())];
    model.language.prompt(&messages).map_err(failed)
}

fn failed(error: Error) -> ModelError {
    match error {
        Error::TooLong { needed, context } => ModelError::TooLong { tokens: needed, room: context },
        other => ModelError::Failed(other.to_string()),
    }
}

fn look(path: &Path) -> Result<(Header, ModelConfig), String> {
    let mut file = open(path)?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    let (mut reader, mut piece) = (Reader::new(), vec![0; PIECE]);
    while reader.header().is_none() {
        let count = file.read(&mut piece).map_err(|error| format!("reading it: {error}"))?;
        let fed = if count == 0 { break } else { reader.feed(&piece[..count], &mut Nowhere) };
        fed.map_err(|error| said(&Error::File(error)))?;
    }
    let header = match reader.header() {
        Some(header) => header.clone(),
        None => reader.finish(&mut Nowhere).map_err(|error| said(&Error::File(error)))?,
    };
    let sound = header.check_length(length).and_then(|()| ModelConfig::from_header(&header));
    sound.map(|config| (header, config)).map_err(|error| said(&Error::File(error)))
}

fn open(path: &Path) -> Result<File, String> {
    if path.is_dir() {
        return Err("this is a folder; give the GGUF file in it".to_owned());
    }
    File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "there is no such file; give the path of a model in GGUF".to_owned(),
        _ => format!("opening it: {error}"),
    })
}

/// What becomes of weights while only the header is looked at.
struct Nowhere;

impl TensorSink for Nowhere {
    type Error = seealso_gguf::Error;

    fn begin(&mut self, _: &Header) -> Result<(), Self::Error> {
        Ok(())
    }

    fn bytes(&mut self, _: usize, _: u64, _: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// An error of the model in words that fit a file on this machine.
fn said(error: &Error) -> String {
    match error {
        Error::File(seealso_gguf::Error::NotGguf { found }) => {
            format!("not a GGUF file (it begins with \"{found}\"); give a model in GGUF")
        }
        other => other.to_string(),
    }
}

/// Bytes of memory that can be had without swapping, where the system tells: Linux, in `/proc/meminfo`.
fn available_bytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}

fn enough_memory(needed: u64, available: Option<u64>) -> Result<(), String> {
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    match available {
        Some(available) if needed > available => Err(format!(
            "the model needs {} MB of memory, and {} MB are free; close other programs, or give a smaller model",
            megabytes(needed),
            megabytes(available)
        )),
        _ => Ok(()),
    }
}

fn load(
    path: &Path,
    threads: usize,
    context: usize,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Option<Model>, Error> {
    let home = Box::new(FlexHome::native_threads(threads));
    let mut loader = Loader::new(home, LoadOptions { context });
    let whole = loader.feed_all(File::open(path)?, &mut |progress| watch(progress.done, progress.total))?;
    if !whole {
        return Ok(None);
    }
    let (header, decoder) = loader.finish()?;
    Model::new(&header, decoder, SessionOptions::default()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_told_before_loading() {
        let check = |needed, available, expected: Result<(), &str>| {
            assert_eq!(enough_memory(needed, available), expected.map_err(str::to_owned));
        };
        check(1_000, Some(1_000), Ok(()));
        check(u64::MAX, None, Ok(()));
        check(
            2_000_000_001,
            Some(1_000_000_000),
            Err(
                "the model needs 2001 MB of memory, and 1000 MB are free; close other programs, or give a smaller model",
            ),
        );
    }
}
