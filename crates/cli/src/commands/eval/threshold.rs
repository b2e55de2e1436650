//! `seealso eval threshold`: measures from which relevance on an entry answers a question nearly directly.
//!
//! Cosines of two encoders are not comparable, so the threshold of a strong match is measured for each, on questions whose entries
//! are known, and stored with the entries that it made.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso::{Config, EntryRequest, EntryStage, Interaction, retrieve_entries};
use seealso_pack::Date;
use serde::Deserialize;

use crate::exit::{CommandResult, Completion};
use crate::shell_quoting::quote_path;
use crate::source::{block_on, open_library};
use crate::stages::open_encoder;
use crate::style::{ProgressLine, print_warning, printable, say};
use curve::{Observation, ThresholdReport};

mod curve;

/// Measure the threshold of a strong match among entries: JSON Lines with question and entry.
///
/// `entry` is the slug of the entry that answers the question directly, or null where none does. The slug is the name of the
/// entry's file; where packs share it, the page's id is taken (`pack/entries/slug`).
#[derive(Args)]
pub(super) struct Arguments {
    /// The questions.
    file: PathBuf,
    /// The folder that holds catalog.json and the packs.
    #[arg(long, value_name = "DIR", default_value = "packs-static")]
    packs: PathBuf,
    /// Encode the questions with the encoder in this folder: the one that made the vectors. By default the one that
    /// SEEALSO_ENCODER names, or that the packs were set up with.
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// Also print a line for each question.
    #[arg(long)]
    verbose: bool,
    /// Print the numbers as JSON.
    #[arg(long)]
    json: bool,
}

/// A question, and the entry that answers it directly.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelledQuestion {
    question: String,
    entry: Option<String>,
}

/// The entry that a question found first by relevance.
#[derive(Debug, Clone, PartialEq)]
struct NearestEntry {
    page: String,
    relevance: f64,
}

pub(super) fn run(arguments: &Arguments) -> CommandResult {
    let file = &arguments.file;
    let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
    let questions = parse_questions(&text).with_context(|| file.display().to_string())?;
    let (nearest, stored) = block_on(find_nearest(arguments, &questions))??;
    let observations: Vec<Observation> =
        questions.iter().zip(&nearest).map(|(question, nearest)| observe(question, nearest.as_ref())).collect();
    let report = ThresholdReport::of(&observations, stored);
    if arguments.json {
        say!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(Completion::Success);
    }
    if arguments.verbose {
        questions.iter().zip(&nearest).for_each(|(question, nearest)| print_case(question, nearest.as_ref()));
    }
    print_report(&report, &arguments.packs);
    Ok(Completion::Success)
}

fn parse_questions(text: &str) -> anyhow::Result<Vec<LabelledQuestion>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("line {number} is no question with question and entry"))
    };
    let questions: Vec<LabelledQuestion> = lines.map(read).collect::<anyhow::Result<_>>()?;
    if questions.iter().all(|question| question.entry.is_none()) {
        bail!("no question has an entry that answers it, so nothing can be measured; label some");
    }
    Ok(questions)
}

/// The most relevant entry of each question, and the threshold that is stored.
async fn find_nearest(
    arguments: &Arguments,
    questions: &[LabelledQuestion],
) -> anyhow::Result<(Vec<Option<NearestEntry>>, Option<f64>)> {
    let library = open_library(&arguments.packs, Config::default()).await?;
    let stage = EntryStage::open(&library).await?;
    check_labels(&stage, questions)?;
    let encoder = open_encoder(arguments.encoder.as_deref(), &arguments.packs)?;
    let (progress, mut nearest) = (ProgressLine::on_stderr(), Vec::new());
    // Only relevance is measured, on which no day has an effect.
    let interaction = Interaction { id: "", today: Date::parse("2000-01-01").context("a date")? };
    for (number, question) in (1..).zip(questions) {
        progress.show(&format!("question {number} of {}", questions.len()));
        let request = EntryRequest::new(&question.question, "evaluation", Some(1))
            .with_context(|| format!("question {number}"))?;
        let response = retrieve_entries(&stage, encoder.as_ref(), &request, &interaction).await?;
        let entry = response.entries.into_iter().next();
        nearest.push(entry.map(|entry| NearestEntry { page: entry.page, relevance: entry.relevance_score }));
    }
    Ok((nearest, stage.threshold()))
}

/// Every label must be that of one active entry: a misspelt one would count as a miss.
fn check_labels(stage: &EntryStage, questions: &[LabelledQuestion]) -> anyhow::Result<()> {
    for label in questions.iter().filter_map(|question| question.entry.as_deref()) {
        match stage.pages().filter(|page| is_page(label, page)).count() {
            1 => {}
            0 => bail!("no active public entry has the slug \"{label}\"; correct the label"),
            count => bail!("{count} entries have the slug \"{label}\"; label the question with the page's id"),
        }
    }
    Ok(())
}

/// Whether a label, a slug or an id, is of the page.
fn is_page(label: &str, page: &str) -> bool {
    page == label || page.strip_suffix(label).is_some_and(|before| before.ends_with("/entries/"))
}

fn observe(question: &LabelledQuestion, nearest: Option<&NearestEntry>) -> Observation {
    let is_right = |label: &String| nearest.is_some_and(|nearest| is_page(label, &nearest.page));
    Observation {
        relevance: nearest.map_or(0.0, |nearest| nearest.relevance),
        is_labelled: question.entry.is_some(),
        is_right: question.entry.as_ref().is_some_and(is_right),
    }
}

fn print_case(question: &LabelledQuestion, nearest: Option<&NearestEntry>) {
    let label = question.entry.as_deref().unwrap_or("-");
    let page = nearest.map_or("-", |nearest| nearest.page.as_str());
    let mark = match (question.entry.is_some(), observe(question, nearest).is_right) {
        (true, true) => "right",
        (true, false) => "WRONG",
        (false, _) => "     ",
    };
    let relevance = nearest.map_or(0.0, |nearest| nearest.relevance);
    say!("{relevance:.3} {mark} {} | {} | {}", printable(label), printable(page), printable(&question.question));
}

fn print_report(report: &ThresholdReport, packs: &Path) {
    report.rows().iter().for_each(|row| say!("{row}"));
    let best = report.best.threshold;
    say!("\nStore it with: seealso setup {} --strong-match {best}", quote_path(packs));
    if let Some(stored) = report.stored.filter(|stored| (stored - best).abs() > 1e-9) {
        say!("Stored is {stored}.");
    }
    if report.unlabelled == 0 {
        print_warning("every question has an entry, so no threshold is too low; add questions that no entry answers");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_line_by_line() {
        let check = |text: &str, expected: Result<usize, &str>| {
            let read = parse_questions(text).map_err(|error| format!("{error:#}"));
            match (read, expected) {
                (Ok(questions), Ok(count)) => assert_eq!(questions.len(), count, "{text}"),
                (Err(error), Err(says)) => assert!(error.contains(says), "{text}: {error}"),
                (read, expected) => panic!("{text}: {read:?}, not {expected:?}"),
            }
        };
        check(
            "{\"question\":\"q\",\"entry\":\"a\"}\n\n{\"question\":\"q\",\"entry\":null}\n{\"question\":\"r\"}\n",
            Ok(3),
        );
        check("{\"question\":\"q\",\"entry\":null}", Err("no question has an entry"));
        check("{\"question\":\"q\",\"entry\":\"a\"}\n{\"entry\":\"a\"}", Err("line 2 is no question"));
        check("{\"question\":\"q\",\"entrie\":\"a\"}", Err("unknown field `entrie`"));
    }

    #[test]
    fn a_label_is_a_slug_or_an_id() {
        let check =
            |label: &str, page: &str, expected: bool| assert_eq!(is_page(label, page), expected, "{label} {page}");
        check("small", "m/entries/small", true);
        check("m/entries/small", "m/entries/small", true);
        check("mall", "m/entries/small", false);
        check("small", "m/concepts/small", false);
        check("", "m/entries/small", false);
    }
}
