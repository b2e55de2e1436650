//! The measures of a ranking, counted as `seealso eval` does, and their table.

use serde::Serialize;

use crate::questions::Question;

/// What one way's rankings are worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Figures {
    pub(crate) hit_at_1: f64,
    pub(crate) hit_at_5: f64,
    pub(crate) mrr: f64,
    /// The share of questions all of whose pages are in the ranking.
    pub(crate) all_gold_at_12: f64,
}

impl Figures {
    /// Of one ranking a question; the first gold page's place decides but for the last figure.
    pub(crate) fn of(questions: &[Question], rankings: &[Vec<String>]) -> Self {
        let pairs = || questions.iter().zip(rankings);
        let places: Vec<Option<usize>> = pairs()
            .map(|(question, ranking)| ranking.iter().position(|id| question.gold.contains(id)).map(|at| at + 1))
            .collect();
        let n = questions.len().max(1) as f64;
        let within = |k: usize| places.iter().flatten().filter(|place| **place <= k).count() as f64 / n;
        let complete = pairs().filter(|(question, ranking)| question.gold.iter().all(|id| ranking.contains(id)));
        Figures {
            hit_at_1: within(1),
            hit_at_5: within(5),
            mrr: places.iter().flatten().map(|&place| 1.0 / place as f64).sum::<f64>() / n,
            all_gold_at_12: complete.count() as f64 / n,
        }
    }
}

/// A Markdown table, a line a way.
pub(crate) fn table(ways: &[(&str, Figures)]) -> String {
    let head = "| way | hit@1 | hit@5 | MRR | all gold@12 |\n|---|---:|---:|---:|---:|\n".to_owned();
    ways.iter().fold(head, |text, (name, figures)| {
        let Figures { hit_at_1, hit_at_5, mrr, all_gold_at_12 } = figures;
        text + &format!("| {name} | {hit_at_1:.2} | {hit_at_5:.2} | {mrr:.2} | {all_gold_at_12:.2} |\n")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_two_questions() {
        let line = r#"{"question": "?", "gold": ["a", "b"], "kind": "multi"}"#;
        let questions: Vec<Question> = vec![serde_json::from_str(line).unwrap(), serde_json::from_str(line).unwrap()];
        let rankings = [vec!["x".to_owned(), "b".to_owned(), "a".to_owned()], vec!["a".to_owned()]];
        let expected = Figures { hit_at_1: 0.5, hit_at_5: 1.0, mrr: 0.75, all_gold_at_12: 0.5 };
        assert_eq!(Figures::of(&questions, &rankings), expected);
    }
}
