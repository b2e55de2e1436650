//! The index's evidence about a piece of a question: the pack of its subject, and whether two pieces share one.
//!
//! A text *leans* to its leading pack if most of its content words, by rarity, belong there; a word that is spread over
//! packs, or mentioned once in some summary, indicates nothing. It is *found in* a pack if most of its best pages are
//! there. Two texts *meet* if one page contains the words of both.

use seealso_index::{Analysis, Bm25, Error, Field, Index, Kind, NameMatch, PackNo, PageNo, Posting, Searcher, sort_by};

use super::language::QuestionLanguage;
use super::words::Words;

/// The share that counts as most.
const LEANING_SHARE: f64 = 0.6;
/// A word outside titles counts if this many pages of a pack contain it.
const ENOUGH_PAGES: usize = 3;

/// A clause needs this many known words to belong to a pack; a single one may occur anywhere.
const ENOUGH_WORDS: usize = 2;
/// The number of pages of a search that are considered.
const LOOKED_AT: usize = 8;

/// The index, asked about pieces of a question.
pub(crate) struct Evidence<'a> {
    index: &'a Index,
    bm25: Bm25,
    language: QuestionLanguage,
}

impl<'a> Evidence<'a> {
    /// The evidence for `question`, which determines the language of its pieces.
    pub(crate) fn new(question: &str, index: &'a Index, bm25: &'a Bm25) -> Self {
        let mut bm25 = *bm25;
        if index.has_bodies() {
            bm25.weights[Field::Body as usize] = 0.0;
        }
        // The pages found do not depend on the order of words, which would need the pages' texts.
        bm25.adjacent = 0.0;
        Evidence { index, bm25, language: QuestionLanguage::of(question, index) }
    }

    fn searcher(&self) -> Searcher<'_> {
        self.index.searcher(&self.bm25)
    }

    /// The pack that `text` is about, if its content words agree on one.
    pub(crate) fn leading_pack(&self, text: &str) -> Result<Option<PackNo>, Error> {
        let mut shares = Shares::default();
        for (analysis, statistics) in self.index.analyses() {
            for term in self.terms(*analysis, text)? {
                // A term with a long list of pages is spread over packs, or indicates nothing.
                let Some(postings) = self.postings(*analysis, &term)? else { continue };
                if let Some(pack) = self.home_pack(&postings) {
                    shares.add(pack, self.bm25.idf(statistics.pages, postings.len() as u32));
                }
            }
        }
        Ok(shares.largest())
    }

    /// The pack that a term belongs to: most of its pages are there, and there it occurs in a title or on several
    /// pages. A term that is spread over packs has none.
    fn home_pack(&self, postings: &[Posting]) -> Option<PackNo> {
        let mut by_pack = Shares::default();
        for posting in postings {
            by_pack.add(self.index.pack_of(posting.page)?, 1.0);
        }
        let home_pack = by_pack.largest()?;
        let there = postings.iter().filter(|posting| self.index.pack_of(posting.page) == Some(home_pack));
        let titled = there.clone().any(is_titled);
        (titled || there.count() >= ENOUGH_PAGES).then_some(home_pack)
    }

    /// The pages with `term` in a title, alias or summary: an occurrence in a body does not show where a word belongs.
    /// `None` if there are very many.
    fn postings(&self, analysis: Analysis, term: &str) -> Result<Option<Vec<Posting>>, Error> {
        let mut postings = self.index.short_postings(analysis, term)?;
        if let Some(postings) = &mut postings {
            postings.retain(Posting::occurs_before_body);
        }
        Ok(postings)
    }

    /// The pack that most of the best pages for `text` belong to, by the squares of their scores.
    fn found_pack(&self, text: &str) -> Result<Option<PackNo>, Error> {
        // A search for a word of very many pages fetches more than the evidence is worth.
        for (analysis, _) in self.index.analyses() {
            for term in self.terms(*analysis, text)? {
                if self.index.short_postings(*analysis, &term)?.is_none() {
                    return Ok(None);
                }
            }
        }
        let mut shares = Shares::default();
        for hit in self.searcher().search(text, LOOKED_AT)? {
            if let Some(pack) = self.index.pack_of(hit.page) {
                shares.add(pack, hit.score * hit.score);
            }
        }
        Ok(shares.largest())
    }

    /// Whether `text` has enough words that the index knows to determine where it belongs.
    fn says_enough(&self, text: &str) -> Result<bool, Error> {
        for (analysis, _) in self.index.analyses() {
            let mut known = 0;
            for term in self.terms(*analysis, text)? {
                known += usize::from(self.postings(*analysis, &term)?.is_none_or(|postings| !postings.is_empty()));
            }
            if known >= ENOUGH_WORDS {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether two clauses are about different packs: by one measure, and against neither. A clause of one known word
    /// is not enough.
    pub(crate) fn clauses_apart(&self, left: &str, right: &str) -> Result<bool, Error> {
        if !self.says_enough(left)? || !self.says_enough(right)? {
            return Ok(false);
        }
        let left = [self.leading_pack(left)?, self.found_pack(left)?];
        let right = [self.leading_pack(right)?, self.found_pack(right)?];
        let apart = left.iter().zip(&right).any(|(l, r)| l.is_some() && r.is_some() && l != r);
        let shared = left.iter().flatten().any(|l| right.contains(&Some(*l)));
        Ok(apart && !shared)
    }

    /// Whether `left` and `right` lean to different packs.
    fn lean_apart(&self, left: &str, right: &str) -> Result<bool, Error> {
        Ok(matches!((self.leading_pack(left)?, self.leading_pack(right)?), (Some(a), Some(b)) if a != b))
    }

    /// Whether `left` and `right` are two subjects: they lean to different packs, and no page contains the words of
    /// both.
    pub(crate) fn are_two_subjects(&self, left: &str, right: &str) -> Result<bool, Error> {
        Ok(self.lean_apart(left, right)? && !self.meet(left, right)?)
    }

    /// Whether one page contains every word of both, in any field.
    pub(crate) fn meet(&self, left: &str, right: &str) -> Result<bool, Error> {
        for (analysis, _) in self.index.analyses() {
            let mut shared: Option<Vec<PageNo>> = None;
            for term in self.terms(*analysis, &format!("{left} {right}"))? {
                let Some(postings) = self.postings(*analysis, &term)? else { continue };
                let pages = postings.into_iter().map(|posting| posting.page);
                shared = Some(match shared {
                    None => pages.collect(),
                    Some(before) => pages.filter(|page| before.binary_search(page).is_ok()).collect(),
                });
            }
            if shared.is_some_and(|pages| !pages.is_empty()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The titles and aliases in `text`.
    pub(crate) fn names(&self, text: &str) -> Result<Vec<NameMatch>, Error> {
        self.searcher().names_in(text)
    }

    /// Whether both texts are names of pages, and of different ones.
    pub(crate) fn are_two_names(&self, left: &str, right: &str) -> Result<bool, Error> {
        let (left, right) = (self.searcher().pages_named(left)?, self.searcher().pages_named(right)?);
        Ok(!left.is_empty() && !right.is_empty() && !left.iter().any(|page| right.contains(page)))
    }

    /// The words of `text`. A stop word that is a page's name, or an acronym in one, is not treated as one.
    pub(crate) fn words(&self, text: &str) -> Result<Words, Error> {
        let mut words = Words::of(text, &self.language);
        for (analysis, _) in self.index.analyses() {
            for (start, end) in self.searcher().stop_word_names(*analysis, text)? {
                let named = words.words.iter_mut().filter(|word| start <= word.start && word.end <= end);
                named.for_each(|word| word.stop = false);
            }
        }
        Ok(words)
    }

    fn terms(&self, analysis: Analysis, text: &str) -> Result<Vec<String>, Error> {
        let mut tokens = self.searcher().query_words(analysis, text)?;
        tokens.retain(|token| !token.stop && !token.weak && token.kind != Kind::Joined);
        let mut terms: Vec<String> = tokens.into_iter().map(|token| token.term).collect();
        sort_by(&mut terms, String::cmp);
        terms.dedup();
        Ok(terms)
    }
}

/// Whether the term stands in the page's title or another of its names.
fn is_titled(posting: &Posting) -> bool {
    posting.frequencies[Field::Title as usize] + posting.frequencies[Field::Aliases as usize] > 0
}

/// The share of each pack, in the packs' order. A sorted list; a map would be 2 KB of the browser's wasm.
#[derive(Default)]
struct Shares(Vec<(PackNo, f64)>);

impl Shares {
    fn add(&mut self, pack: PackNo, amount: f64) {
        match self.0.binary_search_by_key(&pack, |share| share.0) {
            Ok(at) => self.0[at].1 += amount,
            Err(at) => self.0.insert(at, (pack, amount)),
        }
    }

    /// The pack with the largest share, if that is most of the whole.
    fn largest(&self) -> Option<PackNo> {
        let all: f64 = self.0.iter().map(|share| share.1).sum();
        let best = self.0.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        (best.1 >= LEANING_SHARE * all).then_some(best.0)
    }
}
