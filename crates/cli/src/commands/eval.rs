//! `seealso eval FILE`: measures retrieval and quoted answers on questions whose pages are known. Its subcommands measure
//! whole answers, checks of claims, retrieval of sentences, and the threshold of a strong match among entries.
//!
//! hit@k, MRR and all-gold@12 are of the merged ranking with its caps lifted to twelve, after the pages that an answer reads
//! were read and ranked again (with `--index-alone`: of the ranking before). All other figures are of whole quoted answers
//! in either case, with the default caps and See Also.

mod answers;
mod retrieval_case;
mod claim_file;
pub(crate) mod claims;
mod claim_judge;
mod measures;
mod retrieval_figures;
mod markdown;
mod model_cache;
mod quoted_answer;
mod required_facts;
mod sentences;
mod threshold;
mod shares;
mod question_splitter;

pub use answers::{BoundsArguments, CachedModel, share_of_words, words};
pub use claim_file::{ClaimLine, ClaimPair, hash, read_claims, read_pairs};
#[cfg(feature = "model")]
pub use claim_judge::load_judge;
pub use claim_judge::{ClaimJudge, JudgeArguments, cannot_write, parse_bounds, weigh_claim};
pub use claims::fit_judge;
pub use measures::ScoredClaim;
pub use model_cache::{cache_key, cache_path};
pub use shares::{cell, share};

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use seealso::{
    ByOverview, ByWords, Clock, Config, Finder, Library, Mode, PackSource, Pick, Question, Ranker as _, StageReport,
    SubQueries, fetch, merge, note_read, prepare, whole_or_parts,
};
use seealso_index::{Index, PackNo};

use crate::exit::{CommandResult, Completion};
use crate::source::{FolderLibrary, block_on, open_library};
use crate::stages::{OpenedStages, StageArguments};
use crate::style::{ProgressLine, printable, say};
use question_splitter::QuestionSplitter;
use quoted_answer::QuotedAnswer;
use retrieval_case::{PageName, RetrievalCase, parse_cases};
use retrieval_figures::{RetrievalObservation, RetrievalReport};

/// Measure retrieval and quoted answers on a file of questions: JSON Lines with id, question, gold, kind and must_say.
///
/// A place in `gold` is a page (`pack/guide/install`) or an address of a site (`guide/install.html#linux`). Of addresses
/// with a section, hit@k and MRR count the page; section_hit_at_1, section_hit_at_5 and section_mrr count the section
/// among the places that the answer offers: those that it cites, in its order, then where its other sources begin, since
/// sections are not ranked by themselves. A place in `also` holds the same fact as one in `gold`; where `gold` has several, `also_for` gives for each place the number of that one, from 0.
/// `must_say` lists the facts that an answer must state: for each a string, or alternatives separated by `|`.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    target: Option<Target>,
    /// The questions.
    #[arg(required = true)]
    file: Option<PathBuf>,
    #[command(flatten)]
    packs: super::PackArguments,
    #[command(flatten)]
    splitter: question_splitter::SplitterArguments,
    #[command(flatten)]
    stages: StageArguments,
    #[command(flatten)]
    ranking: RankingArguments,
    /// Also print a line for each question.
    #[arg(long)]
    verbose: bool,
    /// Print, for bounds of coverage from 0 to 1, the share of unanswerable and of answerable questions below it.
    #[arg(long)]
    curve: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// What pages are ranked by.
#[derive(Args, Clone, Copy)]
struct RankingArguments {
    /// Rank by the index alone, as while typing; by default the best pages are read and ranked again, as for an answer. Figures
    /// of answers are the same in both cases.
    #[arg(long)]
    index_alone: bool,
}

/// What else can be measured.
#[derive(Subcommand)]
enum Target {
    Answers(Box<answers::Arguments>),
    Claims(claims::Arguments),
    Sentences(sentences::Arguments),
    Threshold(threshold::Arguments),
}

/// The kind of a question that names none.
fn single() -> String {
    "single".to_owned()
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    match &arguments.target {
        Some(Target::Answers(arguments)) => answers::run(arguments),
        Some(Target::Claims(arguments)) => claims::run(arguments),
        Some(Target::Sentences(arguments)) => sentences::run(arguments),
        Some(Target::Threshold(arguments)) => threshold::run(arguments),
        None => run_on_questions(arguments),
    }
}

fn run_on_questions(arguments: &Arguments) -> CommandResult {
    let file = arguments.file.as_ref().context("a file of questions is missing")?;
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let cases = parse_cases(&text).with_context(|| file.display().to_string())?;
    let splitter = arguments.splitter.open()?;
    let observations = block_on(async {
        let library = open_library(&arguments.packs.packs, arguments.packs.config()).await?;
        let stages = arguments.stages.open(&library).await?;
        let progress = ProgressLine::on_stderr();
        let mut observations = Vec::new();
        for (at, question) in cases.iter().enumerate() {
            progress.show(&format!("question {} of {}", at + 1, cases.len()));
            observations.push(
                measure_question(&library, &splitter, &stages, question, arguments.ranking)
                    .await
                    .with_context(|| question.id.clone())?,
            );
        }
        anyhow::Ok(observations)
    })??;
    if arguments.verbose {
        cases.iter().zip(&observations).for_each(|(case, observation)| print_case(case, observation));
    }
    let report = RetrievalReport::of(&observations, arguments.curve);
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report.as_json()?)?),
        false => report.print(),
    }
    Ok(Completion::Success)
}

async fn measure_question(
    library: &FolderLibrary,
    splitter: &QuestionSplitter,
    stages: &OpenedStages,
    case: &RetrievalCase,
    ranking: RankingArguments,
) -> anyhow::Result<RetrievalObservation> {
    let question = Question::new(&case.question, library.config.question_chars).context("the question is empty")?;
    let split = splitter.split(library, &question, &library.config).await?;
    let subject = Subject { question: &question, sub_queries: &split.sub_queries };
    let mut report = StageReport::default();
    let ranking = match (stages.mode, stages.are_used() && !ranking.index_alone) {
        (Mode::Quick, _) => merged_ranking(library, subject, stages.mode, ByOverview, ranking).await?,
        (mode, true) => merged_ranking(library, subject, mode, stages.finder(&mut report), ranking).await?,
        (mode, false) => merged_ranking(library, subject, mode, ByWords, ranking).await?,
    };
    let (answer, manifest) = splitter.ask(library, &case.question, stages).await?;
    let read: Vec<PageName> = answer.sources.iter().map(|source| PageName::of(&source.page, &source.file)).collect();
    Ok(RetrievalObservation {
        kind: case.kind.clone(),
        language: case.language.clone(),
        sub_queries: split.sub_queries.items.into_iter().map(|item| item.text).collect(),
        by_model: split.by_model,
        is_answerable: !case.gold.is_empty(),
        first: ranking.iter().position(|page| case.is_gold(page)).map(|at| at + 1),
        all_at_12: case.gold.iter().all(|gold| ranking.iter().any(|page| gold.is_page(page))),
        all_in_pages: case.gold.iter().all(|gold| read.iter().any(|page| gold.is_page(page))),
        empty: answer.is_empty(),
        names_sections: case.names_sections(),
        quoted: QuotedAnswer::of(case, &answer, &manifest),
    })
}

/// A question, and what it was split into.
#[derive(Clone, Copy)]
struct Subject<'q> {
    question: &'q Question,
    sub_queries: &'q SubQueries,
}

/// The merged ranking with its caps lifted to twelve pages, and with as many hits a page as an answer has. As many pages are
/// read as for an answer, of those that `finder` finds.
async fn merged_ranking<S: PackSource, C: Clock, F: Finder>(
    library: &Library<S, C>,
    Subject { question, sub_queries }: Subject<'_>,
    mode: Mode,
    finder: F,
    ranking: RankingArguments,
) -> anyhow::Result<Vec<PageName>> {
    let config = mode.config(&library.config);
    let hits = 12 * config.hits_per_sub_query / config.pages_per_sub_query;
    let lifted = Config { hits_per_sub_query: hits, pages_per_sub_query: 12, pages: 12, ..config.clone() };
    let mut ranker = prepare(finder, question, sub_queries, library, &lifted).await;
    let mut rankings = library.resolve(|index| ranker.search(sub_queries, index, &lifted)).await?;
    if !ranking.index_alone {
        let to_read = ranker.limits_of_reading(&config);
        let wanted = library.resolve(|index| merge(&rankings, index, &to_read)).await?.wanted();
        let pages = fetch(library, &wanted, Vec::new()).await;
        if let Some(lost) = pages.lost.first() {
            bail!("a page could not be read: {}; --index-alone measures without", lost.reason);
        }
        note_read(&mut ranker, &rankings, &pages, library).await;
        let rerank_all = |index: &_| {
            let reranked = ranker.rerank(&rankings, sub_queries, &pages, index, &lifted)?;
            Ok(whole_or_parts(sub_queries, reranked, &pages, index, &lifted)?.1)
        };
        rankings = library.resolve(rerank_all).await?;
    } else {
        rankings.whole = None;
    }
    let picks = library.resolve(|index| merge(&rankings, index, &lifted)).await?;
    let page_names = |index: &Index| {
        let name = |pick: &Pick| {
            let entry = index.page(pick.page)?;
            Ok((entry.pack, PageName::of(&pick.id, &entry.file)))
        };
        let names = picks.items.iter().map(name).collect::<Result<Vec<_>, seealso_index::Error>>()?;
        Ok(without_repeats(names))
    };
    Ok(library.resolve(page_names).await?)
}

/// The pages of a ranking, those that are parts of one page of a site counted once.
fn without_repeats(names: Vec<(PackNo, PageName)>) -> Vec<PageName> {
    let mut pages: Vec<(PackNo, PageName)> = Vec::new();
    for (pack, name) in names {
        if !pages.iter().any(|(known, page)| *known == pack && page.file == name.file) {
            pages.push((pack, name));
        }
    }
    pages.into_iter().map(|(_, name)| name).collect()
}

fn print_case(case: &RetrievalCase, observation: &RetrievalObservation) {
    let shown = |place: Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
    let first = shown(observation.first);
    let section = match observation.names_sections {
        true => format!(" section {:<3}", shown(observation.quoted.first_section)),
        false => String::new(),
    };
    let empty = if observation.empty { " EMPTY" } else { "" };
    let by = if observation.by_model { " by the model:" } else { "" };
    say!(
        "{:<12} {:<8} first {first:<3}{section}{empty}{by} {}",
        case.id,
        case.kind,
        printable(&observation.sub_queries.join(" · "))
    );
}
