//! A model that judges claims, with a cache on disk: a judgement that was made once is not computed again, so that an
//! evaluation that takes an hour continues where it was stopped.

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
use seealso::{
    Abilities, Claim, Evidence, Generation, GenerationEvent, GenerationRequest, Judge, Model, ModelError, Prompt,
    ScoredJudgement, score_claim,
};
use seealso_index::Analysis;
#[cfg(feature = "model")]
use seealso_model::Probe;

use super::claim_file::ClaimLine;
use super::model_cache::{cache_key, cache_path};
#[cfg(feature = "model")]
use crate::judge_record::JudgeRecord;
#[cfg(feature = "model")]
use crate::local_model::LocalModel;

/// The model that judges.
#[derive(Args)]
pub struct JudgeArguments {
    /// Ask the model in this GGUF file too.
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The threads that the model runs on; by default as many as there are processors.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The folder in which the model's judgements are cached.
    #[arg(long, value_name = "DIR", requires = "model")]
    cache: Option<PathBuf>,
    /// Judge by the probe in this file, as `seealso-lab probe` writes it, instead of the one in the catalog beside the model.
    #[cfg(feature = "model")]
    #[arg(long, alias = "reading", value_name = "FILE", requires = "model", conflicts_with = "likelihoods")]
    probe: Option<PathBuf>,
    /// Judge by the likelihoods of "Yes" and "No", even where there is a probe.
    #[cfg(feature = "model")]
    #[arg(long, requires = "model")]
    likelihoods: bool,
}

/// Bounds of a model of which nothing is known.
const UNKNOWN: Judge = Judge { auc: 0.5, supports: 1.0, rejects: -1.0 };
/// The longest prompt, in tokens.
#[cfg(feature = "model")]
const PROMPT_TOKENS: usize = 2048;

/// A judge with its cache. The model is loaded at the first prompt that the cache does not have.
pub struct ClaimJudge {
    abilities: Abilities,
    known: RefCell<HashMap<u64, Vec<f64>>>,
    cache: RefCell<File>,
    source: JudgeModel,
    /// How many judgements the cache did not have.
    computed: Cell<usize>,
}

/// The model that judges what the cache does not have.
struct JudgeModel {
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models only the cache answers"))]
    path: PathBuf,
    #[cfg(feature = "model")]
    threads: Option<u16>,
    #[cfg(feature = "model")]
    record: Option<JudgeRecord>,
    #[cfg(feature = "model")]
    loaded: std::cell::OnceCell<LocalModel>,
}

impl JudgeArguments {
    /// The judge, where a model is named. Bounds that are given stand in for those of the catalog beside the model. They are
    /// bounds of likelihoods, unless a probe is named too.
    ///
    /// # Errors
    /// A model, a probe or a cache that can't be read.
    pub fn open(&self, bounds: Option<Judge>) -> anyhow::Result<Option<ClaimJudge>> {
        let Some(path) = self.model.as_deref() else { return Ok(None) };
        let mut model = self.open_at(path, bounds.is_some())?;
        if let Some(bounds) = bounds {
            model.set_bounds(bounds);
        }
        Ok(Some(model))
    }

    fn open_at(&self, path: &Path, has_bounds: bool) -> anyhow::Result<ClaimJudge> {
        let cache = cache_path(path, self.cache.as_deref(), "jsonl")?;
        let known = std::fs::read_to_string(&cache).unwrap_or_default();
        let known = known.lines().filter_map(|line| serde_json::from_str::<(u64, Vec<f64>)>(line).ok()).collect();
        let file = OpenOptions::new().create(true).append(true).open(&cache);
        let file = file.with_context(|| format!("opening {}", cache.display()))?;
        #[cfg(feature = "model")]
        let record = self.record(path, has_bounds)?;
        #[cfg(feature = "model")]
        let judge = record.as_ref().map_or(UNKNOWN, |record| record.judge);
        // Without models there is no record, so bounds have nothing to replace.
        #[cfg(not(feature = "model"))]
        let (judge, _) = (UNKNOWN, has_bounds);
        Ok(ClaimJudge {
            abilities: Abilities {
                name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
                judge: Some(judge),
                ..Abilities::default()
            },
            known: RefCell::new(known),
            cache: RefCell::new(file),
            source: JudgeModel {
                path: path.to_path_buf(),
                #[cfg(feature = "model")]
                threads: self.threads,
                #[cfg(feature = "model")]
                record,
                #[cfg(feature = "model")]
                loaded: std::cell::OnceCell::new(),
            },
            computed: Cell::new(0),
        })
    }

    /// The probe that the model at `path` judges by, with its measure; none where it judges by likelihoods.
    #[cfg(feature = "model")]
    fn record(&self, path: &Path, has_bounds: bool) -> anyhow::Result<Option<JudgeRecord>> {
        match &self.probe {
            _ if self.likelihoods => Ok(None),
            None if has_bounds => Ok(None),
            None => Ok(JudgeRecord::of_file(path, None).filter(|record| record.probe.is_some())),
            Some(file) => {
                let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
                let record = serde_json::from_str(&text).with_context(|| format!("reading {}", file.display()))?;
                let no_probe = || format!("{} holds no probe", file.display());
                Ok(Some(JudgeRecord::from_probe_json(&record).with_context(no_probe)?))
            }
        }
    }
}

/// The model at `path`, for prompts of 2048 tokens.
///
/// # Errors
/// A model that can't be used.
#[cfg(feature = "model")]
pub fn load_judge(path: &Path, threads: Option<u16>) -> Result<LocalModel, ModelError> {
    use crate::local_model::ModelFile;
    use crate::model_file::thread_count;
    let on_progress = &mut |_, _| ControlFlow::Continue(());
    let loaded = ModelFile::open(path)
        .and_then(|file| file.load(PROMPT_TOKENS, thread_count(threads), Abilities::default(), on_progress));
    let loaded = loaded.map_err(|error| ModelError::Failed(error.to_string()))?;
    Ok(loaded.expect("nothing stopped it"))
}

impl ClaimJudge {
    /// Replaces the model's bounds.
    pub(super) fn set_bounds(&mut self, judge: Judge) {
        self.abilities.judge = Some(judge);
    }

    /// The measure and bounds that came with the model's probe, where it has one.
    pub(super) fn measured(&self) -> Option<Judge> {
        #[cfg(feature = "model")]
        return self.source.record.as_ref().map(|record| record.judge);
        #[cfg(not(feature = "model"))]
        None
    }

    /// How the model judges, as reports name it: by its probe, which they call a reading, or by likelihoods.
    pub(super) fn method_name(&self) -> &'static str {
        if self.measured().is_some() { "reading" } else { "likelihoods" }
    }

    /// Keeps what was computed for a prompt. A cache that can't be written costs time, not the judgement.
    fn keep(&self, key: u64, numbers: &[f64]) {
        self.computed.set(self.computed.get() + 1);
        let _ = writeln!(self.cache.borrow_mut(), "[{key},{}]", serde_json::to_string(numbers).unwrap_or_default());
        self.known.borrow_mut().insert(key, numbers.to_vec());
    }
}

#[cfg(feature = "model")]
impl JudgeModel {
    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        self.model()?.score(prompt, continuations).await
    }

    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        self.model()?.judge(prompt, answers).await
    }

    fn model(&self) -> Result<&LocalModel, ModelError> {
        if let Some(model) = self.loaded.get() {
            return Ok(model);
        }
        let model = load_judge(&self.path, self.threads)?.with_probe(self.probe().cloned());
        Ok(self.loaded.get_or_init(|| model))
    }

    fn probe(&self) -> Option<&Probe> {
        self.record.as_ref()?.probe.as_ref()
    }

    /// What tells the probe from others in a cache.
    fn probe_key(&self) -> Option<String> {
        self.probe().map(|probe| format!("{probe:?}"))
    }
}

#[cfg(not(feature = "model"))]
impl JudgeModel {
    async fn score(&self, _: &Prompt, _: &[&str]) -> Result<Vec<f64>, ModelError> {
        let reason = "this seealso was built without models, and remembers no answer to this prompt";
        Err(ModelError::Failed(reason.to_owned()))
    }
}

impl Model for ClaimJudge {
    fn abilities(&self) -> &Abilities {
        &self.abilities
    }

    async fn write(
        &self,
        _: &GenerationRequest,
        _: &mut dyn FnMut(GenerationEvent<'_>) -> ControlFlow<()>,
    ) -> Result<Generation, ModelError> {
        Err(cannot_write())
    }

    async fn score(&self, prompt: &Prompt, continuations: &[&str]) -> Result<Vec<f64>, ModelError> {
        let key = cache_key(prompt, continuations);
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let scores = self.source.score(prompt, continuations).await?;
        self.keep(key, &scores);
        Ok(scores)
    }

    #[cfg(feature = "model")]
    async fn judge(&self, prompt: &Prompt, answers: [&str; 2]) -> Result<f64, ModelError> {
        let Some(probe) = self.source.probe_key() else { return Ok(log_odds(&self.score(prompt, &answers).await?)) };
        let key = cache_key(prompt, &[&probe]);
        if let Some([known]) = self.known.borrow().get(&key).map(Vec::as_slice) {
            return Ok(*known);
        }
        let log_odds = self.source.judge(prompt, answers).await?;
        self.keep(key, &[log_odds]);
        Ok(log_odds)
    }
}

/// The error of a model that judges, where it is asked to write.
pub fn cannot_write() -> ModelError {
    ModelError::Failed("this model judges, and does not write".to_owned())
}

/// Checks `claim` against the evidence of `line`.
///
/// # Errors
/// A model that fails.
pub async fn weigh_claim<M: Model>(
    claim: &str,
    line: &ClaimLine,
    model: Option<&M>,
) -> anyhow::Result<ScoredJudgement> {
    let evidence = match line.is_whole() {
        true => Evidence::of_text("", &line.evidence, Analysis::English),
        false => Evidence::of_excerpt("", &line.evidence, Analysis::English),
    };
    let claim = Claim { text: claim.to_owned(), citations: Vec::new(), range: 0..claim.len() };
    Ok(score_claim(claim, &evidence, model).await?)
}

/// Parses a model's bounds: the log-odds from which it supports, a comma, and those below which it rejects; after another
/// comma its AUC, by which the model is weighted in a verdict.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_bounds(text: &str) -> Result<Judge, String> {
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
        assert_eq!(parse_bounds("-0.96,-1.59"), Ok(Judge { auc: 0.5, supports: -0.96, rejects: -1.59 }));
        assert_eq!(parse_bounds("1, 1").map(|judge| judge.rejects), Ok(1.0));
        assert_eq!(parse_bounds("2,1,0.75").map(|judge| judge.auc), Ok(0.75));
        for wrong in ["", "1", "1,", "-1.59,-0.96", "NaN,0", "1,2,3", "3,2,1.5", "3,2,1,0"] {
            assert!(parse_bounds(wrong).is_err(), "{wrong}");
        }
    }
}
