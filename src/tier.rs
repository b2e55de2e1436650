//! Tiers: one table of budgets. The code path is the same for every machine; only the numbers here differ.

/// A class of machine, from a laptop without a GPU to a server with several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tier {
    /// A CPU-only laptop or a phone.
    Micro,
    /// A GPU of about 4 GB.
    #[default]
    Small,
    /// A GPU of about 8 GB.
    Mid,
    /// A GPU of about 16 GB.
    Large,
    /// A GPU of about 24 GB.
    Xl,
    /// A server GPU of about 32 GB.
    ServerS,
    /// Server GPUs of 80 GB and more.
    ServerL,
}

/// One row a tier: its name, and the characters of retrieved text that it can read.
const TABLE: [(Tier, &str, usize); 7] = [
    (Tier::Micro, "micro", 8_000),
    (Tier::Small, "small", 8_000),
    (Tier::Mid, "mid", 12_000),
    (Tier::Large, "large", 32_000),
    (Tier::Xl, "xl", 32_000),
    (Tier::ServerS, "server-s", 65_000),
    (Tier::ServerL, "server-l", 65_000),
];

impl Tier {
    /// Every tier, smallest first.
    pub fn all() -> impl Iterator<Item = Tier> {
        TABLE.into_iter().map(|(tier, _, _)| tier)
    }

    /// The tier of that name.
    pub fn named(name: &str) -> Option<Tier> {
        TABLE.into_iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name, such as `server-s`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The most characters (not bytes) that an assembled context may have, labels included.
    pub fn retrieval_chars(self) -> usize {
        TABLE[self as usize].2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_has_its_row() {
        for tier in Tier::all() {
            assert_eq!(Tier::named(tier.name()), Some(tier));
        }
        let budgets: Vec<usize> = Tier::all().map(Tier::retrieval_chars).collect();
        assert_eq!(budgets, [8_000, 8_000, 12_000, 32_000, 32_000, 65_000, 65_000]);
        assert_eq!(Tier::named("huge"), None);
    }
}
