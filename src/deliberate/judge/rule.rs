//! The rule that makes a verdict of checks, shared words and a model's log-odds.
//!
//! Without a model, the checks decide, and then the share of covered words. With a model, all are weighted together
//! ([`Weights`]), and a claim whose sum is too low is flagged. Whatever the model says, a contradicted value is
//! flagged, and so is a value that pages should contain and do not; for an excerpt, the latter is weighted instead.

use crate::deliberate::checks::{CheckKind, CheckOutcome, Finding};
use crate::deliberate::evidence::Alignment;
use crate::deliberate::verdict::Verdict;
use crate::model::Judge;

/// Passages that cover less of a claim's weight have another subject.
const RELATED: f64 = 0.2;
/// Passages that cover at least this share state the claim, as far as words indicate.
const STATES: f64 = 0.6;
/// A single passage that covers this share has nearly all words of the claim, and states it or its opposite.
const NEARLY_ALL_WORDS: f64 = 0.8;
/// Passages that cover at least this share may state the claim in other words, so a model that says so is believed. A
/// model does not make a claim true that hardly any word supports.
const MAY_STATE: f64 = 0.3;

/// The cost of each kind of finding.
const CONTRADICTED_COST: f64 = 0.7;
const ALTERNATIVE_COST: f64 = 0.3;
const NOT_FOUND_COST: f64 = 0.1;
/// A quantifier or a negation that is not found may still be implied.
const SOFT_COST: f64 = 0.1;
/// The most findings of a kind that are counted.
const MOST_COUNTED: usize = 2;

/// The inputs of the weighted sum if a model judges too: the share of the claim's weight that all passages cover, and
/// the share that the best one covers; the number of contradicted values, of values not found where a passage has an
/// alternative, of values not found without one, and of those not found that may be implied; and the model's weighted
/// score ([`Judge::weighted_score`]).
pub const LAYERS: [&str; 7] = ["covered", "best", "contradicted", "alternative", "not-found", "soft", "model"];

/// The weight of each of [`LAYERS`]. Their sum is the log-odds that the claim is supported, minus the bound below which
/// it is flagged. Fitted by logistic regression to claims that are in no reported figure; `seealso-lab rule` fits them
/// anew, and finds no weights that flag more (docs/claims.md).
struct Weights {
    layers: [f64; LAYERS.len()],
    bias: f64,
}

/// For excerpts that were chosen for the claim.
const EXCERPT: Weights = Weights { layers: [0.96, 0.11, -3.74, -2.39, -0.32, -0.60, 0.62], bias: 0.35 };
/// For passages that were selected from whole pages by words: the model reads few of them.
const WHOLE: Weights = Weights { layers: [1.10, 1.94, -2.04, -1.26, -0.92, -1.38, 0.25], bias: -0.07 };

/// The evidence for a claim.
pub(super) struct Support {
    covered: f64,
    best: f64,
    findings: FindingCounts,
    /// The model's scaled log-odds: 1 where it supports, -1 where it rejects.
    model: Option<f64>,
    /// The same, weighted by the judge's quality.
    weighted_score: f64,
    empty: bool,
    whole: bool,
    excerpt: bool,
    single_sentence: bool,
}

/// The number of findings of each kind.
#[derive(Default)]
struct FindingCounts {
    contradicted: usize,
    /// Not found, and a passage has an alternative.
    alternatives: usize,
    /// Not found, and no passage has an alternative.
    not_found: usize,
    /// The number of these that are names.
    names: usize,
    soft: usize,
}

/// The first finding that contradicts the claim.
pub(super) fn first_contradiction(findings: &[Finding]) -> Option<&Finding> {
    findings.iter().find(|finding| finding.result.outcome == CheckOutcome::Contradicted)
}

impl Support {
    pub(super) fn of(alignment: &Alignment<'_>, findings: &[Finding], answer: Option<(f64, Judge)>) -> Support {
        let mut counts = FindingCounts::default();
        for finding in findings {
            let soft = matches!(finding.result.kind, CheckKind::Negation | CheckKind::Quantifier);
            match finding.result.outcome {
                CheckOutcome::Contradicted => counts.contradicted += 1,
                CheckOutcome::NotFound if soft => counts.soft += 1,
                CheckOutcome::NotFound if !finding.result.found.is_empty() => counts.alternatives += 1,
                CheckOutcome::NotFound => {
                    counts.not_found += 1;
                    counts.names += usize::from(finding.result.kind == CheckKind::Name);
                }
                CheckOutcome::Supported => {}
            }
        }
        Support {
            covered: alignment.covered,
            best: alignment.passages.first().map_or(0.0, |aligned| aligned.score),
            findings: counts,
            model: answer.map(|(odds, judge)| judge.scaled(odds)),
            weighted_score: answer.map_or(0.0, |(odds, judge)| judge.weighted_score(odds)),
            empty: alignment.evidence.is_empty(),
            whole: alignment.evidence.is_whole(),
            excerpt: alignment.evidence.is_excerpt(),
            single_sentence: alignment.evidence.is_single_sentence(),
        }
    }

    /// Whether any passage is about the claim's subject.
    pub(super) fn is_related(&self) -> bool {
        self.best >= RELATED
    }

    pub(super) fn by_checks(&self) -> f64 {
        let FindingCounts { contradicted, alternatives, not_found, soft, .. } = self.findings;
        let lost = CONTRADICTED_COST * contradicted.min(1) as f64
            + ALTERNATIVE_COST * alternatives.min(MOST_COUNTED) as f64
            + NOT_FOUND_COST * not_found.min(MOST_COUNTED) as f64
            + SOFT_COST * soft.min(1) as f64;
        self.covered - STATES - lost
    }

    /// The inputs of the weighted sum: [`LAYERS`].
    pub(super) fn layers(&self) -> [f64; LAYERS.len()] {
        let FindingCounts { contradicted, alternatives, not_found, soft, .. } = self.findings;
        let counted = |count: usize, most: usize| count.min(most) as f64;
        [
            self.covered,
            self.best,
            counted(contradicted, 1),
            counted(alternatives, MOST_COUNTED),
            counted(not_found, MOST_COUNTED),
            counted(soft, 1),
            self.weighted_score,
        ]
    }

    /// The support by checks and words, and by the model if there is one.
    pub(super) fn all(&self) -> f64 {
        if self.model.is_none() {
            return self.by_checks();
        }
        let Weights { layers, bias } = if self.excerpt { EXCERPT } else { WHOLE };
        let weighed = self.layers().into_iter().zip(layers).map(|(layer, weight)| layer * weight);
        bias + weighed.sum::<f64>()
    }

    pub(super) fn verdict(&self) -> Verdict {
        let FindingCounts { contradicted, not_found, .. } = self.findings;
        let says_nothing = not_found > 0 || !self.is_related();
        match self.model {
            _ if self.empty => Verdict::CannotVerify,
            _ if contradicted > 0 => Verdict::Contradicts,
            model if self.lacks_expected_value() && !(self.excerpt && model.is_some()) => Verdict::Unsupported,
            Some(model) if model <= -1.0 && self.best >= STATES && self.is_rejected(model) => Verdict::Contradicts,
            Some(model) if self.is_rejected(model) => Verdict::Unsupported,
            Some(model) if model >= 1.0 && self.covered >= MAY_STATE => Verdict::Supported,
            // An undecided model adds nothing to the words.
            _ if self.covered >= STATES && !says_nothing => Verdict::Supported,
            _ => Verdict::CannotVerify,
        }
    }

    /// Whether the weighted sum is too low. If one passage of a page has nearly all of the claim's words, as it has for
    /// a reversed claim, the model's score alone suffices. If a page was lost, only that score counts, because what is
    /// not found may stand there.
    fn is_rejected(&self, model: f64) -> bool {
        match (self.excerpt, self.whole) {
            (true, _) => self.all() < 0.0,
            (false, true) => self.all() < 0.0 || self.is_rejected_by_model(),
            (false, false) => model <= -1.0,
        }
    }

    /// Whether the model rejects the claim, and one passage has nearly all of its words.
    pub(super) fn is_rejected_by_model(&self) -> bool {
        self.model.is_some_and(|model| model <= -1.0) && self.best >= NEARLY_ALL_WORDS
    }

    /// Whether the passages lack a value that would be there if the claim were true.
    fn lacks_expected_value(&self) -> bool {
        let FindingCounts { alternatives, not_found, names, .. } = self.findings;
        let says_nothing = not_found > 0 || !self.is_related();
        // A passage about the claim names its subject, but a single sentence may say "he" instead. If it shares no word
        // with the claim either, it has another subject.
        let is_due = if self.single_sentence { !self.is_related() } else { self.is_related() || self.excerpt };
        alternatives > 0 || (says_nothing && self.whole) || (names > 0 && is_due)
    }
}
