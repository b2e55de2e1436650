//! `gate`: whether the packs are about the question at all. Where no page is as near as the threshold that the site stored for
//! its encoder, no page is read, and the answer has no sources.
//!
//! A threshold belongs to an encoder: cosines of one space say nothing about those of another. So there is none built in, and a
//! stage without a threshold has no gate.

use crate::trace::{Describe, Detail, detail};

/// What the gate saw, and what it decided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gate {
    /// The largest similarity of any page to any part of the question (0 to 1); `None` if none was measured.
    pub max_similarity: Option<f64>,
    /// The least similarity that passes; `None` if the site stored none.
    pub threshold: Option<f64>,
    /// Whether the best page by words is in a pack of which no similarities are known. The gate then decides nothing.
    pub unmeasured: bool,
    /// Whether pages may be read.
    pub passes: bool,
}

/// Decides by the similarities of the pages that were found. One that is just as large as the threshold passes. Without a
/// threshold every question passes, and so does one of which nothing was measured.
pub fn gate(similarities: impl Iterator<Item = f64>, threshold: Option<f64>) -> Gate {
    let max_similarity = similarities.filter(|similarity| !similarity.is_nan()).reduce(f64::max);
    let passes = match (max_similarity, threshold) {
        (Some(similarity), Some(threshold)) => similarity >= threshold,
        _ => true,
    };
    Gate { max_similarity, threshold, unmeasured: false, passes }
}

impl Gate {
    /// The same gate for a question whose best page by words is in a pack of which no similarities are known: every such question
    /// passes.
    #[must_use]
    pub fn unmeasured(self) -> Gate {
        Gate { unmeasured: true, passes: true, ..self }
    }
}

impl Describe for Gate {
    fn note(&self) -> String {
        match (self.max_similarity, self.threshold) {
            (_, None) => "no threshold is stored".to_owned(),
            (None, _) => "no similarity was measured".to_owned(),
            (Some(similarity), Some(threshold)) => {
                let sign = if similarity >= threshold { "≥" } else { "<" };
                let outcome = match (self.passes, self.unmeasured) {
                    (true, true) => "passes, since the best page by words has no vectors",
                    (true, false) => "passes",
                    (false, _) => "closed",
                };
                format!("{similarity:.3} {sign} {threshold:.3}: {outcome}")
            }
        }
    }

    fn detail(&self) -> Detail {
        let number = |number: Option<f64>| number.unwrap_or(f64::NAN);
        detail!({
            "max_similarity": number(self.max_similarity), "threshold": number(self.threshold), "unmeasured": self.unmeasured,
            "passes": self.passes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_passes() {
        let check = |similarities: &[f64], threshold: Option<f64>, passes: bool, note: &str| {
            let gate = gate(similarities.iter().copied(), threshold);
            assert_eq!((gate.passes, gate.note().as_str()), (passes, note), "{similarities:?} {threshold:?}");
        };
        check(&[0.2, 0.5, 0.3], Some(0.5), true, "0.500 ≥ 0.500: passes");
        check(&[0.499_999], Some(0.5), false, "0.500 < 0.500: closed");
        check(&[0.61], Some(0.5), true, "0.610 ≥ 0.500: passes");
        check(&[0.1, 0.3], Some(0.38), false, "0.300 < 0.380: closed");
        check(&[0.0], Some(0.5), false, "0.000 < 0.500: closed");
        check(&[f64::NAN, 0.7], Some(0.5), true, "0.700 ≥ 0.500: passes");
        check(&[], Some(0.5), true, "no similarity was measured");
        check(&[0.1], None, true, "no threshold is stored");
        let beside = gate([0.1].into_iter(), Some(0.5)).unmeasured();
        assert!(beside.passes);
        assert_eq!(beside.note(), "0.100 < 0.500: passes, since the best page by words has no vectors");
    }
}
