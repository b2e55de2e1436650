//! Why a page has its score: every component of it, term by term.

use crate::analysis::Analysis;
use crate::dictionary::shard::TermList;
use crate::error::Error;
use crate::field::{FIELDS, Frequencies};
use crate::ids::PageNo;
use crate::index::Index;
use crate::postings::profile::Shape;
use crate::query::bm25::Bm25;
use crate::query::search::{Asked, Query};
use crate::query::terms::QueryTerm;

/// Why a page has its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The page.
    pub page: PageNo,
    /// The sum of all parts.
    pub score: f64,
    /// Whether the whole query is the page's title or an alias. Told of every page of
    /// that name, as far as it is written with the same signs where only a few have it.
    pub exact: bool,
    /// The page's length in tokens.
    pub length: u32,
    /// The mean length, in tokens, of the pages it is compared with.
    pub average_length: f64,
    /// The part of the score that words side by side bring, and a name that stands whole in the query.
    pub adjacent: f64,
    /// Each term of the query that the page holds, or its pack's title or summary.
    pub terms: Vec<TermScore>,
}

/// One term's part of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term as it stands in the dictionary.
    pub term: String,
    /// How many pages hold it.
    pub pages_with: u32,
    /// Its rarity.
    pub idf: f64,
    /// Its counts in the page's fields.
    pub frequencies: Frequencies,
    /// The counts as one number ([`Bm25::weighted`]).
    pub weighted: f64,
    /// What the term counts in the query: 1, or less for a word of the context or a guessed one.
    pub factor: f64,
    /// What of its score comes from the pack's title or summary; it may take away, where the pack makes a rare term
    /// common.
    pub pack: f64,
    /// The part of the page's score.
    pub score: f64,
}

impl Explanation {
    /// Which fields hold any of the query's terms.
    pub fn fields(&self) -> [bool; FIELDS] {
        let mut found = [false; FIELDS];
        for term in &self.terms {
            found.iter_mut().zip(term.frequencies).for_each(|(found, count)| *found |= count > 0);
        }
        found
    }
}

impl Index {
    /// Every component of `page`'s score for `query`.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged or has no such page, [`Error::Missing`] where a file is not there
    /// yet.
    pub fn explain<'q>(&self, query: impl Into<Query<'q>>, page: PageNo, bm25: &Bm25) -> Result<Explanation, Error> {
        let mut found = Vec::new();
        self.explain_all(query.into(), &[page], bm25, &mut |explained| found.push(explained))?;
        found.pop().ok_or(Error::Missing)
    }

    /// [`explain`](Self::explain) for each of `pages`, of which `take` is told in their order.
    ///
    /// # Errors
    /// As [`Index::explain`].
    pub fn explain_all(
        &self,
        query: Query<'_>,
        pages: &[PageNo],
        bm25: &Bm25,
        take: &mut dyn FnMut(Explanation),
    ) -> Result<(), Error> {
        let mut named = self.named(query.text)?;
        let accept = self.filter(query.filter)?;
        named.retain(|page| accept(page.0));
        let named = self.named_as_written(query.text, named)?;
        let every_word = self.finds_by_every_word(query, bm25, &*accept)?;
        let mut asked: Option<Asked> = None;
        self.all(pages.iter().map(|&page| {
            let (analysis, statistics) = self.analysed_as(page)?;
            if asked.as_ref().is_none_or(|asked| asked.analysis != analysis) {
                asked = Some(self.asked(analysis, statistics, query, bm25, every_word)?);
            }
            let Some(asked) = &asked else { return Ok(()) };
            let mut explained = self.explain_asked(asked, page, bm25)?;
            explained.adjacent = self.adjacent_part(analysis, query, page, bm25)?;
            explained.score += explained.adjacent;
            explained.exact = named.binary_search(&page).is_ok();
            take(explained);
            Ok(())
        }))
    }

    /// What the terms give a page.
    fn explain_asked(&self, asked: &Asked, page: PageNo, bm25: &Bm25) -> Result<Explanation, Error> {
        let shapes = self.shapes_on(asked, page)?;
        let length = shapes.iter().find_map(|own| own.map(|shape| shape.length));
        let average_length = asked.statistics.average_length;
        let (mut terms, mut own_sum, mut pack_sum) = (Vec::new(), 0.0, 0.0);
        for (order, (term, own)) in asked.terms.iter().zip(shapes).enumerate() {
            let shape = own.unwrap_or(Shape { length: length.unwrap_or(0), ..Shape::default() });
            // Without a word of its own a page gains nothing.
            let pack = length.map_or(0.0, |_| asked.gain(order, page, &shape));
            if own.is_none() && pack == 0.0 {
                continue;
            }
            let (idf, pages_with) = self.rarity(asked.analysis, &term.term, bm25)?;
            let score = term.factor * idf * shape.norm(bm25, average_length);
            (own_sum, pack_sum) = (own_sum + score, pack_sum + pack);
            terms.push(TermScore {
                term: term.term.clone(),
                pages_with,
                idf,
                frequencies: shape.frequencies,
                weighted: bm25.weighted(&shape.frequencies, shape.length, average_length),
                factor: term.factor,
                pack,
                score: score + pack,
            });
        }
        // In the order in which a search adds, so that of two equal pages neither wins by rounding.
        let (score, length) = (own_sum + pack_sum, length.unwrap_or(0));
        Ok(Explanation { page, score, adjacent: 0.0, exact: false, length, average_length, terms })
    }

    /// What the terms that find pages give `page` by its postings.
    pub(crate) fn posted_score(&self, asked: &Asked, page: PageNo, bm25: &Bm25) -> Result<f64, Error> {
        let mut found = Vec::new();
        for (order, term) in asked.terms.iter().enumerate().filter(|(_, term)| !term.common) {
            let Some(list) = self.list(asked.analysis, &term.term)? else { continue };
            found.push((order, term, self.posted_shape(&list, page)?));
        }
        // Packs' words count by the page's length, which the postings of any word tell; without one it gains nothing.
        let Some(length) = found.iter().find_map(|(.., shape)| *shape).map(|shape| shape.length) else {
            return Ok(0.0);
        };
        let (mut sum, mut told) = (0.0, 0.0);
        for (order, term, shape) in found {
            let shape = shape.unwrap_or(Shape { length, ..Shape::default() });
            let idf = self.rarity(asked.analysis, &term.term, bm25)?.0;
            sum += term.factor * idf * shape.norm(bm25, asked.statistics.average_length);
            told += asked.gain(order, page, &shape);
        }
        Ok(sum + told)
    }

    /// Each term's shape on `page`, where it is there. All that is missed is noted at once.
    fn shapes_on(&self, asked: &Asked, page: PageNo) -> Result<Vec<Option<Shape>>, Error> {
        let mut shapes = Vec::new();
        self.all(asked.terms.iter().map(|term| {
            let list = self.list(asked.analysis, &term.term)?;
            shapes.push(match list {
                Some(list) => self.shape_on(asked.analysis, term, &list, page)?,
                None => None,
            });
            Ok(())
        }))?;
        Ok(shapes)
    }

    /// A term's shape on `page`, where it is there. Texts know nothing of words of bodies.
    fn shape_on(
        &self,
        analysis: Analysis,
        term: &QueryTerm,
        list: &TermList,
        page: PageNo,
    ) -> Result<Option<Shape>, Error> {
        match term.common || !self.has_bodies() && self.is_to_be_fetched(list, page)? {
            true => self.shape_told_by_texts(analysis, term, page),
            false => self.posted_shape(list, page),
        }
    }
}
