//! A reading: a number read off what a model has in mind before it says anything.
//!
//! What stands behind middle layers at a prompt's last token tells more than the likelihoods of two words at its end: a
//! linear probe (Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes").

use std::ops::ControlFlow;

use crate::Error;
use crate::network::Network;
use crate::session::{Prefilled, Session};

/// Weights for the numbers behind a layer, or behind each of several that follow one another, learnt for one model file and
/// one form of prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// So many layers are run. It is read behind the last of them.
    pub layers: usize,
    /// Behind so many it is read: that one and those just before it.
    pub read: usize,
    /// `[read, width]`: a weight for each of the model's `width` numbers behind each of these layers, the earliest first.
    pub weights: Vec<f32>,
    /// Added to the weighted sum.
    pub bias: f64,
}

impl Reading {
    /// Whether it is for models of `width` numbers behind each layer.
    pub fn fits(&self, width: usize) -> bool {
        width > 0 && (1..=self.layers).contains(&self.read) && self.read.checked_mul(width) == Some(self.weights.len())
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
        watch: &mut impl AsyncFnMut(Prefilled) -> ControlFlow<()>,
    ) -> Result<Option<f64>, Error> {
        let mut sum = self.bias;
        // From the last layer to the first: only the prompt's last token is run for each.
        for back in 0..self.read.max(1) {
            let Some(state) = session.state(prompt, self.layers.saturating_sub(back), watch).await? else {
                return Ok(None);
            };
            let width = state.len();
            if !self.fits(width) {
                return Err(Error::OtherWidth { read: self.read, weights: self.weights.len(), width });
            }
            let weights = &self.weights[(self.read - 1 - back) * width..][..width];
            sum += dot(&state, weights);
        }
        Ok(Some(sum))
    }
}

fn dot(numbers: &[f32], weights: &[f32]) -> f64 {
    numbers.iter().zip(weights).map(|(number, weight)| f64::from(*number) * f64::from(*weight)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_for_models_of_one_width() {
        let fits =
            |read, count, layers, width| Reading { layers, read, weights: vec![0.5; count], bias: 0.0 }.fits(width);
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
