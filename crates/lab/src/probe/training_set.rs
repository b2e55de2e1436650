//! The claims that a probe is fitted to: labelled ones, supported ones with planted errors, and pairs.

use std::ops::Range;

use seealso_cli::{ClaimLine, ClaimPair, hash};

use crate::claim_errors::{PlantedClaim, plant_errors};

/// The claims of the files that are named.
pub(crate) struct TrainingSet {
    pub(super) labelled: Vec<ClaimLine>,
    pub(super) supported: Vec<ClaimLine>,
    pub(super) more: Vec<ClaimLine>,
    pub(super) pairs: Vec<ClaimPair>,
}

/// A claim that is put to the model.
#[derive(Clone)]
pub(crate) struct TrainingClaim<'l> {
    /// The line with its evidence.
    pub(crate) line: &'l ClaimLine,
    pub(crate) claim: String,
    pub(crate) is_true: bool,
    /// A number that all claims have which were made of one claim, or of one pair.
    group: u64,
    /// Whether the probe is fitted to it, but not measured by it.
    pub(super) teaches_only: bool,
}

/// The number of folds of the cross-validation.
pub(super) const FOLDS: u64 = 5;

impl<'l> TrainingClaim<'l> {
    /// The claim of `line` as it is.
    pub(crate) fn of(line: &'l ClaimLine) -> TrainingClaim<'l> {
        TrainingClaim {
            line,
            claim: line.claim.clone(),
            is_true: line.is_supported(),
            group: hash(line.claim.as_bytes()),
            teaches_only: false,
        }
    }

    fn of_pair(pair: &'l ClaimPair) -> impl Iterator<Item = TrainingClaim<'l>> {
        pair.lines.iter().map(|line| TrainingClaim { group: pair.group, teaches_only: true, ..TrainingClaim::of(line) })
    }

    /// A claim that is true only if no error was planted in it.
    fn planted(planted: PlantedClaim<'l>) -> TrainingClaim<'l> {
        TrainingClaim { claim: planted.claim, is_true: planted.error.is_none(), ..TrainingClaim::of(planted.line) }
    }

    /// The fold of the cross-validation that it is in, with all claims of its group.
    pub(super) fn fold(&self) -> u64 {
        // The last bit says which half of the file the claim is in.
        (self.group >> 1) % FOLDS
    }
}

impl TrainingSet {
    /// The labelled claims, those of pairs, and those with planted errors. Of the first two sets, none is of the half of which
    /// figures are reported.
    pub(crate) fn claims(&self, seed: u64) -> Vec<TrainingClaim<'_>> {
        let planted = [plant_in_supported(&self.supported, seed), plant_in_supported(&self.more, seed)].concat();
        let others = plant_errors(&self.more, false, seed).into_iter().map(TrainingClaim::planted);
        self.unchanged().chain(planted).chain(others).collect()
    }

    /// The places in [`TrainingSet::claims`] of the supported claims of `--planted`, untouched and with errors.
    pub(crate) fn planted(&self, seed: u64) -> Range<usize> {
        let before = self.unchanged().count();
        before..before + plant_in_supported(&self.supported, seed).len()
    }

    fn unchanged(&self) -> impl Iterator<Item = TrainingClaim<'_>> {
        let labelled = self.labelled.iter().filter(|line| line.is_for_tuning()).chain(&self.more);
        labelled.map(TrainingClaim::of).chain(self.pairs.iter().flat_map(TrainingClaim::of_pair))
    }
}

/// The supported claims of the half of which nothing is reported, untouched and with errors.
pub(crate) fn plant_in_supported(lines: &[ClaimLine], seed: u64) -> Vec<TrainingClaim<'_>> {
    plant_errors(lines, true, seed).into_iter().map(TrainingClaim::planted).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_fitted_to_the_half_that_is_reported() {
        let line = |claim: &str, label: &str| -> ClaimLine {
            let evidence = claim.replace("not ", "");
            let line = json!({ "id": claim, "claim": claim, "evidence": evidence, "label": label });
            serde_json::from_value(line).unwrap()
        };
        let lines = |name: &str| -> Vec<ClaimLine> {
            let twelve = (0..12).map(|at| {
                let label = if at % 2 == 0 { "supported" } else { "contradicted" };
                line(&format!("{name} was sold {} times in 1900.", at + 20), label)
            });
            twelve.collect()
        };
        let set =
            TrainingSet { labelled: lines("Tea"), supported: lines("Silk"), more: lines("Salt"), pairs: Vec::new() };
        let claims = set.claims(1);
        let count = |name: &str, is: &dyn Fn(&TrainingClaim) -> bool| {
            claims.iter().filter(|claim| claim.line.claim.starts_with(name) && is(claim)).count()
        };
        let for_tuning = |lines: &[ClaimLine]| lines.iter().filter(|line| line.is_for_tuning()).count();
        assert!((1..12).contains(&for_tuning(&set.labelled)) && (1..12).contains(&for_tuning(&set.supported)));
        assert_eq!(count("Tea", &|_| true), for_tuning(&set.labelled));
        assert_eq!(count("Silk", &|claim| !claim.line.is_for_tuning() || !claim.line.is_supported()), 0);
        // All of the other set as it is, and its six supported ones once more, with errors too.
        let untouched = |claim: &TrainingClaim| claim.line.claim == claim.claim;
        assert_eq!(count("Salt", &untouched), 12 + 6);
        assert!(count("Salt", &|claim| !untouched(claim)) >= 12);
        assert!(claims.iter().all(|claim| untouched(claim) || !claim.is_true));
        assert!(claims.iter().all(|claim| !untouched(claim) || claim.is_true == claim.line.is_supported()));
    }
}
