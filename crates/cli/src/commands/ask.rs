//! `seealso ask`: a question's answer, with its sources.

use clap::Args;
use seealso::{Answer, FetchedPage, Manifest, Notice, ProgressState, SourcePage, Via, passage_text};
use seealso_pack::{Page, Value as FieldValue};
use serde_json::{Value, json};

use crate::deliberation::{self, Asking, Brief, ModelArguments, Ready, deliberate};
use crate::exit::{Done, Outcome};
use crate::node_client::NodeArguments;
use crate::source::{block_on, open};
use crate::stop_flag::Stop;
use crate::style::{FAINT, LINK, ProgressLine, STRONG, plain, say};

/// Answer a question from the packs, each sentence with its source; with --model or --node, a model's checked answer comes after.
#[derive(Args)]
#[command(group = clap::ArgGroup::new("who").args(["model", "node"]).multiple(true))]
pub(crate) struct Arguments {
    /// The question.
    question: String,
    #[command(flatten)]
    packs: super::Packs,
    #[command(flatten)]
    only: super::Only,
    #[command(flatten)]
    with: ModelArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// Print the whole answer, its sources, its trace and the deliberation as JSON.
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether a model is to answer after the quoted answer.
    fn deliberates(&self) -> bool {
        self.with.model.is_some() || self.node.node.is_some()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let stop = arguments.deliberates().then(Stop::on_interrupt).unwrap_or_default();
    let with = &arguments.with;
    let tier = arguments.packs.tier(with.model.as_deref().filter(|_| arguments.node.node.is_none()));
    let (answer, manifest, ready) = block_on(async {
        let library = open(&arguments.packs.packs, arguments.packs.config()).await?;
        let filter = arguments.only.filter(&library).await?;
        let ready = Ready::of(with, &arguments.node, tier, &stop, arguments.json);
        let progress = ProgressLine::new();
        let mut watch = |step: seealso::Progress| {
            if step.state == ProgressState::Start {
                progress.say(step.stage);
            }
        };
        let question = &arguments.question;
        let asking = Asking { library: &library, question, filter, watch: &mut watch, stop: &stop };
        let (answer, manifest) = ready.ask(asking).await?;
        anyhow::Ok((answer, manifest, ready))
    })??;
    let deliberated = match arguments.json {
        true => print_json(arguments, &answer, &manifest, ready, &stop)?,
        false => {
            print(&answer);
            deliberated(arguments, &answer, &manifest, ready, &stop)?
        }
    };
    Ok(match deliberated {
        Some(outcome) if outcome.done.is_none() && outcome.failed.is_none() => Done::Stopped,
        _ if answer.is_empty() => Done::Unanswered,
        _ => Done::Well,
    })
}

/// Lets the model deliberate, if there is one and the packs answer at all: from nothing, nothing is drafted.
fn deliberated(
    arguments: &Arguments,
    answer: &Answer,
    manifest: &Manifest,
    mut ready: Ready,
    stop: &Stop,
) -> anyhow::Result<Option<deliberation::Outcome>> {
    if answer.is_empty() || !arguments.deliberates() {
        return Ok(None);
    }
    let node = ready.node.take().unwrap_or_else(|| arguments.node.agreed())?;
    let file = arguments.with.model.as_deref();
    let (tier, quiet) = (arguments.packs.tier(file.filter(|_| node.is_none())), arguments.json);
    let brief = Brief { file, arguments: &arguments.with, answer, manifest, tier, stop, quiet };
    Ok(Some(block_on(deliberate(&brief, node, ready))??))
}

/// Prints the answer with its deliberation, which is null where there is none. A model that can't be used doesn't cost
/// the answer.
fn print_json(
    arguments: &Arguments,
    answer: &Answer,
    manifest: &Manifest,
    ready: Ready,
    stop: &Stop,
) -> anyhow::Result<Option<deliberation::Outcome>> {
    let outcome = deliberated(arguments, answer, manifest, ready, stop);
    let mut value = as_json(answer, manifest);
    if arguments.deliberates() {
        value["deliberation"] =
            outcome.as_ref().ok().and_then(Option::as_ref).map_or(Value::Null, deliberation::as_json);
    }
    say!("{}", serde_json::to_string_pretty(&value)?);
    outcome
}

/// The answer as scripts read it; `manifest` has the pages behind it.
fn as_json(answer: &Answer, manifest: &Manifest) -> Value {
    json!({
        "question": answer.question,
        "status": if answer.is_empty() { "empty" } else { "answered" },
        "text": answer.text(),
        "parts": (0..answer.sub_queries.len()).map(|number| part(answer, number)).collect::<Vec<_>>(),
        "sentences": answer.sentences.iter().map(|s| json!({
            "text": s.text, "form": s.form.name(), "source": s.source, "section": s.section, "anchor": s.anchor, "sub_query": s.sub_query,
            "passage": s.passage, "skips": s.skips, "score": s.score,
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

/// What answers one sub-query: its sentences as one text, and the numbers of their sources, each once.
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

/// Where a reader finds a page: the web address that its front matter gives as `url`, else its path under the packs
/// root, encoded as a relative address.
fn url(source: &SourcePage, page: Option<&FetchedPage>) -> String {
    let is_of_web = |url: &&str| url.starts_with("https://") || url.starts_with("http://");
    // The page of an answer was read without its front matter, which the index had stood in for.
    let fields = page.map(|page| Page::parse(&page.page.file, &page.text).0.fields).unwrap_or_default();
    let mut written = fields.iter().filter_map(|(key, value)| match value {
        FieldValue::Text(url) if key == "url" => Some(url.as_str()),
        _ => None,
    });
    written.find(is_of_web).map_or_else(|| encoded(&source.path), str::to_owned)
}

/// A path with every byte encoded that has a meaning in addresses, or none.
fn encoded(path: &str) -> String {
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
            say!("{STRONG}{}{STRONG:#}", plain(&sub_query.text));
        }
        for passage in &own {
            let text: Vec<String> = passage_text(passage).lines().map(plain).collect();
            say!("{} {LINK}[{}]{LINK:#}", text.join("\n"), passage[0].source);
        }
        if own.is_empty() && !answer.is_empty() {
            say!("The pages that were read do not answer this part.");
        }
        say!("");
    }
    for (at, source) in answer.sources.iter().enumerate().filter(|(_, source)| source.cited) {
        say!("{LINK}[{}]{LINK:#} {}  {FAINT}{}{FAINT:#}", at + 1, plain(&source.title), plain(&source.path));
    }
    print_notices(answer);
}

/// What went wrong. Where no page at all could be read, the first of them stands for all.
fn print_notices(answer: &Answer) {
    let lost = |notice: &&Notice| notice.code == "page-lost";
    let nothing_read = answer.sources.is_empty() && answer.notices.iter().any(|notice| lost(&notice));
    let others = answer.notices.iter().filter(|notice| !lost(notice));
    let lost = answer.notices.iter().filter(lost).take(if nothing_read { 1 } else { usize::MAX });
    for notice in others.chain(lost) {
        anstream::eprintln!("{FAINT}{}{FAINT:#}", plain(&notice.message));
    }
    if nothing_read {
        anstream::eprintln!(
            "{FAINT}None of the pages that were found can be read; an index of rows has none. `seealso search` lists \
             what it knows.{FAINT:#}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::encoded;

    #[test]
    fn paths_are_encoded_as_addresses() {
        assert_eq!(encoded("tea/wiki/a-b_c.md"), "tea/wiki/a-b_c.md");
        assert_eq!(encoded("tea/50 % grün?#.md"), "tea/50%20%25%20gr%C3%BCn%3F%23.md");
    }
}
