//! What positions turn queries and keys by.

/// What the turns of all positions depend on.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Turns {
    pub(super) theta: f32,
    pub(super) pairs: usize,
    pub(super) scale: f32,
    pub(super) positions: usize,
    pub(super) factors: Vec<f32>,
}

impl Turns {
    /// Cosine and sine of each position's angle for each pair (Su et al. 2021): in double precision here, since a GPU's
    /// own are not good enough for thousands of radians. Before them is room for the position at which the device stands.
    pub(super) fn values(&self) -> Vec<f32> {
        let mut values = vec![0.0; 2];
        values.reserve(2 * self.positions * self.pairs);
        for position in 0..self.positions {
            for pair in 0..self.pairs {
                let factor = self.factors.get(pair).copied().unwrap_or(1.0);
                let frequency = f64::from(self.theta).powf(-(pair as f64) / self.pairs as f64) / f64::from(factor);
                let angle = position as f64 * frequency * f64::from(self.scale);
                values.extend([angle.cos() as f32, angle.sin() as f32]);
            }
        }
        values
    }
}
