//! `seealso bench`: what questions cost over the packs of a site, in files and in time.
//!
//! Counted is what search needs, the catalog and the index's files, from nothing to a list with titles and summaries; the pages
//! that an answer reads are not. Times are native, files from disk, without a network: what a network adds follows from bytes,
//! requests and rounds.

mod cost;
mod spread;
mod typing;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::Config;
use seealso_index::Index;
use serde::{Deserialize, Serialize};

use super::stats::index_paths;
use crate::exit::{Done, Outcome};
use crate::source::{block_on, open};
use crate::style::{FAINT, ProgressLine, STRONG, counted, plain, say};
use cost::{LISTED, Visit, visit};
use spread::Spread;
use typing::{Typed, Typing, type_out};

/// Measure what questions cost: bytes, files and rounds from an empty cache, milliseconds cold and warm.
///
/// A question's cost is that of search, up to a list of eight pages with titles and summaries: the catalog and files of the
/// index, as they lie on the server. Pages that an answer reads come on top. Rounds are how often one must wait for files
/// before it is known which to ask for next. Times are of this machine, files from disk, without a network.
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
    /// Type each question letter by letter as well, with a search at each, as the list under the element's box does.
    #[arg(long)]
    typing: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// One line of a question file; what else it says is not needed.
#[derive(Debug, Deserialize)]
struct Line {
    question: String,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Report {
    questions: usize,
    /// How many pages a list has.
    listed: usize,
    runs: u16,
    packs: usize,
    pages: u32,
    /// The index and, where the catalog names one, the list of packs; not the catalog.
    index_files: usize,
    index_bytes: u64,
    cold: Cold,
    warm: Warm,
    #[serde(skip_serializing_if = "Option::is_none")]
    typing: Option<Typing>,
}

/// From an empty cache.
#[derive(Debug, Serialize)]
struct Cold {
    bytes: Spread<u64>,
    requests: Spread<u64>,
    rounds: Spread<u64>,
    ms: Spread<f64>,
}

/// With all that the question needs in memory.
#[derive(Debug, Serialize)]
struct Warm {
    ms: Spread<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let file = &arguments.file;
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let asked = questions(&text).with_context(|| file.display().to_string())?;
    let report = block_on(measure(arguments, &asked))??;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => print(&report),
    }
    Ok(Done::Well)
}

/// The questions of a file of JSON Lines, which begins with a brace, or of lines of text.
fn questions(text: &str) -> anyhow::Result<Vec<String>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let is_json = text.trim_start().starts_with('{');
    let question = |(at, line): (usize, &str)| {
        let read = || match is_json {
            true => Ok(serde_json::from_str::<Line>(line)?.question),
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

async fn measure(arguments: &Arguments, asked: &[String]) -> anyhow::Result<Report> {
    let (root, runs) = (arguments.packs.as_path(), arguments.runs);
    let progress = ProgressLine::new();
    progress.say("sizes of the index's files");
    let sizes = sizes(root).await?;
    let (mut visits, mut typed) = (Vec::new(), Vec::new());
    for (at, question) in asked.iter().enumerate() {
        progress.say(&format!("question {} of {}", at + 1, asked.len()));
        visits.push(visit(root, question, runs).await.with_context(|| question.clone())?);
        if arguments.typing {
            typed.push(type_out(root, question, runs).await.with_context(|| question.clone())?);
        }
    }
    sizes.with(asked, runs, &visits, &typed).context("nothing was measured")
}

/// What is known of the index without a question.
struct Sizes {
    packs: usize,
    pages: u32,
    files: usize,
    bytes: u64,
}

async fn sizes(root: &Path) -> anyhow::Result<Sizes> {
    let library = open(root, Config::default()).await?;
    let files = library.resolve(Index::files).await?;
    let mut sizes = Sizes { packs: library.index().pack_count(), pages: library.index().len(), files: 0, bytes: 0 };
    for (_, path) in index_paths(&library, &files) {
        let path = root.join(path);
        sizes.bytes += path.metadata().with_context(|| format!("reading {}", path.display()))?.len();
        sizes.files += 1;
    }
    Ok(sizes)
}

impl Sizes {
    /// The report on the questions `asked`; nothing of none.
    fn with(self, asked: &[String], runs: u16, visits: &[Visit], typed: &[Typed]) -> Option<Report> {
        let counts = |of: fn(&Visit) -> u64| Spread::of(asked.iter().zip(visits.iter().map(of)));
        let times = |of: fn(&Visit) -> f64| Spread::of(asked.iter().zip(visits.iter().map(of)));
        let cold = Cold {
            bytes: counts(|visit| visit.cold.bytes)?,
            requests: counts(|visit| visit.cold.requests)?,
            rounds: counts(|visit| visit.cold.rounds)?,
            ms: times(|visit| visit.cold_ms)?,
        };
        Some(Report {
            questions: asked.len(),
            listed: LISTED,
            runs,
            packs: self.packs,
            pages: self.pages,
            index_files: self.files,
            index_bytes: self.bytes,
            cold,
            warm: Warm { ms: times(|visit| visit.warm_ms)? },
            typing: Typing::of(asked, typed),
        })
    }
}

/// A question longer than this is cut where it stands in the table.
const SHOWN_LETTERS: usize = 60;

fn print(of: &Report) {
    let [questions, packs] = [counted(of.questions, "question"), counted(of.packs, "pack")];
    let [pages, files] = [counted(of.pages as usize, "page"), counted(of.index_files, "file")];
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
        counted(of.runs.into(), "run")
    );
    if let Some(typing) = &of.typing {
        let letters = counted(typing.keystrokes, "letter");
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
    let mut shown: String = question.chars().take(SHOWN_LETTERS).collect();
    if shown.len() < question.len() {
        shown.push('…');
    }
    say!("{name:<24}{p50:>10}{p95:>10}{worst:>10}  {FAINT}{}{FAINT:#}", plain(&shown));
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn questions_of_both_kinds_of_file() {
        let check = |text: &str, expected: Result<&[&str], &str>| {
            let found = questions(text).map_err(|error| format!("{error:#}"));
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
