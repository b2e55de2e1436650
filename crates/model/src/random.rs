//! The random numbers of sampling: small, seeded, the same on every machine.
//!
//! This is a part of the product: a seed of a reader gives the same tokens in every version. Tests have the same numbers from
//! `seealso-test-support`, which no published crate may depend on.

/// SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators"): 64 bits of state,
/// good enough to draw tokens with, never for secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// A generator that gives the same numbers for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in `[0, 1)`, from the upper 53 bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_published_numbers() {
        // The first outputs for seed 1234567, as in the test vectors of many implementations.
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(drawn, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn stays_in_the_unit_interval() {
        let mut random = Random::new(7);
        let mean = (0..10_000).map(|_| random.unit()).inspect(|u| assert!((0.0..1.0).contains(u))).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.02, "mean {mean}");
    }
}
