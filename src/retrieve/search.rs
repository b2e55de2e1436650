//! `search`: for each sub-query, its own ranking. Rankings are never compared by score.

use seealso_index::{Bm25, Error, Hit, Index, Query};
use serde_json::{Value, json};

use crate::config::Config;
use crate::filter::Scope;
use crate::library::page_id;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::trace::{Describe, counted};

/// The pages found for one sub-query, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// What was searched for.
    pub sub_query: String,
    /// The hits.
    pub hits: Vec<Hit>,
    /// The share of the sub-query's own weight, in idf, that its best page's names and summary hold (0 to 1). Unlike a
    /// score, it can be compared between sub-queries.
    pub coverage: f64,
    explained: Vec<Value>,
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
/// [`Error::Corrupt`] where the index is damaged.
pub fn search(sub_queries: &SubQueries, index: &Index, config: &Config) -> Result<Rankings, Error> {
    let rank = |item: &SubQuery| -> Result<Ranking, Error> {
        let hits = search_within(item.query(), config.hits_per_sub_query, index, &config.scope, &config.bm25)?;
        let explained = hits.iter().map(|hit| explain(item, hit, index, config)).collect::<Result<_, _>>()?;
        let coverage = hits.first().map_or(Ok(0.0), |best| index.coverage(&item.text, best.page, &config.bm25))?;
        Ok(Ranking { sub_query: item.text.clone(), hits, coverage, explained })
    };
    let items = sub_queries.items.iter().map(rank).collect::<Result<_, _>>()?;
    Ok(Rankings { items })
}

/// The `k` best pages for `query` in the packs of `scope`.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub fn search_within<'q>(
    query: impl Into<Query<'q>>,
    k: usize,
    index: &Index,
    scope: &Scope,
    bm25: &Bm25,
) -> Result<Vec<Hit>, Error> {
    if scope.is_everything() {
        return index.search(query, k, bm25);
    }
    let mut hits = index.search(query, usize::MAX, bm25)?;
    hits.retain(|hit| index.pack_of(hit.page).is_some_and(|pack| scope.holds(pack)));
    hits.truncate(k);
    Ok(hits)
}

/// A hit with every component of its score.
fn explain(item: &SubQuery, hit: &Hit, index: &Index, config: &Config) -> Result<Value, Error> {
    let entry = index.page(hit.page)?;
    let why = index.explain(item.query(), hit.page, &config.bm25)?;
    let terms: serde_json::Map<String, Value> = why
        .terms
        .iter()
        .map(|term| {
            let parts = json!({
                "score": term.score, "idf": term.idf, "pages_with": term.pages_with,
                "frequencies": term.frequencies, "weighted": term.weighted, "factor": term.factor,
            });
            (term.term.clone(), parts)
        })
        .collect();
    Ok(json!({
        "page": page_id(&index.packs()[entry.pack.0].path, &entry.file), "title": entry.title,
        "score": hit.score, "exact": hit.exact, "length": why.length, "average_length": why.average_length, "terms": terms,
    }))
}

impl Rankings {
    /// Each hit of each ranking with its score's components.
    pub fn explained(&self) -> Vec<&[Value]> {
        self.items.iter().map(|ranking| ranking.explained.as_slice()).collect()
    }
}

impl Describe for Rankings {
    fn note(&self) -> String {
        let counts: Vec<String> = self.items.iter().map(|ranking| counted(ranking.hits.len(), "hit")).collect();
        counts.join(" · ")
    }

    fn detail(&self) -> Value {
        let items: Vec<Value> =
            self.items.iter().map(|ranking| json!({ "sub_query": ranking.sub_query, "coverage": ranking.coverage, "hits": ranking.explained })).collect();
        Value::Array(items)
    }
}
