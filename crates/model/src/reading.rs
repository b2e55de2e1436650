//! A reading: a number read off what a model has in mind before it says anything.
//!
//! What stands behind a middle layer at a prompt's last token tells more than the likelihoods of two words at its end: a
//! linear probe (Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes").

use std::ops::ControlFlow;

use crate::Error;
use crate::network::Network;
use crate::session::{Prefilled, Session};

/// Weights for the numbers behind a layer, learnt for one model file and one form of prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// So many layers are run.
    pub layers: usize,
    /// A weight for each of the model's `width` numbers.
    pub weights: Vec<f32>,
    /// Added to the weighted sum.
    pub bias: f64,
}

impl Reading {
    /// The weighted sum of `state`.
    ///
    /// # Errors
    ///
    /// [`Error::OtherWidth`] where there are not as many numbers as weights.
    pub fn of(&self, state: &[f32]) -> Result<f64, Error> {
        if state.len() != self.weights.len() {
            return Err(Error::OtherWidth { reading: self.weights.len(), model: state.len() });
        }
        let products = state.iter().zip(&self.weights).map(|(number, weight)| f64::from(*number) * f64::from(*weight));
        Ok(products.sum::<f64>() + self.bias)
    }

    /// Reads what `session` has in mind after `prompt`. `None` where `watch` stopped it.
    ///
    /// # Errors
    ///
    /// Those of [`Session::state`] and [`Reading::of`].
    pub async fn read<N: Network>(
        &self,
        session: &mut Session<N>,
        prompt: &[u32],
        watch: &mut impl AsyncFnMut(Prefilled) -> ControlFlow<()>,
    ) -> Result<Option<f64>, Error> {
        let state = session.state(prompt, self.layers, watch).await?;
        state.map(|state| self.of(&state)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_is_a_weighted_sum() {
        let reading = Reading { layers: 1, weights: vec![0.5, -2.0], bias: 0.25 };
        assert_eq!(reading.of(&[3.0, 1.0]).unwrap(), -0.25);
        assert!(matches!(reading.of(&[3.0]), Err(Error::OtherWidth { reading: 2, model: 1 })));
    }
}
