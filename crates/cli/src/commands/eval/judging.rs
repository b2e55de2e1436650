//! A model that judges, with a memory on disk: what it once said of a prompt is not asked again, so that an evaluation
//! of an hour goes on where it was stopped.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use seealso::{Abilities, Claim, Evidence, Judge, Model, ModelError, Prompt, Weighed, Writing, Written, Wrote, weigh};
use seealso_index::Analysis;

use super::claim_set::{Line, hash};

/// Which model judges.
#[derive(Args)]
pub(super) struct JudgeArguments {
    /// Ask the model in this GGUF file too.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Where the model's answers are kept.
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
}

/// Bounds of a model of which nothing is known.
const UNKNOWN: Judge = Judge { auc: 0.5, supports: 1.0, rejects: -1.0 };
/// The longest prompt that is asked, in tokens.
#[cfg(feature = "model")]
const CONTEXT: usize = 2048;

/// A model with its memory. It loads when something is asked that it does not remember.
pub(super) struct Remembering {
    abilities: Abilities,
    known: RefCell<HashMap<u64, Vec<f64>>>,
    memory: RefCell<File>,
    source: Source,
    /// How many answers were not in the memory.
    pub(super) asked: Cell<usize>,
}

/// Where answers come from that are not remembered.
struct Source {
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models only the memory answers"))]
    path: PathBuf,
    #[cfg(feature = "model")]
    threads: usize,
    #[cfg(feature = "model")]
    loaded: std::cell::OnceCell<crate::local_model::LocalModel>,
}

impl JudgeArguments {
    /// The model, where one was given.
    pub(super) fn open(&self) -> anyhow::Result<Option<Remembering>> {
        self.model.as_deref().map(|path| self.open_at(path)).transpose()
    }

    fn open_at(&self, path: &Path) -> anyhow::Result<Remembering> {
        let bytes = std::fs::metadata(path).with_context(|| format!("reading {}", path.display()))?.len();
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default();
        let folder = self.cache.clone().unwrap_or_else(|| cache.join("seealso").join("scores"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let memory = folder.join(format!("{name}-{bytes}.jsonl"));
        let at = || format!("opening {}", memory.display());
        std::fs::create_dir_all(&folder).with_context(at)?;
        let known = std::fs::read_to_string(&memory).unwrap_or_default();
        let known = known.lines().filter_map(|line| serde_json::from_str::<(u64, Vec<f64>)>(line).ok()).collect();
        let file = OpenOptions::new().create(true).append(true).open(&memory).with_context(at)?;
        Ok(Remembering {
            abilities: Abilities { name: name.into_owned(), judge: Some(UNKNOWN), ..Abilities::default() },
            known: RefCell::new(known),
            memory: RefCell::new(file),
            source: Source {
                path: path.to_path_buf(),
                #[cfg(feature = "model")]
                threads: self.threads.map_or_else(processors, usize::from),
                #[cfg(feature = "model")]
                loaded: std::cell::OnceCell::new(),
            },
            asked: Cell::new(0),
        })
    }
}

#[cfg(feature = "model")]
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Remembering {
    /// The same model with these bounds.
    pub(super) fn bounded(&mut self, judge: Judge) {
        self.abilities.judge = Some(judge);
    }
}

impl Source {
    #[cfg(feature = "model")]
    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        use crate::local_model::ModelFile;
        let model = match self.loaded.get() {
            Some(model) => model,
            None => {
                let going_on = &mut |_, _| ControlFlow::Continue(());
                let file = ModelFile::look(&self.path);
                let loaded = file.and_then(|file| file.load(CONTEXT, self.threads, Abilities::default(), going_on));
                let loaded = loaded.map_err(|error| ModelError::Failed(error.to_string()))?;
                self.loaded.get_or_init(|| loaded.expect("nothing stopped it"))
            }
        };
        model.score(prompt, continuations).await
    }

    #[cfg(not(feature = "model"))]
    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        let reason = "this seealso was built without models, and remembers no answer to this prompt";
        Err(ModelError::Failed(reason.to_owned()))
    }
}

impl Model for Remembering {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(&self, _: &Writing, _: &mut dyn FnMut(Wrote<'_>) -> ControlFlow<()>) -> Result<Written, ModelError> {
        Err(ModelError::Failed("this model judges, and does not write".to_owned()))
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let key = hash(format!("{}\u{1}{}\u{1}{}", prompt.system, prompt.user, continuations.join("\u{1}")).as_bytes());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let scores = self.source.score(prompt, continuations).await?;
        self.asked.set(self.asked.get() + 1);
        // A memory that can't be written costs time, not the answer.
        let _ = writeln!(self.memory.borrow_mut(), "[{key},{}]", serde_json::to_string(&scores).unwrap_or_default());
        self.known.borrow_mut().insert(key, scores.clone());
        Ok(scores)
    }
}

/// Weighs a claim by the evidence of `line`.
pub(super) async fn weighed(claim: &str, line: &Line, model: Option<&Remembering>) -> anyhow::Result<Weighed> {
    let evidence = match line.is_whole() {
        true => Evidence::of_text("", &line.evidence, Analysis::English),
        false => Evidence::of_excerpt("", &line.evidence, Analysis::English),
    };
    let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
    Ok(weigh(claim, &evidence, model).await?)
}

/// Reads a model's bounds: the log-odds from which it supports, a comma, and those below which it rejects.
pub(super) fn bounds(text: &str) -> Result<Judge, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let both = text.split_once(',').and_then(|(supports, rejects)| Some((number(supports)?, number(rejects)?)));
    match both {
        Some((supports, rejects)) if supports >= rejects => Ok(Judge { auc: 0.5, supports, rejects }),
        _ => Err(format!("{text} is not two numbers with a comma between, the greater first")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!(bounds("-0.96,-1.59"), Ok(Judge { auc: 0.5, supports: -0.96, rejects: -1.59 }));
        assert_eq!(bounds("1, 1").map(|judge| judge.rejects), Ok(1.0));
        for wrong in ["", "1", "1,", "-1.59,-0.96", "NaN,0", "1,2,3"] {
            assert!(bounds(wrong).is_err(), "{wrong}");
        }
    }
}
