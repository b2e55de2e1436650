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
    /// The packs that are searched, by rising number; none given are all.
    packs: Option<Vec<PackNo>>,
}

impl Filter {
    /// Whether pages of `pack` may be found.
    pub fn admits(&self, pack: &CatalogPack) -> bool {
        let admitted = |wanted: &[String], given: &str, step: char| {
            wanted.is_empty() || wanted.iter().any(|wanted| leads(wanted, given, step))
        };
        admitted(&self.packs, &pack.path, '/') && admitted(&self.languages, &pack.language.to_ascii_lowercase(), '-')
    }

    /// The scope that this filter makes of `packs`, which stand in the index's order.
    pub(crate) fn scope(&self, packs: &[CatalogPack]) -> Scope {
        let numbered = packs.iter().enumerate();
        let admitted = numbered.filter(|(_, pack)| self.admits(pack)).map(|(number, _)| PackNo(number));
        let all = self.packs.is_empty() && self.languages.is_empty();
        Scope { packs: (!all).then(|| admitted.collect()) }
    }
}

impl Scope {
    /// Whether nothing is left out.
    pub fn is_everything(&self) -> bool {
        self.packs.is_none()
    }

    /// Whether pages of `pack` may be found.
    pub fn holds(&self, pack: PackNo) -> bool {
        self.packs.as_ref().is_none_or(|packs| packs.binary_search(&pack).is_ok())
    }
}

/// Whether `given` is `wanted` or goes on from it with a `step`.
fn leads(wanted: &str, given: &str, step: char) -> bool {
    let wanted = wanted.trim_end_matches(step);
    let wanted = if step == '-' { wanted.to_ascii_lowercase() } else { wanted.to_owned() };
    given.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(step))
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
