//! Random numbers that are the same on every machine.

/// SplitMix64 (Steele et al. 2014): small, and the same everywhere.
pub(crate) struct Random(u64);

impl Random {
    /// A generator that starts from `seed`.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A random number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.bits() % bound.max(1) as u64) as usize
    }

    /// A random item; none of no items.
    pub(crate) fn choose<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }
}
