//! Pack evidence: a pack's title and summary speak for all its pages.
//!
//! "fork on GitHub" means a page of the pack on Git, although hardly a page there says "Git" in its summary: the pack's
//! title has said it for all of them. So a word of a question that stands in the title or summary of some packs counts
//! for each of their pages as if it stood there once more, times [`Bm25::pack`], less the more packs say it; and it is
//! as common as those packs have pages. A page that holds no word of the question itself gets nothing, so evidence
//! finds no page alone.

use std::ops::Range;

use crate::analysis::Analysis;
use crate::bm25::Bm25;
use crate::error::Error;
use crate::index::{Index, PackNo};
use crate::order::sort_by;
use crate::root::Statistics;
use crate::shape::Shape;
use crate::terms::QueryTerm;

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
    /// Whether the term is [common](crate::common): then it speaks only for pages that others found.
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
        let own = self.bm25.weighted(&shape.frequencies);
        let score = |idf: f64, count: f64| self.bm25.term_score(idf, count, shape.length, self.average);
        self.factor * (score(self.idfs.1, own + self.more) - score(self.idfs.0, own))
    }

    /// The same while pages are looked for.
    pub(crate) fn gain_in_search(&self, page: u32, shape: &Shape) -> f64 {
        if self.common { 0.0 } else { self.gain(page, shape) }
    }

    /// The most that the evidence adds to any page while pages are looked for.
    pub(crate) fn most(&self) -> f64 {
        if self.common {
            return 0.0;
        }
        self.factor * self.idfs.1 * (self.bm25.k1 + 1.0)
    }
}

impl Index {
    /// Tells the index what each pack's title and summary say, one text a pack, in pack order. Without it there is no
    /// pack evidence.
    ///
    /// Packs in languages that are [not there](Analysis::is_there) say nothing: tell them all again once they are.
    pub fn tell_packs<'t>(&self, texts: impl IntoIterator<Item = &'t str>) {
        let terms = |(pack, text): (usize, &str)| {
            let analysis = self.analysis_of(PackNo(pack));
            let mut terms: Vec<String> =
                analysis.tokens(text).into_iter().filter(|token| !token.weak).map(|token| token.term).collect();
            sort_by(&mut terms, String::cmp);
            terms.dedup();
            terms
        };
        self.about.replace(texts.into_iter().enumerate().take(self.pack_count()).map(terms).collect());
    }

    /// The evidence in `terms`, in their order; none where no pack says them, or all do.
    pub(crate) fn told(
        &self,
        analysis: Analysis,
        statistics: &Statistics,
        terms: &[QueryTerm],
        bm25: &Bm25,
    ) -> Result<Vec<Told>, Error> {
        let (mut found, about) = (Vec::new(), self.about.borrow());
        for (order, term) in terms.iter().enumerate() {
            let says = |pack: &usize| {
                self.analysis_of(PackNo(*pack)) == analysis
                    && about[*pack].binary_search_by(|known| known.as_str().cmp(&term.term)).is_ok()
            };
            let pages: Vec<Range<u32>> =
                (0..about.len()).filter(says).map(|pack| self.pages_of(PackNo(pack))).collect();
            let more = bm25.pack * (1.0 - pages.len() as f64 / about.len().max(1) as f64);
            if pages.is_empty() || more <= 0.0 {
                continue;
            }
            let with = self.pages_with(analysis, &term.term)?;
            let there: u32 = pages.iter().map(|pages| pages.end - pages.start).sum();
            let together = with.max(there).min(statistics.pages);
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
    use crate::{Bm25, Index, NewPack, NewPage, PackInfo, write};

    fn pack(path: &str, pages: &[(&str, &str)]) -> NewPack {
        let page = |(title, summary): &(&str, &str)| NewPage {
            file: format!("{title}.md"),
            title: (*title).into(),
            summary: (*summary).into(),
            ..NewPage::default()
        };
        let info = PackInfo { path: path.into(), language: "en".into(), ..PackInfo::default() };
        NewPack { info, pages: pages.iter().map(page).collect(), ..NewPack::default() }
    }

    fn index() -> Index {
        let git = pack("git", &[("Forking", "How a fork of a repository is made."), ("Bisect", "Finds a bad commit.")]);
        let coins = pack("coins", &[("Fork", "A chain that parts in two."), ("Block", "A list of payments.")]);
        Index::open(&write(&[git, coins]).unwrap()).unwrap()
    }

    fn first(index: &Index, query: &str) -> Vec<u32> {
        index.search(query, 9, &Bm25::default()).unwrap().iter().map(|hit| hit.page.0).collect()
    }

    #[test]
    fn a_packs_own_words_speak_for_its_pages_and_find_none_alone() {
        let index = index();
        assert_eq!(first(&index, "a fork among coins"), [0, 2]);
        index.tell_packs(["Git and GitHub", "Coins"]);
        assert_eq!(first(&index, "a fork among coins"), [2, 0]);
        assert_eq!(first(&index, "a fork on GitHub"), [0, 2]);
        assert_eq!(first(&index, "GitHub"), [0; 0]);
        index.tell_packs(["GitHub", "GitHub"]);
        let told = index.search("GitHub fork", 9, &Bm25::default()).unwrap();
        index.tell_packs([]);
        assert_eq!(told, index.search("GitHub fork", 9, &Bm25::default()).unwrap(), "what all packs say tells nothing");
    }

    #[test]
    fn an_explanation_adds_up_to_the_score() {
        let index = index();
        index.tell_packs(["Git and GitHub", "Coins"]);
        for hit in index.search("fork on GitHub with coins", 9, &Bm25::default()).unwrap() {
            let explained = index.explain("fork on GitHub with coins", hit.page, &Bm25::default()).unwrap();
            assert!((explained.score - hit.score).abs() < 1e-12);
        }
    }
}
