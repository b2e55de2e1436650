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
#[cfg(feature = "model")]
use seealso::log_odds;
use seealso::{Abilities, Claim, Evidence, Judge, Model, ModelError, Prompt, Weighed, Writing, Written, Wrote, weigh};
use seealso_index::Analysis;
#[cfg(feature = "model")]
use seealso_model::Reading;

use super::claim_file::{Line, hash};
#[cfg(feature = "model")]
use crate::judge_record::Record;
#[cfg(feature = "model")]
use crate::local_model::LocalModel;

/// Which model judges.
#[derive(Args)]
pub struct JudgeArguments {
    /// Ask the model in this GGUF file too.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Where the model's answers are kept.
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
    /// Judge by the reading in this file, as `eval reading` writes it, instead of the one in the catalog beside the model.
    #[cfg(feature = "model")]
    #[arg(long, value_name = "FILE", requires = "model", conflicts_with = "likelihoods")]
    reading: Option<PathBuf>,
    /// Judge by how likely the model finds "Yes" and "No", whatever reading there is.
    #[cfg(feature = "model")]
    #[arg(long, requires = "model")]
    likelihoods: bool,
}

/// Bounds of a model of which nothing is known.
const UNKNOWN: Judge = Judge { auc: 0.5, supports: 1.0, rejects: -1.0 };
/// The longest prompt that is asked, in tokens.
#[cfg(feature = "model")]
const CONTEXT: usize = 2048;

/// A model with its memory. It loads when something is asked that it does not remember.
pub struct Remembering {
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
    threads: Option<u16>,
    #[cfg(feature = "model")]
    record: Option<Record>,
    #[cfg(feature = "model")]
    loaded: std::cell::OnceCell<LocalModel>,
}

impl JudgeArguments {
    /// The model, where one was given. With bounds, which are of likelihoods unless a reading is named too, it judges by
    /// these and not by what the catalog beside it says.
    pub fn open(&self, bounds: Option<Judge>) -> anyhow::Result<Option<Remembering>> {
        let Some(path) = self.model.as_deref() else { return Ok(None) };
        let mut model = self.open_at(path, bounds.is_some())?;
        if let Some(bounds) = bounds {
            model.bounded(bounds);
        }
        Ok(Some(model))
    }

    fn open_at(&self, path: &Path, bounded: bool) -> anyhow::Result<Remembering> {
        let memory = memory(path, self.cache.as_deref(), "jsonl")?;
        let at = || format!("opening {}", memory.display());
        let known = std::fs::read_to_string(&memory).unwrap_or_default();
        let known = known.lines().filter_map(|line| serde_json::from_str::<(u64, Vec<f64>)>(line).ok()).collect();
        let file = OpenOptions::new().create(true).append(true).open(&memory).with_context(at)?;
        #[cfg(feature = "model")]
        let record = self.record(path, bounded)?;
        #[cfg(feature = "model")]
        let judge = record.as_ref().map_or(UNKNOWN, |record| record.judge);
        // Bounds stand in for what a record says, and without models there is none.
        #[cfg(not(feature = "model"))]
        let (judge, _) = (UNKNOWN, bounded);
        Ok(Remembering {
            abilities: Abilities {
                name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                judge: Some(judge),
                ..Abilities::default()
            },
            known: RefCell::new(known),
            memory: RefCell::new(file),
            source: Source {
                path: path.to_path_buf(),
                #[cfg(feature = "model")]
                threads: self.threads,
                #[cfg(feature = "model")]
                record,
                #[cfg(feature = "model")]
                loaded: std::cell::OnceCell::new(),
            },
            asked: Cell::new(0),
        })
    }
}

#[cfg(feature = "model")]
impl JudgeArguments {
    /// What the model at `path` judges by, where not by likelihoods, with its measure.
    fn record(&self, path: &Path, bounded: bool) -> anyhow::Result<Option<Record>> {
        match &self.reading {
            _ if self.likelihoods => Ok(None),
            None if bounded => Ok(None),
            None => Ok(Record::of_file(path, None).filter(|record| record.reading.is_some())),
            Some(file) => {
                let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
                let told = serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
                Ok(Some(Record::of_reading(&told).with_context(|| format!("{} holds no reading", file.display()))?))
            }
        }
    }
}

/// The model at `path`, for prompts of [`CONTEXT`] tokens.
#[cfg(feature = "model")]
pub fn load(path: &Path, threads: Option<u16>) -> Result<LocalModel, ModelError> {
    use crate::local_model::ModelFile;
    let going_on = &mut |_, _| ControlFlow::Continue(());
    let threads = threads.map_or_else(processors, usize::from);
    let loaded = ModelFile::look(path).and_then(|file| file.load(CONTEXT, threads, Abilities::default(), going_on));
    let loaded = loaded.map_err(|error| ModelError::Failed(error.to_string()))?;
    Ok(loaded.expect("nothing stopped it"))
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

impl Remembering {
    /// The record that came with the model's reading, where it has one.
    pub(super) fn record(&self) -> Option<Judge> {
        #[cfg(feature = "model")]
        return self.source.record.as_ref().map(|record| record.judge);
        #[cfg(not(feature = "model"))]
        None
    }

    /// By what it judges, for a report.
    pub(super) fn judges_by_name(&self) -> &'static str {
        if self.record().is_some() { "reading" } else { "likelihoods" }
    }
}

impl Source {
    #[cfg(feature = "model")]
    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        self.model()?.score(prompt, continuations).await
    }

    #[cfg(feature = "model")]
    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        self.model()?.judge(prompt, answers).await
    }

    #[cfg(feature = "model")]
    fn model(&self) -> Result<&LocalModel, ModelError> {
        if let Some(model) = self.loaded.get() {
            return Ok(model);
        }
        let model = load(&self.path, self.threads)?.reading(self.reading().cloned());
        Ok(self.loaded.get_or_init(|| model))
    }

    #[cfg(feature = "model")]
    fn reading(&self) -> Option<&Reading> {
        self.record.as_ref()?.reading.as_ref()
    }

    /// What the model judges by, for a memory: another reading says other things.
    #[cfg(feature = "model")]
    fn judges_by(&self) -> Option<String> {
        self.reading().map(|reading| format!("{reading:?}"))
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
        Err(does_not_write())
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let key = key(prompt, continuations);
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

    #[cfg(feature = "model")]
    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        let Some(by) = self.source.judges_by() else { return Ok(log_odds(&self.score(prompt, &answers).await?)) };
        let key = key(prompt, &[&by]);
        if let Some([leaning]) = self.known.borrow().get(&key).map(Vec::as_slice) {
            return Ok(*leaning);
        }
        let leaning = self.source.judge(prompt, answers).await?;
        self.asked.set(self.asked.get() + 1);
        // A memory that can't be written costs time, not the answer.
        let _ = writeln!(self.memory.borrow_mut(), "[{key},[{leaning}]]");
        self.known.borrow_mut().insert(key, vec![leaning]);
        Ok(leaning)
    }
}

/// The file in which is kept what the model at `path` once said, in `folder` or in the user's cache.
pub fn memory(path: &Path, folder: Option<&Path>, kind: &str) -> anyhow::Result<PathBuf> {
    let bytes = std::fs::metadata(path).with_context(|| format!("reading {}", path.display()))?.len();
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = || std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default();
    let folder = folder.map_or_else(|| cache().join("seealso").join("scores"), Path::to_owned);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(folder.join(format!("{name}-{bytes}.{kind}")))
}

/// Under what the answer to a prompt is remembered.
pub fn key(prompt: &Prompt, how: &[&str]) -> u64 {
    let texts: Vec<&str> = prompt.texts().chain(how.iter().copied()).collect();
    hash(texts.join("\u{1}").as_bytes())
}

/// What a model says that is there to judge.
pub fn does_not_write() -> ModelError {
    ModelError::Failed("this model judges, and does not write".to_owned())
}

/// Weighs a claim by the evidence of `line`.
pub async fn weighed<M: Model>(claim: &str, line: &Line, model: Option<&M>) -> anyhow::Result<Weighed> {
    let evidence = match line.is_whole() {
        true => Evidence::of_text("", &line.evidence, Analysis::English),
        false => Evidence::of_excerpt("", &line.evidence, Analysis::English),
    };
    let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
    Ok(weigh(claim, &evidence, model).await?)
}

/// Reads a model's bounds: the log-odds from which it supports, a comma, and those below which it rejects; and after another
/// comma its AUC, by which its voice counts in a verdict.
pub fn bounds(text: &str) -> Result<Judge, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let (supports, rejects, auc) = match numbers.as_deref() {
        Some(&[supports, rejects]) => (supports, rejects, UNKNOWN.auc),
        Some(&[supports, rejects, auc]) => (supports, rejects, auc),
        _ => return Err(format!("{text} is not two or three numbers with commas between")),
    };
    match supports >= rejects && (0.0..=1.0).contains(&auc) {
        true => Ok(Judge { auc, supports, rejects }),
        false => Err(format!("{text}: the first must not be less than the second, and the third is from 0 to 1")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_two_numbers() {
        assert_eq!(bounds("-0.96,-1.59"), Ok(Judge { auc: 0.5, supports: -0.96, rejects: -1.59 }));
        assert_eq!(bounds("1, 1").map(|judge| judge.rejects), Ok(1.0));
        assert_eq!(bounds("2,1,0.75").map(|judge| judge.auc), Ok(0.75));
        for wrong in ["", "1", "1,", "-1.59,-0.96", "NaN,0", "1,2,3", "3,2,1.5", "3,2,1,0"] {
            assert!(bounds(wrong).is_err(), "{wrong}");
        }
    }
}
