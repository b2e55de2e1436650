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

/// One row a tier: its name, the characters of retrieved text that it can read, and the tokens that a role may write.
/// From the tier mid on, these have room for a draft of eight kilobytes and more.
const TABLE: [(Tier, &str, usize, usize); 7] = [
    (Tier::Micro, "micro", 8_000, 512),
    (Tier::Small, "small", 8_000, 512),
    (Tier::Mid, "mid", 12_000, 2_560),
    (Tier::Large, "large", 32_000, 2_560),
    (Tier::Xl, "xl", 32_000, 4_096),
    (Tier::ServerS, "server-s", 65_000, 4_096),
    (Tier::ServerL, "server-l", 65_000, 8_192),
];

/// The prompt budget of each tier, in the order of [`TABLE`]. Machines of a small tier run small models, which make
/// little use of a long prompt.
const PROMPT_BUDGETS: [PromptBudget; 7] = [
    PromptBudget {
        parts: 1,
        pages: 1,
        chars: 1_000,
        rules: 0,
        least_overlap: 0.8,
        keeps_unverified: false,
        critic_remarks: false,
    },
    PromptBudget {
        parts: 1,
        pages: 3,
        chars: 2_400,
        rules: 1,
        least_overlap: 0.5,
        keeps_unverified: true,
        critic_remarks: false,
    },
    PromptBudget {
        parts: 4,
        pages: usize::MAX,
        chars: usize::MAX,
        rules: 2,
        least_overlap: 0.0,
        keeps_unverified: true,
        critic_remarks: false,
    },
    PromptBudget {
        parts: 4,
        pages: usize::MAX,
        chars: usize::MAX,
        rules: 2,
        least_overlap: 0.0,
        keeps_unverified: true,
        critic_remarks: true,
    },
    PromptBudget {
        parts: 4,
        pages: usize::MAX,
        chars: usize::MAX,
        rules: 2,
        least_overlap: 0.0,
        keeps_unverified: true,
        critic_remarks: true,
    },
    PromptBudget {
        parts: 4,
        pages: usize::MAX,
        chars: usize::MAX,
        rules: 2,
        least_overlap: 0.0,
        keeps_unverified: true,
        critic_remarks: true,
    },
    PromptBudget {
        parts: 4,
        pages: usize::MAX,
        chars: usize::MAX,
        rules: 2,
        least_overlap: 0.0,
        keeps_unverified: true,
        critic_remarks: true,
    },
];

/// What one prompt of the Expert contains, and how strictly its sentences are checked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PromptBudget {
    /// Parts of a question that are drafted together; the others are drafted one after the other.
    pub(crate) parts: usize,
    /// Pages that are read for them.
    pub(crate) pages: usize,
    /// Characters of these pages, within the tier's characters of retrieved text.
    pub(crate) chars: usize,
    /// The index of the Expert's rules; later ones have more instructions.
    pub(crate) rules: usize,
    /// The share of a sentence's words that its supporting passage must contain. Small models' paraphrases are wrong
    /// too often for words, checks and a small judge to detect.
    pub(crate) least_overlap: f64,
    /// Whether a sentence that cannot be verified may stand.
    pub(crate) keeps_unverified: bool,
    /// Whether the Critic's model, if it can call tools, may read whole pages and adds a review in its own words.
    pub(crate) critic_remarks: bool,
}

impl Tier {
    /// Every tier, smallest first.
    pub fn all() -> impl Iterator<Item = Tier> {
        TABLE.into_iter().map(|row| row.0)
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

    /// The most tokens that a role writes.
    pub fn written_tokens(self) -> usize {
        TABLE[self as usize].3
    }

    /// Characters of the context that the Critic reads.
    pub fn critic_excerpt_chars(self) -> usize {
        self.percent(40)
    }

    /// Characters of the draft that the Critic reads.
    pub fn critic_draft_chars(self) -> usize {
        self.percent(50)
    }

    /// Characters of the draft that the Synthesizer reads.
    pub fn synthesizer_draft_chars(self) -> usize {
        self.percent(70)
    }

    /// Characters of the review that the Synthesizer reads.
    pub fn synthesizer_review_chars(self) -> usize {
        self.percent(25)
    }

    /// What one prompt of the Expert contains.
    pub(crate) fn prompt_budget(self) -> PromptBudget {
        let prompt_budget = PROMPT_BUDGETS[self as usize];
        PromptBudget { chars: prompt_budget.chars.min(self.retrieval_chars()), ..prompt_budget }
    }

    fn percent(self, percent: usize) -> usize {
        self.retrieval_chars() * percent / 100
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
        let written: Vec<usize> = Tier::all().map(Tier::written_tokens).collect();
        assert_eq!(written, [512, 512, 2_560, 2_560, 4_096, 4_096, 8_192]);
    }

    #[test]
    fn small_tiers_draft_part_by_part() {
        let read = |tier: Tier| (tier.prompt_budget().parts, tier.prompt_budget().chars, tier.prompt_budget().rules);
        assert_eq!(Tier::all().map(read).collect::<Vec<_>>()[..3], [(1, 1_000, 0), (1, 2_400, 1), (4, 12_000, 2)]);
        assert_eq!(read(Tier::ServerL), (4, 65_000, 2));
    }

    #[test]
    fn each_role_reads_its_share() {
        let caps = |tier: Tier| {
            let (excerpt, draft) = (tier.critic_excerpt_chars(), tier.critic_draft_chars());
            [excerpt, draft, tier.synthesizer_draft_chars(), tier.synthesizer_review_chars()]
        };
        assert_eq!(caps(Tier::Micro), [3_200, 4_000, 5_600, 2_000]);
        assert_eq!(caps(Tier::Mid), [4_800, 6_000, 8_400, 3_000]);
        assert_eq!(caps(Tier::Xl), [12_800, 16_000, 22_400, 8_000]);
        assert_eq!(caps(Tier::ServerL), [26_000, 32_500, 45_500, 16_250]);
    }
}
