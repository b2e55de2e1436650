//! `seealso eval`: retrieval measured on questions whose pages are known; and below it, what else is measured.
//!
//! hit@k, MRR and all-gold@12 are of the merged ranking with its caps lifted to twelve, once the pages that an answer
//! reads are read (or without it: `--index-alone`); `all_gold_in_pages` and what is empty are of whole answers either
//! way, with the default caps and See Also.

mod answers;
mod claim_set;
pub(crate) mod claims;
mod drafts;
mod judging;
#[cfg(feature = "model")]
mod logistic;
mod measures;
mod page;
#[cfg(feature = "model")]
mod perceptron;
mod planted;
#[cfg(feature = "model")]
mod questions;
#[cfg(feature = "model")]
mod reading;
#[cfg(feature = "model")]
mod ridge;
#[cfg(feature = "model")]
mod rule;
mod says;
mod sentences;
mod shares;
mod splitting;
mod swaps;
#[cfg(feature = "model")]
mod watched;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use seealso::{Clock, Config, Library, PackSource, Question, SubQueries, fetch, merge, rerank, search, whole_or_parts};
use serde::{Deserialize, Serialize};

use crate::exit::{Done, Outcome};
use crate::source::{FolderLibrary, block_on, open};
use crate::style::{FAINT, ProgressLine, STRONG, plain, say};
use splitting::Splitting;

/// Measure retrieval on a file of questions: JSON Lines with id, question, gold and kind.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// The questions.
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    packs: super::Packs,
    #[command(flatten)]
    by: splitting::SplitArguments,
    #[command(flatten)]
    ranked: Ranked,
    /// Print one line for each question too.
    #[arg(long)]
    verbose: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// What a ranking goes by.
#[derive(Args, Clone, Copy)]
struct Ranked {
    /// Rank by the index alone, as while typing; else the best pages are read and ranked again, as for an answer. What
    /// answers read and leave empty is told of whole answers either way.
    #[arg(long)]
    index_alone: bool,
}

/// What else is measured.
#[derive(Subcommand)]
enum What {
    Answers(Box<answers::Arguments>),
    Claims(claims::Arguments),
    Drafts(drafts::Arguments),
    Planted(planted::Arguments),
    #[cfg(feature = "model")]
    Reading(reading::Arguments),
    #[cfg(feature = "model")]
    Rule(rule::Arguments),
    Sentences(sentences::Arguments),
}

/// One line of a question file.
#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    question: String,
    gold: Vec<String>,
    #[serde(default = "single")]
    kind: String,
}

fn single() -> String {
    "single".to_owned()
}

/// What one question showed.
#[derive(Debug)]
struct Seen {
    kind: String,
    sub_queries: Vec<String>,
    by_model: bool,
    gold: usize,
    /// Place of the first gold page in the merged ranking, from 1.
    first: Option<usize>,
    all_at_12: bool,
    all_in_pages: bool,
    empty: bool,
}

/// The numbers over some questions.
#[derive(Debug, Default, PartialEq, Serialize)]
struct Numbers {
    n: usize,
    hit_at_1: f64,
    hit_at_5: f64,
    mrr: f64,
    all_gold_at_12: f64,
    all_gold_in_pages: f64,
    split: f64,
    split_by_model: f64,
    empty_on_unanswerable: f64,
    empty_on_answerable: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.what {
        Some(What::Answers(arguments)) => answers::run(arguments),
        Some(What::Claims(arguments)) => claims::run(arguments),
        Some(What::Drafts(arguments)) => drafts::run(arguments),
        Some(What::Planted(arguments)) => planted::run(arguments),
        #[cfg(feature = "model")]
        Some(What::Reading(arguments)) => reading::run(arguments),
        #[cfg(feature = "model")]
        Some(What::Rule(arguments)) => rule::run(arguments),
        Some(What::Sentences(arguments)) => sentences::run(arguments),
        None => of_questions(arguments),
    }
}

fn of_questions(arguments: &Arguments) -> Outcome {
    let file = arguments.file.as_ref().context("a file of questions is missing")?;
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let asked = questions(&text).with_context(|| file.display().to_string())?;
    let splitting = arguments.by.ready()?;
    let seen = block_on(async {
        let library = open(&arguments.packs.packs, arguments.packs.config()).await?;
        let progress = ProgressLine::new();
        let mut seen = Vec::new();
        for (at, question) in asked.iter().enumerate() {
            progress.say(&format!("question {} of {}", at + 1, asked.len()));
            seen.push(
                look(&library, &splitting, question, arguments.ranked).await.with_context(|| question.id.clone())?,
            );
        }
        anyhow::Ok(seen)
    })??;
    if arguments.verbose {
        asked.iter().zip(&seen).for_each(|(question, seen)| print_question(question, seen));
    }
    report(&seen, arguments.json)?;
    Ok(Done::Well)
}

fn questions(text: &str) -> anyhow::Result<Vec<Asked>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(at, line)| serde_json::from_str(line).with_context(|| format!("line {}", at + 1))).collect()
}

async fn look(library: &FolderLibrary, splitting: &Splitting, asked: &Asked, ranked: Ranked) -> anyhow::Result<Seen> {
    let question = Question::new(&asked.question, library.config.question_chars).context("the question is empty")?;
    let split = splitting.split(library, &question, &library.config).await?;
    let ranking = merged(library, &split.sub_queries, ranked).await?;
    let answer = splitting.ask(library, &asked.question).await?;
    let read: Vec<&str> = answer.sources.iter().map(|source| source.page.as_str()).collect();
    Ok(Seen {
        kind: asked.kind.clone(),
        sub_queries: split.sub_queries.items.into_iter().map(|item| item.text).collect(),
        by_model: split.by_model,
        gold: asked.gold.len(),
        first: ranking.iter().position(|page| asked.gold.contains(page)).map(|at| at + 1),
        all_at_12: asked.gold.iter().all(|gold| ranking.contains(gold)),
        all_in_pages: asked.gold.iter().all(|gold| read.contains(&gold.as_str())),
        empty: answer.is_empty(),
    })
}

/// The merged ranking with its caps lifted to twelve pages, and with as many hits to a page as an answer has. As many
/// are read as for an answer.
async fn merged<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    sub_queries: &SubQueries,
    ranked: Ranked,
) -> anyhow::Result<Vec<String>> {
    let hits = 12 * library.config.hits_per_sub_query / library.config.pages_per_sub_query;
    let lifted = Config { hits_per_sub_query: hits, pages_per_sub_query: 12, pages: 12, ..library.config.clone() };
    let mut rankings = library.settled(|index| search(sub_queries, index, &lifted)).await?;
    if !ranked.index_alone {
        let to_read = library.config.of_reading();
        let read = library.settled(|index| merge(&rankings, index, &to_read)).await?.wanted();
        let pages = fetch(library, &read, Vec::new()).await;
        if let Some(lost) = pages.lost.first() {
            bail!("a page could not be read: {}; --index-alone measures without", lost.reason);
        }
        let again = |index: &_| {
            let reranked = rerank(&rankings, sub_queries, &pages, index, &lifted)?;
            Ok(whole_or_parts(sub_queries, reranked, &pages, index, &lifted)?.1)
        };
        rankings = library.settled(again).await?;
    } else {
        rankings.whole = None;
    }
    let picks = library.settled(|index| merge(&rankings, index, &lifted)).await?;
    Ok(picks.items.into_iter().map(|pick| pick.id).collect())
}

fn numbers<'a>(seen: impl Iterator<Item = &'a Seen> + Clone) -> Numbers {
    let answerable = seen.clone().filter(|seen| seen.gold > 0);
    let share = |count: usize, of: usize| if of == 0 { 0.0 } else { count as f64 / of as f64 };
    let (n, gold) = (seen.clone().count(), answerable.clone().count());
    let of_gold = |is: &dyn Fn(&Seen) -> bool| share(answerable.clone().filter(|seen| is(seen)).count(), gold);
    let reciprocal: f64 = answerable.clone().filter_map(|seen| seen.first).map(|first| 1.0 / first as f64).sum();
    Numbers {
        n,
        hit_at_1: of_gold(&|seen| seen.first == Some(1)),
        hit_at_5: of_gold(&|seen| seen.first.is_some_and(|first| first <= 5)),
        mrr: if gold == 0 { 0.0 } else { reciprocal / gold as f64 },
        all_gold_at_12: of_gold(&|seen| seen.all_at_12),
        all_gold_in_pages: of_gold(&|seen| seen.all_in_pages),
        split: share(seen.clone().filter(|seen| seen.sub_queries.len() > 1).count(), n),
        split_by_model: share(seen.clone().filter(|seen| seen.by_model).count(), n),
        empty_on_unanswerable: share(seen.filter(|seen| seen.gold == 0 && seen.empty).count(), n - gold),
        empty_on_answerable: of_gold(&|seen| seen.empty),
    }
}

fn report(seen: &[Seen], json: bool) -> anyhow::Result<()> {
    let mut kinds: BTreeMap<&str, Numbers> = BTreeMap::new();
    for kind in seen.iter().map(|seen| seen.kind.as_str()) {
        kinds.entry(kind).or_insert_with(|| numbers(seen.iter().filter(move |seen| seen.kind == kind)));
    }
    let all = numbers(seen.iter());
    if json {
        let mut report = serde_json::to_value(&all)?;
        report["kinds"] = serde_json::to_value(&kinds)?;
        say!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    say!(
        "{STRONG}{:<14}{:>4} {:>6} {:>6} {:>6} {:>9} {:>8} {:>6} {:>9} {:>9}{STRONG:#}",
        "kind",
        "n",
        "hit@1",
        "hit@5",
        "mrr",
        "all@12",
        "in pages",
        "split",
        "empty (u)",
        "empty (a)"
    );
    for (kind, row) in kinds.iter().map(|(kind, row)| (*kind, row)).chain([("all", &all)]) {
        say!(
            "{kind:<14}{:>4} {:>6.3} {:>6.3} {:>6.3} {:>9.3} {:>8.3} {:>6.3} {:>9.3} {:>9.3}",
            row.n,
            row.hit_at_1,
            row.hit_at_5,
            row.mrr,
            row.all_gold_at_12,
            row.all_gold_in_pages,
            row.split,
            row.empty_on_unanswerable,
            row.empty_on_answerable
        );
    }
    say!("{FAINT}empty (u): unanswerable questions that got no answer; (a): answerable ones that got none{FAINT:#}");
    Ok(())
}

fn print_question(asked: &Asked, seen: &Seen) {
    let first = seen.first.map_or("-".to_owned(), |first| first.to_string());
    let empty = if seen.empty { " EMPTY" } else { "" };
    let by = if seen.by_model { " by the model:" } else { "" };
    say!("{:<12} {:<8} first {first:<3}{empty}{by} {}", asked.id, asked.kind, plain(&seen.sub_queries.join(" · ")));
}
