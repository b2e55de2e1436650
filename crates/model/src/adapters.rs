//! Adapters: what a model was taught for one task, beside its weights and without changing them.
//!
//! Before a layer stands a bottleneck of a few units (Houlsby et al. 2019, "Parameter-Efficient Transfer Learning for NLP"):
//! each is the hyperbolic tangent of a weighted sum of a position's numbers, and adds weights of its own to them.

use crate::Error;

/// A token with this bit is read through the adapters that a network has; without it, as if there were none. So what a cache
/// holds of the one is never taken for the other.
pub const ADAPTED: u32 = 1 << 31;

/// The most units that stand before a layer.
pub const MOST_UNITS: usize = 8;

/// Bottlenecks before the second layer and those after it, one a layer, learnt for one model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Adapters {
    /// Before how many layers one stands.
    pub layers: usize,
    /// Units of each.
    pub units: usize,
    /// `[layers, 2 · units + 1, width]`: of each unit the weights of its sum, of each what it adds, and a row that begins with
    /// what is added to the sums.
    pub numbers: Vec<f32>,
}

impl Adapters {
    /// Whether they are for models of so many layers and `width` numbers behind each.
    pub fn fits(&self, layers: usize, width: usize) -> bool {
        let rows = (2 * self.units.min(MOST_UNITS) + 1).checked_mul(width).and_then(|row| row.checked_mul(self.layers));
        (1..=MOST_UNITS).contains(&self.units)
            && (1..layers).contains(&self.layers)
            && width >= self.units
            && rows == Some(self.numbers.len())
    }

    /// The numbers of each, `[2 · units + 1, width]`.
    pub(crate) fn each(&self, width: usize) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(((2 * self.units + 1) * width).max(1))
    }

    /// Refuses those of another model.
    pub(crate) fn check(&self, layers: usize, width: usize) -> Result<(), Error> {
        match self.fits(layers, width) && self.numbers.iter().all(|number| number.is_finite()) {
            true => Ok(()),
            false => Err(Error::OtherAdapters { layers: self.layers, numbers: self.numbers.len(), width }),
        }
    }
}

/// What `adapter`, of `[2 · units + 1, width]`, makes of the rows of `x`, in place: see
/// [`DecoderOps::adapt`](crate::ops::DecoderOps::adapt).
pub(crate) fn adapt(x: &mut [f32], adapter: &[f32], width: usize, epsilon: f32) {
    let rows: Vec<&[f32]> = adapter.chunks_exact(width.max(1)).collect();
    let Some((biases, weights)) = rows.split_last() else { return };
    let (down, up) = weights.split_at(weights.len() / 2);
    for row in x.chunks_exact_mut(width) {
        let scale = 1.0 / (dot(row, row) / width as f32 + epsilon).sqrt();
        let said: Vec<f32> =
            down.iter().zip(*biases).map(|(down, bias)| (dot(row, down) * scale + bias).tanh()).collect();
        for (said, up) in said.iter().zip(up) {
            row.iter_mut().zip(*up).for_each(|(number, up)| *number += said * up);
        }
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_for_models_of_one_size() {
        let fits =
            |layers, units, count, of, width| Adapters { layers, units, numbers: vec![0.5; count] }.fits(of, width);
        assert!(fits(2, 1, 24, 3, 4) && fits(1, 2, 20, 2, 4));
        for (layers, units, count, of, width) in [
            (2, 1, 24, 2, 4),
            (2, 1, 23, 3, 4),
            (0, 1, 0, 3, 4),
            (2, 0, 8, 3, 4),
            (1, 9, 19 * 16, 3, 16),
            (1, 4, 9 * 3, 3, 3),
            (1, usize::MAX, 24, 3, 4),
            (1, 1, 0, 3, 0),
        ] {
            assert!(!fits(layers, units, count, of, width), "{layers} {units} {count} {of} {width}");
        }
    }
}
