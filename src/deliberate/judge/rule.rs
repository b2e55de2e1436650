//! The rule that makes a verdict of gates, shared words and what a model leans to.
//!
//! Without a model the gates decide, and what they don't know of, the share of words does. With one, all are weighed
//! together ([`Weights`]), and what is too light is flagged. Whatever a model says, a value that a passage has otherwise is
//! flagged, and one that pages should have and lack; of a passage that was laid beside the claim the latter is weighed.

use crate::deliberate::checks::{CheckKind, CheckOutcome, Finding};
use crate::deliberate::evidence::Alignment;
use crate::deliberate::verdict::Verdict;
use crate::model::Judge;

/// Passages that hold less than this of a claim's weight do not speak of it.
const RELATED: f64 = 0.2;
/// Passages that hold at least so much of it say it, as far as words tell.
const STATES: f64 = 0.6;
/// A passage that holds so much of it by itself has nearly all of its words, and says it or the opposite.
const NEARLY_ALL_WORDS: f64 = 0.8;
/// Passages that hold at least so much of it may say it in other words: then a model that finds so is believed. What hardly any
/// word bears out is not made true by a model.
const MAY_STATE: f64 = 0.3;

/// What a gate's finding takes from the support.
const CONTRADICTED_COST: f64 = 0.7;
const ALTERNATIVE_COST: f64 = 0.3;
const NOT_FOUND_COST: f64 = 0.1;
/// A quantifier or a negation that is missing may be meant all the same.
const SOFT_COST: f64 = 0.1;
/// More findings of a kind than these take no more.
const MOST_COUNTED: usize = 2;

/// What is weighed where a model judges too: the share of the claim's weight that all passages hold, and that which the best of
/// them holds; the findings of gates that speak against it, that are missing where a passage has another value that may
/// stand in its place, that are missing where nothing stands there, and that are missing and may be meant all the same; and
/// the model's voice ([`Judge::weighted_score`]).
pub const LAYERS: [&str; 7] = ["covered", "best", "against", "rivalled", "missing", "soft", "model"];

/// What each of [`LAYERS`] counts: their sum is the logarithm of the odds that the claim is borne out, less the bound below
/// which it is flagged. Fitted by logistic regression to claims of which nothing is reported; `seealso-lab rule` fits them anew,
/// and finds none that flag more (docs/claims.md).
struct Weights {
    layers: [f64; LAYERS.len()],
    bias: f64,
}

/// For passages that were laid beside the claim for its sake.
const EXCERPT: Weights = Weights { layers: [0.96, 0.11, -3.74, -2.39, -0.32, -0.60, 0.62], bias: 0.35 };
/// For passages that were picked from whole pages by words: the model reads few of them.
const WHOLE: Weights = Weights { layers: [1.10, 1.94, -2.04, -1.26, -0.92, -1.38, 0.25], bias: -0.07 };

/// What speaks for a claim.
pub(super) struct Support {
    covered: f64,
    best: f64,
    findings: Tally,
    /// What the model leans to: 1 where it supports, -1 where it rejects.
    model: Option<f64>,
    /// The same, by how good a judge it is.
    weighted_score: f64,
    empty: bool,
    whole: bool,
    excerpt: bool,
    single_sentence: bool,
}

/// How many findings of each kind there are.
#[derive(Default)]
struct Tally {
    contradicted: usize,
    /// Missing, where a passage has another value that may stand in its place.
    alternatives: usize,
    /// Missing, and nothing stands in its place.
    not_found: usize,
    /// How many of these are names.
    names: usize,
    soft: usize,
}

/// The first finding that speaks against the claim.
pub(super) fn first_contradiction(findings: &[Finding]) -> Option<&Finding> {
    findings.iter().find(|finding| finding.result.outcome == CheckOutcome::Contradicted)
}

impl Support {
    pub(super) fn of(alignment: &Alignment<'_>, findings: &[Finding], answer: Option<(f64, Judge)>) -> Support {
        let mut tally = Tally::default();
        for finding in findings {
            let soft = matches!(finding.result.kind, CheckKind::Negation | CheckKind::Quantifier);
            match finding.result.outcome {
                CheckOutcome::Contradicted => tally.contradicted += 1,
                CheckOutcome::NotFound if soft => tally.soft += 1,
                CheckOutcome::NotFound if !finding.result.found.is_empty() => tally.alternatives += 1,
                CheckOutcome::NotFound => {
                    tally.not_found += 1;
                    tally.names += usize::from(finding.result.kind == CheckKind::Name);
                }
                CheckOutcome::Supported => {}
            }
        }
        Support {
            covered: alignment.covered,
            best: alignment.passages.first().map_or(0.0, |aligned| aligned.score),
            findings: tally,
            model: answer.map(|(odds, judge)| judge.scaled(odds)),
            weighted_score: answer.map_or(0.0, |(odds, judge)| judge.weighted_score(odds)),
            empty: alignment.evidence.is_empty(),
            whole: alignment.evidence.is_whole(),
            excerpt: alignment.evidence.is_excerpt(),
            single_sentence: alignment.evidence.is_single_sentence(),
        }
    }

    /// Whether any passage speaks of the claim.
    pub(super) fn is_related(&self) -> bool {
        self.best >= RELATED
    }

    pub(super) fn by_checks(&self) -> f64 {
        let Tally { contradicted, alternatives, not_found, soft, .. } = self.findings;
        let lost = CONTRADICTED_COST * contradicted.min(1) as f64
            + ALTERNATIVE_COST * alternatives.min(MOST_COUNTED) as f64
            + NOT_FOUND_COST * not_found.min(MOST_COUNTED) as f64
            + SOFT_COST * soft.min(1) as f64;
        self.covered - STATES - lost
    }

    /// What is weighed: [`LAYERS`].
    pub(super) fn layers(&self) -> [f64; LAYERS.len()] {
        let Tally { contradicted, alternatives, not_found, soft, .. } = self.findings;
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

    /// By gates and words, and by the model where there is one.
    pub(super) fn all(&self) -> f64 {
        if self.model.is_none() {
            return self.by_checks();
        }
        let Weights { layers, bias } = if self.excerpt { EXCERPT } else { WHOLE };
        let weighed = self.layers().into_iter().zip(layers).map(|(layer, weight)| layer * weight);
        bias + weighed.sum::<f64>()
    }

    pub(super) fn verdict(&self) -> Verdict {
        let Tally { contradicted, not_found, .. } = self.findings;
        let says_nothing = not_found > 0 || !self.is_related();
        match self.model {
            _ if self.empty => Verdict::CannotVerify,
            _ if contradicted > 0 => Verdict::Contradicts,
            model if self.lacks_expected_value() && !(self.excerpt && model.is_some()) => Verdict::Unsupported,
            Some(model) if model <= -1.0 && self.best >= STATES && self.is_rejected(model) => Verdict::Contradicts,
            Some(model) if self.is_rejected(model) => Verdict::Unsupported,
            Some(model) if model >= 1.0 && self.covered >= MAY_STATE => Verdict::Supported,
            // A model that is undecided adds nothing to what words tell.
            _ if self.covered >= STATES && !says_nothing => Verdict::Supported,
            _ => Verdict::CannotVerify,
        }
    }

    /// Whether the model's voice and the rest together are too light. Where one passage of a page has nearly all of the
    /// claim's words, as it has those of a claim turned round, the voice alone suffices; where a page was lost, only a voice
    /// does, since what is missing may stand there.
    fn is_rejected(&self, model: f64) -> bool {
        match (self.excerpt, self.whole) {
            (true, _) => self.all() < 0.0,
            (false, true) => self.all() < 0.0 || self.is_rejected_by_model(),
            (false, false) => model <= -1.0,
        }
    }

    /// Whether the model's voice is against the claim, and one passage has nearly all of its words.
    pub(super) fn is_rejected_by_model(&self) -> bool {
        self.model.is_some_and(|model| model <= -1.0) && self.best >= NEARLY_ALL_WORDS
    }

    /// Whether the passages lack what would stand there if the claim were true.
    fn lacks_expected_value(&self) -> bool {
        let Tally { alternatives, not_found, names, .. } = self.findings;
        let says_nothing = not_found > 0 || !self.is_related();
        // Who speaks of the claim names whom it is about, but one sentence may say "he" where that name is; if it has no word of
        // the claim either, it is not about it.
        let is_due = if self.single_sentence { !self.is_related() } else { self.is_related() || self.excerpt };
        alternatives > 0 || (says_nothing && self.whole) || (names > 0 && is_due)
    }
}
