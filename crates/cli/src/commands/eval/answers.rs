//! `seealso eval answers`: measures whole answers, from the question to the text that stands.
//!
//! With a model, each question is deliberated on as by `ask`; without one, the quoted answers are measured. The model's output
//! is cached on disk ([`cached_model`]), so that an evaluation that was stopped continues, and one of changed checks is quick.

mod model_source;
mod cached_model;
mod missing_gold;
mod observation;
mod survival;
mod figures;
mod report;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{AskOptions, Judge, Model as _, ModelError, Roles, Step, Tier, ask, deliberate};
use serde::Deserialize;
use serde_json::json;

pub use self::cached_model::CachedModel;
use self::figures::Figures;
use self::model_source::ModelSource;
use self::observation::{AnswerObservation, DeliberationOutcome, Timing};
pub use self::survival::{share as share_of_words, words};
use super::claim_judge::parse_bounds;
use super::markdown;
use super::required_facts::RequiredFacts;
use crate::deliberation::{ModelArguments, context_tokens};
use crate::exit::{CommandResult, Completion};
use crate::node_client::NodeArguments;
use crate::source::{FolderLibrary, SystemClock, block_on, open_library};
use crate::stop_flag::StopFlag;
use crate::style::{ProgressLine, print_warning, say};

/// Measure whole answers on a file of questions: JSON Lines with question and, where known, id, gold, kind and must_say.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("who").args(["model", "node"]).multiple(true))]
pub(crate) struct Arguments {
    /// The questions. An empty `gold`, or the kind `unanswerable`, marks one that the packs do not answer.
    file: PathBuf,
    #[command(flatten)]
    packs: super::super::PackArguments,
    #[command(flatten)]
    with: ModelArguments,
    #[command(flatten)]
    node: NodeArguments,
    #[command(flatten)]
    bounds: BoundsArguments,
    /// The folder in which the model's output is cached.
    #[arg(long, value_name = "DIR", requires = "who")]
    cache: Option<PathBuf>,
    /// Write a report in markdown: the figures, and each answer with its draft and the claims that were flagged.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the figures and each answer as JSON.
    #[arg(long)]
    json: bool,
}

/// The bounds of a model's verdicts, for a model without a catalog beside its file.
#[derive(Args)]
pub struct BoundsArguments {
    /// Let the model judge claims with these bounds: log-odds from which it supports, and below which it rejects. Its AUC (0.5
    /// by default) is its weight beside the checks and shared words.
    #[arg(long, value_name = "SUPPORTS,REJECTS[,AUC]", value_parser = parse_bounds, allow_hyphen_values = true, requires = "model")]
    bounds: Option<Judge>,
}

impl BoundsArguments {
    /// The bounds, where they are given.
    pub fn judge(&self) -> Option<Judge> {
        self.bounds
    }
}

/// One line of the file.
#[derive(Debug, Clone, Deserialize)]
struct AnswerCase {
    #[serde(default)]
    id: String,
    question: String,
    /// The pages that answer it; none where they are not known.
    gold: Option<Vec<String>>,
    #[serde(default = "super::single")]
    kind: String,
    /// The facts that an answer must state: for each a string, or alternatives separated by `|`.
    #[serde(default)]
    must_say: Vec<String>,
    /// `must_say`, ready to be looked for.
    #[serde(skip)]
    required: RequiredFacts,
}

impl AnswerCase {
    /// Whether the packs have no answer to it.
    fn is_unanswerable(&self) -> bool {
        self.kind == "unanswerable" || self.gold.as_ref().is_some_and(Vec::is_empty)
    }

    /// The pages that answer it; empty where they are not known, and for a question without an answer.
    fn known_gold(&self) -> &[String] {
        self.gold.as_deref().unwrap_or_default()
    }
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let text = std::fs::read_to_string(&arguments.file);
    let text = text.with_context(|| format!("reading {}", arguments.file.display()))?;
    let cases = parse_cases(&text).with_context(|| arguments.file.display().to_string())?;
    anyhow::ensure!(!cases.is_empty(), "{} holds no question", arguments.file.display());
    let stop = StopFlag::on_interrupt();
    let (model, observations) = block_on(async {
        let model = arguments.open().await?;
        let library = open_library(&arguments.packs.packs, arguments.packs.config()).await?;
        if let Some(missing) = missing_gold::describe(&library, &cases).await? {
            print_warning(&missing);
        }
        let mut observations = Vec::with_capacity(cases.len());
        let progress = ProgressLine::on_stderr();
        for (at, case) in cases.iter().enumerate() {
            let place = format!("question {} of {}", at + 1, cases.len());
            let mut on_progress = |doing: &str| {
                progress.show(&format!("{place}{doing}"));
                if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let observed = arguments.observe(&library, model.as_ref(), case, &mut on_progress).await;
            let Some(observation) = observed.with_context(|| case.id.clone())? else { break };
            observations.push(observation);
        }
        anyhow::Ok((model, observations))
    })??;
    if observations.len() < cases.len() {
        anstream::eprintln!("Stopped after {} of {} questions.", observations.len(), cases.len());
        return Ok(Completion::Interrupted);
    }
    let name = model.as_ref().map(|model| model.abilities().name.clone());
    arguments.report(name.as_deref(), &observations)?;
    Ok(Completion::Success)
}

/// The questions of a file; the id of one without is its line.
fn parse_cases(text: &str) -> anyhow::Result<Vec<AnswerCase>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| {
        let mut case: AnswerCase = serde_json::from_str(line).with_context(|| format!("line {}", at + 1))?;
        if case.id.is_empty() {
            case.id = format!("line {}", at + 1);
        }
        case.required = RequiredFacts::of(&case.must_say).with_context(|| format!("line {}", at + 1))?;
        Ok(case)
    });
    parsed.collect()
}

impl Arguments {
    /// The model, where one is named.
    async fn open(&self) -> anyhow::Result<Option<CachedModel>> {
        let (cache, bounds) = (self.cache.as_deref(), self.bounds.judge());
        Ok(Some(match (&self.with.model, self.node.consented()?) {
            (Some(path), _) => CachedModel::of_file(path, self.with.threads, self.context(), cache, bounds)?,
            (None, Some(node)) => {
                CachedModel::new(ModelSource::Node(Box::new(node.connect().await?)), cache)?.with_bounds(bounds)
            }
            (None, None) => return Ok(None),
        }))
    }

    fn tier(&self) -> Tier {
        self.packs.tier(self.with.model.as_deref())
    }

    fn context(&self) -> usize {
        context_tokens(&self.with.config(self.tier()))
    }

    /// Answers a question and observes the answer; none where it was stopped.
    async fn observe(
        &self,
        library: &FolderLibrary,
        model: Option<&CachedModel>,
        case: &AnswerCase,
        on_progress: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> anyhow::Result<Option<AnswerObservation>> {
        let (answer, manifest) = ask(library, &case.question, AskOptions::default()).await?;
        if on_progress("").is_break() {
            return Ok(None);
        }
        let Some(model) = model.filter(|_| !answer.is_empty()) else {
            return Ok(Some(AnswerObservation::of_quoted(case, &answer, &manifest).await?));
        };
        let (roles, config) = (Roles::all(model), self.with.config(self.tier()));
        let mut on_step = |step: Step<'_>| on_progress(&step_name(&step));
        let clock = SystemClock::start();
        let done = deliberate(&roles, &answer, &manifest, &config, &clock, &mut on_step).await;
        let cached_ms = model.take_cached_ms();
        let outcome = match &done {
            Ok(done) => DeliberationOutcome::Done(done, Timing { cached_ms }),
            Err(ModelError::Stopped) => return Ok(None),
            Err(error) => DeliberationOutcome::Failed(error.to_string()),
        };
        Ok(Some(AnswerObservation::of_deliberated(case, &answer, &manifest, outcome).await?))
    }

    fn report(&self, model: Option<&str>, observations: &[AnswerObservation]) -> anyhow::Result<()> {
        let figures = Figures::of_kinds(observations);
        if let Some(path) = &self.report {
            markdown::write(path, &report::page(&markdown::title(&self.file), model, &figures, observations))?;
        }
        if self.json {
            let mut report = serde_json::to_value(&figures[0].1)?;
            // `model` has the figures of the model over all questions.
            report["model_name"] = json!(model);
            report["kinds"] = figures[1..].iter().map(|(kind, figures)| (kind.clone(), json!(figures))).collect();
            report["answers"] = observations.iter().map(AnswerObservation::as_json).collect();
            say!("{}", serde_json::to_string_pretty(&report)?);
        } else {
            figures::print(&figures);
        }
        Ok(())
    }
}

/// A step's name, for the progress line.
fn step_name(step: &Step<'_>) -> String {
    match step {
        Step::Stage(progress) => format!(", {}", progress.stage),
        Step::Generation(role, _) => format!(", {} at work", role.name()),
        Step::Judging { role, done, total } => format!(", {} checks claim {} of {total}", role.name(), done + 1),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_case_needs_only_a_question() {
        let cases = parse_cases("{\"question\": \"What?\"}\n\n{\"id\": \"b\", \"question\": \"Who?\", \"gold\": []}\n")
            .unwrap();
        let found: Vec<(&str, &str, bool)> =
            cases.iter().map(|case| (case.id.as_str(), case.kind.as_str(), case.is_unanswerable())).collect();
        assert_eq!(found, [("line 1", "single", false), ("b", "single", true)]);
        assert_eq!(parse_cases("{}").unwrap_err().to_string(), "line 1");
    }
}
