//! `seealso ask`: answers a question, with sources.

use clap::Args;
use seealso::{Answer, Manifest, Notice, ProgressState, StageReport, cited_text};
use serde_json::Value;

use crate::answer_json::AnswerJson;
use crate::deliberation::{self, AskRequest, DeliberationTask, ModelArguments, PreparedModels, deliberate};
use crate::exit::{CommandResult, Completion};
use crate::node_client::NodeArguments;
use crate::source::{block_on, open_library};
use crate::stages::StageArguments;
use crate::stop_flag::StopFlag;
use crate::style::{FAINT, LINK, ProgressLine, STRONG, printable, say};

/// Answer a question from the packs, each sentence with its source; with --model or --node, a model's checked answer comes after.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("who").args(["model", "node"]).multiple(true))]
pub(crate) struct Arguments {
    /// The question.
    question: String,
    #[command(flatten)]
    packs: super::PackArguments,
    #[command(flatten)]
    filter: super::FilterArguments,
    #[command(flatten)]
    stages: StageArguments,
    #[command(flatten)]
    with: ModelArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// Print the whole answer, its sources, its trace and the deliberation as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether a model answers after the quoted answer.
    fn deliberates(&self) -> bool {
        self.with.model.is_some() || self.node.node.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let stop = arguments.deliberates().then(StopFlag::on_interrupt).unwrap_or_default();
    let with = &arguments.with;
    let tier = arguments.packs.tier(with.model.as_deref().filter(|_| arguments.node.node.is_none()));
    let (answer, manifest, report, prepared) = block_on(async {
        let library = open_library(&arguments.packs.packs, arguments.packs.config()).await?;
        let filter = arguments.filter.resolve(&library).await?;
        let stages = arguments.stages.open(&library).await?;
        let prepared = PreparedModels::of(with, &arguments.node, tier, &stop, arguments.json);
        let progress = ProgressLine::on_stderr();
        let mut on_progress = |step: seealso::Progress| {
            if step.state == ProgressState::Start {
                progress.show(step.stage);
            }
        };
        let question = &arguments.question;
        let on_progress = &mut on_progress;
        let request = AskRequest { library: &library, question, filter, on_progress, stop: &stop, stages: &stages };
        let (answer, manifest) = prepared.ask(request).await?;
        anyhow::Ok((answer, manifest, stages.report(), prepared))
    })??;
    let deliberation = match arguments.json {
        true => print_json(arguments, (&answer, &manifest, report.as_ref()), prepared, &stop)?,
        false => {
            print(&answer);
            print_stages(report.as_ref());
            deliberate_on(arguments, &answer, &manifest, prepared, &stop)?
        }
    };
    Ok(match deliberation {
        Some(outcome) if outcome.done.is_none() && outcome.failed.is_none() => Completion::Interrupted,
        _ if answer.is_empty() => Completion::NoAnswer,
        _ => Completion::Success,
    })
}

/// Deliberates on the answer, if there is a model, and an answer to draft from.
fn deliberate_on(
    arguments: &Arguments,
    answer: &Answer,
    manifest: &Manifest,
    mut prepared: PreparedModels,
    stop: &StopFlag,
) -> anyhow::Result<Option<deliberation::DeliberationResult>> {
    if answer.is_empty() || !arguments.deliberates() {
        return Ok(None);
    }
    let node = prepared.node.take().unwrap_or_else(|| arguments.node.consented())?;
    let file = arguments.with.model.as_deref();
    let (tier, quiet) = (arguments.packs.tier(file.filter(|_| node.is_none())), arguments.json);
    let task = DeliberationTask { file, arguments: &arguments.with, answer, manifest, tier, stop, quiet };
    Ok(Some(block_on(deliberate(&task, node, prepared))??))
}

/// Prints the answer with its deliberation, which is null where there is none. The answer is printed even if the model can't
/// be used.
fn print_json(
    arguments: &Arguments,
    (answer, manifest, report): (&Answer, &Manifest, Option<&StageReport>),
    prepared: PreparedModels,
    stop: &StopFlag,
) -> anyhow::Result<Option<deliberation::DeliberationResult>> {
    let outcome = deliberate_on(arguments, answer, manifest, prepared, stop);
    let mut value = serde_json::to_value(AnswerJson::of(answer, manifest, report))?;
    if arguments.deliberates() {
        value["deliberation"] =
            outcome.as_ref().ok().and_then(Option::as_ref).map_or(Value::Null, deliberation::as_json);
    }
    say!("{}", serde_json::to_string_pretty(&value)?);
    outcome
}

fn print(answer: &Answer) {
    if answer.is_empty() {
        say!("{}", answer.text());
    }
    for (number, sub_query) in answer.sub_queries.iter().enumerate() {
        let own: Vec<_> = answer.passages().filter(|passage| passage[0].sub_query == number).collect();
        if answer.sub_queries.len() > 1 && !answer.is_empty() {
            say!("{STRONG}{}{STRONG:#}", printable(&sub_query.text));
        }
        for passage in &own {
            let text = cited_text(passage).lines().map(printable).collect::<Vec<_>>().join("\n");
            let citation = format!("[{}]", passage[0].source);
            let (before, behind) = text.rsplit_once(&citation).unwrap_or((&text, ""));
            say!("{before}{LINK}{citation}{LINK:#}{behind}");
        }
        if own.is_empty() && !answer.is_empty() {
            say!("The pages that were read do not answer this part.");
        }
        say!("");
    }
    for (at, source) in answer.sources.iter().enumerate().filter(|(_, source)| source.cited) {
        let place = site_place_of(answer, at).unwrap_or_else(|| source.path.clone());
        say!("{LINK}[{}]{LINK:#} {}  {FAINT}{}{FAINT:#}", at + 1, printable(&source.title), printable(&place));
    }
    print_notices(answer);
}

/// Prints by which stages the pages were found.
fn print_stages(report: Option<&StageReport>) {
    if let Some(report) = report.filter(|report| !report.used.is_empty()) {
        anstream::eprintln!("{FAINT}Found by {} ({}).{FAINT:#}", report.used.join(", "), report.query_type.name());
    }
}

/// Where on its site the source at that place is cited: the page, and the first cited section of it.
fn site_place_of(answer: &Answer, at: usize) -> Option<String> {
    let url = answer.sources.get(at).map(|source| source.site_url.as_str()).filter(|url| !url.is_empty())?;
    let cited = answer.sentences.iter().find(|sentence| sentence.source == at + 1 && !sentence.anchor.is_empty());
    let page = url.split('#').next().unwrap_or(url);
    Some(cited.map_or_else(|| url.to_owned(), |sentence| format!("{page}#{}", sentence.anchor)))
}

/// Prints notices. Where no page at all could be read, the first lost page stands for all.
fn print_notices(answer: &Answer) {
    let lost = |notice: &&Notice| notice.code == "page-lost";
    let nothing_read = answer.sources.is_empty() && answer.notices.iter().any(|notice| lost(&notice));
    let others = answer.notices.iter().filter(|notice| !lost(notice));
    let lost = answer.notices.iter().filter(lost).take(if nothing_read { 1 } else { usize::MAX });
    for notice in others.chain(lost) {
        anstream::eprintln!("{FAINT}{}{FAINT:#}", printable(&notice.message));
    }
    if nothing_read {
        anstream::eprintln!(
            "{FAINT}None of the pages that were found can be read; an index of rows has none. `seealso search` lists \
             what it knows.{FAINT:#}"
        );
    }
}
