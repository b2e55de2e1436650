//! `seealso ask`: answers a question, with sources.

use clap::Args;
use seealso::{
    Answer, FetchedPage, Manifest, Notice, ProgressState, QueryType, SourcePage, StageReport, Via, cited_text,
    passage_text,
};
use seealso_pack::{Page, Value as FieldValue};
use serde_json::{Value, json};

use crate::deliberation::{
    self, AskRequest, Decomposer, ModelArguments, ModelResult, ModelTask, PreparedModels, Work, work,
};
use crate::exit::{CommandResult, Completion};
use crate::node_client::NodeArguments;
use crate::source::{block_on, open_library};
use crate::stages::{StageArguments, add_report};
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
    let mut value = as_json(answer, manifest);
    add_report(&mut value, report);
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

/// The answer as JSON; `manifest` has the pages behind it.
fn as_json(answer: &Answer, manifest: &Manifest) -> Value {
    json!({
        "question": answer.question,
        "status": if answer.is_empty() { "empty" } else { "answered" },
        "text": answer.text(),
        "parts": (0..answer.sub_queries.len()).map(|number| part(answer, number)).collect::<Vec<_>>(),
        "sentences": answer.sentences.iter().map(|s| json!({
            "text": s.text, "form": s.form.name(), "source": s.source, "section": s.section, "anchor": s.anchor, "sub_query": s.sub_query,
            "passage": s.passage, "skips": s.layout.skips, "joins": s.layout.joins, "truncated": s.layout.truncated,
            "number": s.layout.number, "depth": s.layout.depth, "score": s.score,
        })).collect::<Vec<_>>(),
        "sub_queries": answer.sub_queries.iter().map(|s| json!({
            "text": s.text, "pages": s.pages, "answered": s.answered, "coverage": s.coverage,
        })).collect::<Vec<_>>(),
        "sources": answer.sources.iter().enumerate().map(|(at, s)| json!({
            "number": at + 1, "page": s.page, "path": s.path, "url": url(s, manifest.pages.get(at)),
            "title": s.title, "summary": s.summary, "snippet": s.snippet,
            "cited": s.cited, "via": if s.via == Via::Search { "search" } else { "see-also" }, "changed": s.stale,
        })).collect::<Vec<_>>(),
        "notices": answer.notices.iter().map(|n| json!({ "code": n.code, "message": n.message })).collect::<Vec<_>>(),
        "context_chars": answer.context_chars,
        "trace": answer.trace,
        "ms": answer.ms,
    })
}

/// The answer to one sub-query: its sentences as one text, and the numbers of their sources, each once.
fn part(answer: &Answer, number: usize) -> Value {
    let own: Vec<_> = answer.passages().filter(|passage| passage[0].sub_query == number).collect();
    let mut sources: Vec<usize> = Vec::new();
    for source in own.iter().map(|passage| passage[0].source) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let text = own.iter().map(|passage| passage_text(passage)).collect::<Vec<_>>().join("\n\n");
    json!({ "sub_query": answer.sub_queries[number].text, "text": text, "sources": sources })
}

/// The address of a page: that on its site, if it lies on one; else the `url` of its front matter, if that is a web address;
/// else its path under the packs root as a relative address.
fn url(source: &SourcePage, page: Option<&FetchedPage>) -> String {
    if !source.site_url.is_empty() {
        return source.site_url.clone();
    }
    let is_web_address = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    // The page of an answer was read without its front matter, for which the index stands in.
    let fields = page.map(|page| Page::parse(&page.page.file, &page.text).0.fields).unwrap_or_default();
    let mut urls = fields.iter().filter_map(|(key, value)| match value {
        FieldValue::Text(url) if key == "url" => Some(url.as_str()),
        _ => None,
    });
    urls.find(is_web_address).map_or_else(|| encode_path(&source.path), str::to_owned)
}

/// Percent-encodes every byte of a path that has a meaning in addresses, and every one that may not occur there.
fn encode_path(path: &str) -> String {
    let mut url = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => url.push(byte as char),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    url
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

    #[test]
    fn paths_are_encoded_as_addresses() {
        assert_eq!(encode_path("tea/wiki/a-b_c.md"), "tea/wiki/a-b_c.md");
        assert_eq!(encode_path("tea/50 % grün?#.md"), "tea/50%20%25%20gr%C3%BCn%3F%23.md");
    }
}
