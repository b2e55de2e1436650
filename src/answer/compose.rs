//! `compose`: the answer, put together from what was retrieved and what was extracted of it.

use super::extract::Extract;
use super::{Answer, AnsweredSubQuery, Notice, SourcePage};
use crate::question::Question;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::{Retrieval, loss};

/// Composes the answer, and returns its pages; the trace is added later.
pub(crate) fn compose(
    question: &Question,
    mut found: Retrieval,
    extract: Extract,
    missing_languages: impl Iterator<Item = &'static str>,
) -> (Answer, Manifest) {
    let answered = |number: usize| extract.sentences.iter().any(|sentence| sentence.sub_query == number);
    loss::retain_reported(&mut found.lost, answered);
    let brought = |number: usize| -> Vec<String> {
        found.picks.items.iter().filter(|pick| pick.wanted_by.contains(&number)).map(|pick| pick.id.clone()).collect()
    };
    let sub_queries = found.sub_queries.items.iter().enumerate().map(|(number, item)| AnsweredSubQuery {
        text: item.text.clone(),
        pages: brought(number),
        answered: answered(number),
        coverage: extract.coverage.get(number).copied().unwrap_or_default(),
    });
    let cited = |place: usize| extract.sentences.iter().any(|sentence| sentence.source == place + 1);
    let pages = &found.assembled.manifest.pages;
    let sources = pages.iter().enumerate().map(|(place, page)| SourcePage::of(page, cited(place))).collect();
    let answer = Answer {
        question: question.text().to_owned(),
        sub_queries: sub_queries.collect(),
        sources,
        notices: notices(question, &found, missing_languages),
        context_chars: found.assembled.context.chars,
        context: found.assembled.context.text,
        sentences: extract.sentences,
        trace: Vec::new(),
        ms: 0.0,
    };
    (answer, Manifest { lost: found.lost.len(), ..found.assembled.manifest })
}

fn notices(
    question: &Question,
    found: &Retrieval,
    missing_languages: impl Iterator<Item = &'static str>,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    for language in missing_languages {
        let message = format!(
            "Language support for {language} could not be loaded; packs in that language were left out. Ask again to \
             try once more."
        );
        notices.push(Notice { code: "language-missing", message });
    }
    if question.was_cut() {
        let message = "The question is very long; only its beginning was asked.".to_owned();
        notices.push(Notice { code: "question-cut", message });
    }
    if found.sub_queries.joined {
        let message = "The question has many subjects; the last of them were searched for together.".to_owned();
        notices.push(Notice { code: "subjects-joined", message });
    }
    for lost in &found.lost {
        let message = format!("A page could not be read and is left out: {}.", lost.reason);
        notices.push(Notice { code: "page-lost", message });
    }
    for page in found.assembled.manifest.pages.iter().filter(|page| page.stale) {
        let message =
            format!("{} changed since the index was built; `seealso build` brings the index up to date.", page.id);
        notices.push(Notice { code: "page-changed", message });
    }
    notices
}
