//! Modes: how much of the packs a question is worth. One table of limits; the code path is the same but for the quick mode, whose
//! pages are found by [`ByOverview`](crate::ByOverview).

use crate::config::Config;

/// How much is read for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// The overview page of each pack, without a search.
    Quick,
    /// A search, the pages that it finds, and what they list under See Also.
    #[default]
    Standard,
    /// A wider search, twice as many pages, and twice as much of See Also.
    Deep,
}

/// The limits of a mode that differ from those of the standard one, as factors of these.
struct Limits {
    /// Of the hits that are kept and read, and of the pages that are kept.
    pages: usize,
    /// Of the pages that See Also adds.
    see_also: usize,
}

/// One row a mode.
const TABLE: [(Mode, &str, Limits); 3] = [
    (Mode::Quick, "quick", Limits { pages: 1, see_also: 0 }),
    (Mode::Standard, "standard", Limits { pages: 1, see_also: 1 }),
    (Mode::Deep, "deep", Limits { pages: 2, see_also: 2 }),
];

impl Mode {
    /// Every mode, the one that reads least first.
    pub fn all() -> impl Iterator<Item = Mode> {
        TABLE.iter().map(|row| row.0)
    }

    /// The mode of that name.
    pub fn named(name: &str) -> Option<Mode> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The settings of a run in this mode, from those of the standard one.
    pub fn config(self, standard: &Config) -> Config {
        let Limits { pages, see_also } = TABLE[self as usize].2;
        Config {
            hits_per_sub_query: standard.hits_per_sub_query * pages,
            pages_read: standard.pages_read * pages,
            pages_per_sub_query: standard.pages_per_sub_query * pages,
            pages: standard.pages * pages,
            see_also_per_pack: standard.see_also_per_pack * see_also,
            ..standard.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_its_limits() {
        let check = |name: &str, expected: [usize; 5]| {
            let mode = Mode::named(name).unwrap();
            let config = mode.config(&Config::default());
            let limits = [
                config.hits_per_sub_query,
                config.pages_read,
                config.pages_per_sub_query,
                config.pages,
                config.see_also_per_pack,
            ];
            assert_eq!((mode.name(), limits), (name, expected));
        };
        check("quick", [8, 16, 4, 12, 0]);
        check("standard", [8, 16, 4, 12, 4]);
        check("deep", [16, 32, 8, 24, 8]);
        assert_eq!(Mode::named("slow"), None);
        assert_eq!(Mode::Standard.config(&Config::default()), Config::default());
        assert_eq!(Mode::all().collect::<Vec<_>>(), [Mode::Quick, Mode::Standard, Mode::Deep]);
    }
}
