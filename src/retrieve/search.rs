//! `search`: for each sub-query, its own ranking. Rankings are never compared by score.

use seealso_index::{Error, Explanation, Hit, Index, PageNo, Query};

use crate::config::Config;
use crate::library::page_id;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::trace::{Describe, Detail, counted, detail};

/// The pages found for one sub-query, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// What was searched for.
    pub sub_query: String,
    /// The hits.
    pub hits: Vec<Hit>,
    /// How far the best page stands out: its share of the scores of the first four (0 to 1). Unlike a score, it can be
    /// compared between sub-queries.
    pub lead: f64,
    explained: Vec<Detail>,
}

/// One ranking for each sub-query, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Rankings {
    /// The rankings.
    pub items: Vec<Ranking>,
}

/// Searches for each sub-query.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn search(sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
    let found: Vec<Result<Vec<Hit>, Error>> = sub_queries
        .items
        .iter()
        .map(|item| index.search(query(item, config), config.hits_per_sub_query, &config.bm25))
        .collect();
    let pages = found.iter().flatten().flatten().map(|hit| hit.page);
    index.all(
        [index.foresee_pages(pages)]
            .into_iter()
            .chain(found.iter().map(|found| found.as_ref().map(drop).map_err(Clone::clone))),
    )?;
    let mut items = Vec::new();
    for (item, hits) in sub_queries.items.iter().zip(found) {
        let hits = hits?;
        let pages: Vec<PageNo> = hits.iter().map(|hit| hit.page).collect();
        let mut why = Vec::new();
        index.explain_all(item.query(), &pages, &config.bm25, &mut |page| why.push(page))?;
        let mut explained = Vec::new();
        for (hit, why) in hits.iter().zip(why) {
            explained.push(describe(hit, why, index)?);
        }
        items.push(Ranking { sub_query: item.text.clone(), lead: lead(&hits), hits, explained });
    }
    Ok(Rankings { items })
}

fn query<'q>(item: &'q SubQuery, config: &'q Config) -> Query<'q> {
    Query { filter: Some(&config.filter), ..item.query() }
}

/// So many pages are looked at to say whether the best of them stands out.
const BESIDE: usize = 4;

/// How far the best page stands out among the first [`BESIDE`], as a measure of how likely it is to be right (Cronen-Townsend,
/// Zhou and Croft 2002, "Predicting Query Performance", judge rankings from their scores alone too; measured in docs/sentences.md).
/// A page that the sub-query names stands alone.
fn lead(hits: &[Hit]) -> f64 {
    let all: f64 = hits.iter().take(BESIDE).map(|hit| hit.score).sum();
    match hits.first() {
        Some(best) if best.exact => 1.0,
        Some(best) if all > 0.0 => best.score / all,
        _ => 0.0,
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
        "score": hit.score, "exact": hit.exact, "length": why.length, "average_length": why.average_length,
        "adjacent": why.adjacent, "terms": Detail::map(terms),
    }))
}

impl Rankings {
    /// Each hit of each ranking with its score's components.
    pub fn explained(&self) -> Vec<&[Detail]> {
        self.items.iter().map(|ranking| ranking.explained.as_slice()).collect()
    }
}

impl Describe for Rankings {
    fn note(&self) -> String {
        let counts: Vec<String> = self.items.iter().map(|ranking| counted(ranking.hits.len(), "hit")).collect();
        counts.join(" · ")
    }

    fn detail(&self) -> Detail {
        let items: Vec<Detail> = self
            .items
            .iter()
            .map(|ranking| detail!({ "sub_query": ranking.sub_query, "lead": ranking.lead, "hits": ranking.explained }))
            .collect();
        Detail::List(items)
    }
}
