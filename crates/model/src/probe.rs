//! A probe: a number read off what a model has in mind before it says anything.
//!
//! What stands behind middle layers at a prompt's last token tells more than the likelihoods of two words at its end: a
//! probe (Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes"), linear, or a
//! perceptron with one hidden layer.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::Error;
use crate::adapters::{ADAPTED, Adapters};
use crate::network::Network;
use crate::session::{PrefillProgress, Session};

/// Weights for the numbers behind a layer, or behind each of several that follow one another, learnt for one model file and
/// one form of prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// So many layers are run. It is read behind the last of them.
    pub layers: usize,
    /// Behind so many it is read: that one and those just before it.
    pub read: usize,
    /// `[units, read, width]`: each unit's weights for the model's `width` numbers behind each of these layers, the earliest
    /// first; `[read, width]` where there are no units.
    pub weights: Vec<f32>,
    /// The hidden units. Where there are none, the weighted sum itself is read.
    pub units: Vec<Unit>,
    /// Added to what the units count, or to the weighted sum.
    pub bias: f64,
    /// What the prompt is read through. Such a probe is of a prompt of one turn, without any before it: what these would say
    /// of the task the adapters know.
    pub adapters: Option<Adapters>,
}

/// A hidden unit: the hyperbolic tangent of its weighted sum.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// Added to its weighted sum.
    pub bias: f32,
    /// What it counts.
    pub counts: f32,
}

impl Probe {
    /// Whether it is for models of `width` numbers behind each layer.
    pub fn fits(&self, width: usize) -> bool {
        let sums = self.units.len().max(1);
        let needed = self.read.checked_mul(width).and_then(|numbers| numbers.checked_mul(sums));
        width > 0 && (1..=self.layers).contains(&self.read) && needed == Some(self.weights.len())
    }

    /// Whether it is for models of so many layers and `width` numbers behind each, with its adapters.
    pub fn is_for(&self, layers: usize, width: usize) -> bool {
        let adapters = self.adapters.as_ref().is_none_or(|adapters| adapters.fits(layers, width));
        self.layers <= layers && self.fits(width) && adapters
    }

    /// What it reads off `[read, width]` numbers, as many as it has weights for.
    pub fn of(&self, numbers: &[f32]) -> f64 {
        if self.units.is_empty() {
            return self.bias + dot(numbers, &self.weights);
        }
        let rows = self.weights.chunks_exact(numbers.len().max(1));
        let said = self.units.iter().zip(rows).map(|(unit, row)| {
            let sum = f64::from(unit.bias) + dot(numbers, row);
            f64::from(unit.counts) * sum.tanh()
        });
        self.bias + said.sum::<f64>()
    }

    /// Reads what `session` has in mind after `prompt`, which is prefilled once. `None` where `watch` stopped it.
    ///
    /// # Errors
    ///
    /// Those of [`Session::state`], and [`Error::OtherWidth`] where the weights are for another model.
    pub async fn read<N: Network>(
        &self,
        session: &mut Session<N>,
        prompt: &[u32],
        watch: &mut impl AsyncFnMut(PrefillProgress) -> ControlFlow<()>,
    ) -> Result<Option<f64>, Error> {
        let mut prompt = Cow::Borrowed(prompt);
        if let Some(adapters) = &self.adapters {
            session.adapt(adapters)?;
            prompt.to_mut().iter_mut().for_each(|token| *token |= ADAPTED);
        }
        let mut behind = Vec::new();
        // From the last layer to the first: only the prompt's last token is run for each.
        for back in 0..self.read.max(1) {
            let Some(state) = session.state(&prompt, self.layers.saturating_sub(back), watch).await? else {
                return Ok(None);
            };
            let width = state.len();
            if !self.fits(width) {
                return Err(Error::OtherWidth { read: self.read, weights: self.weights.len(), width });
            }
            behind.push(state);
        }
        behind.reverse();
        Ok(Some(self.of(&behind.concat())))
    }
}

fn dot(numbers: &[f32], weights: &[f32]) -> f64 {
    numbers.iter().zip(weights).map(|(number, weight)| f64::from(*number) * f64::from(*weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_sum_or_what_units_say_of_sums() {
        let linear = Probe {
            layers: 3,
            read: 2,
            weights: vec![1.0, 2.0, 3.0, 4.0],
            units: Vec::new(),
            bias: 0.5,
            adapters: None,
        };
        assert_eq!(linear.of(&[1.0, 0.0, -1.0, 1.0]), 2.5);
        let unit = |bias, counts| Unit { bias, counts };
        let weights = vec![1.0, -1.0, 0.5, 0.5];
        let two = Probe {
            layers: 3,
            read: 1,
            weights,
            units: vec![unit(0.0, 2.0), unit(-1.0, -1.0)],
            bias: 0.25,
            adapters: None,
        };
        // 2 tanh(1) - tanh(0.5) + 0.25
        assert!((two.of(&[2.0, 1.0]) - 1.311_071).abs() < 1e-6, "{}", two.of(&[2.0, 1.0]));
        assert!(two.fits(2) && !two.fits(4) && !two.fits(1));
    }

    #[test]
    fn a_probe_is_for_models_of_one_width() {
        let fits = |read, count, layers, width| {
            Probe { layers, read, weights: vec![0.5; count], units: Vec::new(), bias: 0.0, adapters: None }.fits(width)
        };
        assert!(fits(1, 4, 3, 4) && fits(3, 12, 3, 4));
        for (read, count, layers, width) in [
            (3, 12, 2, 4),
            (2, 12, 3, 4),
            (1, 12, 3, 4),
            (0, 0, 3, 4),
            (1, 3, 3, 4),
            (1, 0, 3, 0),
            (usize::MAX, 4, 3, 4),
        ] {
            assert!(!fits(read, count, layers, width), "{read} {count} {layers} {width}");
        }
    }
}
