//! The report of `eval answers` in markdown: the figures, and each answer with its draft and the claims that were flagged.
//! Texts of pages and models are escaped.

use std::fmt::Write as _;

use seealso::Verdict;

use super::super::markdown::{table, text};
use super::figures::{COLUMNS, Figures};
use super::observation::{AnswerObservation, ModelAnswer, Sentence};

/// The report.
pub(super) fn page(
    title: &str,
    model: Option<&str>,
    figures: &[(String, Figures)],
    observations: &[AnswerObservation],
) -> String {
    let mut page = format!("# Answers to {}\n\n", text(title));
    let by = model.map_or("Quoted answers, without a model.".to_owned(), |name| format!("Model: {}.", text(name)));
    let _ = writeln!(page, "{by}\n");
    let rows = figures.iter().map(|(kind, figures)| (kind.as_str(), figures.row().to_vec()));
    table(&mut page, "kind", &COLUMNS, rows);
    let lines = figures.first().map(|(_, of_all)| of_all.lines()).unwrap_or_default();
    if !lines.is_empty() {
        page.push('\n');
        page.extend(lines.iter().map(|line| format!("- {}\n", text(line))));
    }
    observations.iter().for_each(|observation| answer(&mut page, observation));
    page
}

fn answer(page: &mut String, observation: &AnswerObservation) {
    let _ = write!(page, "\n## {}: {}\n\n", text(&observation.case.id), text(&observation.case.question));
    let (right, cited, gold) = observation.citations();
    let whose = match &observation.model {
        _ if observation.empty && observation.case.is_unanswerable() => "No answer, rightly.".to_owned(),
        _ if observation.empty => "No answer, wrongly.".to_owned(),
        None => "The quoted answer.".to_owned(),
        Some(model) if model.replaces() => format!("The model's answer, after {:.1} s.", model.seconds),
        Some(ModelAnswer { failed: Some(reason), .. }) => {
            format!("The quoted answer; the model failed: {}", text(reason))
        }
        Some(model) => format!("The quoted answer: {}.", text(model.kept.as_deref().unwrap_or_default())),
    };
    let gold = if gold > 0 { format!(" It cites {cited}, {right} of the {gold} gold.") } else { String::new() };
    let _ = writeln!(page, "{whose}{gold}\n");
    sentences(page, &observation.sentences);
    if let Some(model) = &observation.model {
        by_model(page, model);
    }
}

fn by_model(page: &mut String, model: &ModelAnswer) {
    if !model.replaces() && !model.sentences.is_empty() {
        page.push_str("\nWhat the model's answer came to:\n\n");
        sentences(page, &model.sentences);
    }
    if !model.quoted.is_empty() {
        let _ = writeln!(
            page,
            "\nQuoted in it, since the model's own words were not supported: {}.",
            text(&model.quoted.join("; "))
        );
    }
    if !model.draft.is_empty() {
        let _ = write!(
            page,
            "\nDraft:\n\n{}",
            model.draft.lines().map(|line| format!("> {}\n", text(line))).collect::<String>()
        );
    }
    if !model.flagged.is_empty() {
        page.push_str("\nFlagged in it:\n\n");
        for flagged in &model.flagged {
            let stands = if flagged.survives { ", **and stands all the same**" } else { "" };
            let _ = writeln!(page, "- {} ({}{stands})", text(&flagged.claim), flagged.label);
        }
    }
    if !model.removed.is_empty() {
        page.push_str("\nTaken out of the final text:\n\n");
        page.extend(model.removed.iter().map(|(claim, why)| format!("- {} ({})\n", text(claim), text(why))));
    }
}

fn sentences(page: &mut String, sentences: &[Sentence]) {
    for sentence in sentences {
        let doubt = if sentence.verdict == Verdict::Supported { "" } else { sentence.verdict.code() };
        let notes: Vec<&str> =
            sentence.cites.iter().map(String::as_str).chain((!doubt.is_empty()).then_some(doubt)).collect();
        let _ = writeln!(page, "- {} ({})", text(&sentence.text), notes.join(", "));
    }
}
