//! Filters: what a search keeps to, as it is asked for and as the packs that it comes to.

use seealso_index::PackNo;
use seealso_pack::CatalogPack;

/// What a search is asked to keep to. A list that is empty keeps nothing out; within a list, one match is enough.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Paths of packs, or of folders of packs: `history` admits `history/roman-emperors`.
    pub packs: Vec<String>,
    /// Tags of pages.
    pub tags: Vec<String>,
    /// Language tags (BCP 47): `pt` admits `pt-BR`.
    pub languages: Vec<String>,
}

/// What a [`Filter`] comes to among the packs of a library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// For each pack, whether it is searched; empty where all are.
    packs: Vec<bool>,
}

impl Filter {
    /// Whether pages of `pack` may be found.
    pub fn admits(&self, pack: &CatalogPack) -> bool {
        leads(&self.packs, &pack.path, '/') && leads(&self.languages, &pack.language, '-')
    }

    /// The scope that this filter makes of `packs`, which stand in the index's order.
    pub(crate) fn scope(&self, packs: &[CatalogPack]) -> Scope {
        let all = self.packs.is_empty() && self.languages.is_empty();
        Scope { packs: if all { Vec::new() } else { packs.iter().map(|pack| self.admits(pack)).collect() } }
    }
}

impl Scope {
    /// Whether nothing is left out.
    pub fn is_everything(&self) -> bool {
        self.packs.is_empty()
    }

    /// Whether pages of `pack` may be found.
    pub fn holds(&self, pack: PackNo) -> bool {
        self.packs.get(pack.0).is_none_or(|held| *held)
    }
}

/// Whether `given` is one of `wanted`, in whatever case, or goes on from it with a `step`; or nothing is wanted.
fn leads(wanted: &[String], given: &str, step: char) -> bool {
    let from = |wanted: &String| {
        let same = given.get(..wanted.len()).is_some_and(|head| head.eq_ignore_ascii_case(wanted));
        same && (given.len() == wanted.len() || wanted.ends_with(step) || given[wanted.len()..].starts_with(step))
    };
    wanted.is_empty() || wanted.iter().any(from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(packs: &[&str], languages: &[&str], path: &str, language: &str, expected: bool) {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let filter = Filter { packs: list(packs), languages: list(languages), tags: vec![] };
        let pack = CatalogPack { path: path.into(), language: language.into(), ..pack() };
        assert_eq!(filter.admits(&pack), expected, "{packs:?} {languages:?} {path} {language}");
    }

    fn pack() -> CatalogPack {
        let (catalog, _) = seealso_pack::catalog_of(&[seealso_pack::Pack::of_pages("a", &[])]).unwrap();
        catalog.packs[0].clone()
    }

    #[test]
    fn packs_are_admitted_by_path_and_folder() {
        check(&[], &[], "plants", "en", true);
        check(&["plants"], &[], "plants", "en", true);
        check(&["containers", "plants"], &[], "plants", "en", true);
        check(&["history/"], &[], "history/roman-emperors", "en", true);
        check(&["hist"], &[], "history/roman-emperors", "en", false);
        check(&["history/roman-emperors/nero"], &[], "history/roman-emperors", "en", false);
    }

    #[test]
    fn languages_are_admitted_with_their_regions() {
        check(&[], &["de"], "garten", "de-AT", true);
        check(&[], &["DE-at"], "garten", "de-AT", true);
        check(&[], &["de"], "garten", "den", false);
        check(&[], &["de-AT"], "garten", "de", false);
        check(&["plants"], &["de"], "plants", "en", false);
    }
}
