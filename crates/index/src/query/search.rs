//! Search: the pages that hold a question's words, best first, and why.

use std::rc::Rc;

use crate::analysis::Analysis;
use crate::dictionary::shard::{Postings, TermList};
use crate::error::Error;
use crate::field::FIELDS;
use crate::format::root::Statistics;
use crate::ids::PageNo;
use crate::index::Index;
use crate::postings::profile::{COMMON_SHAPES, Shape};
use crate::query::bm25::Bm25;
use crate::query::filter::Filter;
use crate::query::lazy_topk::{Gap, Known, LengthBounds, Next, judge};
use crate::query::names::MOST_COMPARED;
use crate::query::packs::Told;
use crate::query::proximity::{PROMISING_AMONG, QUOTED_AMONG, READ, quoted};
use crate::query::terms::QueryTerm;
use crate::query::topk::{Part, Scored, ScoredList, Scorer, best};
use crate::sort::sort_by;

/// One page of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The page.
    pub page: PageNo,
    /// Its BM25 score; comparable within one ranking only.
    pub score: f64,
    /// Whether the whole query is the page's title or an alias, which puts it first. Of more than 16 such pages it is
    /// told of the 16 that come first.
    pub exact: bool,
    /// Whether its title, an alias or its summary says all that the query puts between quotation marks, which puts it
    /// next. It is not told of pages that are there by their name.
    pub quoted: bool,
}

/// A query as the pages of one analysis are asked it.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) analysis: Analysis,
    pub(crate) statistics: Statistics,
    pub(crate) terms: Vec<QueryTerm>,
    /// What packs say, in the order of the terms.
    pub(crate) told: Vec<Told>,
    /// Whether its common words find pages too.
    pub(crate) every_word: bool,
}

impl Asked {
    /// What packs' words for the term at `order` add to the score of `page`, whose own shape for it is `shape`.
    pub(crate) fn gain(&self, order: usize, page: PageNo, shape: &Shape) -> f64 {
        let told = self.told.iter().find(|told| told.order == order);
        told.map_or(0.0, |told| told.gain(page.0, shape))
    }
}

/// What is searched for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'q> {
    /// The words.
    pub text: &'q str,
    /// Words that only say where the others belong; they count for less, and alone they find nothing.
    pub context: &'q str,
    /// Whether the last word may be the beginning of one, as while a reader types.
    pub prefix: bool,
    /// Which pages count.
    pub filter: Option<&'q Filter>,
}

impl<'q> From<&'q str> for Query<'q> {
    fn from(text: &'q str) -> Self {
        Query { text, context: "", prefix: false, filter: None }
    }
}

impl Index {
    /// The `k` best pages for `query`: those whose name it is, then those whose title or summary says what it puts in
    /// quotation marks, then by score, ties by page number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn search<'q>(&self, query: impl Into<Query<'q>>, k: usize, bm25: &Bm25) -> Result<Vec<Hit>, Error> {
        let query = query.into();
        let accept = self.filter(query.filter)?;
        let quotes = quoted(query.text);
        // The order of the best must not depend on how many are asked for. Pages that say what is quoted may stand further
        // down.
        let listed = if quotes.is_empty() { k } else { k.max(QUOTED_AMONG) };
        let wanted = if bm25.adjacent > 0.0 { listed.max(PROMISING_AMONG) } else { listed };
        let every_word = self.finds_by_every_word(query, bm25, &*accept)?;
        let mut hits = self.best_in_all(query, wanted, bm25, &*accept, every_word)?;
        self.pin_named(query, bm25, &*accept, &mut hits)?;
        sort_by(&mut hits, best_first);
        hits.truncate(listed);
        let mut hits = self.quoting_first(&quotes, hits)?;
        hits.truncate(k);
        Ok(hits)
    }

    /// Whether the query's common words are to find pages too: where a filter lets none of those pass that the rarer ones
    /// find.
    pub(crate) fn finds_by_every_word(
        &self,
        query: Query<'_>,
        bm25: &Bm25,
        accept: &dyn Fn(u32) -> bool,
    ) -> Result<bool, Error> {
        if query.filter.is_none_or(Filter::is_empty) {
            return Ok(false);
        }
        let mut has_common = false;
        self.all(self.analyses().iter().map(|(analysis, statistics)| {
            let asked = self.asked(*analysis, *statistics, query, bm25, false)?;
            has_common |= asked.terms.iter().any(|term| term.own && term.common);
            Ok(())
        }))?;
        Ok(has_common && self.best_in_all(query, 1, bm25, accept, false)?.is_empty())
    }

    /// The best pages of each analysis. With `every_word` the query's common words find pages as well.
    fn best_in_all(
        &self,
        query: Query<'_>,
        k: usize,
        bm25: &Bm25,
        accept: &dyn Fn(u32) -> bool,
        every_word: bool,
    ) -> Result<Vec<Hit>, Error> {
        let mut hits = Vec::new();
        self.all(self.analyses().iter().map(|(analysis, statistics)| {
            let asked = self.asked(*analysis, *statistics, query, bm25, every_word)?;
            hits.extend(self.best_of(&asked, query.text, k, bm25, accept)?);
            Ok(())
        }))?;
        Ok(hits)
    }

    /// The query as the pages of an analysis are asked it.
    pub(crate) fn asked(
        &self,
        analysis: Analysis,
        statistics: Statistics,
        query: Query<'_>,
        bm25: &Bm25,
        every_word: bool,
    ) -> Result<Asked, Error> {
        let mut terms = self.query_terms(analysis, query, bm25)?;
        terms.iter_mut().filter(|term| term.own).for_each(|term| term.common &= !every_word);
        let told = self.told(analysis, &statistics, &terms, bm25)?;
        Ok(Asked { analysis, statistics, terms, told, every_word })
    }

    /// The best pages of one analysis.
    fn best_of(
        &self,
        asked: &Asked,
        text: &str,
        k: usize,
        bm25: &Bm25,
        accept: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Hit>, Error> {
        let Asked { analysis, statistics, terms, told, every_word } = asked;
        let norms: Vec<f64> =
            self.root.shapes.iter().map(|shape| shape.norm(bm25, statistics.average_length)).collect();
        let (mut lists, mut gaps) = (Vec::new(), Vec::new());
        for (order, term) in terms.iter().enumerate().filter(|(_, term)| !term.common) {
            let Some(list) = self.list(*analysis, &term.term)?.filter(|list| list.count > 0) else { continue };
            let weight = term.factor * bm25.idf(statistics.pages, list.pages_with);
            let mut scores: Vec<f64> = norms.iter().map(|norm| weight * norm).collect();
            scores.resize(COMMON_SHAPES, 0.0);
            scores.extend(list.shapes.iter().map(|shape| weight * shape.norm(bm25, statistics.average_length)));
            lists.push(self.scored(order, &list, scores, bm25, &mut gaps)?);
        }
        if *every_word {
            // Else all files of a very long list would be fetched for a filter that few pages pass.
            gaps.retain(|gap| (gap.pages.0..=gap.pages.1).any(accept));
        }
        let scorer = Scorer { lists: &lists, told };
        let found = match gaps.is_empty() {
            true => best(&scorer, k, accept),
            false => self.best_with_gaps(*analysis, terms, &scorer, &gaps, k, accept)?,
        };
        let mut hits: Vec<Hit> = found.into_iter().map(as_hit).collect();
        self.add_texts(asked, text, bm25, &mut hits)?;
        Ok(hits)
    }

    /// A list with the parts of it that are there; those that are not become gaps.
    fn scored(
        &self,
        order: usize,
        list: &Rc<TermList>,
        scores: Vec<f64>,
        bm25: &Bm25,
        gaps: &mut Vec<Gap>,
    ) -> Result<ScoredList, Error> {
        let bounds_hold = self.bounds_hold(bm25);
        let most = scores.iter().fold(0.0, |most: f64, &score| most.max(score));
        let mut runs = Vec::new();
        match &list.postings {
            Postings::Here(run) => runs.push(Rc::clone(run)),
            Postings::Chunks(chunks) => {
                for (part, chunk) in chunks.iter().enumerate() {
                    if let Some(run) = self.held_chunk(list, chunk)? {
                        runs.push(run);
                        continue;
                    }
                    let bound =
                        if bounds_hold { scores.get(chunk.best as usize).copied().unwrap_or(most) } else { most };
                    let pages = (chunk.base, chunk.last);
                    gaps.push(Gap { list: order, part, pages, bound, count: list.count });
                }
            }
        }
        let mut shapes = self.root.shapes.clone();
        shapes.resize(COMMON_SHAPES, Shape::default());
        shapes.extend(&list.shapes);
        Ok(ScoredList { order, runs, shapes, scores, bounds_hold })
    }

    fn best_with_gaps(
        &self,
        analysis: Analysis,
        terms: &[QueryTerm],
        scorer: &Scorer<'_>,
        gaps: &[Gap],
        k: usize,
        accept: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Scored>, Error> {
        let limit = |list: &ScoredList| (list.order, LengthBounds::new(&list.shapes, &list.scores));
        let limits: Vec<(usize, LengthBounds)> = scorer.lists.iter().map(limit).collect();
        let fetch = match judge(&known(scorer, accept), gaps, &limits, scorer.most_told(), k) {
            Next::Done(found) => return Ok(found),
            Next::Fetch { gaps, likely } => {
                // Texts of the best will be wanted next: asked for now, they save a round.
                self.foresee_pages(likely.into_iter().take(READ).map(PageNo)).or_else(unless_missing)?;
                gaps
            }
        };
        for gap in fetch {
            let gap = gaps[gap];
            let list = self.list(analysis, &terms[gap.list].term)?;
            if let Some(list) = list
                && let Postings::Chunks(chunks) = &list.postings
            {
                self.chunk(&list, &chunks[gap.part]).map(drop).or_else(unless_missing)?;
            }
        }
        Err(Error::Missing)
    }

    /// Puts the pages whose name the query is among the hits. Of very many of one name, such as the introductions of a
    /// thousand packs, those are read that are the best by their postings.
    fn pin_named(
        &self,
        query: Query<'_>,
        bm25: &Bm25,
        accept: &dyn Fn(u32) -> bool,
        hits: &mut Vec<Hit>,
    ) -> Result<(), Error> {
        let mut pages = self.named(query.text)?;
        pages.retain(|page| accept(page.0));
        if pages.len() > MOST_COMPARED {
            // As many for a long list as for a short one, which begins it.
            pages = self.best_by_postings(query, pages, MOST_COMPARED, bm25)?;
        }
        let pages = self.named_as_written(query.text, pages)?;
        // All at once: the texts of many pages of one name would each take a round.
        self.explain_all(query, &pages, bm25, &mut |why| {
            let named = Hit { page: why.page, score: why.score, exact: true, quoted: false };
            match hits.iter_mut().find(|hit| hit.page == named.page) {
                Some(hit) => *hit = named,
                None => hits.push(named),
            }
        })
    }

    /// The `most` best of `pages` as far as postings tell.
    fn best_by_postings(
        &self,
        query: Query<'_>,
        pages: Vec<PageNo>,
        most: usize,
        bm25: &Bm25,
    ) -> Result<Vec<PageNo>, Error> {
        let mut asked: Option<Asked> = None;
        let mut scored: Vec<(f64, PageNo)> = Vec::with_capacity(pages.len());
        self.all(pages.iter().map(|&page| {
            let (analysis, statistics) = self.analysed_as(page)?;
            if asked.as_ref().is_none_or(|asked| asked.analysis != analysis) {
                asked = Some(self.asked(analysis, statistics, query, bm25, false)?);
            }
            let Some(asked) = &asked else { return Ok(()) };
            scored.push((self.posted_score(asked, page, bm25)?, page));
            Ok(())
        }))?;
        sort_by(&mut scored, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(scored.into_iter().map(|(_, page)| page).take(most).collect())
    }

    pub(crate) fn analysed_as(&self, page: PageNo) -> Result<(Analysis, Statistics), Error> {
        let missing = || Error::corrupt("root", format!("there is no page {}", page.0));
        let analysis = self.analysis_of(self.pack_of(page).ok_or_else(missing)?);
        let known = self.analyses().iter().find(|(known, _)| *known == analysis);
        known.copied().ok_or_else(|| Error::corrupt("root", "a pack's analysis has no statistics"))
    }

    pub(crate) fn shape_told_by_texts(
        &self,
        analysis: Analysis,
        term: &QueryTerm,
        page: PageNo,
    ) -> Result<Option<Shape>, Error> {
        let shape = self.shape_in_text(analysis, page, &term.term)?;
        Ok((shape.frequencies != [0; FIELDS]).then_some(shape))
    }

    pub(crate) fn posted_shape(&self, list: &TermList, page: PageNo) -> Result<Option<Shape>, Error> {
        Ok(self.find(list, page)?.map(|number| self.shape(list, number)))
    }

    /// Whether the part of a long list that would hold `page` is still to be fetched. The page's texts then tell as well.
    pub(crate) fn is_to_be_fetched(&self, list: &TermList, page: PageNo) -> Result<bool, Error> {
        let Postings::Chunks(chunks) = &list.postings else { return Ok(false) };
        match chunks.get(chunks.partition_point(|chunk| chunk.last < page.0)) {
            Some(chunk) => Ok(self.held_chunk(list, chunk)?.is_none()),
            None => Ok(false),
        }
    }

    /// The number of `page`'s shape in `list`, where it is there.
    fn find(&self, list: &TermList, page: PageNo) -> Result<Option<u32>, Error> {
        match &list.postings {
            Postings::Here(run) => Ok(run.find(page.0)),
            Postings::Chunks(chunks) => match chunks.get(chunks.partition_point(|chunk| chunk.last < page.0)) {
                Some(chunk) => Ok(self.chunk(list, chunk)?.find(page.0)),
                None => Ok(None),
            },
        }
    }

    /// How rare `term` is among the pages of `analysis`, and how many hold it. A term that no page holds is the rarest.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file is not there yet.
    pub fn rarity(&self, analysis: Analysis, term: &str, bm25: &Bm25) -> Result<(f64, u32), Error> {
        let pages = self.analyses().iter().find(|(known, _)| *known == analysis).map_or(0, |(_, s)| s.pages);
        let with = self.pages_with(analysis, term)?;
        Ok((bm25.idf(pages, with), with))
    }
}

/// Exact names first, then by score, then by page.
fn best_first(a: &Hit, b: &Hit) -> std::cmp::Ordering {
    b.exact.cmp(&a.exact).then(b.score.total_cmp(&a.score)).then(a.page.cmp(&b.page))
}

/// Every page with a posting that is there, with its score from these.
fn known(scorer: &Scorer<'_>, accept: &dyn Fn(u32) -> bool) -> Vec<Known> {
    let mut postings: Vec<(u32, Part)> = Vec::new();
    for (number, list) in scorer.lists.iter().enumerate() {
        let entries = list.runs.iter().flat_map(|run| run.entries()).filter(|(page, _)| accept(*page));
        postings.extend(entries.map(|(page, shape)| (page, (number, shape))));
    }
    postings.sort_unstable();
    let of_one_page = postings.chunk_by(|a, b| a.0 == b.0);
    let known = of_one_page.map(|postings| {
        let parts: Vec<Part> = postings.iter().map(|&(_, part)| part).collect();
        let (page, (list, shape)) = postings[0];
        let length = scorer.lists[list].shapes.get(shape as usize).map_or(0, |shape| shape.length);
        Known { page, score: scorer.total(page, &parts), length }
    });
    known.collect()
}

fn as_hit((page, score): Scored) -> Hit {
    Hit { page: PageNo(page), score, exact: false, quoted: false }
}

/// A missing file is noted already; anything else is an error.
fn unless_missing(error: Error) -> Result<(), Error> {
    if matches!(error, Error::Missing) { Ok(()) } else { Err(error) }
}
