//! `seealso ask`: a question's answer, with its sources.

use clap::Args;
use seealso::{Answer, ProgressState, Via, ask};
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
    /// Print the whole answer, its sources and its trace as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let answer = block_on(async {
        let library = open(&arguments.packs.packs, arguments.packs.config()).await?;
        let progress = ProgressLine::new();
        let mut watch = |step: seealso::Progress| {
            if step.state == ProgressState::Start {
                progress.say(step.stage);
            }
        };
        anyhow::Ok(ask(&library, &arguments.question, &mut watch).await?)
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
    for notice in &answer.notices {
        anstream::eprintln!("{FAINT}{}{FAINT:#}", plain(&notice.message));
    }
}
