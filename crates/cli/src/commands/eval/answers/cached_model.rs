//! A model with a memory on disk: what it once wrote or scored for a prompt is not asked again, so that an evaluation
//! of hours goes on where it was stopped, and one of changed checks takes seconds.
//!
//! The memory knows a prompt by its text and by how it was to be continued, and has a file for each model, by name
//! and size. A change of the pages or of a role's rules makes other prompts, which are asked anew. That a prompt is
//! too long is not kept: it takes no time to tell, and depends on the context that the model is run with.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use seealso::{Abilities, Judge, Model, ModelError, Prompt, Writing, Written, Wrote, log_odds};
use serde::{Deserialize, Serialize};

use super::super::claim_file::hash;
use super::model_source::Source;

/// A model that remembers.
pub struct Remembering {
    abilities: Abilities,
    source: Source,
    known: RefCell<HashMap<u64, Known>>,
    memory: RefCell<File>,
    /// Milliseconds that remembered answers took when they were asked.
    remembered_ms: Cell<f64>,
}

/// What the model said of a prompt, and how long that took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Known {
    key: u64,
    ms: f64,
    said: Said,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Wrote { text: String, tokens: usize, prompt_tokens: usize, known_tokens: usize, cut: bool },
    Scored(Vec<f64>),
}

impl Remembering {
    /// The model in the file at `path`, for prompts and answers of `context` tokens together, whose memory lies in `folder`.
    /// Where bounds are given, it judges by these and not by what the catalog beside it says.
    ///
    /// # Errors
    /// A model that can't be used, and a folder or file that can't be written.
    pub fn of_file(
        path: &Path,
        threads: Option<u16>,
        context: usize,
        folder: Option<&Path>,
        bounds: Option<Judge>,
    ) -> anyhow::Result<Remembering> {
        let source = Source::of_file(path, threads, context, bounds.is_some())?;
        Ok(Remembering::new(source, folder)?.judging(bounds))
    }

    /// The model of `source`, whose memory lies in `folder`.
    ///
    /// # Errors
    /// A folder or file that can't be written.
    pub(crate) fn new(source: Source, folder: Option<&Path>) -> anyhow::Result<Remembering> {
        let folder = folder.map_or_else(usual_folder, Path::to_path_buf);
        let path = folder.join(format!("{}.jsonl", source.file_name()));
        let at = || format!("opening {}", path.display());
        std::fs::create_dir_all(&folder).with_context(at)?;
        let lines = std::fs::read_to_string(&path).unwrap_or_default();
        // A line that was cut when the program ended is asked anew.
        let known = lines.lines().filter_map(|line| serde_json::from_str::<Known>(line).ok());
        let known = known.map(|known| (known.key, known)).collect();
        let memory = OpenOptions::new().create(true).append(true).open(&path).with_context(at)?;
        Ok(Remembering {
            abilities: source.abilities(),
            source,
            known: RefCell::new(known),
            memory: RefCell::new(memory),
            remembered_ms: Cell::new(0.0),
        })
    }

    /// The same model with these bounds of its judgement.
    pub(crate) fn judging(mut self, judge: Option<Judge>) -> Remembering {
        self.abilities.judge = judge.or(self.abilities.judge);
        self
    }

    /// Milliseconds that the answers took which were remembered since this was last called.
    pub(crate) fn take_remembered_ms(&self) -> f64 {
        self.remembered_ms.take()
    }

    fn recall(&self, key: u64) -> Option<Said> {
        let known = self.known.borrow();
        let known = known.get(&key)?;
        self.remembered_ms.set(self.remembered_ms.get() + known.ms);
        Some(known.said.clone())
    }

    fn remember(&self, key: u64, begun: Instant, said: Said) {
        let known = Known { key, ms: (begun.elapsed().as_secs_f64() * 1000.0).round(), said };
        // A memory that can't be written costs time, not the answer.
        let _ = writeln!(self.memory.borrow_mut(), "{}", serde_json::to_string(&known).unwrap_or_default());
        self.known.borrow_mut().insert(key, known);
    }
}

/// Where programs keep what they can make anew.
fn usual_folder() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default();
    cache.join("seealso").join("answers")
}

fn key(prompt: &Prompt, how: &str) -> u64 {
    let texts: Vec<&str> = prompt.texts().chain([how]).collect();
    hash(texts.join("\u{1}").as_bytes())
}

impl Model for Remembering {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        writing: &Writing,
        watch: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>,
    ) -> Result<Written, ModelError> {
        let mut how = format!("{} tokens, {}, seed {}", writing.max_tokens, writing.temperature, writing.seed);
        if let Some(shape) = &writing.shape {
            how += &format!(", {shape:?}");
        }
        let key = key(&writing.prompt, &how);
        match self.recall(key) {
            Some(Said::Wrote { text, tokens, prompt_tokens, known_tokens, cut }) => {
                let stopped = watch(Wrote::Text(&text)).is_break();
                let written = Written { text, tokens, prompt_tokens, known_tokens, cut, ..Written::default() };
                return if stopped { Err(ModelError::Stopped) } else { Ok(written) };
            }
            Some(Said::Scored(_)) | None => {}
        }
        let begun = Instant::now();
        let result = self.source.write(writing, watch).await;
        if let Ok(Written { text, tokens, prompt_tokens, known_tokens, cut, .. }) = &result {
            let (tokens, prompt_tokens, known_tokens, cut) = (*tokens, *prompt_tokens, *known_tokens, *cut);
            let said = Said::Wrote { text: text.clone(), tokens, prompt_tokens, known_tokens, cut };
            self.remember(key, begun, said);
        }
        result
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let key = key(prompt, &continuations.join("\u{1}"));
        match self.recall(key) {
            Some(Said::Scored(scores)) => return Ok(scores),
            Some(Said::Wrote { .. }) | None => {}
        }
        let begun = Instant::now();
        let result = self.source.score(prompt, continuations).await;
        if let Ok(scores) = &result {
            self.remember(key, begun, Said::Scored(scores.clone()));
        }
        result
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        let Some(by) = self.source.judges_by() else { return Ok(log_odds(&self.score(prompt, &answers).await?)) };
        let key = key(prompt, &by);
        if let Some(Said::Scored(scores)) = self.recall(key)
            && let [leaning] = scores[..]
        {
            return Ok(leaning);
        }
        let begun = Instant::now();
        let result = self.source.judge(prompt, answers).await;
        if let Ok(leaning) = &result {
            self.remember(key, begun, Said::Scored(vec![*leaning]));
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
    fn what_was_said_is_not_asked_again() {
        let folder = std::env::temp_dir().join(format!("seealso-memory-{}", std::process::id()));
        let open = |replies: &[&str]| {
            let replies = replies.iter().map(|reply| Ok((*reply).to_owned())).collect::<Vec<_>>();
            let model = ScriptedModel::new(Abilities { name: "m".to_owned(), ..Abilities::default() }, replies);
            Remembering::new(Source::Scripted(model.scoring("tea", [-1.0, -2.0])), Some(&folder)).unwrap()
        };
        let prompt = Prompt { system: "s".to_owned(), user: "tea".to_owned(), ..Prompt::default() };
        let writing = |seed| Writing { prompt: prompt.clone(), max_tokens: 9, temperature: 0.0, seed, shape: None };
        let write = |model: &Remembering, seed| {
            let writing = writing(seed);
            let mut hear = |_: Wrote<'_>| ControlFlow::Continue(());
            let written = model.write(&writing, &mut hear);
            block_on(written).unwrap().map(|written| (written.text, written.tokens))
        };
        let first = open(&["Tea is hot."]);
        assert_eq!(write(&first, 1), Ok(("Tea is hot.".to_owned(), 3)));
        assert_eq!(block_on(first.score(&prompt, &["Yes", "No"])).unwrap(), Ok(vec![-1.0, -2.0]));
        let second = open(&[]);
        assert_eq!(write(&second, 1), Ok(("Tea is hot.".to_owned(), 3)));
        assert_eq!(block_on(second.score(&prompt, &["Yes", "No"])).unwrap(), Ok(vec![-1.0, -2.0]));
        // A judgement by likelihoods is made of what was scored.
        let named = Abilities { name: "m".to_owned(), ..Abilities::default() };
        let silent = Source::Scripted(ScriptedModel::new(named, Vec::new()));
        let silent = Remembering::new(silent, Some(&folder)).unwrap();
        assert_eq!(block_on(silent.judge(&prompt, ["Yes", "No"])).unwrap(), Ok(1.0));
        // Another seed is another question, and so is another shape of the answer; this script has no reply to either.
        assert!(write(&second, 2).is_err());
        let shaped = Writing { shape: Some(Shape { name: "queries", most: 4, longest: 80 }), ..writing(1) };
        let mut hear = |_: Wrote<'_>| ControlFlow::Continue(());
        assert!(block_on(second.write(&shaped, &mut hear)).unwrap().is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
