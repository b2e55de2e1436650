//! `seealso ask`: answers a question, with sources.

use clap::Args;
use seealso::{Answer, Manifest, Notice, ProgressState, QueryType, StageReport, cited_text};
use serde_json::Value;

use crate::answer_json::AnswerJson;
use crate::deliberation::{
    self, AskRequest, Decomposer, ModelArguments, ModelResult, ModelTask, PreparedModels, Work, work,
};
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
    /// Where the gate of --stages closes, since no page is near the question: let the model answer from its own knowledge. That
    /// answer is labelled, rests on no page and is not checked.
    #[arg(long, requires_all = ["who", "stages"], conflicts_with = "no_gate")]
    own_knowledge: bool,
    /// Print the whole answer, its sources, its trace and the deliberation as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether a model answers after the packs' own answer.
    fn has_model(&self) -> bool {
        self.with.model.is_some() || self.node.node.is_some()
    }

    /// Whether a model works on the question too, before pages are looked for.
    fn asks_model_first(&self) -> bool {
        self.with.decompose == Decomposer::Model || self.stages.asks_for_other_words()
    }

    /// What the model is to do about an answer, if there is a model, and something to do.
    fn work<'a>(&self, (answer, manifest, report): AnswerParts<'a>) -> Option<Work<'a>> {
        let is_closed = report.is_some_and(|report| report.query_type == QueryType::ConfidenceGatedFallback);
        match answer.is_empty() {
            _ if !self.has_model() => None,
            false => Some(Work::Deliberation { answer, manifest }),
            true if self.own_knowledge && is_closed => Some(Work::OwnKnowledge { question: &answer.question }),
            true => None,
        }
    }
}

/// An answer, the pages behind it, and what the stages did.
type AnswerParts<'a> = (&'a Answer, &'a Manifest, Option<&'a StageReport>);

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let stop = arguments.has_model().then(StopFlag::on_interrupt).unwrap_or_default();
    let with = &arguments.with;
    let tier = arguments.packs.tier(with.model.as_deref().filter(|_| arguments.node.node.is_none()));
    let (answer, manifest, report, prepared) = block_on(async {
        let library = open_library(&arguments.packs.packs, arguments.packs.config()).await?;
        let filter = arguments.filter.resolve(&library).await?;
        let stages = arguments.stages.open(&library).await?;
        let prepared = match arguments.asks_model_first() {
            true => PreparedModels::of(with, &arguments.node, tier, &stop, arguments.json),
            false => PreparedModels::default(),
        };
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
    let asked = (&answer, &manifest, report.as_ref());
    let result = match arguments.json {
        true => print_json(arguments, asked, prepared, &stop)?,
        false => {
            print(&answer);
            print_stages(report.as_ref());
            let work = arguments.work(asked);
            work.map(|work| work_on(arguments, work, prepared, &stop)).transpose()?
        }
    };
    Ok(match result {
        Some(outcome) if outcome.done.is_none() && outcome.failed.is_none() => Completion::Interrupted,
        _ if answer.is_empty() => Completion::NoAnswer,
        _ => Completion::Success,
    })
}

/// Has the model do its work.
fn work_on(
    arguments: &Arguments,
    on: Work<'_>,
    mut prepared: PreparedModels,
    stop: &StopFlag,
) -> anyhow::Result<ModelResult> {
    let node = prepared.node.take().unwrap_or_else(|| arguments.node.consented())?;
    let file = arguments.with.model.as_deref();
    let (tier, quiet) = (arguments.packs.tier(file.filter(|_| node.is_none())), arguments.json);
    let task = ModelTask { file, arguments: &arguments.with, work: on, tier, stop, quiet };
    block_on(work(&task, node, prepared))?
}

/// Prints the answer with what a model made of it, which is null where there is nothing. The answer is printed even if the model
/// can't be used.
fn print_json(
    arguments: &Arguments,
    asked: AnswerParts<'_>,
    prepared: PreparedModels,
    stop: &StopFlag,
) -> anyhow::Result<Option<ModelResult>> {
    let (answer, manifest, report) = asked;
    let mut value = serde_json::to_value(AnswerJson::of(answer, manifest, report))?;
    if arguments.has_model() {
        value["deliberation"] = Value::Null;
    }
    if arguments.own_knowledge {
        value["own_knowledge"] = Value::Null;
    }
    let work = arguments.work(asked);
    let outcome = work.map(|work| work_on(arguments, work, prepared, stop)).transpose();
    if let (Some(work), Ok(Some(outcome))) = (work, &outcome) {
        value[work.key()] = deliberation::as_json(outcome);
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

/// Prints by which stages the pages were found, if there are any.
fn print_stages(report: Option<&StageReport>) {
    let found =
        |report: &&StageReport| report.query_type != QueryType::ConfidenceGatedFallback && !report.used.is_empty();
    if let Some(report) = report.filter(found) {
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        ask: Arguments,
    }

    #[test]
    fn a_model_answers_alone_where_the_gate_closed_and_the_option_is_there() {
        let manifest = Manifest::default();
        let answer = Answer::of_parts("What is tea?".to_owned(), Vec::new(), Vec::new(), &manifest);
        let check = |more: &[&str], query_type: Option<QueryType>, expected: Option<&str>| {
            let arguments = Command::parse_from([&["ask", "What is tea?", "--stages", "all"], more].concat()).ask;
            let report = query_type.map(|query_type| StageReport { query_type, ..StageReport::default() });
            let work = arguments.work((&answer, &manifest, report.as_ref()));
            assert_eq!(work.map(Work::key), expected, "{more:?} {query_type:?}");
        };
        let (closed, node) = (Some(QueryType::ConfidenceGatedFallback), ["--node", "http://localhost:1/v1"]);
        let allowed = [&node[..], &["--own-knowledge"]].concat();
        check(&allowed, closed, Some("own_knowledge"));
        check(&node, closed, None);
        check(&[], closed, None);
        check(&allowed, Some(QueryType::VectorSearch), None);
        check(&allowed, Some(QueryType::VectorFallback), None);
        check(&allowed, None, None);
    }
}
