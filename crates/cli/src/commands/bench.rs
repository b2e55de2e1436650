//! `seealso bench`: measures the cost of questions over the packs of a site, in files and in time.
//!
//! The cost is that of search, from an empty cache to a list with titles and summaries: the catalog and files of the index. The
//! pages that an answer reads are not counted. Times are native, with files from disk and no network; what a network adds
//! follows from bytes, requests and rounds.

pub(super) mod cost;
mod spread;
mod typing;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::Config;
use seealso_index::Index;
use serde::{Deserialize, Serialize};

use super::stats::index_paths;
use crate::exit::{CommandResult, Completion};
use crate::source::{block_on, open_library};
use crate::style::{FAINT, ProgressLine, STRONG, pluralize, printable, say};
use cost::{LIST_LENGTH, QuestionCost, measure_question};
use spread::Spread;
use typing::{TypedQuestion, TypingCost, measure_typing};

/// Measure the cost of questions: bytes, files and rounds from an empty cache, milliseconds cold and warm.
///
/// The cost of a question is that of search, up to a list of eight pages with titles and summaries: the catalog and files of
/// the index, as stored on the server. Pages that an answer reads come on top. In a round, all files are requested that are
/// known to be needed. Times are of this machine, with files from disk and no network.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The questions: JSON Lines as for `eval`, of which `question` is read, or a text file with one on each line.
    #[arg(value_name = "QUESTIONS")]
    file: PathBuf,
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// How often each question is asked warm; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    runs: u16,
    /// Also type each question letter by letter, with a search at each, as the list under the element's box does.
    #[arg(long)]
    typing: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// A line of a question file, of which only the question is needed.
#[derive(Debug, Deserialize)]
struct QuestionLine {
    question: String,
}

/// The figures.
#[derive(Debug, Serialize)]
struct Report {
    questions: usize,
    /// The number of pages in a list.
    listed: usize,
    runs: u16,
    packs: usize,
    pages: u32,
    /// The index and, where the catalog names one, the list of packs; not the catalog.
    index_files: usize,
    index_bytes: u64,
    cold: ColdCost,
    warm: WarmCost,
    #[serde(skip_serializing_if = "Option::is_none")]
    typing: Option<TypingCost>,
}

/// The cost from an empty cache.
#[derive(Debug, Serialize)]
struct ColdCost {
    bytes: Spread<u64>,
    requests: Spread<u64>,
    rounds: Spread<u64>,
    ms: Spread<f64>,
}

/// The cost with all files that the question needs in memory.
#[derive(Debug, Serialize)]
struct WarmCost {
    ms: Spread<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let file = &arguments.file;
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let questions = parse_questions(&text).with_context(|| file.display().to_string())?;
    let report = block_on(measure(arguments, &questions))??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => print(&report),
    }
    Ok(Completion::Success)
}

/// The questions of a file of JSON Lines, which begins with a brace, or of lines of text.
fn parse_questions(text: &str) -> anyhow::Result<Vec<String>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let is_json = text.trim_start().starts_with('{');
    let question = |(at, line): (usize, &str)| {
        let read = || match is_json {
            true => Ok(serde_json::from_str::<QuestionLine>(line)?.question),
            false => anyhow::Ok(line.to_owned()),
        };
        let question = read().with_context(|| format!("line {}", at + 1))?.trim().to_owned();
        anyhow::ensure!(!question.is_empty(), "line {}: the question is empty", at + 1);
        Ok(question)
    };
    let questions = lines.map(question).collect::<anyhow::Result<Vec<String>>>()?;
    if questions.is_empty() {
        bail!("there is no question in it; write one on each line");
    }
    Ok(questions)
}

async fn measure(arguments: &Arguments, questions: &[String]) -> anyhow::Result<Report> {
    let (root, runs) = (arguments.packs.as_path(), arguments.runs);
    let progress = ProgressLine::on_stderr();
    progress.show("sizes of the index's files");
    let sizes = sizes(root).await?;
    let (mut costs, mut typed) = (Vec::new(), Vec::new());
    for (at, question) in questions.iter().enumerate() {
        progress.show(&format!("question {} of {}", at + 1, questions.len()));
        costs.push(measure_question(root, question, runs).await.with_context(|| question.clone())?);
        if arguments.typing {
            typed.push(measure_typing(root, question, runs).await.with_context(|| question.clone())?);
        }
    }
    sizes.report(questions, runs, &costs, &typed).context("nothing was measured")
}

/// The size of the index.
struct IndexSize {
    packs: usize,
    pages: u32,
    files: usize,
    bytes: u64,
}

async fn sizes(root: &Path) -> anyhow::Result<IndexSize> {
    let library = open_library(root, Config::default()).await?;
    let files = library.resolve(Index::files).await?;
    let mut sizes = IndexSize { packs: library.index().pack_count(), pages: library.index().len(), files: 0, bytes: 0 };
    for (_, path) in index_paths(&library, &files) {
        let path = root.join(path);
        sizes.bytes += path.metadata().with_context(|| format!("reading {}", path.display()))?.len();
        sizes.files += 1;
    }
    Ok(sizes)
}

impl IndexSize {
    /// The report on these questions; none where there are none.
    fn report(
        self,
        questions: &[String],
        runs: u16,
        costs: &[QuestionCost],
        typed: &[TypedQuestion],
    ) -> Option<Report> {
        let counts = |of: fn(&QuestionCost) -> u64| Spread::of(questions.iter().zip(costs.iter().map(of)));
        let times = |of: fn(&QuestionCost) -> f64| Spread::of(questions.iter().zip(costs.iter().map(of)));
        let cold = ColdCost {
            bytes: counts(|cost| cost.cold.bytes)?,
            requests: counts(|cost| cost.cold.requests)?,
            rounds: counts(|cost| cost.cold.rounds)?,
            ms: times(|cost| cost.cold_ms)?,
        };
        Some(Report {
            questions: questions.len(),
            listed: LIST_LENGTH,
            runs,
            packs: self.packs,
            pages: self.pages,
            index_files: self.files,
            index_bytes: self.bytes,
            cold,
            warm: WarmCost { ms: times(|cost| cost.warm_ms)? },
            typing: TypingCost::of(questions, typed),
        })
    }
}

/// The most characters of a question in the table.
const MAX_QUESTION_SHOWN: usize = 60;

fn print(of: &Report) {
    let [questions, packs] = [pluralize(of.questions, "question"), pluralize(of.packs, "pack")];
    let [pages, files] = [pluralize(of.pages as usize, "page"), pluralize(of.index_files, "file")];
    say!("{STRONG}{questions} over {packs}, {pages}{STRONG:#}; index {} bytes in {files}", of.index_bytes);
    say!("\n{STRONG}{:<24}{:>10}{:>10}{:>10}{STRONG:#}  {FAINT}the worst question{FAINT:#}", "", "p50", "p95", "worst");
    print_counts("cold: bytes", &of.cold.bytes);
    print_counts("      requests", &of.cold.requests);
    print_counts("      rounds", &of.cold.rounds);
    print_times("      ms", &of.cold.ms, &of.cold.ms.worst_question);
    print_times("warm: ms", &of.warm.ms, &of.warm.ms.worst_question);
    if let Some(typing) = &of.typing {
        print_times("typing: ms a letter", &typing.warm_ms, &typing.worst_typed);
        print_counts("        bytes, all", &typing.cold_bytes);
        print_counts("        requests, all", &typing.cold_requests);
    }
    say!(
        "\n{FAINT}cold: nothing is held; warm: the median of {} with all files held{FAINT:#}",
        pluralize(of.runs.into(), "run")
    );
    if let Some(typing) = &of.typing {
        let letters = pluralize(typing.keystrokes, "letter");
        say!(
            "{FAINT}typing: {letters} in all, each searched for; all: a question from an empty cache to its last letter{FAINT:#}"
        );
    }
}

fn print_counts(name: &str, of: &Spread<u64>) {
    row(name, [of.p50, of.p95, of.worst].map(|count| count.to_string()), &of.worst_question);
}

fn print_times(name: &str, of: &Spread<f64>, worst: &str) {
    row(name, [of.p50, of.p95, of.worst].map(|ms| format!("{ms:.2}")), worst);
}

fn row(name: &str, [p50, p95, worst]: [String; 3], question: &str) {
    let mut shown: String = question.chars().take(MAX_QUESTION_SHOWN).collect();
    if shown.len() < question.len() {
        shown.push('…');
    }
    say!("{name:<24}{p50:>10}{p95:>10}{worst:>10}  {FAINT}{}{FAINT:#}", printable(&shown));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_both_kinds_of_file() {
        let check = |text: &str, expected: Result<&[&str], &str>| {
            let found = parse_questions(text).map_err(|error| format!("{error:#}"));
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{found}"),
                (found, _) => panic!("{text:?}: {found:?}"),
            }
        };
        check("What is tea?\n\n  Why?  \n", Ok(&["What is tea?", "Why?"]));
        check("\n{\"id\": \"a\", \"question\": \" What? \", \"gold\": []}\n", Ok(&["What?"]));
        check("{\"question\": \"What?\"}\nWhy?\n", Err("line 2: expected value"));
        check("{\"id\": \"a\"}\n", Err("line 1: missing field `question`"));
        check("{\"question\": \" \"}\n", Err("line 1: the question is empty"));
        check(" \n", Err("there is no question in it"));
    }
}
