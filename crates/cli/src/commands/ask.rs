//! `seealso ask`: a question's answer, with its sources.

use clap::Args;
use seealso::{Answer, Notice, ProgressState, Via, ask_within};
use serde_json::{Value, json};

use crate::exit::{Done, Outcome};
use crate::source::{block_on, open};
use crate::style::{FAINT, LINK, ProgressLine, STRONG, plain, say};

/// Answer a question from the packs, each sentence with its source.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The question.
    question: String,
    #[command(flatten)]
    packs: super::Packs,
    #[command(flatten)]
    only: super::Only,
    /// Print the whole answer, its sources and its trace as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let answer = block_on(async {
        let library = open(&arguments.packs.packs, arguments.packs.config()).await?;
        let filter = arguments.only.filter(&library).await?;
        let progress = ProgressLine::new();
        let mut watch = |step: seealso::Progress| {
            if step.state == ProgressState::Start {
                progress.say(step.stage);
            }
        };
        anyhow::Ok(ask_within(&library, &arguments.question, filter, &mut watch).await?)
    })??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&as_json(&answer))?),
        false => print(&answer),
    }
    Ok(if answer.is_empty() { Done::Unanswered } else { Done::Well })
}

/// The answer as scripts read it.
pub(crate) fn as_json(answer: &Answer) -> Value {
    json!({
        "question": answer.question,
        "status": if answer.is_empty() { "empty" } else { "answered" },
        "text": answer.text(),
        "sentences": answer.sentences.iter().map(|s| json!({
            "text": s.text, "source": s.source, "section": s.section, "sub_query": s.sub_query, "score": s.score,
        })).collect::<Vec<_>>(),
        "sub_queries": answer.sub_queries.iter().map(|s| json!({ "text": s.text, "pages": s.pages, "answered": s.answered })).collect::<Vec<_>>(),
        "sources": answer.sources.iter().enumerate().map(|(at, s)| json!({
            "number": at + 1, "page": s.page, "path": s.path, "title": s.title, "summary": s.summary, "snippet": s.snippet,
            "cited": s.cited, "via": if s.via == Via::Search { "search" } else { "see-also" }, "changed": s.stale,
        })).collect::<Vec<_>>(),
        "notices": answer.notices.iter().map(|n| json!({ "code": n.code, "message": n.message })).collect::<Vec<_>>(),
        "context_chars": answer.context_chars,
        "trace": answer.trace,
        "ms": answer.ms,
    })
}

fn print(answer: &Answer) {
    if answer.is_empty() {
        say!("{}", answer.text());
    }
    for (number, sub_query) in answer.sub_queries.iter().enumerate() {
        let own: Vec<_> = answer.sentences.iter().filter(|sentence| sentence.sub_query == number).collect();
        if answer.sub_queries.len() > 1 && !answer.is_empty() {
            say!("{STRONG}{}{STRONG:#}", plain(&sub_query.text));
        }
        for sentence in &own {
            say!("{} {LINK}[{}]{LINK:#}", plain(&sentence.text), sentence.source);
        }
        if own.is_empty() && !answer.is_empty() {
            say!("No page answers this part.");
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
    let nothing_read = answer.sources.is_empty() && answer.sub_queries.iter().any(|part| !part.pages.is_empty());
    let lost = |notice: &&Notice| notice.code == "page-lost";
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
