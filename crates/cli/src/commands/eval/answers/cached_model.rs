//! A model with a cache on disk. What the model wrote or scored for a prompt once is not computed again, so that an
//! evaluation that takes hours continues where it was stopped, and one of changed checks takes seconds.
//!
//! The key of an entry is the prompt's text and how it was to be continued. Each model has a file, by name and size. A change
//! of the pages or of a role's rules makes other prompts, which are computed anew. The error that a prompt is too long is not
//! cached: it costs no time, and depends on the context that the model runs with.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::Context as _;
use seealso::{Abilities, Judge, Model, ModelError, Prompt, Writing, Written, Wrote, log_odds};
use serde::{Deserialize, Serialize};

use super::super::model_cache::{cache_key, user_folder};
use super::model_source::ModelSource;

/// A model with its cache.
pub struct CachedModel {
    abilities: Abilities,
    source: ModelSource,
    known: RefCell<HashMap<u64, CacheEntry>>,
    file: RefCell<File>,
    /// Milliseconds that it once took to compute the cached outputs that were used.
    cached_ms: Cell<f64>,
}

/// A line of the file: the output for a prompt, and the milliseconds that it took. The file keeps the names of these fields.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct CacheEntry {
    key: u64,
    ms: f64,
    #[serde(rename = "said")]
    output: CachedOutput,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum CachedOutput {
    #[serde(rename = "wrote")]
    Written { text: String, tokens: usize, prompt_tokens: usize, known_tokens: usize, cut: bool },
    #[serde(rename = "scored")]
    Scores(Vec<f64>),
}

impl CachedModel {
    /// The model in the file at `path`, for prompts and answers of `context` tokens together, whose cache lies in `folder`
    /// or in the user's. Bounds that are given stand in for the catalog beside the model.
    ///
    /// # Errors
    /// A model that can't be used, and a folder or file that can't be written.
    pub fn of_file(
        path: &Path,
        threads: Option<u16>,
        context: usize,
        folder: Option<&Path>,
        bounds: Option<Judge>,
    ) -> anyhow::Result<CachedModel> {
        let source = ModelSource::of_file(path, threads, context, bounds.is_some())?;
        Ok(CachedModel::new(source, folder)?.with_bounds(bounds))
    }

    /// The model of `source`, whose cache lies in `folder`, or in the user's cache.
    ///
    /// # Errors
    /// A folder or file that can't be written.
    pub(crate) fn new(source: ModelSource, folder: Option<&Path>) -> anyhow::Result<CachedModel> {
        let folder = folder.map_or_else(|| user_folder("answers"), Path::to_path_buf);
        let path = folder.join(format!("{}.jsonl", source.file_name()));
        let at = || format!("opening {}", path.display());
        std::fs::create_dir_all(&folder).with_context(at)?;
        let lines = std::fs::read_to_string(&path).unwrap_or_default();
        // A line that was cut when the program ended is computed anew.
        let known = lines.lines().filter_map(|line| serde_json::from_str::<CacheEntry>(line).ok());
        let known = known.map(|entry| (entry.key, entry)).collect();
        let file = OpenOptions::new().create(true).append(true).open(&path).with_context(at)?;
        Ok(CachedModel {
            abilities: source.abilities(),
            source,
            known: RefCell::new(known),
            file: RefCell::new(file),
            cached_ms: Cell::new(0.0),
        })
    }

    /// The same model with these bounds of its verdicts, where they are given.
    pub(crate) fn with_bounds(mut self, judge: Option<Judge>) -> CachedModel {
        self.abilities.judge = judge.or(self.abilities.judge);
        self
    }

    /// Milliseconds that it once took to compute the cached outputs that were used since this was last called.
    pub(crate) fn take_cached_ms(&self) -> f64 {
        self.cached_ms.take()
    }

    fn cached(&self, key: u64) -> Option<CachedOutput> {
        let known = self.known.borrow();
        let entry = known.get(&key)?;
        self.cached_ms.set(self.cached_ms.get() + entry.ms);
        Some(entry.output.clone())
    }

    /// Keeps an output. A cache that can't be written costs time, not the answer.
    fn keep(&self, key: u64, begun: Instant, output: CachedOutput) {
        let entry = CacheEntry { key, ms: (begun.elapsed().as_secs_f64() * 1000.0).round(), output };
        let _ = writeln!(self.file.borrow_mut(), "{}", serde_json::to_string(&entry).unwrap_or_default());
        self.known.borrow_mut().insert(key, entry);
    }
}

impl Model for CachedModel {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &Writing,
        on_event: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>,
    ) -> Result<Written, ModelError> {
        let mut how = format!("{} tokens, {}, seed {}", writing.max_tokens, writing.temperature, writing.seed);
        if let Some(shape) = &writing.shape {
            how += &format!(", {shape:?}");
        }
        let key = cache_key(&writing.prompt, &[&how]);
        match self.cached(key) {
            Some(CachedOutput::Written { text, tokens, prompt_tokens, known_tokens, cut }) => {
                let stopped = on_event(Wrote::Text(&text)).is_break();
                let written = Written { text, tokens, prompt_tokens, known_tokens, cut, ..Written::default() };
                return if stopped { Err(ModelError::Stopped) } else { Ok(written) };
            }
            Some(CachedOutput::Scores(_)) | None => {}
        }
        let begun = Instant::now();
        let result = self.source.write(writing, on_event).await;
        if let Ok(Written { text, tokens, prompt_tokens, known_tokens, cut, .. }) = &result {
            let (tokens, prompt_tokens, known_tokens, cut) = (*tokens, *prompt_tokens, *known_tokens, *cut);
            let output = CachedOutput::Written { text: text.clone(), tokens, prompt_tokens, known_tokens, cut };
            self.keep(key, begun, output);
        }
        result
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let key = cache_key(prompt, continuations);
        match self.cached(key) {
            Some(CachedOutput::Scores(scores)) => return Ok(scores),
            Some(CachedOutput::Written { .. }) | None => {}
        }
        let begun = Instant::now();
        let result = self.source.score(prompt, continuations).await;
        if let Ok(scores) = &result {
            self.keep(key, begun, CachedOutput::Scores(scores.clone()));
        }
        result
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        let Some(probe) = self.source.probe_key() else { return Ok(log_odds(&self.score(prompt, &answers).await?)) };
        let key = cache_key(prompt, &[&probe]);
        if let Some(CachedOutput::Scores(scores)) = self.cached(key)
            && let [log_odds] = scores[..]
        {
            return Ok(log_odds);
        }
        let begun = Instant::now();
        let result = self.source.judge(prompt, answers).await;
        if let Ok(log_odds) = &result {
            self.keep(key, begun, CachedOutput::Scores(vec![*log_odds]));
        }
        result
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::source::block_on;
    use seealso::{ScriptedModel, Shape};

    #[test]
    fn what_was_computed_is_not_computed_again() {
        let folder = std::env::temp_dir().join(format!("seealso-cached-model-{}", std::process::id()));
        let open = |replies: &[&str]| {
            let replies = replies.iter().map(|reply| Ok((*reply).to_owned())).collect::<Vec<_>>();
            let model = ScriptedModel::new(Abilities { name: "m".to_owned(), ..Abilities::default() }, replies);
            CachedModel::new(ModelSource::Scripted(model.scoring("tea", [-1.0, -2.0])), Some(&folder)).unwrap()
        };
        let prompt = Prompt { system: "s".to_owned(), user: "tea".to_owned(), ..Prompt::default() };
        let writing = |seed| Writing { prompt: prompt.clone(), max_tokens: 9, temperature: 0.0, seed, shape: None };
        let write = |model: &CachedModel, seed| {
            let writing = writing(seed);
            let mut on_event = |_: Wrote<'_>| ControlFlow::Continue(());
            let written = model.write(&writing, &mut on_event);
            block_on(written).unwrap().map(|written| (written.text, written.tokens))
        };
        let first = open(&["Tea is hot."]);
        assert_eq!(write(&first, 1), Ok(("Tea is hot.".to_owned(), 3)));
        assert_eq!(block_on(first.score(&prompt, &["Yes", "No"])).unwrap(), Ok(vec![-1.0, -2.0]));
        let second = open(&[]);
        assert_eq!(write(&second, 1), Ok(("Tea is hot.".to_owned(), 3)));
        assert_eq!(block_on(second.score(&prompt, &["Yes", "No"])).unwrap(), Ok(vec![-1.0, -2.0]));
        // A judgement by likelihoods is made of cached scores.
        let named = Abilities { name: "m".to_owned(), ..Abilities::default() };
        let silent = ModelSource::Scripted(ScriptedModel::new(named, Vec::new()));
        let silent = CachedModel::new(silent, Some(&folder)).unwrap();
        assert_eq!(block_on(silent.judge(&prompt, ["Yes", "No"])).unwrap(), Ok(1.0));
        // Another seed is another prompt, and so is another shape of the answer; this script has no reply to either.
        assert!(write(&second, 2).is_err());
        let shaped = Writing { shape: Some(Shape { name: "queries", most: 4, longest: 80 }), ..writing(1) };
        let mut on_event = |_: Wrote<'_>| ControlFlow::Continue(());
        assert!(block_on(second.write(&shaped, &mut on_event)).unwrap().is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lines_of_earlier_versions_are_read() {
        let output =
            CachedOutput::Written { text: "Tea.".to_owned(), tokens: 1, prompt_tokens: 2, known_tokens: 3, cut: false };
        let written = r#"{"key":7,"ms":1.0,"said":{"wrote":{"text":"Tea.","tokens":1,"prompt_tokens":2,"known_tokens":3,"cut":false}}}"#;
        let scores = r#"{"key":8,"ms":2.0,"said":{"scored":[-1.0,-2.0]}}"#;
        for (line, entry) in [
            (written, CacheEntry { key: 7, ms: 1.0, output }),
            (scores, CacheEntry { key: 8, ms: 2.0, output: CachedOutput::Scores(vec![-1.0, -2.0]) }),
        ] {
            assert_eq!(serde_json::to_string(&entry).unwrap(), line);
            assert_eq!(serde_json::from_str::<CacheEntry>(line).unwrap(), entry);
        }
    }
}
