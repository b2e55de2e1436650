//! `seealso eval`: retrieval measured on questions whose pages are known; and below it, what else is measured.
//!
//! hit@k, MRR and all-gold@12 are of the merged ranking with its caps lifted to twelve, once the pages that an answer
//! reads are read (or without it: `--index-alone`). All other numbers are of whole quoted answers either way, with the
//! default caps and See Also.

mod answers;
mod asked;
mod claim_set;
pub(crate) mod claims;
mod drafts;
mod judging;
#[cfg(feature = "model")]
mod logistic;
mod measures;
mod numbers;
mod page;
#[cfg(feature = "model")]
mod perceptron;
mod planted;
mod quoted;
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

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use seealso::{
    Clock, Config, Library, PackSource, Pick, Question, SubQueries, fetch, merge, rerank, search, whole_or_parts,
};
use seealso_index::Index;

use crate::exit::{Done, Outcome};
use crate::source::{FolderLibrary, block_on, open};
use crate::style::{ProgressLine, plain, say};
use asked::{Asked, PageName, questions};
use numbers::{Report, Seen};
use quoted::Quoted;
use splitting::Splitting;

/// Measure retrieval and quoted answers on a file of questions: JSON Lines with id, question, gold, kind and must_say.
///
/// A place in `gold` is a page (`pack/guide/install`) or an address of a site (`guide/install.html#linux`). Of addresses
/// with a section, hit@k and MRR count the page; section_hit_at_1, section_hit_at_5 and section_mrr count the section
/// among those that the answer cites, in its order, since sections are not ranked by themselves. A place in `also` holds
/// the same fact; where `gold` has several, `also_for` gives for each the number, from 0, of the one that it stands for.
/// `must_say` lists what an answer must say: for each fact a string, or alternatives separated by `|`.
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
    /// Print, for bounds of coverage from 0 to 1, the share of unanswerable and of answerable questions below it.
    #[arg(long)]
    curve: bool,
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

fn single() -> String {
    "single".to_owned()
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
    let report = Report::of(&seen, arguments.curve);
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report.as_json()?)?),
        false => report.print(),
    }
    Ok(Done::Well)
}

async fn look(library: &FolderLibrary, splitting: &Splitting, asked: &Asked, ranked: Ranked) -> anyhow::Result<Seen> {
    let question = Question::new(&asked.question, library.config.question_chars).context("the question is empty")?;
    let split = splitting.split(library, &question, &library.config).await?;
    let ranking = merged(library, &split.sub_queries, ranked).await?;
    let (answer, manifest) = splitting.ask(library, &asked.question).await?;
    let read: Vec<PageName> = answer.sources.iter().map(|source| PageName::of(&source.page, &source.file)).collect();
    Ok(Seen {
        kind: asked.kind.clone(),
        language: asked.language.clone(),
        sub_queries: split.sub_queries.items.into_iter().map(|item| item.text).collect(),
        by_model: split.by_model,
        is_answerable: !asked.gold.is_empty(),
        first: ranking.iter().position(|page| asked.is_gold(page)).map(|at| at + 1),
        all_at_12: asked.gold.iter().all(|gold| ranking.iter().any(|page| gold.is_page(page))),
        all_in_pages: asked.gold.iter().all(|gold| read.iter().any(|page| gold.is_page(page))),
        empty: answer.is_empty(),
        names_sections: asked.names_sections(),
        quoted: Quoted::of(asked, &answer, &manifest),
    })
}

/// The merged ranking with its caps lifted to twelve pages, and with as many hits to a page as an answer has. As many
/// are read as for an answer.
async fn merged<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    sub_queries: &SubQueries,
    ranked: Ranked,
) -> anyhow::Result<Vec<PageName>> {
    let hits = 12 * library.config.hits_per_sub_query / library.config.pages_per_sub_query;
    let lifted = Config { hits_per_sub_query: hits, pages_per_sub_query: 12, pages: 12, ..library.config.clone() };
    let mut rankings = library.resolve(|index| search(sub_queries, index, &lifted)).await?;
    if !ranked.index_alone {
        let to_read = library.config.of_reading();
        let read = library.resolve(|index| merge(&rankings, index, &to_read)).await?.wanted();
        let pages = fetch(library, &read, Vec::new()).await;
        if let Some(lost) = pages.lost.first() {
            bail!("a page could not be read: {}; --index-alone measures without", lost.reason);
        }
        let again = |index: &_| {
            let reranked = rerank(&rankings, sub_queries, &pages, index, &lifted)?;
            Ok(whole_or_parts(sub_queries, reranked, &pages, index, &lifted)?.1)
        };
        rankings = library.resolve(again).await?;
    } else {
        rankings.whole = None;
    }
    let picks = library.resolve(|index| merge(&rankings, index, &lifted)).await?;
    let named = |index: &Index| {
        let name = |pick: &Pick| Ok(PageName::of(&pick.id, &index.page(pick.page)?.file));
        picks.items.iter().map(name).collect::<Result<Vec<_>, _>>()
    };
    Ok(library.resolve(named).await?)
}

fn print_question(asked: &Asked, seen: &Seen) {
    let first = seen.first.map_or("-".to_owned(), |first| first.to_string());
    let empty = if seen.empty { " EMPTY" } else { "" };
    let by = if seen.by_model { " by the model:" } else { "" };
    say!("{:<12} {:<8} first {first:<3}{empty}{by} {}", asked.id, asked.kind, plain(&seen.sub_queries.join(" · ")));
}
