//! Measures of how well a score tells labels apart.

use super::claim_file::{CONTRADICTED, LABELS, PARTLY, UNSUPPORTED};

/// A score of a claim, and whether the claim is supported.
pub type ScoredClaim = (f64, bool);

/// Area under the ROC curve: how often a supported claim scores above another one; a tie counts half. None where claims of
/// one of the two kinds are missing.
pub(super) fn auc(scored: &[ScoredClaim]) -> Option<f64> {
    let mut sorted: Vec<ScoredClaim> = scored.to_vec();
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

/// The labels of a file from the least supported to the most, and the lowest score of each of them but the first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LabelBounds {
    pub(super) labels: Vec<&'static str>,
    pub(super) bounds: Vec<f64>,
}

/// A layer's scores of a claim. A layer that does not tell the three apart gives one number thrice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LayerScores {
    /// How much the evidence is about the claim.
    pub(super) topicality: f64,
    /// How surely the evidence covers all of the claim.
    pub(super) completeness: f64,
    /// How surely the claim is no error.
    pub(super) correctness: f64,
}

/// The score that a bound is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum BoundedScore {
    Topicality,
    Completeness,
    Correctness,
}

impl BoundedScore {
    fn name(self) -> &'static str {
        match self {
            BoundedScore::Topicality => "spoken of",
            BoundedScore::Completeness => "told in full",
            BoundedScore::Correctness => "score",
        }
    }
}

impl LabelBounds {
    /// Bounds between the labels that occur in `known`, none of which is fitted yet: all claims have the last label.
    pub(super) fn between<'l>(known: impl Iterator<Item = &'l str>) -> LabelBounds {
        let known: Vec<&str> = known.collect();
        let labels: Vec<&'static str> = LABELS.into_iter().filter(|label| known.contains(label)).collect();
        LabelBounds { bounds: vec![f64::NEG_INFINITY; labels.len().saturating_sub(1)], labels }
    }

    /// The bounds with the best mean F1 on `known`, fitted one after the other.
    pub(super) fn fit(known: &[(LayerScores, &str)]) -> LabelBounds {
        let mut bounds = LabelBounds::between(known.iter().map(|(_, label)| *label));
        // Each bound in turn, twice, since the best value of one depends on the other.
        for _ in 0..2 {
            for at in (0..bounds.bounds.len()).rev() {
                let with = |bound: f64| {
                    let mut tried = bounds.clone();
                    tried.bounds[at] = bound;
                    (tried.mean_f1(known), bound)
                };
                let candidates = bounds.candidates(at, known);
                let best = candidates.into_iter().map(with).max_by(|a, b| a.0.total_cmp(&b.0));
                bounds.bounds[at] = best.map_or(0.0, |(_, bound)| bound);
            }
        }
        bounds
    }

    /// The values that are tried for a bound: at most 200 of the scores that it is compared with.
    fn candidates(&self, at: usize, known: &[(LayerScores, &str)]) -> Vec<f64> {
        let mut all: Vec<f64> = known.iter().map(|(scores, _)| self.compared(at, *scores)).collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        let step = all.len().div_ceil(200).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// The score that the bound above a label is compared with.
    fn compared(&self, at: usize, scores: LayerScores) -> f64 {
        match self.by(at) {
            BoundedScore::Topicality => scores.topicality,
            BoundedScore::Completeness => scores.completeness,
            BoundedScore::Correctness => scores.correctness,
        }
    }

    /// The name of the score that each bound is compared with.
    pub(super) fn by_names(&self) -> Vec<&'static str> {
        (0..self.bounds.len()).map(|at| self.by(at).name()).collect()
    }

    /// The score that the bound above a label is compared with. A claim is unsupported where the evidence is not about it, and
    /// partly supported where the evidence does not cover all of it. In files that call every untrue claim unsupported,
    /// contradicted claims are among them, so there the score of correctness decides.
    fn by(&self, at: usize) -> BoundedScore {
        let others = [CONTRADICTED, PARTLY];
        match self.labels[at] {
            UNSUPPORTED if others.iter().any(|other| self.labels.contains(other)) => BoundedScore::Topicality,
            PARTLY => BoundedScore::Completeness,
            _ => BoundedScore::Correctness,
        }
    }

    /// The score by which supported claims are told from all others, whatever these are called: completeness where some claims
    /// are partly supported, else correctness.
    pub(super) fn supports(&self, scores: LayerScores) -> f64 {
        if self.labels.contains(&PARTLY) { scores.completeness } else { scores.correctness }
    }

    /// The label of a claim with these scores.
    pub(super) fn label(&self, scores: LayerScores) -> &'static str {
        let is_reached = |at: &usize| self.compared(*at, scores) >= self.bounds[*at];
        let above = (0..self.bounds.len()).take_while(is_reached).count();
        self.labels.get(above).copied().unwrap_or_default()
    }

    fn mean_f1(&self, known: &[(LayerScores, &str)]) -> f64 {
        let pairs: Vec<(&str, &str)> = known.iter().map(|(scores, label)| (self.label(*scores), *label)).collect();
        self.labels.iter().filter_map(|label| f1(&pairs, label)).sum::<f64>() / self.labels.len().max(1) as f64
    }
}

/// F1 of a label over pairs of the label given and the true one; none where no pair has it.
pub(super) fn f1(pairs: &[(&str, &str)], label: &str) -> Option<f64> {
    let count = |is: &dyn Fn(&(&str, &str)) -> bool| pairs.iter().filter(|pair| is(pair)).count() as f64;
    let both = count(&|(given, truth)| *given == label && *truth == label);
    let either = count(&|(given, _)| *given == label) + count(&|(_, truth)| *truth == label);
    (either > 0.0).then(|| 2.0 * both / either)
}

/// The share of the pairs whose labels agree; none of no pairs.
pub(super) fn accuracy(pairs: &[(&str, &str)]) -> Option<f64> {
    let right = pairs.iter().filter(|(given, truth)| given == truth).count();
    (!pairs.is_empty()).then(|| right as f64 / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_under_the_curve() {
        let check = |scored: &[ScoredClaim], expected: f64| assert_eq!(auc(scored), Some(expected));
        check(&[(1.0, false), (2.0, true)], 1.0);
        check(&[(1.0, true), (2.0, false)], 0.0);
        check(&[(1.0, true), (1.0, false)], 0.5);
        check(&[(1.0, false), (2.0, true), (3.0, false), (4.0, true)], 0.75);
        assert_eq!((auc(&[(1.0, true)]), auc(&[(1.0, false), (2.0, false)]), auc(&[])), (None, None, None));
    }

    #[test]
    fn bounds_are_fitted_between_labels() {
        let alone = |score| LayerScores { topicality: score, completeness: score, correctness: score };
        let known = [(0.1, "unsupported"), (0.2, "unsupported"), (0.5, "partially_supported"), (0.9, "supported")];
        let known = known.map(|(score, label)| (alone(score), label));
        let bounds = LabelBounds::fit(&known);
        assert_eq!(known.map(|(scores, _)| bounds.label(scores)), known.map(|(_, label)| label));
        assert_eq!(bounds.label(alone(-9.0)), "unsupported");
        assert_eq!(LabelBounds::fit(&[]).label(alone(1.0)), "");
    }

    #[test]
    fn topicality_tells_unsupported_claims_and_completeness_partly_supported_ones() {
        let scores = |topicality, completeness| LayerScores { topicality, completeness, correctness: 0.5 };
        let known = [
            (scores(0.1, 0.9), "unsupported"),
            (scores(0.2, 0.1), "unsupported"),
            (scores(0.6, 0.2), "partially_supported"),
            (scores(0.5, 0.8), "supported"),
        ];
        let bounds = LabelBounds::fit(&known);
        assert_eq!(known.map(|(scores, _)| bounds.label(scores)), known.map(|(_, label)| label));
        assert_eq!(bounds.supports(known[3].0), 0.8);
        // Without such labels, correctness alone counts.
        let scores = |completeness, score| LayerScores { topicality: completeness, completeness, correctness: score };
        let known = [(scores(0.9, 0.1), "contradicted"), (scores(0.1, 0.9), "supported")];
        let bounds = LabelBounds::fit(&known);
        assert_eq!(known.map(|(scores, _)| bounds.label(scores)), known.map(|(_, label)| label));
        assert_eq!(bounds.supports(known[1].0), 0.9);
    }

    #[test]
    fn correctness_tells_unsupported_claims_where_no_label_is_for_contradicted_ones() {
        let scores = |topicality, score| LayerScores { topicality, completeness: 9.0, correctness: score };
        // The evidence is about the first claim as much as the last, and contradicts it.
        let two =
            [(scores(0.9, 0.1), "unsupported"), (scores(0.2, 0.2), "unsupported"), (scores(0.8, 0.9), "supported")];
        let bounds = LabelBounds::fit(&two);
        assert_eq!(two.map(|(scores, _)| bounds.label(scores)), two.map(|(_, label)| label));
        assert_eq!(
            (bounds.by_names(), bounds.supports(two[0].0), bounds.supports(two[2].0)),
            (vec!["score"], 0.1, 0.9)
        );
        // With a label for contradicted claims, topicality tells what is unsupported, and correctness what is supported.
        let three = [
            (scores(0.9, 0.1), "contradicted"),
            (scores(0.2, 0.5), "unsupported"),
            (scores(0.8, 0.9), "supported"),
            (scores(0.7, 0.8), "supported"),
        ];
        let bounds = LabelBounds::fit(&three);
        assert_eq!(three.map(|(scores, _)| bounds.label(scores)), three.map(|(_, label)| label));
        assert_eq!(bounds.by_names(), ["score", "spoken of"]);
        assert_eq!(three.map(|(scores, _)| bounds.supports(scores)), [0.1, 0.5, 0.9, 0.8]);
    }

    #[test]
    fn f1_and_accuracy() {
        let pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")];
        assert_eq!((f1(&pairs, "a"), f1(&pairs, "b"), f1(&pairs, "c")), (Some(2.0 / 3.0), Some(0.8), None));
        assert_eq!(f1(&[("a", "b")], "b"), Some(0.0));
        assert_eq!((accuracy(&pairs), accuracy(&[])), (Some(0.75), None));
    }
}
