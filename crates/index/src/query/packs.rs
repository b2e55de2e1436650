//! Pack boosts: the title and the summary of a pack count for all its pages.
//!
//! "fork on GitHub" means a page of the pack on Git, although hardly a page there has "Git" in its summary: the pack's
//! title says it for all of them. So a term of a query that occurs in the title or summary of some packs counts for
//! each of their pages as if the page had it once more, times [`Bm25::pack`]. It counts for less the more packs have
//! it, and its idf is that of a term that all pages of these packs hold. A page that holds no term of the query gets no
//! boost, so boosts alone find no page.

use std::ops::Range;

use super::bm25::Bm25;
use super::searcher::Searcher;
use super::terms::QueryTerm;
use crate::analysis::Analysis;
use crate::error::Error;
use crate::format::root::Statistics;
use crate::ids::{PackNo, PageNo};
use crate::postings::profile::TermProfile;

/// The boost that one term of a query gives the pages of some packs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PackBoost {
    /// The term's place in the query.
    pub(crate) order: usize,
    /// The pages of the packs that have the term in their title or summary, by rising number, no page twice.
    pub(crate) pages: Vec<Range<u32>>,
    /// What it adds to the weighted count of these pages.
    more: f64,
    /// The term's factor in the query.
    factor: f64,
    /// The term's idf by the pages that hold it, and by the pages of these packs too.
    idfs: (f64, f64),
    bm25: Bm25,
    /// The mean length of pages.
    average: f64,
}

impl PackBoost {
    /// What the boost adds to the score of `page`, where the term has that profile. The page's length is in the profile
    /// even where the page does not hold the term.
    pub(crate) fn score(&self, page: PageNo, profile: &TermProfile) -> f64 {
        let at = self.pages.partition_point(|pages| pages.end <= page.0);
        if !self.pages.get(at).is_some_and(|pages| pages.contains(&page.0)) {
            return 0.0;
        }
        let own = self.bm25.weighted(&profile.frequencies, profile.length, self.average);
        let score = |idf: f64, count: f64| self.bm25.term_score(idf, count, profile.length, self.average);
        self.factor * (score(self.idfs.1, own + self.more) - score(self.idfs.0, own))
    }

    /// The most that the boost adds to any page: to one of the least length that does not hold the term. A page that
    /// holds it gains less, because counts saturate and because packs make no term rarer.
    pub(crate) fn most(&self) -> f64 {
        self.factor * self.bm25.term_score(self.idfs.1, self.more, 0, self.average)
    }
}

impl Searcher<'_> {
    /// The boosts of `terms`, in their order. A term that no pack has, or all packs have, gives none.
    pub(super) fn pack_boosts(
        self,
        analysis: Analysis,
        statistics: &Statistics,
        terms: &[QueryTerm],
    ) -> Result<Vec<PackBoost>, Error> {
        let mut found = Vec::new();
        for (order, term) in terms.iter().enumerate() {
            let list = self.index.list(analysis, &term.term)?;
            let Some(list) = list.filter(|list| !list.packs.is_empty()) else { continue };
            let more = self.bm25.pack * (1.0 - list.packs.len() as f64 / self.index.pack_count() as f64);
            if more <= 0.0 {
                continue;
            }
            let pages: Vec<Range<u32>> =
                list.packs.iter().map(|&pack| self.index.pages_of(PackNo(pack as usize))).collect();
            let pages_of_packs: u32 = pages.iter().map(|pages| pages.end - pages.start).sum();
            // Not rarer than by its own pages alone, or `most` would be no bound.
            let together = list.pages_with.max(pages_of_packs);
            let idfs = (self.bm25.idf(statistics.pages, list.pages_with), self.bm25.idf(statistics.pages, together));
            let (factor, bm25, average) = (term.factor, *self.bm25, statistics.average_length);
            found.push(PackBoost { order, pages, more, factor, idfs, bm25, average });
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Analysis, Bm25, Index, NewPack, NewPage, PackInfo, PageNo, write};

    fn pack(path: &str, says: [&str; 2], pages: &[(&str, &str)]) -> NewPack {
        let page = |(title, summary): &(&str, &str)| NewPage {
            file: format!("{title}.md"),
            title: (*title).into(),
            summary: (*summary).into(),
            ..NewPage::default()
        };
        let [title, summary] = says.map(str::to_owned);
        let info = PackInfo { path: path.into(), title, summary, language: "en".into(), ..PackInfo::default() };
        NewPack { info, pages: pages.iter().map(page).collect(), ..NewPack::default() }
    }

    /// Two packs that say so of themselves, and `more` empty ones.
    fn packs(git: [&str; 2], coins: [&str; 2], more: usize) -> Vec<NewPack> {
        let git =
            pack("git", git, &[("Forking", "How a fork of a repository is made."), ("Bisect", "Finds a bad commit.")]);
        let coins = pack("coins", coins, &[("Fork", "A chain that parts in two."), ("Block", "A list of payments.")]);
        let others = (0..more).map(|number| pack(&format!("p{number}"), ["Other", "Nothing."], &[]));
        [git, coins].into_iter().chain(others).collect()
    }

    fn index(git: [&str; 2], coins: [&str; 2], more: usize) -> Index {
        Index::open(&write(&packs(git, coins, more)).unwrap()).unwrap()
    }

    fn first(index: &Index, query: &str) -> Vec<u32> {
        index.searcher(&Bm25::default()).search(query, 9).unwrap().iter().map(|hit| hit.page.0).collect()
    }

    #[test]
    fn a_packs_own_words_speak_for_its_pages_and_find_none_alone() {
        let silent = index(["", ""], ["", ""], 0);
        assert_eq!(first(&silent, "a fork among coins"), [0, 2]);
        // However many packs there are.
        for more in [0, 1, 300] {
            let index = index(["Git", "Git and GitHub."], ["Coins", ""], more);
            assert_eq!(first(&index, "a fork among coins"), [2, 0], "{more}");
            assert_eq!(first(&index, "a fork on GitHub"), [0, 2], "{more}");
            assert_eq!(first(&index, "GitHub"), [0; 0], "{more}");
            assert_eq!(index.pages_with(Analysis::English, "github").unwrap(), 0, "{more}");
        }
    }

    #[test]
    fn what_all_packs_say_tells_nothing() {
        let (all, silent) = (["GitHub", ""], ["", ""]);
        let found = |says| index(says, says, 0).searcher(&Bm25::default()).search("GitHub fork", 9).unwrap();
        assert_eq!(found(all), found(silent));
        let telling_of = |index: &Index| {
            let list = index.list(Analysis::English, "github").unwrap();
            list.map(|list| list.packs.to_vec())
        };
        assert_eq!(telling_of(&index(all, ["Coins", ""], 0)), Some(vec![0]));
        // A word of all of them takes no bytes either.
        assert_eq!(telling_of(&index(all, all, 0)), None);
    }

    #[test]
    fn a_pack_speaks_for_pages_of_its_language_alone() {
        // "Fork" has the same stem in both.
        let mut packs = packs(["Fork of kettles", ""], ["Fork of coins", ""], 0);
        packs[1].info.language = "de".into();
        packs.push(pack("silent", ["", ""], &[("Fork", "At table.")]));
        packs.push(NewPack { info: PackInfo { language: "de".into(), ..packs[2].info.clone() }, ..packs[2].clone() });
        let index = Index::open(&write(&packs).unwrap()).unwrap();
        let has_pack_score = |page, word: &str| {
            let explained =
                index.searcher(&Bm25::default()).explain("fork of kettles and coins", PageNo(page)).unwrap();
            explained.terms.iter().find(|term| term.term == word).map(|term| term.pack > 0.0)
        };
        for (page, fork, kettle, coin) in [
            (0, Some(true), Some(true), None),
            (2, Some(true), None, Some(true)),
            (4, Some(false), None, None),
            (5, Some(false), None, None),
        ] {
            let found = ["fork", "kettl", "coin"].map(|word| has_pack_score(page, word));
            assert_eq!(found, [fork, kettle, coin], "{page}");
        }
    }

    #[test]
    fn an_explanation_adds_up_to_the_score() {
        let index = index(["Git and GitHub", ""], ["Coins", ""], 0);
        for hit in index.searcher(&Bm25::default()).search("fork on GitHub with coins", 9).unwrap() {
            let explained = index.searcher(&Bm25::default()).explain("fork on GitHub with coins", hit.page).unwrap();
            assert!((explained.score - hit.score).abs() < 1e-12);
        }
    }
}
