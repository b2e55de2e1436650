//! The figures of `eval FILE` over many questions, as a table and as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::quoted_answer::{LENGTHS, QuotedAnswer, StatedFacts};
use crate::style::{FAINT, STRONG, say};

/// The observation of one question.
#[derive(Debug, Default, Clone)]
pub(super) struct RetrievalObservation {
    pub(super) kind: String,
    pub(super) language: Option<String>,
    pub(super) sub_queries: Vec<String>,
    pub(super) by_model: bool,
    pub(super) is_answerable: bool,
    /// Place of the first gold page in the merged ranking, from 1.
    pub(super) first: Option<usize>,
    pub(super) all_at_12: bool,
    pub(super) all_in_pages: bool,
    pub(super) empty: bool,
    /// Whether a gold place of the question names a section.
    pub(super) names_sections: bool,
    pub(super) quoted: QuotedAnswer,
}

/// The figures over some questions. A figure to which no question contributes is none.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct RetrievalFigures {
    n: usize,
    hit_at_1: f64,
    hit_at_5: f64,
    mrr: f64,
    section_hit_at_1: Option<f64>,
    section_hit_at_5: Option<f64>,
    section_mrr: Option<f64>,
    all_gold_at_12: f64,
    all_gold_in_pages: f64,
    split: f64,
    split_by_model: f64,
    empty_on_unanswerable: f64,
    empty_on_answerable: f64,
    says_at_300: Option<f64>,
    says_at_600: Option<f64>,
    says_at_1200: Option<f64>,
    says: Option<f64>,
    lead: Option<f64>,
    density: Option<f64>,
    answer_chars: f64,
}

/// The share of `all` for which `holds` is true; none of none.
fn share<'a>(all: &[&'a RetrievalObservation], holds: impl Fn(&'a RetrievalObservation) -> bool) -> Option<f64> {
    let count = all.iter().filter(|observation| holds(observation)).count();
    (!all.is_empty()).then(|| count as f64 / all.len() as f64)
}

fn mean(all: &[&RetrievalObservation], of: impl Fn(&RetrievalObservation) -> f64) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().map(|observation| of(observation)).sum::<f64>() / all.len() as f64)
}

fn is_at_most(most: usize) -> impl Fn(Option<usize>) -> bool {
    move |place| place.is_some_and(|place| place <= most)
}

fn reciprocal(place: Option<usize>) -> f64 {
    place.map_or(0.0, |place| 1.0 / place as f64)
}

impl RetrievalFigures {
    pub(super) fn of<'a>(observation: impl Iterator<Item = &'a RetrievalObservation>) -> RetrievalFigures {
        let all: Vec<&RetrievalObservation> = observation.collect();
        let (answerable, unanswerable): (Vec<&RetrievalObservation>, Vec<&RetrievalObservation>) =
            all.iter().partition(|observation| observation.is_answerable);
        let of_sections: Vec<&RetrievalObservation> =
            answerable.iter().copied().filter(|observation| observation.names_sections).collect();
        let of_gold = |holds: &dyn Fn(&RetrievalObservation) -> bool| share(&answerable, holds).unwrap_or_default();
        let [says_at_300, says_at_600, says_at_1200] =
            std::array::from_fn(|at| share_stating(&all, |facts| facts.within[at]));
        RetrievalFigures {
            n: all.len(),
            hit_at_1: of_gold(&|observation| is_at_most(1)(observation.first)),
            hit_at_5: of_gold(&|observation| is_at_most(5)(observation.first)),
            mrr: mean(&answerable, |observation| reciprocal(observation.first)).unwrap_or_default(),
            section_hit_at_1: share(&of_sections, |observation| is_at_most(1)(observation.quoted.first_section)),
            section_hit_at_5: share(&of_sections, |observation| is_at_most(5)(observation.quoted.first_section)),
            section_mrr: mean(&of_sections, |observation| reciprocal(observation.quoted.first_section)),
            all_gold_at_12: of_gold(&|observation| observation.all_at_12),
            all_gold_in_pages: of_gold(&|observation| observation.all_in_pages),
            split: share(&all, |observation| observation.sub_queries.len() > 1).unwrap_or_default(),
            split_by_model: share(&all, |observation| observation.by_model).unwrap_or_default(),
            empty_on_unanswerable: share(&unanswerable, |observation| observation.empty).unwrap_or_default(),
            empty_on_answerable: of_gold(&|observation| observation.empty),
            says_at_300,
            says_at_600,
            says_at_1200,
            says: share_stating(&all, |facts| facts.whole),
            lead: lead_share(&all),
            density: fact_density(&all),
            answer_chars: mean(&all, |observation| observation.quoted.characters as f64).unwrap_or_default(),
        }
    }

    /// The cells of a table's row, in the order of [`COLUMNS`].
    fn cells(&self) -> [String; COLUMNS.len()] {
        let shown = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.2}"));
        [
            self.n.to_string(),
            shown(Some(self.hit_at_1)),
            shown(Some(self.hit_at_5)),
            shown(Some(self.mrr)),
            shown(Some(self.all_gold_at_12)),
            shown(Some(self.all_gold_in_pages)),
            shown(Some(self.split)),
            shown(Some(self.empty_on_unanswerable)),
            shown(Some(self.empty_on_answerable)),
            shown(self.says_at_300),
            shown(self.says_at_600),
            shown(self.says_at_1200),
            shown(self.says),
            shown(self.lead),
            shown(self.density),
            format!("{:.0}", self.answer_chars),
        ]
    }

    /// The measures of sections, in a line; none where no place names one.
    fn sections(&self) -> Option<String> {
        let (first, fifth, mrr) = (self.section_hit_at_1?, self.section_hit_at_5?, self.section_mrr?);
        Some(format!("sections: hit@1 {first:.2}, hit@5 {fifth:.2}, mrr {mrr:.2}"))
    }
}

/// The share of questions with required facts whose answers state them all, in the part that `holds` looks at.
fn share_stating(all: &[&RetrievalObservation], holds: impl Fn(StatedFacts) -> bool) -> Option<f64> {
    let with_facts: Vec<&RetrievalObservation> =
        all.iter().copied().filter(|observation| observation.quoted.facts.is_some()).collect();
    share(&with_facts, |observation| observation.quoted.facts.is_some_and(&holds))
}

/// The questions that were answered and have required facts.
fn with_facts_and_answer<'a>(all: &[&'a RetrievalObservation]) -> Vec<&'a RetrievalObservation> {
    let is_one = |observation: &&RetrievalObservation| {
        observation.quoted.facts.is_some() && !observation.quoted.passage_states_fact.is_empty()
    };
    all.iter().copied().filter(is_one).collect()
}

/// The share of the answers whose first passage states a required fact.
fn lead_share(all: &[&RetrievalObservation]) -> Option<f64> {
    share(&with_facts_and_answer(all), |observation| observation.quoted.passage_states_fact.first() == Some(&true))
}

/// The share of all passages that state a required fact.
fn fact_density(all: &[&RetrievalObservation]) -> Option<f64> {
    let passage_states_fact: Vec<bool> = with_facts_and_answer(all)
        .iter()
        .flat_map(|observation| observation.quoted.passage_states_fact.iter().copied())
        .collect();
    let count = passage_states_fact.iter().filter(|tells| **tells).count();
    (!passage_states_fact.is_empty()).then(|| count as f64 / passage_states_fact.len() as f64)
}

const COLUMNS: [&str; 16] = [
    "n", "hit@1", "hit@5", "mrr", "all@12", "in pages", "split", "empty(u)", "empty(a)", "says@300", "@600", "@1200",
    "says", "lead", "density", "chars",
];

/// The rows of a report: each kind, each language of a kind where questions name theirs, and all answerable questions.
pub(super) struct RetrievalReport {
    all: RetrievalFigures,
    kinds: BTreeMap<String, RetrievalFigures>,
    answerable: RetrievalFigures,
    curve: Option<Vec<CurvePoint>>,
}

impl RetrievalReport {
    /// The report on `observations`, with the curve over bounds of coverage if `with_curve`.
    pub(super) fn of(observation: &[RetrievalObservation], with_curve: bool) -> RetrievalReport {
        let of_language = |observation: &RetrievalObservation| {
            observation.language.as_ref().map(|language| format!("{} {language}", observation.kind))
        };
        let mut rows: BTreeMap<String, Vec<&RetrievalObservation>> = BTreeMap::new();
        for one in observation {
            for row in [Some(one.kind.clone()), of_language(one)].into_iter().flatten() {
                rows.entry(row).or_default().push(one);
            }
        }
        RetrievalReport {
            all: RetrievalFigures::of(observation.iter()),
            kinds: rows
                .into_iter()
                .map(|(row, observation)| (row, RetrievalFigures::of(observation.into_iter())))
                .collect(),
            answerable: RetrievalFigures::of(observation.iter().filter(|observation| observation.is_answerable)),
            curve: with_curve.then(|| curve(observation)),
        }
    }

    pub(super) fn as_json(&self) -> anyhow::Result<Value> {
        let mut report = serde_json::to_value(&self.all)?;
        report["kinds"] = serde_json::to_value(&self.kinds)?;
        report["answerable"] = serde_json::to_value(&self.answerable)?;
        if let Some(curve) = &self.curve {
            report["curve"] = serde_json::to_value(curve)?;
        }
        Ok(report)
    }

    pub(super) fn print(&self) {
        let kinds = self.kinds.iter().map(|(kind, figures)| (kind.as_str(), figures));
        let header = COLUMNS.iter().map(|column| format!(" {column:>5}")).collect::<String>();
        say!("{STRONG}{:<16}{header}{STRONG:#}", "kind");
        for (kind, figures) in kinds.chain([("answerable", &self.answerable), ("all", &self.all)]) {
            let cells = figures.cells().into_iter().zip(COLUMNS);
            let cells: String = cells.map(|(cell, column)| format!(" {cell:>0$}", column.len().max(5))).collect();
            say!("{kind:<16}{cells}");
        }
        say!("{FAINT}empty(u): unanswerable questions that got no answer; (a): answerable ones that got none{FAINT:#}");
        if let Some(sections) = self.all.sections() {
            say!("{sections}");
        }
        for point in self.curve.iter().flatten() {
            let shown = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{share:.3}"));
            let (unanswerable, answerable) = (shown(point.unanswerable), shown(point.answerable));
            say!("bound {:.2}: below it {unanswerable} of unanswerable, {answerable} of answerable", point.bound);
        }
    }
}

/// The questions that a bound of coverage alone would refuse.
#[derive(Debug, PartialEq, Serialize)]
struct CurvePoint {
    bound: f64,
    /// The share of unanswerable questions whose best coverage lies below the bound: rightly refused.
    unanswerable: Option<f64>,
    /// The same of answerable ones: wrongly refused.
    answerable: Option<f64>,
}

/// The shares of questions that lie below each bound from 0 to 1.
fn curve(observation: &[RetrievalObservation]) -> Vec<CurvePoint> {
    let (answerable, unanswerable): (Vec<&RetrievalObservation>, Vec<&RetrievalObservation>) =
        observation.iter().partition(|observation| observation.is_answerable);
    let point = |step: u8| {
        let bound = f64::from(step) / 20.0;
        let below = |all: &[&RetrievalObservation]| share(all, |observation| observation.quoted.coverage < bound);
        CurvePoint { bound, unanswerable: below(&unanswerable), answerable: below(&answerable) }
    };
    (0..=20).map(point).collect()
}

const _: () = assert!(LENGTHS[0] == 300 && LENGTHS[1] == 600 && LENGTHS[2] == 1200, "the keys name these lengths");

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
