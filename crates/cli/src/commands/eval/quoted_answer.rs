//! The measures of one quoted answer: its length, the facts that it states, and how much of the question its pages cover.

use seealso::{Answer, CitedSentence, FetchedPage, Manifest};

use super::retrieval_case::RetrievalCase;

/// The measures of the quoted answer to one question.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct QuotedAnswer {
    /// The length of its text, in characters.
    pub(super) characters: usize,
    /// Whether it states all required facts; none where none are required.
    pub(super) facts: Option<StatedFacts>,
    /// For each passage, whether it states a required fact.
    pub(super) passage_states_fact: Vec<bool>,
    /// The place of the first gold section among those that the answer offers, from 1.
    pub(super) first_section: Option<usize>,
    /// The largest share of a part's weight that a page holds, 0 to 1.
    pub(super) coverage: f64,
}

/// The lengths of beginnings of an answer in which facts are looked for, in characters.
pub(super) const LENGTHS: [usize; 3] = [300, 600, 1200];

/// Whether each of these beginnings states all required facts, and whether the whole answer does.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct StatedFacts {
    pub(super) within: [bool; LENGTHS.len()],
    pub(super) whole: bool,
}

impl QuotedAnswer {
    pub(super) fn of(case: &RetrievalCase, answer: &Answer, manifest: &Manifest) -> QuotedAnswer {
        // Marks and numbers of items, fences and "…" state nothing.
        let words =
            |passage: &[CitedSentence]| passage.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(" ");
        let passages: Vec<String> = answer.passages().map(words).collect();
        let text = passages.join(" ");
        let facts = || StatedFacts {
            within: LENGTHS.map(|length| case.required.are_stated_within(length, &text)),
            whole: case.required.are_stated_within(usize::MAX, &text),
        };
        QuotedAnswer {
            characters: text.chars().count(),
            facts: (!case.required.is_empty()).then(facts),
            passage_states_fact: passages.iter().map(|passage| case.required.is_any_stated_in(passage)).collect(),
            first_section: first_section(case, answer, manifest),
            coverage: answer.sub_queries.iter().map(|part| part.coverage).fold(0.0, f64::max),
        }
    }
}

/// The place of the first gold section among the places that the answer offers: the sections that it cites, in its order,
/// and then where its other sources begin. Each counts once.
fn first_section(case: &RetrievalCase, answer: &Answer, manifest: &Manifest) -> Option<usize> {
    let page_of = |source: usize| source.checked_sub(1).and_then(|at| manifest.pages.get(at));
    let cited = answer.sentences.iter().map(|sentence| (sentence.source, sentence.anchor.clone()));
    let is_cited = |source: &usize| answer.sentences.iter().any(|sentence| sentence.source == *source);
    let others = (1..=manifest.pages.len()).filter(|source| !is_cited(source)).map(|source| (source, String::new()));
    let mut offered: Vec<(usize, String)> = Vec::new();
    for (source, anchor) in cited.chain(others) {
        // What names no section opens where the page begins.
        let anchor = if anchor.is_empty() { page_of(source).map(first_anchor).unwrap_or_default() } else { anchor };
        if !offered.contains(&(source, anchor.clone())) {
            offered.push((source, anchor));
        }
    }
    let is_gold =
        |(source, anchor): &(usize, String)| page_of(*source).is_some_and(|page| case.is_gold_section(page, anchor));
    offered.iter().position(is_gold).map(|at| at + 1)
}

/// The anchor of the section that a page begins with.
fn first_anchor(page: &FetchedPage) -> String {
    page.page.sections().into_iter().next().map(|section| section.anchor).unwrap_or_default()
}
