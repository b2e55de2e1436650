//! Explanations: every component of a page's score, term by term.

use super::Query;
use super::prepared::PreparedQuery;
use super::searcher::Searcher;
use super::terms::QueryTerm;
use crate::analysis::Analysis;
use crate::error::{Error, try_all};
use crate::field::{FIELDS, Frequencies};
use crate::ids::PageNo;
use crate::postings::list::PostingsList;
use crate::postings::profile::TermProfile;

/// Why a page has its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The page.
    pub page: PageNo,
    /// The score: the sum of all components.
    pub score: f64,
    /// Whether the whole query is the page's title or one of its aliases. This is set for every page of that name;
    /// where only a few pages have it, for those whose name has the same signs.
    pub exact: bool,
    /// The page's length in tokens.
    pub length: u32,
    /// The mean length, in tokens, of the pages that it is compared with.
    pub average_length: f64,
    /// The component of words that are side by side, and of a name that is whole in the query.
    pub adjacent: f64,
    /// The component of each term of the query that the page holds, or its pack's title or summary.
    pub terms: Vec<TermScore>,
}

/// One term's component of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term, as it is in the dictionary.
    pub term: String,
    /// How many pages hold it.
    pub pages_with: u32,
    /// Its idf.
    pub idf: f64,
    /// Its counts in the page's fields.
    pub frequencies: Frequencies,
    /// The counts as one number ([`Bm25::weighted`](crate::Bm25::weighted)).
    pub weighted: f64,
    /// The term's factor in the query: 1, or less for a word of the context or a correction.
    pub factor: f64,
    /// How much of the score comes from the pack's title or summary. It is negative where the pack makes a rare term
    /// common.
    pub pack: f64,
    /// The term's component of the page's score.
    pub score: f64,
}

impl Explanation {
    /// Which fields hold a term of the query.
    pub fn fields(&self) -> [bool; FIELDS] {
        let mut found = [false; FIELDS];
        for term in &self.terms {
            found.iter_mut().zip(term.frequencies).for_each(|(found, count)| *found |= count > 0);
        }
        found
    }
}

impl Searcher<'_> {
    /// Every component of the score of `page` for `query`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged or has no such page, [`Error::Missing`] where a file is not there
    /// yet.
    pub fn explain<'q>(self, query: impl Into<Query<'q>>, page: PageNo) -> Result<Explanation, Error> {
        let mut found = Vec::new();
        self.explain_all(query.into(), &[page], &mut |explanation| found.push(explanation))?;
        found.pop().ok_or(Error::Missing)
    }

    /// [`explain`](Self::explain) for each of `pages`. `take` gets the explanations in the order of the pages.
    ///
    /// # Errors
    /// As [`Searcher::explain`].
    pub fn explain_all(
        self,
        query: Query<'_>,
        pages: &[PageNo],
        take: &mut dyn FnMut(Explanation),
    ) -> Result<(), Error> {
        let mut named = self.pages_named(query.text)?;
        let accept = self.filter(query.filter)?;
        named.retain(|page| accept(page.0));
        let named = self.most_similar_named(query.text, named)?;
        let every_word = self.needs_every_word(query, &*accept)?;
        self.explain_each(query, pages, &named, every_word, take)
    }

    /// [`Searcher::explain_all`], where the pages `named` are known whose name the query is, by rising number, and whether
    /// common terms find pages too.
    pub(super) fn explain_each(
        self,
        query: Query<'_>,
        pages: &[PageNo],
        named: &[PageNo],
        every_word: bool,
        take: &mut dyn FnMut(Explanation),
    ) -> Result<(), Error> {
        self.prepare_for_each(query, pages, every_word, &mut |prepared, page| {
            let mut explanation = self.explain_terms(prepared, page)?;
            explanation.adjacent = self.proximity_of(prepared.analysis, query, page)?;
            explanation.score += explanation.adjacent;
            explanation.exact = named.binary_search(&page).is_ok();
            take(explanation);
            Ok(())
        })
    }

    /// What the terms give a page.
    fn explain_terms(self, prepared: &PreparedQuery, page: PageNo) -> Result<Explanation, Error> {
        let profiles = self.profiles_on(prepared, page)?;
        let length = profiles.iter().find_map(|own| own.map(|profile| profile.length));
        let average_length = prepared.statistics.average_length;
        let (mut terms, mut own_sum, mut pack_sum) = (Vec::new(), 0.0, 0.0);
        for (order, (term, own)) in prepared.terms.iter().zip(profiles).enumerate() {
            let profile = own.unwrap_or(TermProfile::absent(length.unwrap_or(0)));
            // A page without a term of the query gets no boost.
            let pack = length.map_or(0.0, |_| prepared.boost(order, page, &profile));
            if own.is_none() && pack == 0.0 {
                continue;
            }
            let (idf, pages_with) = self.rarity(prepared.analysis, &term.term)?;
            let score = term.factor * idf * profile.norm(self.bm25, average_length);
            (own_sum, pack_sum) = (own_sum + score, pack_sum + pack);
            terms.push(TermScore {
                term: term.term.clone(),
                pages_with,
                idf,
                frequencies: profile.frequencies,
                weighted: self.bm25.weighted(&profile.frequencies, profile.length, average_length),
                factor: term.factor,
                pack,
                score: score + pack,
            });
        }
        // Added in the same order as by a search, so that of two equal pages neither wins by rounding.
        let (score, length) = (own_sum + pack_sum, length.unwrap_or(0));
        Ok(Explanation { page, score, adjacent: 0.0, exact: false, length, average_length, terms })
    }

    /// What the terms that find pages give `page`, by its postings.
    pub(super) fn score_by_postings(self, prepared: &PreparedQuery, page: PageNo) -> Result<f64, Error> {
        let mut found = Vec::new();
        for (order, term) in prepared.terms.iter().enumerate().filter(|(_, term)| !term.common) {
            let Some(list) = self.index.list(prepared.analysis, &term.term)? else { continue };
            found.push((order, term, self.index.profile_in_postings(&list, page)?));
        }
        // Boosts depend on the page's length, which is in the profile of any term. A page without a term gets none.
        let Some(length) = found.iter().find_map(|(.., profile)| *profile).map(|profile| profile.length) else {
            return Ok(0.0);
        };
        let (mut own_sum, mut pack_sum) = (0.0, 0.0);
        for (order, term, profile) in found {
            let profile = profile.unwrap_or(TermProfile::absent(length));
            let idf = self.rarity(prepared.analysis, &term.term)?.0;
            own_sum += term.factor * idf * profile.norm(self.bm25, prepared.statistics.average_length);
            pack_sum += prepared.boost(order, page, &profile);
        }
        Ok(own_sum + pack_sum)
    }

    /// Each term's profile on `page`; none for a term that the page does not hold. All files that are missing are
    /// recorded at once.
    fn profiles_on(self, prepared: &PreparedQuery, page: PageNo) -> Result<Vec<Option<TermProfile>>, Error> {
        let mut profiles = Vec::new();
        try_all(prepared.terms.iter().map(|term| {
            let list = self.index.list(prepared.analysis, &term.term)?;
            profiles.push(match list {
                Some(list) => self.profile_on(prepared.analysis, term, &list, page)?,
                None => None,
            });
            Ok(())
        }))?;
        Ok(profiles)
    }

    /// A term's profile on `page`, by the page's texts or its postings; none where the page does not hold the term. The
    /// texts do not hold terms of bodies.
    fn profile_on(
        self,
        analysis: Analysis,
        term: &QueryTerm,
        list: &PostingsList,
        page: PageNo,
    ) -> Result<Option<TermProfile>, Error> {
        match term.common || !self.index.has_bodies() && self.index.is_unfetched(list, page) {
            true => {
                let profile = self.profile_in_texts(analysis, page, &term.term)?;
                Ok((profile.frequencies != [0; FIELDS]).then_some(profile))
            }
            false => self.index.profile_in_postings(list, page),
        }
    }
}
