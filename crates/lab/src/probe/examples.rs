//! The states of a model at claims whose truth is known, and probes that are fitted to them.

use anyhow::{Context as _, ensure};
use seealso_cli::{MAX_WEIGHTS, ProgressLine, ScoredClaim, weigh_claim};
use seealso_model::Probe;

use super::catalog_json::QuantizedProbe;
use super::state_recorder::StateRecorder;
use super::training_set::{FOLDS, TrainingClaim};
use crate::fit::{perceptron, ridge};

/// A kind of probe, and how it is fitted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProbeKind {
    Linear { penalty: f64 },
    Perceptron { units: usize, passes: usize },
}

/// A probe, and the weights that a catalog has of it, where it has units.
#[derive(Debug, PartialEq)]
pub(super) struct FittedProbe {
    pub(super) probe: Probe,
    pub(super) quantized: Option<QuantizedProbe>,
}

/// The states of a model at claims whose truth is known.
#[derive(Debug, Default)]
pub(crate) struct Examples {
    states: Vec<Vec<f32>>,
    /// 1 or -1.
    truths: Vec<f64>,
    /// The fold of each; all claims of a group are in one fold.
    folds: Vec<u64>,
    /// Whether probes are fitted to it, but not measured by it.
    teaches_only: Vec<bool>,
    /// Its place among the claims that were given. Claims without a passage beside them were not put to the model.
    pub(crate) places: Vec<usize>,
}

pub(super) const NOTHING_TO_FIT: &str = "nothing can be learnt: no claim was put to the model, or it gave no numbers";

impl Examples {
    /// The same examples with these states.
    pub(super) fn with_states(self, states: Vec<Vec<f32>>) -> Examples {
        Examples { states, ..self }
    }

    /// Fits a probe to the folds that `includes` admits, as if all numbers stood behind one layer.
    pub(super) fn fit(&self, includes: impl Fn(u64) -> bool, kind: ProbeKind) -> Option<FittedProbe> {
        let is_chosen = |at: &usize| includes(self.folds[*at]);
        let chosen = || (0..self.states.len()).filter(is_chosen);
        let states: Vec<&[f32]> = chosen().map(|at| self.states[at].as_slice()).collect();
        let truths: Vec<f64> = chosen().map(|at| self.truths[at]).collect();
        match kind {
            ProbeKind::Linear { penalty } => {
                let linear = ridge::fit(&states, &truths, penalty)?;
                let weights = linear.weights.iter().map(|weight| *weight as f32).collect();
                let (bias, units) = (linear.bias, Vec::new());
                Some(FittedProbe {
                    probe: Probe { layers: 1, read: 1, weights, units, bias, adapters: None },
                    quantized: None,
                })
            }
            ProbeKind::Perceptron { units, passes } => {
                let quantized = perceptron::fit(&states, &truths, units, passes)?;
                Some(FittedProbe { probe: quantized.dequantize(1, 1)?, quantized: Some(quantized) })
            }
        }
    }

    /// For each fold, the probe that is fitted to the others.
    pub(crate) fn fit_without_each_fold(&self, kind: ProbeKind) -> anyhow::Result<Vec<Probe>> {
        let without = |fold: u64| self.fit(|other| other != fold, kind).map(|fitted| fitted.probe);
        (0..FOLDS).map(without).collect::<Option<_>>().context(NOTHING_TO_FIT)
    }

    /// The score of each example by the one of `probes` that was not fitted to its fold.
    pub(crate) fn scores(&self, probes: &[Probe]) -> Vec<f64> {
        self.states.iter().zip(&self.folds).map(|(state, fold)| probes[*fold as usize].of(state)).collect()
    }

    /// [`Examples::scores`] of the examples that probes are measured by, each with whether it is true.
    pub(crate) fn scored(&self, probes: &[Probe]) -> Vec<ScoredClaim> {
        let scored = self.scores(probes).into_iter().zip(&self.truths).zip(&self.teaches_only);
        scored.filter(|(_, teaches_only)| !**teaches_only).map(|((score, truth), _)| (score, *truth > 0.0)).collect()
    }
}

/// Puts all claims to the model, and records the truth of each that it was asked about.
pub(super) async fn observe(
    claims: &[TrainingClaim<'_>],
    model: &StateRecorder,
    units: usize,
) -> anyhow::Result<Examples> {
    let progress = ProgressLine::on_stderr();
    let mut examples = Examples::default();
    for (at, claim) in claims.iter().enumerate() {
        progress.show(&format!("claim {} of {}", at + 1, claims.len()));
        weigh_claim(&claim.claim, claim.line, Some(model)).await?;
        let recorded = model.states.borrow().len();
        if recorded == 1 {
            let weights = model.states.borrow()[0].len() * units.max(1);
            ensure!(
                weights <= MAX_WEIGHTS,
                "{weights} weights are more than a catalog may have: give fewer --units or layers"
            );
        }
        examples.places.resize(recorded, at);
        examples.teaches_only.resize(recorded, claim.teaches_only);
        examples.truths.resize(recorded, if claim.is_true { 1.0 } else { -1.0 });
        examples.folds.resize(recorded, claim.fold());
    }
    Ok(examples)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn no_example_is_scored_by_a_probe_that_was_fitted_to_it() {
        // The first feature tells the truth of every claim; each fold has a feature of its own that tells the truth of its claims.
        let mut examples = Examples::default();
        for at in 0..20 {
            let (fold, truth) = (at % 5, if at % 2 == 0 { 1.0 } else { -1.0 });
            let mut state = vec![truth as f32; 6];
            (1..6).for_each(|own| state[own] = if own as u64 == fold + 1 { 100.0 * truth as f32 } else { 0.0 });
            examples.states.push(state);
            examples.truths.push(truth);
            examples.folds.push(fold);
            examples.teaches_only.push(false);
        }
        let kind = ProbeKind::Linear { penalty: 1e-3 };
        let scored = examples.scored(&examples.fit_without_each_fold(kind).unwrap());
        assert_eq!(scored.len(), 20);
        // The feature of a fold never changes in other folds, so it has no weight there.
        let others = examples.fit(|fold| fold != 2, kind).unwrap();
        assert_eq!(others.probe.weights[3], 0.0);
        assert!(scored.iter().all(|(score, is_true)| score.abs() < 1.1 && (*score > 0.0) == *is_true), "{scored:?}");
        assert_eq!(Examples::default().fit(|_| true, kind), None);
    }
}
