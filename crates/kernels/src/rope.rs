//! Rotary positions (Su et al. 2021, "RoFormer"): pairs of a head's values turn by an angle that
//! grows with the position, slower for later pairs.

use crate::error::{Result, resize};

/// Which values are a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum RopeLayout {
    /// Values `2 i` and `2 i + 1`: `llama` files.
    Interleaved = 0,
    /// Values `i` and `i + dims / 2`: `qwen2` and `qwen3` files.
    HalfSplit = 1,
}

/// How positions turn the heads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// Values of a head that turn, an even number, at most the head's.
    pub dims: usize,
    /// The base of the frequencies: pair `i` turns by `position × base^(-2 i / dims)`.
    pub base: f32,
    /// What positions are multiplied with; 1 without linear scaling.
    pub scale: f32,
    /// Which values are a pair.
    pub layout: RopeLayout,
}

/// Cosines and sines of one set of parameters, for as many positions as were needed.
pub(crate) struct Angles {
    rope: Rope,
    factors: Vec<f32>,
    /// `[position][pair][cosine, sine]`
    turns: Vec<[f32; 2]>,
}

impl Angles {
    /// No positions yet. `factors` divide the frequencies (`rope_freqs.weight`), one a pair, or none.
    pub(crate) fn new(rope: Rope, factors: Vec<f32>) -> Self {
        Self { rope, factors, turns: Vec::new() }
    }

    /// Whether this was made from these parameters.
    pub(crate) fn is_of(&self, rope: &Rope, factors: &[f32]) -> bool {
        self.rope == *rope && self.factors == factors
    }

    /// Computes what is missing of the first `positions`: best all that there can be, at once.
    pub(crate) fn reach(&mut self, positions: usize) -> Result<()> {
        let pairs = self.rope.dims / 2;
        let first = self.turns.len() / pairs.max(1);
        if first >= positions {
            return Ok(());
        }
        resize(&mut self.turns, positions * pairs)?;
        for pair in 0..pairs {
            let exponent = -2.0 * pair as f64 / self.rope.dims as f64;
            let factor = self.factors.get(pair).map_or(1.0, |factor| f64::from(*factor));
            let frequency = f64::from(self.rope.base).powf(exponent) / factor;
            for position in first..positions {
                let angle = position as f64 * f64::from(self.rope.scale) * frequency;
                self.turns[position * pairs + pair] = [angle.cos() as f32, angle.sin() as f32];
            }
        }
        Ok(())
    }

    /// Turns a head at `position`, which [`Angles::reach`] has reached.
    pub(crate) fn turn(&self, head: &mut [f32], position: usize) {
        let pairs = self.rope.dims / 2;
        let turns = &self.turns[position * pairs..][..pairs];
        match self.rope.layout {
            RopeLayout::Interleaved => {
                for (pair, [cosine, sine]) in head.as_chunks_mut::<2>().0.iter_mut().zip(turns) {
                    *pair = [pair[0] * cosine - pair[1] * sine, pair[0] * sine + pair[1] * cosine];
                }
            }
            RopeLayout::HalfSplit => {
                let (first, second) = head.split_at_mut(pairs);
                for ((a, b), [cosine, sine]) in first.iter_mut().zip(second).zip(turns) {
                    (*a, *b) = (*a * cosine - *b * sine, *a * sine + *b * cosine);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Angles, Rope, RopeLayout};

    #[test]
    fn both_layouts_turn_their_pairs() {
        let check = |layout, expected: [f32; 4]| {
            let mut angles = Angles::new(Rope { dims: 4, base: 100.0, scale: 1.0, layout }, Vec::new());
            angles.reach(2).expect("there is memory");
            let mut head = [1.0, 2.0, 3.0, 4.0];
            angles.turn(&mut head, 1);
            // Pair 0 turns by 1, pair 1 by 0.1.
            for (got, expected) in head.iter().zip(expected) {
                assert!((got - expected).abs() < 1e-5, "{layout:?}: {head:?}");
            }
        };
        check(RopeLayout::Interleaved, [-1.14264, 1.92208, 2.58568, 4.27952]);
        check(RopeLayout::HalfSplit, [-1.98411, 1.59067, 2.46238, 4.17968]);
    }
}
