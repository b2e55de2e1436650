//! `search`: a ranking for each sub-query. Scores of different rankings are never compared.

use seealso_index::{Error, Explanation, Filter, Hit, Index, PageNo, Query, try_all};

use crate::config::Config;
use crate::library::page_id;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::translations::own_language;
use crate::trace::{Describe, Detail, counted, detail};

/// The pages found for one sub-query, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The text that was searched for.
    pub sub_query: String,
    /// The hits.
    pub hits: Vec<Hit>,
    /// How far the best page stands out: its share of the scores of the first four (0 to 1). Unlike a score, it is
    /// comparable between sub-queries.
    pub lead: f64,

    pub(crate) explained: Vec<Detail>,
}

/// One ranking for each sub-query, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Rankings {
    /// The rankings.
    pub items: Vec<Ranking>,
    /// The ranking of the whole question, if it is searched too.
    pub whole: Option<Ranking>,
}

/// Searches for each sub-query.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn search(sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
    let mut found = search_all(sub_queries, index, config, &config.filter)?;
    if let Some(filter) = own_language(sub_queries, found.iter().flatten(), index, &config.filter)? {
        let own = search_all(sub_queries, index, config, &filter)?;
        for (found, own) in found.iter_mut().zip(own).filter(|(_, own)| !own.is_empty()) {
            *found = own;
        }
    }
    let mut items = Vec::new();
    for (item, hits) in sub_queries.searched().zip(found) {
        let pages: Vec<PageNo> = hits.iter().map(|hit| hit.page).collect();
        let mut why = Vec::new();
        index.searcher(&config.bm25).explain_all(item.query(), &pages, &mut |page| why.push(page))?;
        let mut explained = Vec::new();
        for (hit, why) in hits.iter().zip(why) {
            explained.push(describe(hit, why, index)?);
        }
        items.push(Ranking { sub_query: item.text.clone(), lead: lead(&hits), hits, explained });
    }
    Ok(Rankings::of(items, sub_queries))
}

/// The hits for each sub-query among the pages that pass `filter`, whose texts are there.
fn search_all(
    sub_queries: &SubQueries,
    index: &Index,
    config: &Config,
    filter: &Filter,
) -> Result<Vec<Vec<Hit>>, Error> {
    let search = |item: &SubQuery| {
        let query = Query { filter: Some(filter), ..item.query() };
        index.searcher(&config.bm25).search(query, config.hits_per_sub_query)
    };
    let found: Vec<Result<Vec<Hit>, Error>> = sub_queries.searched().map(search).collect();
    let pages = found.iter().flatten().flatten().map(|hit| hit.page);
    try_all(
        [index.prefetch_pages(pages)]
            .into_iter()
            .chain(found.iter().map(|found| found.as_ref().map(drop).map_err(Clone::clone))),
    )?;
    found.into_iter().collect()
}

/// The number of pages that are compared to determine whether the best one stands out.
pub(super) const BESIDE: usize = 4;

/// How far the best page stands out: its share of the scores of the first [`BESIDE`], or of as many as there are. It tells
/// how likely the page is to be right (docs/sentences.md); rankings are judged from their scores alone by Shtok, Kurland,
/// Carmel, Raiber and Markovits 2012 too ("Predicting Query Performance by Query-Drift Estimation"). A page that is first
/// whatever its score, since the sub-query names or quotes it, stands alone.
pub(crate) fn lead(hits: &[Hit]) -> f64 {
    let Some((best, others)) = hits.split_first() else { return 0.0 };
    let beside = || others.iter().take(BESIDE - 1).map(|hit| hit.score);
    let all = best.score + beside().sum::<f64>();
    match best.exact || best.quoted {
        true => 1.0,
        false if all > 0.0 => best.score / all,
        false => 0.0,
    }
}

/// A hit with every component of its score.
fn describe(hit: &Hit, why: Explanation, index: &Index) -> Result<Detail, Error> {
    let entry = index.page(hit.page)?;
    let terms: Vec<(String, Detail)> = why
        .terms
        .into_iter()
        .map(|term| {
            let parts = detail!({
                "score": term.score, "idf": term.idf, "pages_with": term.pages_with,
                "frequencies": term.frequencies, "weighted": term.weighted, "factor": term.factor, "pack": term.pack,
            });
            (term.term, parts)
        })
        .collect();
    Ok(detail!({
        "page": page_id(&index.pack(entry.pack)?.path, &entry.file), "title": entry.title,
        "score": hit.score, "exact": hit.exact, "quoted": hit.quoted, "length": why.length,
        "average_length": why.average_length, "adjacent": why.adjacent, "terms": Detail::map(terms),
    }))
}

impl Rankings {
    /// The rankings of the searches for `sub_queries`, with that of the whole question last.
    pub(crate) fn of(mut items: Vec<Ranking>, sub_queries: &SubQueries) -> Rankings {
        let whole = if sub_queries.whole.is_some() { items.pop() } else { None };
        Rankings { items, whole }
    }

    /// All rankings, that of the whole question last.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Ranking> {
        self.items.iter().chain(&self.whole)
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = &mut Ranking> {
        self.items.iter_mut().chain(&mut self.whole)
    }

    /// The hits of each ranking with the components of their scores: all of them by the index, or those that were read
    /// once they are ranked again.
    pub fn explained(&self) -> Vec<&[Detail]> {
        self.items.iter().map(|ranking| ranking.explained.as_slice()).collect()
    }
}

impl Describe for Rankings {
    fn note(&self) -> String {
        let counts: Vec<String> = self.all().map(|ranking| counted(ranking.hits.len(), "hit")).collect();
        counts.join(" · ")
    }

    fn detail(&self) -> Detail {
        let row = |ranking: &Ranking| detail!({ "sub_query": ranking.sub_query, "lead": ranking.lead, "hits": ranking.explained });
        let items: Vec<Detail> = self.all().map(row).collect();
        Detail::List(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_stands_out_by_its_share_of_the_first_four_scores() {
        let hit = |(page, &score): (usize, &f64)| Hit { page: PageNo(page as u32), score, exact: false, quoted: false };
        let check = |scores: &[f64], expected: f64| {
            let hits: Vec<Hit> = scores.iter().enumerate().map(hit).collect();
            assert!((lead(&hits) - expected).abs() < 1e-12, "{scores:?}: {}", lead(&hits));
        };
        check(&[], 0.0);
        check(&[3.0], 1.0);
        check(&[0.0, 0.0], 0.0);
        check(&[3.0, 1.0], 0.75);
        check(&[4.0, 2.0, 1.0, 1.0], 0.5);
        check(&[4.0, 2.0, 1.0, 1.0, 9.0], 0.5);
        let [best, other] = [(0, &2.0), (1, &3.0)].map(hit);
        assert_eq!(lead(&[Hit { exact: true, ..best }, other]), 1.0);
        assert_eq!(lead(&[Hit { quoted: true, ..best }, other]), 1.0, "whatever its score");
    }
}
