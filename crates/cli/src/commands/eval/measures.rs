//! Measures of how well a score tells labels apart.

use super::claim_file::{CONTRADICTED, LABELS, PARTLY, UNSUPPORTED};

/// A score, and whether it is of a supported claim.
pub type Scored = (f64, bool);

/// Area under the ROC curve: how often a supported claim scores above another; a tie counts half. None where there are no
/// two to compare.
pub(super) fn auc(scored: &[Scored]) -> Option<f64> {
    let mut sorted: Vec<Scored> = scored.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut wins) = (0.0, 0.0);
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let others = tied.iter().filter(|(_, supported)| !supported).count() as f64;
        let supported = tied.len() as f64 - others;
        wins += supported * (below + others / 2.0);
        below += others;
    }
    let supported = sorted.len() as f64 - below;
    (below * supported > 0.0).then(|| wins / (below * supported))
}

/// The labels of a file from the least supported to the most, and the scores from which each of them but the first holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Steps {
    pub(super) labels: Vec<&'static str>,
    pub(super) bounds: Vec<f64>,
}

/// What a layer gives a claim: how much it finds the claim spoken of, how surely all of it told, and how surely it is no error.
/// A layer that doesn't tell these from each other gives one number thrice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Given {
    pub(super) spoken: f64,
    pub(super) told: f64,
    pub(super) score: f64,
}

/// What a bound is a bound of.
#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    Spoken,
    Told,
    Score,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Spoken => "spoken of",
            By::Told => "told in full",
            By::Score => "score",
        }
    }
}

impl Steps {
    /// Steps between the labels that there are, of which none is fixed yet: all claims have the last one.
    pub(super) fn between<'l>(known: impl Iterator<Item = &'l str>) -> Steps {
        let known: Vec<&str> = known.collect();
        let labels: Vec<&'static str> = LABELS.into_iter().filter(|label| known.contains(label)).collect();
        Steps { bounds: vec![f64::NEG_INFINITY; labels.len().saturating_sub(1)], labels }
    }

    /// The bounds with the best mean F1 on `known`, found one after the other.
    pub(super) fn fit(known: &[(Given, &str)]) -> Steps {
        let mut steps = Steps::between(known.iter().map(|(_, label)| *label));
        // Each bound in turn, twice, since the best place of one depends on the other.
        for _ in 0..2 {
            for at in (0..steps.bounds.len()).rev() {
                let with = |bound: f64| {
                    let mut tried = steps.clone();
                    tried.bounds[at] = bound;
                    (tried.mean_f1(known), bound)
                };
                let candidates = steps.candidates(at, known);
                let best = candidates.into_iter().map(with).max_by(|a, b| a.0.total_cmp(&b.0));
                steps.bounds[at] = best.map_or(0.0, |(_, bound)| bound);
            }
        }
        steps
    }

    /// Where a bound may lie: at most 200 of the numbers that it is compared with.
    fn candidates(&self, at: usize, known: &[(Given, &str)]) -> Vec<f64> {
        let mut all: Vec<f64> = known.iter().map(|(given, _)| self.compared(at, *given)).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let step = all.len().div_ceil(200).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// What the bound above a label is compared with.
    fn compared(&self, at: usize, given: Given) -> f64 {
        match self.by(at) {
            By::Spoken => given.spoken,
            By::Told => given.told,
            By::Score => given.score,
        }
    }

    /// By what each of the bounds parts, in words.
    pub(super) fn by_names(&self) -> Vec<&'static str> {
        (0..self.bounds.len()).map(|at| self.by(at).name()).collect()
    }

    /// By what the bound above a label parts: a claim is unsupported where no page speaks of it, and partly supported where not
    /// all of it is told. Where all that is untrue is called unsupported, so is what a page has otherwise, and the score tells.
    fn by(&self, at: usize) -> By {
        let others = [CONTRADICTED, PARTLY];
        match self.labels[at] {
            UNSUPPORTED if others.iter().any(|other| self.labels.contains(other)) => By::Spoken,
            PARTLY => By::Told,
            _ => By::Score,
        }
    }

    /// What tells supported claims from all others, whatever these are called: how surely all of a claim is told where some are
    /// told in part, else how surely it is no error.
    pub(super) fn supports(&self, given: Given) -> f64 {
        if self.labels.contains(&PARTLY) { given.told } else { given.score }
    }

    pub(super) fn label(&self, given: Given) -> &'static str {
        let reached = |at: &usize| self.compared(*at, given) >= self.bounds[*at];
        let above = (0..self.bounds.len()).take_while(reached).count();
        self.labels.get(above).copied().unwrap_or_default()
    }

    fn mean_f1(&self, known: &[(Given, &str)]) -> f64 {
        let pairs: Vec<(&str, &str)> = known.iter().map(|(given, label)| (self.label(*given), *label)).collect();
        self.labels.iter().filter_map(|label| f1(&pairs, label)).sum::<f64>() / self.labels.len().max(1) as f64
    }
}

/// F1 of a label over pairs of what was said and what is true; none where it neither was said nor is true.
pub(super) fn f1(pairs: &[(&str, &str)], label: &str) -> Option<f64> {
    let count = |is: &dyn Fn(&(&str, &str)) -> bool| pairs.iter().filter(|pair| is(pair)).count() as f64;
    let both = count(&|(said, truth)| *said == label && *truth == label);
    let either = count(&|(said, _)| *said == label) + count(&|(_, truth)| *truth == label);
    (either > 0.0).then(|| 2.0 * both / either)
}

/// The share of the pairs that agree; none where there are none.
pub(super) fn accuracy(pairs: &[(&str, &str)]) -> Option<f64> {
    let right = pairs.iter().filter(|(said, truth)| said == truth).count();
    (!pairs.is_empty()).then(|| right as f64 / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_under_the_curve() {
        let check = |scored: &[Scored], expected: f64| assert_eq!(auc(scored), Some(expected));
        check(&[(1.0, false), (2.0, true)], 1.0);
        check(&[(1.0, true), (2.0, false)], 0.0);
        check(&[(1.0, true), (1.0, false)], 0.5);
        check(&[(1.0, false), (2.0, true), (3.0, false), (4.0, true)], 0.75);
        assert_eq!((auc(&[(1.0, true)]), auc(&[(1.0, false), (2.0, false)]), auc(&[])), (None, None, None));
    }

    #[test]
    fn bounds_are_put_where_labels_part() {
        let alone = |score| Given { spoken: score, told: score, score };
        let known = [(0.1, "unsupported"), (0.2, "unsupported"), (0.5, "partially_supported"), (0.9, "supported")];
        let known = known.map(|(score, label)| (alone(score), label));
        let steps = Steps::fit(&known);
        assert_eq!(known.map(|(given, _)| steps.label(given)), known.map(|(_, label)| label));
        assert_eq!(steps.label(alone(-9.0)), "unsupported");
        assert_eq!(Steps::fit(&[]).label(alone(1.0)), "");
    }

    #[test]
    fn what_is_not_spoken_of_is_unsupported_and_what_is_not_all_told_partly_whatever_its_score() {
        let given = |spoken, told| Given { spoken, told, score: 0.5 };
        let known = [
            (given(0.1, 0.9), "unsupported"),
            (given(0.2, 0.1), "unsupported"),
            (given(0.6, 0.2), "partially_supported"),
            (given(0.5, 0.8), "supported"),
        ];
        let steps = Steps::fit(&known);
        assert_eq!(known.map(|(given, _)| steps.label(given)), known.map(|(_, label)| label));
        assert_eq!(steps.supports(known[3].0), 0.8);
        // Where there is no such label, the score alone counts.
        let given = |told, score| Given { spoken: told, told, score };
        let known = [(given(0.9, 0.1), "contradicted"), (given(0.1, 0.9), "supported")];
        let steps = Steps::fit(&known);
        assert_eq!(known.map(|(given, _)| steps.label(given)), known.map(|(_, label)| label));
        assert_eq!(steps.supports(known[1].0), 0.9);
    }

    #[test]
    fn what_no_other_untrue_label_takes_is_unsupported_by_the_score() {
        let given = |spoken, score| Given { spoken, told: 9.0, score };
        // A page speaks of the first claim as much as of the last, and has it otherwise.
        let two = [(given(0.9, 0.1), "unsupported"), (given(0.2, 0.2), "unsupported"), (given(0.8, 0.9), "supported")];
        let steps = Steps::fit(&two);
        assert_eq!(two.map(|(given, _)| steps.label(given)), two.map(|(_, label)| label));
        assert_eq!((steps.by_names(), steps.supports(two[0].0), steps.supports(two[2].0)), (vec!["score"], 0.1, 0.9));
        // With a label of its own for what a page has otherwise, words tell what is unsupported, and the score what is supported.
        let three = [
            (given(0.9, 0.1), "contradicted"),
            (given(0.2, 0.5), "unsupported"),
            (given(0.8, 0.9), "supported"),
            (given(0.7, 0.8), "supported"),
        ];
        let steps = Steps::fit(&three);
        assert_eq!(three.map(|(given, _)| steps.label(given)), three.map(|(_, label)| label));
        assert_eq!(steps.by_names(), ["score", "spoken of"]);
        assert_eq!(three.map(|(given, _)| steps.supports(given)), [0.1, 0.5, 0.9, 0.8]);
    }

    #[test]
    fn f1_and_accuracy() {
        let pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")];
        assert_eq!((f1(&pairs, "a"), f1(&pairs, "b"), f1(&pairs, "c")), (Some(2.0 / 3.0), Some(0.8), None));
        assert_eq!(f1(&[("a", "b")], "b"), Some(0.0));
        assert_eq!((accuracy(&pairs), accuracy(&[])), (Some(0.75), None));
    }
}
