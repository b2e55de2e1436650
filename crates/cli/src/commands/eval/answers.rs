//! `seealso eval answers`: whole answers measured, from the question to what stands.
//!
//! With a model, each question is deliberated on as `ask` does; without one, the quoted answers are measured. What the
//! model says is kept on disk (`memory`), so an evaluation that was stopped goes on, and one of changed checks is quick.

mod figures;
mod missing_gold;
mod cached_model;
mod report;
mod observation;
mod model_source;
mod survival;

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use seealso::{Judge, Model as _, ModelError, Roles, Step, Tier, ask_and_keep, deliberate};
use serde::Deserialize;
use serde_json::json;

pub use self::cached_model::Remembering as AnswerMemory;
use self::figures::Figures;
use self::model_source::Source;
use self::observation::{Deliberated, Seen, Timing};
pub use self::survival::{share as share_of_words, words};
use super::claim_judge::bounds;
use super::markdown as page;
use super::required_facts::Needs;
use crate::deliberation::{ModelArguments, context_tokens};
use crate::exit::{Done, Outcome};
use crate::node_client::NodeArguments;
use crate::source::{FolderLibrary, SystemClock, block_on, open};
use crate::stop_flag::Stop;
use crate::style::{ProgressLine, say, warning};

/// Measure whole answers on a file of questions: JSON Lines with question and, where known, id, gold, kind and must_say.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("who").args(["model", "node"]).multiple(true))]
pub(crate) struct Arguments {
    /// The questions. An empty `gold`, or the kind `unanswerable`, marks one that the packs do not answer.
    file: PathBuf,
    #[command(flatten)]
    packs: super::super::Packs,
    #[command(flatten)]
    with: ModelArguments,
    #[command(flatten)]
    node: NodeArguments,
    #[command(flatten)]
    bounds: Bounds,
    /// Where what the model says is kept.
    #[arg(long, value_name = "DIR", requires = "who")]
    cache: Option<PathBuf>,
    /// Write a page for readers, in markdown: the figures, and each answer with its draft and what was flagged.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the figures and each answer as JSON.
    #[arg(long)]
    json: bool,
}

/// How a model judges, where no catalog beside its file says so.
#[derive(Args)]
pub struct Bounds {
    /// Let the model judge claims with these bounds: log-odds from which it supports, and below which it rejects. Its AUC (0.5
    /// where not given) says how much its voice counts beside gates and words.
    #[arg(long, value_name = "SUPPORTS,REJECTS[,AUC]", value_parser = bounds, allow_hyphen_values = true, requires = "model")]
    bounds: Option<Judge>,
}

impl Bounds {
    /// The judge that they make.
    pub fn judge(&self) -> Option<Judge> {
        self.bounds
    }
}

/// One line of the file.
#[derive(Debug, Clone, Deserialize)]
struct Asked {
    #[serde(default)]
    id: String,
    question: String,
    /// The pages that answer it; none where nobody said.
    gold: Option<Vec<String>>,
    #[serde(default = "super::single")]
    kind: String,
    /// What an answer must say: for each fact a string, or alternatives separated by `|`.
    #[serde(default)]
    must_say: Vec<String>,
    /// The same, ready to be looked for.
    #[serde(skip)]
    needs: Needs,
}

impl Asked {
    /// Whether the packs do not answer it.
    fn is_unanswerable(&self) -> bool {
        self.kind == "unanswerable" || self.gold.as_ref().is_some_and(Vec::is_empty)
    }

    /// The pages that answer it, where it has an answer and these are known.
    fn known_gold(&self) -> &[String] {
        self.gold.as_deref().unwrap_or_default()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let text = std::fs::read_to_string(&arguments.file);
    let text = text.with_context(|| format!("reading {}", arguments.file.display()))?;
    let asked = questions(&text).with_context(|| arguments.file.display().to_string())?;
    anyhow::ensure!(!asked.is_empty(), "{} holds no question", arguments.file.display());
    let stop = Stop::on_interrupt();
    let (model, seen) = block_on(async {
        let model = arguments.open().await?;
        let library = open(&arguments.packs.packs, arguments.packs.config()).await?;
        if let Some(missing) = missing_gold::missing(&library, &asked).await? {
            warning(&missing);
        }
        let mut seen = Vec::with_capacity(asked.len());
        let progress = ProgressLine::new();
        for (at, question) in asked.iter().enumerate() {
            let place = format!("question {} of {}", at + 1, asked.len());
            let mut watch = |doing: &str| {
                progress.say(&format!("{place}{doing}"));
                if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let looked = arguments.look(&library, model.as_ref(), question, &mut watch).await;
            let Some(one) = looked.with_context(|| question.id.clone())? else { break };
            seen.push(one);
        }
        anyhow::Ok((model, seen))
    })??;
    if seen.len() < asked.len() {
        anstream::eprintln!("Stopped after {} of {} questions.", seen.len(), asked.len());
        return Ok(Done::Stopped);
    }
    let name = model.as_ref().map(|model| model.abilities().name.clone());
    arguments.tell(name.as_deref(), &seen)?;
    Ok(Done::Well)
}

/// The questions of a file; one without an id is called by its line.
fn questions(text: &str) -> anyhow::Result<Vec<Asked>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let parsed = lines.map(|(at, line)| {
        let mut asked: Asked = serde_json::from_str(line).with_context(|| format!("line {}", at + 1))?;
        if asked.id.is_empty() {
            asked.id = format!("line {}", at + 1);
        }
        asked.needs = Needs::of(&asked.must_say).with_context(|| format!("line {}", at + 1))?;
        Ok(asked)
    });
    parsed.collect()
}

impl Arguments {
    /// The model, where one is named.
    async fn open(&self) -> anyhow::Result<Option<AnswerMemory>> {
        let (cache, bounds) = (self.cache.as_deref(), self.bounds.judge());
        Ok(Some(match (&self.with.model, self.node.agreed()?) {
            (Some(path), _) => AnswerMemory::of_file(path, self.with.threads, self.context(), cache, bounds)?,
            (None, Some(node)) => {
                AnswerMemory::new(Source::Node(Box::new(node.connect().await?)), cache)?.judging(bounds)
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

    /// What came of a question; none where it was stopped.
    async fn look(
        &self,
        library: &FolderLibrary,
        model: Option<&AnswerMemory>,
        asked: &Asked,
        watch: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> anyhow::Result<Option<Seen>> {
        let filter = library.config.filter.clone();
        let (answer, manifest) = ask_and_keep(library, &asked.question, filter, &mut |_| {}).await?;
        if watch("").is_break() {
            return Ok(None);
        }
        let Some(model) = model.filter(|_| !answer.is_empty()) else {
            return Ok(Some(Seen::of_quoted(asked, &answer, &manifest).await?));
        };
        let (roles, config) = (Roles::all(model), self.with.config(self.tier()));
        let mut hear = |step: Step<'_>| watch(&doing(&step));
        let clock = SystemClock::new();
        let done = deliberate(&roles, &answer, &manifest, &config, &clock, &mut hear).await;
        let remembered_ms = model.take_remembered_ms();
        let deliberated = match &done {
            Ok(done) => Deliberated::Done(done, Timing { remembered_ms }),
            Err(ModelError::Stopped) => return Ok(None),
            Err(error) => Deliberated::Failed(error.to_string()),
        };
        Ok(Some(Seen::of_deliberated(asked, &answer, &manifest, deliberated).await?))
    }

    fn tell(&self, model: Option<&str>, seen: &[Seen]) -> anyhow::Result<()> {
        let figures = Figures::of_kinds(seen);
        if let Some(path) = &self.report {
            page::write(path, &report::page(&page::title(&self.file), model, &figures, seen))?;
        }
        if self.json {
            let mut told = serde_json::to_value(&figures[0].1)?;
            // `model` is what the model did, over all questions.
            told["model_name"] = json!(model);
            told["kinds"] = figures[1..].iter().map(|(kind, figures)| (kind.clone(), json!(figures))).collect();
            told["answers"] = seen.iter().map(Seen::as_json).collect();
            say!("{}", serde_json::to_string_pretty(&told)?);
        } else {
            figures::print(&figures);
        }
        Ok(())
    }
}

/// What is going on, for the progress line.
fn doing(step: &Step<'_>) -> String {
    match step {
        Step::Stage(progress) => format!(", {}", progress.stage),
        Step::Wrote(role, _) => format!(", {} at work", role.name()),
        Step::Judging { role, done, total } => format!(", {} checks claim {} of {total}", role.name(), done + 1),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn questions_need_only_their_words() {
        let asked =
            questions("{\"question\": \"What?\"}\n\n{\"id\": \"b\", \"question\": \"Who?\", \"gold\": []}\n").unwrap();
        let told: Vec<(&str, &str, bool)> =
            asked.iter().map(|asked| (asked.id.as_str(), asked.kind.as_str(), asked.is_unanswerable())).collect();
        assert_eq!(told, [("line 1", "single", false), ("b", "single", true)]);
        assert_eq!(questions("{}").unwrap_err().to_string(), "line 1");
    }
}
