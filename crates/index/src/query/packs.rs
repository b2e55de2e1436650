//! Pack evidence: a pack's title and summary speak for all its pages.
//!
//! "fork on GitHub" means a page of the pack on Git, although hardly a page there says "Git" in its summary: the pack's
//! title has said it for all of them. So a word of a question that stands in the title or summary of some packs counts
//! for each of their pages as if it stood there once more, times [`Bm25::pack`], less the more packs say it; and it is
//! as common as those packs have pages. A page that holds no word of the question itself gets nothing, so evidence
//! finds no page alone.

use std::ops::Range;

use crate::analysis::Analysis;
use crate::error::Error;
use crate::format::root::Statistics;
use crate::ids::PackNo;
use crate::index::Index;
use crate::postings::profile::Shape;
use crate::query::bm25::Bm25;
use crate::query::terms::QueryTerm;

/// The evidence that one term of a query is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    /// The term's place in the query.
    pub(crate) order: usize,
    /// The pages of the packs that say it, by rising number.
    pages: Vec<Range<u32>>,
    /// What it adds to the weighted count of these pages.
    more: f64,
    factor: f64,
    /// Whether the term is [common](crate::query::common_terms): then it speaks only for pages that others found.
    common: bool,
    /// The term's rarity by its pages, and by those of the packs too.
    idfs: (f64, f64),
    bm25: Bm25,
    average: f64,
}

impl Told {
    /// What the evidence adds to the score of `page`, whose shape for the term is `shape`: all zero but for the length
    /// where the page does not hold it.
    pub(crate) fn gain(&self, page: u32, shape: &Shape) -> f64 {
        let at = self.pages.partition_point(|pages| pages.end <= page);
        if !self.pages.get(at).is_some_and(|pages| pages.contains(&page)) {
            return 0.0;
        }
        let own = self.bm25.weighted(&shape.frequencies, shape.length, self.average);
        let score = |idf: f64, count: f64| self.bm25.term_score(idf, count, shape.length, self.average);
        self.factor * (score(self.idfs.1, own + self.more) - score(self.idfs.0, own))
    }

    /// The same while pages are looked for.
    pub(crate) fn gain_in_search(&self, page: u32, shape: &Shape) -> f64 {
        if self.common { 0.0 } else { self.gain(page, shape) }
    }

    /// The most that the evidence adds to any page while pages are looked for: to one as short as can be that does not
    /// hold the term. Saturation makes more of what a page holds add less, and packs make no term rarer.
    pub(crate) fn most(&self) -> f64 {
        if self.common { 0.0 } else { self.factor * self.bm25.term_score(self.idfs.1, self.more, 0, self.average) }
    }

    /// The pages that it may add to, by rising number, and none of them twice.
    pub(crate) fn pages(&self) -> &[Range<u32>] {
        if self.common { &[] } else { &self.pages }
    }
}

impl Index {
    /// The evidence in `terms`, in their order; none where no pack says them, or all do.
    pub(crate) fn told(
        &self,
        analysis: Analysis,
        statistics: &Statistics,
        terms: &[QueryTerm],
        bm25: &Bm25,
    ) -> Result<Vec<Told>, Error> {
        let mut found = Vec::new();
        for (order, term) in terms.iter().enumerate() {
            let Some(list) = self.list(analysis, &term.term)?.filter(|list| !list.packs.is_empty()) else { continue };
            let more = bm25.pack * (1.0 - list.packs.len() as f64 / self.pack_count() as f64);
            if more <= 0.0 {
                continue;
            }
            let pages: Vec<Range<u32>> = list.packs.iter().map(|&pack| self.pages_of(PackNo(pack as usize))).collect();
            let with = list.pages_with;
            let there: u32 = pages.iter().map(|pages| pages.end - pages.start).sum();
            // Never rarer than by its pages alone, or `most` would bound nothing.
            let together = with.max(there);
            let idfs = (bm25.idf(statistics.pages, with), bm25.idf(statistics.pages, together));
            let (bm25, average) = (*bm25, statistics.average_length);
            let (factor, common) = (term.factor, term.common);
            found.push(Told { order, pages, more, factor, common, idfs, bm25, average });
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
        index.search(query, 9, &Bm25::default()).unwrap().iter().map(|hit| hit.page.0).collect()
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
        let found = |says| index(says, says, 0).search("GitHub fork", 9, &Bm25::default()).unwrap();
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
        let told = |page, word: &str| {
            let explained = index.explain("fork of kettles and coins", PageNo(page), &Bm25::default()).unwrap();
            explained.terms.iter().find(|term| term.term == word).map(|term| term.pack > 0.0)
        };
        for (page, fork, kettle, coin) in [
            (0, Some(true), Some(true), None),
            (2, Some(true), None, Some(true)),
            (4, Some(false), None, None),
            (5, Some(false), None, None),
        ] {
            let said = ["fork", "kettl", "coin"].map(|word| told(page, word));
            assert_eq!(said, [fork, kettle, coin], "{page}");
        }
    }

    #[test]
    fn an_explanation_adds_up_to_the_score() {
        let index = index(["Git and GitHub", ""], ["Coins", ""], 0);
        for hit in index.search("fork on GitHub with coins", 9, &Bm25::default()).unwrap() {
            let explained = index.explain("fork on GitHub with coins", hit.page, &Bm25::default()).unwrap();
            assert!((explained.score - hit.score).abs() < 1e-12);
        }
    }
}
