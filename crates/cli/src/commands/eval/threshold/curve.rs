//! What each threshold of a strong match would do on labelled questions, and which of them is best.
//!
//! A strong match is right where the most relevant entry is the one that the question is labelled with. It is wrong on a question
//! without a label, and also where another entry is the most relevant: an agent would quote that one.

use serde::Serialize;

use crate::commands::eval::shares::{cell, rounded, share};

/// The threshold that the answer path was described with, for an encoder of which nothing else is known.
const PLACEHOLDER: f64 = 0.68;
/// The thresholds that are measured are whole hundredths.
const STEPS: u32 = 100;

/// What a question found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Observation {
    /// The best relevance; 0 where nothing was found.
    pub(super) relevance: f64,
    /// Whether an entry answers the question directly.
    pub(super) is_labelled: bool,
    /// Whether the most relevant entry is that one.
    pub(super) is_right: bool,
}

/// What a threshold does.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct ThresholdRow {
    pub(super) threshold: f64,
    /// Questions with a strong match that is right.
    pub(super) true_positives: usize,
    /// Questions with a strong match that is wrong.
    pub(super) false_positives: usize,
    /// The share of strong matches that are right.
    pub(super) precision: Option<f64>,
    /// The share of labelled questions with a strong match that is right.
    pub(super) recall: Option<f64>,
    /// The harmonic mean of both.
    pub(super) f1: Option<f64>,
    /// Youden's J: recall, and the share of unlabelled questions without a strong match, less 1.
    pub(super) youden: Option<f64>,
}

/// The figures of all thresholds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ThresholdReport {
    pub(super) questions: usize,
    pub(super) labelled: usize,
    pub(super) unlabelled: usize,
    /// How many labelled questions have their entry as the most relevant one.
    pub(super) right: usize,
    pub(super) curve: Vec<ThresholdRow>,
    /// The threshold to store: the middle of those with the largest Youden's J, which weighs both kinds of questions alike,
    /// however many of each there are. Of several ranges the highest, as a wrong quote costs more than a hedge.
    pub(super) best: ThresholdRow,
    pub(super) placeholder: ThresholdRow,
    pub(super) stored: Option<f64>,
}

impl ThresholdRow {
    fn of(observations: &[Observation], threshold: f64) -> ThresholdRow {
        let count = |wanted: &dyn Fn(&Observation) -> bool| observations.iter().filter(|one| wanted(one)).count();
        let is_strong = |one: &Observation| one.relevance > 0.0 && one.relevance >= threshold;
        let true_positives = count(&|one| is_strong(one) && one.is_right);
        let false_positives = count(&|one| is_strong(one) && !one.is_right);
        let labelled = count(&|one| one.is_labelled);
        let precision = share(true_positives, true_positives + false_positives);
        let recall = share(true_positives, labelled);
        let f1 = share(2 * true_positives, true_positives + false_positives + labelled);
        let silent = share(count(&|one| !one.is_labelled && !is_strong(one)), observations.len() - labelled);
        // Without unlabelled questions, all that there are stay without a strong match.
        let youden = recall.map(|recall| rounded(recall + silent.unwrap_or(1.0) - 1.0));
        ThresholdRow { threshold, true_positives, false_positives, precision, recall, f1, youden }
    }

    fn figures(&self) -> [Option<f64>; 4] {
        [self.precision, self.recall, self.f1, self.youden]
    }
}

impl ThresholdReport {
    pub(super) fn of(observations: &[Observation], stored: Option<f64>) -> ThresholdReport {
        let row = |step: u32| ThresholdRow::of(observations, f64::from(step) / f64::from(STEPS));
        let curve: Vec<ThresholdRow> = (0..=STEPS).map(row).collect();
        let most = curve.iter().filter_map(|row| row.youden).fold(f64::NEG_INFINITY, f64::max);
        let is_best = |row: &ThresholdRow| row.youden == Some(most);
        let last = curve.iter().rposition(is_best).unwrap_or(curve.len() - 1);
        let first = curve[..=last].iter().rposition(|row| !is_best(row)).map_or(0, |before| (before + 1).min(last));
        ThresholdReport {
            questions: observations.len(),
            labelled: observations.iter().filter(|one| one.is_labelled).count(),
            unlabelled: observations.iter().filter(|one| !one.is_labelled).count(),
            right: observations.iter().filter(|one| one.is_right).count(),
            best: curve[first.midpoint(last)],
            placeholder: ThresholdRow::of(observations, PLACEHOLDER),
            stored,
            curve,
        }
    }

    /// The report as lines of text. Of rows with the same figures the first is shown.
    pub(super) fn rows(&self) -> Vec<String> {
        let mut lines = vec![
            format!(
                "{} questions: {} with an entry, which is the most relevant one for {}, and {} without",
                self.questions, self.labelled, self.right, self.unlabelled
            ),
            String::new(),
            "threshold  right  wrong  precision  recall     F1      J".to_owned(),
        ];
        let mut last = None;
        for row in &self.curve {
            let counts = Some((row.true_positives, row.false_positives, row.figures()));
            if last != counts {
                lines.push(line(row, ""));
            }
            last = counts;
        }
        lines.extend([String::new(), line(&self.best, "  best"), line(&self.placeholder, "  the placeholder")]);
        lines
    }
}

fn line(row: &ThresholdRow, name: &str) -> String {
    let [precision, recall, f1, youden] = row.figures().map(cell);
    format!(
        "{:>9.2}  {:>5}  {:>5}  {precision:>9}  {recall:>6}  {f1:>5}  {youden:>5}{name}",
        row.threshold, row.true_positives, row.false_positives
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observations of (relevance, 'r' right, 'w' another entry, 'n' no label).
    fn observations(of: &[(f64, char)]) -> Vec<Observation> {
        let one = |&(relevance, kind): &(f64, char)| Observation {
            relevance,
            is_labelled: kind != 'n',
            is_right: kind == 'r',
        };
        of.iter().map(one).collect()
    }

    #[test]
    fn a_threshold_divides_right_from_wrong() {
        let of = observations(&[(0.7, 'r'), (0.6, 'r'), (0.65, 'w'), (0.5, 'n'), (0.0, 'n')]);
        let check = |threshold: f64, counts: [usize; 2], figures: [Option<f64>; 4]| {
            let row = ThresholdRow::of(&of, threshold);
            assert_eq!(([row.true_positives, row.false_positives], row.figures()), (counts, figures), "{threshold}");
        };
        check(0.0, [2, 2], [Some(0.5), Some(0.6667), Some(0.5714), Some(0.1667)]);
        check(0.6, [2, 1], [Some(0.6667), Some(0.6667), Some(0.6667), Some(0.6667)]);
        check(0.7, [1, 0], [Some(1.0), Some(0.3333), Some(0.5), Some(0.3333)]);
        check(0.71, [0, 0], [None, Some(0.0), Some(0.0), Some(0.0)]);
    }

    #[test]
    fn the_middle_of_the_best_thresholds_is_stored() {
        let check = |of: &[(f64, char)], best: f64| {
            assert_eq!(ThresholdReport::of(&observations(of), None).best.threshold, best, "{of:?}");
        };
        check(&[(0.6, 'r'), (0.7, 'r'), (0.3, 'n')], 0.45);
        check(&[(0.8, 'r'), (0.6, 'n'), (0.5, 'r'), (0.2, 'n')], 0.7);
        check(&[(0.6, 'r')], 0.3);
        check(&[(0.6, 'w'), (0.4, 'n')], 0.7);
        check(&[], 1.0);
    }

    #[test]
    fn the_report_is_a_table() {
        let of = observations(&[(0.69, 'r'), (0.6, 'r'), (0.5, 'n')]);
        assert_eq!(
            ThresholdReport::of(&of, Some(0.6)).rows(),
            [
                "3 questions: 2 with an entry, which is the most relevant one for 2, and 1 without",
                "",
                "threshold  right  wrong  precision  recall     F1      J",
                "     0.00      2      1      0.667   1.000  0.800  0.000",
                "     0.51      2      0      1.000   1.000  1.000  1.000",
                "     0.61      1      0      1.000   0.500  0.667  0.500",
                "     0.70      0      0          –   0.000  0.000  0.000",
                "",
                "     0.55      2      0      1.000   1.000  1.000  1.000  best",
                "     0.68      1      0      1.000   0.500  0.667  0.500  the placeholder",
            ]
        );
    }
}
