//! What the index says about a piece of a question: whose subject it is, and whether two pieces share one.
//!
//! Two measures. A text *leans* to a pack when most of the rarity of its known words lies there; a word of few pages
//! counts only where it stands in a title, for a lone mention in some summary says nothing. Two texts *meet* when one
//! page holds words of both.

use std::collections::BTreeMap;

use seealso_index::{Analysis, Bm25, Error, Field, Index, NameMatch, PackNo, PageNo};

/// Share of a text's known rarity that a pack must hold for the text to lean to it.
const LEANING_SHARE: f64 = 0.6;
/// A word outside titles counts from this many pages of a pack on.
const ENOUGH_PAGES: usize = 3;

/// The index, asked about pieces of a question.
pub(crate) struct Evidence<'a> {
    index: &'a Index,
    bm25: &'a Bm25,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(index: &'a Index, bm25: &'a Bm25) -> Self {
        Evidence { index, bm25 }
    }

    /// The pack that `text` is about, where its words agree on one.
    pub(crate) fn leaning(&self, text: &str) -> Result<Option<PackNo>, Error> {
        let mut shares: BTreeMap<PackNo, f64> = BTreeMap::new();
        let mut known = 0.0;
        for (analysis, statistics) in self.index.analyses() {
            for term in self.terms(*analysis, text) {
                let postings = self.index.postings(*analysis, &term)?;
                let mut by_pack: BTreeMap<PackNo, (usize, bool)> = BTreeMap::new();
                for posting in &postings {
                    let Some(pack) = self.index.pack_of(posting.page) else { continue };
                    let seen = by_pack.entry(pack).or_default();
                    seen.0 += 1;
                    seen.1 |= posting.frequencies[Field::Title as usize] + posting.frequencies[Field::Aliases as usize] > 0;
                }
                by_pack.retain(|_, (pages, titled)| *titled || *pages >= ENOUGH_PAGES);
                if by_pack.is_empty() {
                    continue;
                }
                let rarity = self.bm25.idf(statistics.pages, postings.len() as u32);
                known += rarity;
                let pages: usize = by_pack.values().map(|(pages, _)| pages).sum();
                for (pack, (count, _)) in by_pack {
                    *shares.entry(pack).or_default() += rarity * count as f64 / pages as f64;
                }
            }
        }
        let best = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        Ok(best.filter(|(_, share)| *share >= LEANING_SHARE * known).map(|(pack, _)| pack))
    }

    /// Whether `left` and `right` lean to different packs.
    pub(crate) fn lean_apart(&self, left: &str, right: &str) -> Result<bool, Error> {
        Ok(matches!((self.leaning(left)?, self.leaning(right)?), (Some(a), Some(b)) if a != b))
    }

    /// Whether `left` and `right` are two subjects: they lean apart, and no page is titled with words of both.
    pub(crate) fn are_two_subjects(&self, left: &str, right: &str) -> Result<bool, Error> {
        Ok(self.lean_apart(left, right)? && !self.meet(left, right)?)
    }

    /// Whether a page holds a word that only `left` has and one that only `right` has, both among its rarer ones.
    fn meet(&self, left: &str, right: &str) -> Result<bool, Error> {
        let (left, right) = (self.pages_by_term(left)?, self.pages_by_term(right)?);
        let own = |side: &BTreeMap<String, Vec<PageNo>>, other: &BTreeMap<String, Vec<PageNo>>| -> Vec<PageNo> {
            side.iter().filter(|(term, _)| !other.contains_key(*term)).flat_map(|(_, pages)| pages.clone()).collect()
        };
        let (of_left, of_right) = (own(&left, &right), own(&right, &left));
        Ok(of_left.iter().any(|page| of_right.contains(page)))
    }

    /// The pages that hold each of `text`'s weightiest terms in their title or aliases.
    fn pages_by_term(&self, text: &str) -> Result<BTreeMap<String, Vec<PageNo>>, Error> {
        let mut found = BTreeMap::new();
        for (analysis, _) in self.index.analyses() {
            for term in self.terms(*analysis, text) {
                let titled = self.index.postings(*analysis, &term)?.into_iter().filter(|posting| {
                    posting.frequencies[Field::Title as usize] + posting.frequencies[Field::Aliases as usize] > 0
                });
                let pages: Vec<PageNo> = titled.map(|posting| posting.page).collect();
                found.entry(term).or_insert_with(Vec::new).extend(pages);
            }
        }
        Ok(found)
    }

    /// The titles and aliases in `text`.
    pub(crate) fn names(&self, text: &str) -> Result<Vec<NameMatch>, Error> {
        self.index.names_in(text)
    }

    /// Whether both texts are names of pages, of different ones.
    pub(crate) fn are_two_names(&self, left: &str, right: &str) -> Result<bool, Error> {
        let (left, right) = (self.index.named(left)?, self.index.named(right)?);
        Ok(!left.is_empty() && !right.is_empty() && !left.iter().any(|page| right.contains(page)))
    }

    fn terms(&self, analysis: Analysis, text: &str) -> Vec<String> {
        let mut terms: Vec<String> = analysis.tokens(text).into_iter().map(|token| token.term).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}
