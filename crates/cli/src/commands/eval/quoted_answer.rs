//! The measures of one quoted answer: its length, the facts that it states, and how much of the question its pages cover.

use seealso::{Answer, Manifest, passage_text};

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
    /// The place of the first gold section among the cited ones, from 1.
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
        let passages: Vec<String> = answer.passages().map(passage_text).collect();
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

/// The place of the first gold section among those that the answer cites, each counted once, in its order.
fn first_section(case: &RetrievalCase, answer: &Answer, manifest: &Manifest) -> Option<usize> {
    let mut cited: Vec<(usize, &str)> = Vec::new();
    for sentence in &answer.sentences {
        let section = (sentence.source, sentence.anchor.as_str());
        if !cited.contains(&section) {
            cited.push(section);
        }
    }
    let page = |source: usize| manifest.pages.get(source.checked_sub(1)?);
    let is_gold =
        |&(source, anchor): &(usize, &str)| page(source).is_some_and(|page| case.is_gold_section(page, anchor));
    cited.iter().position(is_gold).map(|at| at + 1)
}
