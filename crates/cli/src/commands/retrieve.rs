//! `seealso retrieve`: the passages nearest to a question, one a page, for programs that read pages themselves.
//!
//! Chunks are found by their words, ordered again by an encoder where one is there, and then reduced to the best of each
//! page; only then is the list cut, so that several passages of one page displace no other page.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use seealso::{Config, Question};
use seealso_chunks::{chunk_ranking, okapi_ranking};
use seealso_index::Bm25;
use serde::Serialize;

use crate::chunk_library::ChunkLibrary;
use crate::exit::{CommandResult, Completion};
use crate::source::block_on;
use crate::style::{FAINT, LINK, STRONG, pluralize, print_warning, printable, say};
use candidate::Candidate;
use reranker::Strategy;
use reranker_choice::{RerankerChoice, find_reranker};
use selection::{Selection, select};

mod candidate;
mod cosine;
mod finding;
mod reranker_choice;
mod reranker;
mod selection;

/// Find the passages nearest to a question, the best one of each page.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The question.
    #[arg(required_unless_present = "peek")]
    question: Option<String>,
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// List at most so many pages.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=20))]
    top: u16,
    /// Order by words alone, also where an encoder is there.
    #[arg(long)]
    no_rerank: bool,
    /// Rank by the constants that Okapi BM25 is mostly given, k1 1.5 and b 0.75, rather than by those of this program. The length
    /// of a passage counts for nothing; that of its titles does.
    #[arg(long)]
    okapi: bool,
    /// Also print the numbers of each step, and what each word of the question adds to a score.
    #[arg(long)]
    explain: bool,
    /// Only print what would order the passages of the question; without one, those of all packs.
    #[arg(long, conflicts_with = "explain")]
    peek: bool,
    /// Print the list as JSON.
    #[arg(long)]
    json: bool,
}

/// How many chunks are found by their words, and ordered again.
const SPARSE_CANDIDATES: usize = 20;

/// The list, for programs.
#[derive(Debug, Serialize)]
struct Retrieval<'a> {
    query: &'a str,
    strategy: &'static str,
    top_k: usize,
    candidates: &'a [Candidate],
    /// What a reader should know: stale packs, pages that are gone, an encoder that failed.
    notices: &'a [String],
    #[serde(flatten)]
    steps: Option<Steps>,
}

/// The numbers of each step.
#[derive(Debug, Serialize)]
struct Steps {
    /// How many chunks were asked for.
    bm25_top_param: usize,
    /// How many were found, of pages that are still there.
    bm25_candidate_count: usize,
    /// How many were ordered again.
    post_rerank_count: usize,
    /// How many are left where only the best of each page counts.
    deduped_count: usize,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let chunks = block_on(ChunkLibrary::open(&arguments.packs))??;
    let reranker = arguments.reranker();
    let Some(question) = arguments.question()? else { return peek(arguments, reranker.strategy(arguments.no_rerank)) };
    let ranking = arguments.ranking();
    let found = block_on(finding::find(&chunks, question.text(), SPARSE_CANDIDATES, &ranking, arguments.explain))??;
    let strategy = Strategy::of(arguments.no_rerank, reranker.reranker());
    let top = arguments.top.into();
    let selection = select(question.text(), &found.candidates, strategy, reranker.reranker(), top);
    if arguments.peek {
        return peek(arguments, (selection.strategy, selection.notice));
    }
    let notices: Vec<String> = found.notices.into_iter().chain(selection.notice.clone()).collect();
    let steps = Steps {
        bm25_top_param: SPARSE_CANDIDATES,
        bm25_candidate_count: found.candidates.len(),
        post_rerank_count: selection.ordered,
        deduped_count: selection.pages,
    };
    report(arguments, question.text(), &selection, &notices, steps)?;
    Ok(if selection.candidates.is_empty() { Completion::NoAnswer } else { Completion::Success })
}

impl Arguments {
    /// The question; none where the strategy alone is asked for, without one.
    fn question(&self) -> anyhow::Result<Option<Question>> {
        let Some(text) = &self.question else { return Ok(None) };
        let most = Config::default().question_chars;
        let Some(question) = Question::new(text, most) else { bail!("the question is empty; type a few words") };
        if question.was_cut() {
            print_warning(&format!("the question is very long; only its first {most} characters are searched for"));
        }
        Ok(Some(question))
    }

    fn reranker(&self) -> RerankerChoice {
        if self.no_rerank { RerankerChoice::None } else { find_reranker(&self.packs) }
    }

    fn ranking(&self) -> Bm25 {
        if self.okapi { okapi_ranking() } else { chunk_ranking() }
    }
}

/// Says what would order the passages.
fn peek(arguments: &Arguments, (strategy, fault): (Strategy, Option<String>)) -> CommandResult {
    let reason = fault.as_deref().unwrap_or(strategy.reason());
    match arguments.json {
        true => say!("{}", serde_json::json!({ "strategy": strategy.name(), "reason": reason })),
        false => say!("{STRONG}{}{STRONG:#}: {}", strategy.name(), printable(reason)),
    }
    Ok(Completion::Success)
}

fn report(
    arguments: &Arguments,
    query: &str,
    selection: &Selection,
    notices: &[String],
    steps: Steps,
) -> anyhow::Result<()> {
    let candidates = selection.candidates.as_slice();
    if arguments.json {
        let (strategy, top_k) = (selection.strategy.name(), arguments.top.into());
        let steps = arguments.explain.then_some(steps);
        let retrieval = Retrieval { query, strategy, top_k, candidates, notices, steps };
        say!("{}", serde_json::to_string_pretty(&retrieval)?);
        return Ok(());
    }
    notices.iter().for_each(|notice| print_warning(notice));
    if candidates.is_empty() {
        say!("No passage of these packs holds a word of the question, stop words such as \"the\" aside.");
    }
    candidates.iter().for_each(print);
    if arguments.explain {
        say!(
            "{FAINT}{} by words, at most {}; {} ordered again ({}); {}{FAINT:#}",
            pluralize(steps.bm25_candidate_count, "chunk"),
            steps.bm25_top_param,
            steps.post_rerank_count,
            selection.strategy.name(),
            pluralize(steps.deduped_count, "page")
        );
    }
    Ok(())
}

fn print(candidate: &Candidate) {
    let titles = printable(&candidate.titles());
    let citation = printable(&candidate.citation);
    let stale = if candidate.stale { "  (the page changed since)" } else { "" };
    let score = candidate.rerank_score.unwrap_or(candidate.bm25_score);
    say!("{score:7.3}  {LINK}{citation}{LINK:#}  {STRONG}{titles}{STRONG:#}{FAINT}{stale}{FAINT:#}");
    say!("         {}", printable(&candidate.snippet));
    for term in candidate.terms.iter().flatten() {
        let (name, score) = (printable(&term.term), term.score);
        say!("{FAINT}         {name}: {score:.3} = idf {:.3}, weighted count {:.3}{FAINT:#}", term.idf, term.weighted);
    }
}
