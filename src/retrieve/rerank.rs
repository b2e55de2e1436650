//! `rerank`: each sub-query's hits in a new order, once they are read.
//!
//! The index knows a page's names, its summary and the words that stand out in its body. A page that was read is known
//! whole, so the mean of the index's score and of BM25 over the full text counts, two scores of one formula (a linear
//! combination; Vogt and Cottrell 1999, "Fusion Via a Linear Combination of Scores"). docs/sentences.md has what this
//! brings. Nothing is compared between sub-queries here either.

use seealso_index::{Analysis, Bm25, Error, Hit, Index, sort_by};
use seealso_pack::Page;

use crate::config::Config;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::fetch::{FetchedPage, Pages};
use crate::retrieve::search::{Ranking, Rankings, lead};
use crate::trace::{Detail, detail};

/// BM25's constants for whole texts, in which a word's later occurrences tell more than in a summary.
const K1: f64 = 2.0;
const B: f64 = 0.75;

/// Orders the hits of each of `rankings` that are among the `read` pages by index and text; what a sub-query names or
/// quotes stays first. Hits that were not read stay behind these, as they were.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn rerank(
    rankings: &Rankings,
    sub_queries: &SubQueries,
    read: &Pages,
    index: &Index,
    config: &Config,
) -> Result<Rankings, Error> {
    let both = rankings.items.iter().zip(&sub_queries.items);
    let items = both.map(|(ranking, sub_query)| reordered(ranking, sub_query, read, index, &config.bm25));
    Ok(Rankings { items: items.collect::<Result<_, Error>>()? })
}

fn reordered(
    ranking: &Ranking,
    sub_query: &SubQuery,
    read: &Pages,
    index: &Index,
    bm25: &Bm25,
) -> Result<Ranking, Error> {
    let (mut known, mut unread): (Vec<(Hit, &FetchedPage)>, Vec<Hit>) = (Vec::new(), Vec::new());
    for &hit in &ranking.hits {
        match read.items.iter().find(|page| page.number == hit.page) {
            Some(page) => known.push((hit, page)),
            None => unread.push(hit),
        }
    }
    let mut counted = Vec::new();
    for (_, page) in &known {
        counted.push(Counted::of(&page.page, terms(sub_query, page.analysis, index, bm25)?, page.analysis));
    }
    let average = counted.iter().map(|text| f64::from(text.length)).sum::<f64>() / counted.len().max(1) as f64;
    let mut scored = Vec::new();
    for ((hit, page), text) in known.into_iter().zip(counted) {
        let by_text = text.score(average);
        let score = (hit.score + by_text) / 2.0;
        let told = detail!({
            "page": page.id, "score": score, "index": hit.score, "text": by_text, "length": text.length,
            "average_length": average, "terms": text.told(average),
        });
        scored.push((Hit { score, ..hit }, told));
    }
    sort_by(&mut scored, |(a, _), (b, _)| {
        (b.exact, b.quoted).cmp(&(a.exact, a.quoted)).then(b.score.total_cmp(&a.score))
    });
    let (mut hits, explained): (Vec<Hit>, Vec<Detail>) = scored.into_iter().unzip();
    let lead = lead(&hits);
    hits.extend(unread);
    Ok(Ranking { sub_query: ranking.sub_query.clone(), lead, hits, explained })
}

/// A word of a sub-query, and what it counts.
struct Term {
    text: String,
    /// Its idf, less where it is weak or of the context.
    weight: f64,
    /// How often the page has it.
    count: u32,
}

/// The words of `sub_query` that the index knows. How rare another is nobody can tell without all pages.
fn terms(sub_query: &SubQuery, analysis: Analysis, index: &Index, bm25: &Bm25) -> Result<Vec<Term>, Error> {
    let mut terms: Vec<Term> = Vec::new();
    for (words, share) in [(&sub_query.text, 1.0), (&sub_query.context, bm25.context)] {
        for token in analysis.tokens(words) {
            let (idf, pages_with) = index.rarity(analysis, &token.term, bm25)?;
            if pages_with > 0 && !terms.iter().any(|term| term.text == token.term) {
                let weight = idf * share * if token.weak { bm25.weak } else { 1.0 };
                terms.push(Term { text: token.term, weight, count: 0 });
            }
        }
    }
    Ok(terms)
}

/// A page's text: how long it is in words, and how often it has those asked for.
struct Counted {
    length: u32,
    terms: Vec<Term>,
}

impl Counted {
    fn of(page: &Page, terms: Vec<Term>, analysis: Analysis) -> Counted {
        let mut text = Counted { length: 0, terms };
        for names in [&page.title, &page.summary].into_iter().chain(&page.aliases) {
            text.count(names, analysis);
        }
        for block in page.own_blocks() {
            text.count(&block.text, analysis);
        }
        text
    }

    fn count(&mut self, text: &str, analysis: Analysis) {
        for token in analysis.tokens(text) {
            self.length += 1;
            if let Some(term) = self.terms.iter_mut().find(|term| term.text == token.term) {
                term.count += 1;
            }
        }
    }

    /// BM25, where a text has `average` words in the mean.
    fn score(&self, average: f64) -> f64 {
        self.terms.iter().map(|term| self.part(term, average)).sum()
    }

    /// What one word gives.
    fn part(&self, term: &Term, average: f64) -> f64 {
        let bm25 = Bm25 { k1: K1, b: B, ..Bm25::default() };
        bm25.term_score(term.weight, f64::from(term.count), self.length, average)
    }

    /// Each word that is there, with what it gives.
    fn told(&self, average: f64) -> Detail {
        let there = self.terms.iter().filter(|term| term.count > 0);
        let told = |term: &Term| {
            let score = self.part(term, average);
            (term.text.clone(), detail!({ "score": score, "weight": term.weight, "count": term.count }))
        };
        Detail::map(there.map(told).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::library::Library;
    use crate::memory::{FixedClock, MemorySource};
    use crate::retrieve::fetch::fetch;
    use crate::retrieve::merge::merge;
    use crate::retrieve::search::search;
    use futures_executor::block_on;

    /// Pages of one pack: title, summary, body.
    fn pack(pages: &[(&str, &str, &str)]) -> MemorySource {
        let text = |(title, summary, body): &(&str, &str, &str)| {
            format!("---\ntitle: {title}\nsummary: {summary}\n---\n{body}\n")
        };
        let texts: Vec<(String, String)> =
            pages.iter().map(|page| (format!("{}.md", page.0.to_lowercase()), text(page))).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        MemorySource::of_packs(&[("p", &files)])
    }

    /// The files of a sub-query's hits by the index alone, and once as many as `pages_read` are read.
    fn orders(source: MemorySource, text: &str, pages_read: usize) -> [Vec<String>; 2] {
        let library = block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap();
        let item = SubQuery { text: text.into(), context: String::new() };
        let sub_queries = SubQueries { items: vec![item], seams: vec![], joined: false };
        let config = Config { pages_read, ..Config::default() };
        let index = library.index();
        let before = search(&sub_queries, index, &config).unwrap();
        let to_read = merge(&before, index, &config.of_reading()).unwrap().wanted();
        let read = block_on(fetch(&library, &to_read));
        let after = rerank(&before, &sub_queries, &read, index, &config).unwrap();
        [before, after].map(|rankings| {
            let files = rankings.items[0].hits.iter().map(|hit| index.page(hit.page).unwrap().file);
            files.map(|file| file.trim_end_matches(".md").to_owned()).collect()
        })
    }

    const SAYS_IT_ONCE: (&str, &str, &str) = (
        "Loaf",
        "Yeast in bread.",
        "A loaf has a crust. The crust is brown. It cools on a rack, and is cut when it is cold.",
    );
    const SPEAKS_OF_IT: (&str, &str, &str) = (
        "Leaven",
        "What makes dough rise, such as yeast.",
        "Yeast eats sugar. Yeast wants warmth. Cold yeast sleeps, dry yeast keeps. Old yeast is dead yeast.",
    );
    const ANOTHER: (&str, &str, &str) = ("Rack", "Where things cool.", "Bars of steel, on which a cake cools.");

    #[test]
    fn a_page_that_speaks_of_what_is_asked_passes_one_that_says_it_once() {
        let [before, after] = orders(pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]), "yeast", 16);
        assert_eq!(before, ["loaf", "leaven"]);
        assert_eq!(after, ["leaven", "loaf"]);
    }

    #[test]
    fn what_was_not_read_stays_behind() {
        let [before, after] = orders(pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]), "yeast", 1);
        assert_eq!(after, before);
        let mut source = pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]);
        source.remove("p/wiki/loaf.md").unwrap();
        assert_eq!(orders(source, "yeast", 16)[1], ["leaven", "loaf"], "a lost page");
        assert_eq!(orders(pack(&[ANOTHER]), "yeast", 16), [Vec::<String>::new(), Vec::new()]);
    }

    #[test]
    fn a_page_that_is_named_or_quoted_stays_first() {
        let named = ("Yeast", "A fungus.", "It has no leaves.");
        let [before, after] = orders(pack(&[named, SPEAKS_OF_IT, SAYS_IT_ONCE]), "yeast", 16);
        assert_eq!([before, after], [["yeast", "loaf", "leaven"], ["yeast", "leaven", "loaf"]]);
        let [before, after] = orders(pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT]), "\"yeast in bread\"", 16);
        assert_eq!([before, after], [["loaf", "leaven"], ["loaf", "leaven"]]);
    }

    #[test]
    fn code_and_other_pages_names_tell_nothing_of_a_page() {
        let lists =
            "A crust.\n\n```\nyeast yeast yeast yeast\n```\n\n## See Also\n\n- [Yeast yeast yeast](leaven.md)\n";
        let lists = ("Crumb", "Yeast in crumbs of bread, eaten.", lists);
        let [_, after] = orders(pack(&[lists, SPEAKS_OF_IT, ANOTHER]), "yeast", 16);
        assert_eq!(after, ["leaven", "crumb"]);
    }
}
