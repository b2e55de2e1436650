//! Percentiles over questions, and the worst question.

use std::cmp::Ordering;

use serde::Serialize;

/// The spread of one number over the questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Spread<T> {
    pub(super) p50: T,
    pub(super) p95: T,
    pub(super) worst: T,
    /// The first question with the largest number.
    pub(super) worst_question: String,
}

impl<T: Copy + PartialOrd> Spread<T> {
    /// The spread of one number a question; none of no questions.
    pub(super) fn of<'a>(numbers: impl Iterator<Item = (&'a String, T)>) -> Option<Spread<T>> {
        let mut all: Vec<(&String, T)> = numbers.collect();
        // Sorted from the worst. The sort is stable, so of equal numbers the first question comes first.
        all.sort_by(|a, b| order(b.1, a.1));
        let (question, worst) = *all.first()?;
        let values: Vec<T> = all.iter().rev().map(|(_, number)| *number).collect();
        let [p50, p95] = [percentile(&values, 0.5)?, percentile(&values, 0.95)?];
        Some(Spread { p50, p95, worst, worst_question: question.clone() })
    }
}

/// The smallest of the sorted `values` that at least `share` of them do not exceed.
fn percentile<T: Copy>(values: &[T], share: f64) -> Option<T> {
    let at = (share * values.len() as f64).ceil() as usize;
    values.get(at.saturating_sub(1)).copied()
}

/// The middle one of `values`, of two the smaller; 0 of none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    percentile(&values, 0.5).unwrap_or_default()
}

/// Compares two measurements; none of them is NaN.
fn order<T: PartialOrd>(a: T, b: T) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_and_the_worst() {
        let check = |numbers: &[u64], expected: Option<(u64, u64, u64, &str)>| {
            let names: Vec<String> = (0..numbers.len()).map(|at| format!("q{at}")).collect();
            let spread = Spread::of(names.iter().zip(numbers.iter().copied()));
            let expected = expected.map(|(p50, p95, worst, question)| {
                let worst_question = question.to_owned();
                Spread { p50, p95, worst, worst_question }
            });
            assert_eq!(spread, expected);
        };
        check(&[], None);
        check(&[7], Some((7, 7, 7, "q0")));
        check(&[3, 9, 1, 9], Some((3, 9, 9, "q1")));
        let hundred: Vec<u64> = (1..=100).rev().collect();
        check(&hundred, Some((50, 95, 100, "q0")));
        assert_eq!([median(vec![]), median(vec![3.0, 1.0, 2.0]), median(vec![2.0, 1.0])], [0.0, 2.0, 1.0]);
    }
}
