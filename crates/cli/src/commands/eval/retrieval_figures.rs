//! The numbers over some questions, and how they are shown.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::quoted_answer::{LENGTHS, Quoted, Says};
use crate::style::{FAINT, STRONG, say};

/// What one question showed.
#[derive(Debug, Default, Clone)]
pub(super) struct Seen {
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
    /// Whether the places of the question name sections.
    pub(super) names_sections: bool,
    pub(super) quoted: Quoted,
}

/// The numbers over some questions. What no question has a part in is none.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Numbers {
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

/// How many of `all` there are for which that holds, as a share; none of none.
fn share<'a>(all: &[&'a Seen], holds: impl Fn(&'a Seen) -> bool) -> Option<f64> {
    let count = all.iter().filter(|seen| holds(seen)).count();
    (!all.is_empty()).then(|| count as f64 / all.len() as f64)
}

fn mean(all: &[&Seen], of: impl Fn(&Seen) -> f64) -> Option<f64> {
    (!all.is_empty()).then(|| all.iter().map(|seen| of(seen)).sum::<f64>() / all.len() as f64)
}

fn is_at_most(most: usize) -> impl Fn(Option<usize>) -> bool {
    move |place| place.is_some_and(|place| place <= most)
}

fn reciprocal(place: Option<usize>) -> f64 {
    place.map_or(0.0, |place| 1.0 / place as f64)
}

impl Numbers {
    pub(super) fn of<'a>(seen: impl Iterator<Item = &'a Seen>) -> Numbers {
        let all: Vec<&Seen> = seen.collect();
        let (answerable, unanswerable): (Vec<&Seen>, Vec<&Seen>) = all.iter().partition(|seen| seen.is_answerable);
        let of_sections: Vec<&Seen> = answerable.iter().copied().filter(|seen| seen.names_sections).collect();
        let of_gold = |holds: &dyn Fn(&Seen) -> bool| share(&answerable, holds).unwrap_or_default();
        let [says_at_300, says_at_600, says_at_1200] = std::array::from_fn(|at| says(&all, |says| says.within[at]));
        Numbers {
            n: all.len(),
            hit_at_1: of_gold(&|seen| is_at_most(1)(seen.first)),
            hit_at_5: of_gold(&|seen| is_at_most(5)(seen.first)),
            mrr: mean(&answerable, |seen| reciprocal(seen.first)).unwrap_or_default(),
            section_hit_at_1: share(&of_sections, |seen| is_at_most(1)(seen.quoted.first_section)),
            section_hit_at_5: share(&of_sections, |seen| is_at_most(5)(seen.quoted.first_section)),
            section_mrr: mean(&of_sections, |seen| reciprocal(seen.quoted.first_section)),
            all_gold_at_12: of_gold(&|seen| seen.all_at_12),
            all_gold_in_pages: of_gold(&|seen| seen.all_in_pages),
            split: share(&all, |seen| seen.sub_queries.len() > 1).unwrap_or_default(),
            split_by_model: share(&all, |seen| seen.by_model).unwrap_or_default(),
            empty_on_unanswerable: share(&unanswerable, |seen| seen.empty).unwrap_or_default(),
            empty_on_answerable: of_gold(&|seen| seen.empty),
            says_at_300,
            says_at_600,
            says_at_1200,
            says: says(&all, |says| says.whole),
            lead: lead(&all),
            density: density(&all),
            answer_chars: mean(&all, |seen| seen.quoted.characters as f64).unwrap_or_default(),
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

/// The share of the questions with something to say whose answers say it all, as far as `holds` looks.
fn says(all: &[&Seen], holds: impl Fn(Says) -> bool) -> Option<f64> {
    let asked: Vec<&Seen> = all.iter().copied().filter(|seen| seen.quoted.says.is_some()).collect();
    share(&asked, |seen| seen.quoted.says.is_some_and(&holds))
}

/// Those that were answered and have something to say.
fn answered<'a>(all: &[&'a Seen]) -> Vec<&'a Seen> {
    let is_one = |seen: &&Seen| seen.quoted.says.is_some() && !seen.quoted.telling.is_empty();
    all.iter().copied().filter(is_one).collect()
}

/// The share of the answers whose first passage says something that it must.
fn lead(all: &[&Seen]) -> Option<f64> {
    share(&answered(all), |seen| seen.quoted.telling.first() == Some(&true))
}

/// The share of all passages that say something that the answer must.
fn density(all: &[&Seen]) -> Option<f64> {
    let telling: Vec<bool> = answered(all).iter().flat_map(|seen| seen.quoted.telling.iter().copied()).collect();
    let count = telling.iter().filter(|tells| **tells).count();
    (!telling.is_empty()).then(|| count as f64 / telling.len() as f64)
}

const COLUMNS: [&str; 16] = [
    "n", "hit@1", "hit@5", "mrr", "all@12", "in pages", "split", "empty(u)", "empty(a)", "says@300", "@600", "@1200",
    "says", "lead", "density", "chars",
];

/// The rows of a report: each kind; each language of one, where questions name theirs; and all that something is required of.
pub(super) struct Report {
    all: Numbers,
    kinds: BTreeMap<String, Numbers>,
    answerable: Numbers,
    curve: Option<Vec<CurvePoint>>,
}

impl Report {
    /// The report on `seen`, with the curve over the bound where `with_curve`.
    pub(super) fn of(seen: &[Seen], with_curve: bool) -> Report {
        let of_language = |seen: &Seen| seen.language.as_ref().map(|language| format!("{} {language}", seen.kind));
        let mut rows: BTreeMap<String, Vec<&Seen>> = BTreeMap::new();
        for one in seen {
            for row in [Some(one.kind.clone()), of_language(one)].into_iter().flatten() {
                rows.entry(row).or_default().push(one);
            }
        }
        Report {
            all: Numbers::of(seen.iter()),
            kinds: rows.into_iter().map(|(row, seen)| (row, Numbers::of(seen.into_iter()))).collect(),
            answerable: Numbers::of(seen.iter().filter(|seen| seen.is_answerable)),
            curve: with_curve.then(|| curve(seen)),
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
        let kinds = self.kinds.iter().map(|(kind, numbers)| (kind.as_str(), numbers));
        let header = COLUMNS.iter().map(|column| format!(" {column:>5}")).collect::<String>();
        say!("{STRONG}{:<16}{header}{STRONG:#}", "kind");
        for (kind, numbers) in kinds.chain([("answerable", &self.answerable), ("all", &self.all)]) {
            let cells = numbers.cells().into_iter().zip(COLUMNS);
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

/// What a bound of coverage alone would refuse.
#[derive(Debug, PartialEq, Serialize)]
struct CurvePoint {
    bound: f64,
    /// The share of unanswerable questions whose best coverage lies below the bound: rightly refused.
    unanswerable: Option<f64>,
    /// The same of answerable ones: wrongly refused.
    answerable: Option<f64>,
}

/// The shares of questions that lie below each bound from 0 to 1.
fn curve(seen: &[Seen]) -> Vec<CurvePoint> {
    let (answerable, unanswerable): (Vec<&Seen>, Vec<&Seen>) = seen.iter().partition(|seen| seen.is_answerable);
    let point = |step: u8| {
        let bound = f64::from(step) / 20.0;
        let below = |all: &[&Seen]| share(all, |seen| seen.quoted.coverage < bound);
        CurvePoint { bound, unanswerable: below(&unanswerable), answerable: below(&answerable) }
    };
    (0..=20).map(point).collect()
}

const _: () = assert!(LENGTHS[0] == 300 && LENGTHS[1] == 600 && LENGTHS[2] == 1200, "the keys name these lengths");

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
