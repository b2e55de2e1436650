//! `rerank`: each sub-query's hits in a new order, once they are read.
//!
//! The index knows a page's names, its summary and the words that stand out in its body. A page that was read is known
//! whole, so the mean of the index's score and of BM25 over the full text counts, two scores of one formula (a linear
//! combination; Vogt and Cottrell 1999, "Fusion Via a Linear Combination of Scores"). docs/sentences.md has what this
//! brings. Nothing is compared between sub-queries here either.

use seealso_index::{Analysis, Bm25, Error, Hit, Index, sort_by};

use crate::config::Config;
use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::fetch::{FetchedPage, Pages};
use crate::retrieve::search::{BESIDE, Ranking, Rankings, lead};
use crate::trace::{Detail, detail};

/// BM25's constants for whole texts, in which a word's later occurrences tell more than in a summary.
const K1: f64 = 2.0;
const B: f64 = 0.75;

/// What release notes count beside a page that says how things are: they name all that a manual explains.
const RELEASE_NOTES_SHARE: f64 = 0.8;

/// Orders the hits of each of `rankings` that are among the read `pages` by index and text; what a sub-query names or
/// quotes stays first. Hits that were not read stay behind these, as they were; lost ones are none any more.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged, [`Error::Missing`] where a file of it is not there yet.
pub fn rerank(
    rankings: &Rankings,
    sub_queries: &SubQueries,
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<Rankings, Error> {
    let is_lost = |hit: &&Hit| pages.lost.iter().any(|page| page.number == Some(hit.page));
    let mut items = Vec::new();
    for (ranking, sub_query) in rankings.all().zip(sub_queries.searched()) {
        let (mut read, mut unread) = (Vec::new(), Vec::new());
        let mut terms = Terms { of: Vec::new(), sub_query, index, bm25: &config.bm25 };
        for hit in ranking.hits.iter().filter(|hit| !is_lost(hit)) {
            match pages.items.iter().find(|page| page.number == hit.page) {
                Some(page) => read.push(Read::of(*hit, page, terms.of(page.analysis)?)),
                None => unread.push(*hit),
            }
        }
        score(&mut read);
        let explained = read.iter().map(Read::told).collect();
        let hits: Vec<Hit> = read.iter().map(|read| read.hit).chain(unread).collect();
        let lead = match ranking.hits.iter().take(BESIDE).any(|hit| is_lost(&hit)) {
            true => lead_beside_lost(&hits, &ranking.hits),
            false => lead(&hits),
        };
        items.push(Ranking { sub_query: ranking.sub_query.clone(), lead, hits, explained });
    }
    Ok(Rankings::of(items, sub_queries))
}

/// How much of `sub_query` the pages of `hits` hold together: the weight of its words that stand on one of them, in idf.
///
/// # Errors
/// As [`rerank`].
pub(super) fn held(
    sub_query: &SubQuery,
    hits: &[Hit],
    pages: &Pages,
    index: &Index,
    config: &Config,
) -> Result<f64, Error> {
    let mut terms = Terms { of: Vec::new(), sub_query, index, bm25: &config.bm25 };
    let mut held: Vec<Term> = Vec::new();
    for hit in hits {
        let Some(page) = pages.items.iter().find(|page| page.number == hit.page) else { continue };
        let read = Read::of(*hit, page, terms.of(page.analysis)?);
        for term in read.terms.into_iter().filter(|term| term.count > 0) {
            if let Err(place) = find(&held, &term.text) {
                held.insert(place, term);
            }
        }
    }
    Ok(held.iter().map(|term| term.weight).sum())
}

/// How far the first of `hits` stands out where some of those that were `found` are lost: by the index's scores, beside what
/// is lost too, since nothing else is known of that.
fn lead_beside_lost(hits: &[Hit], found: &[Hit]) -> f64 {
    let mut found = found.to_vec();
    let place = hits.first().and_then(|best| found.iter().position(|hit| hit.page == best.page));
    place.map_or(0.0, |place| {
        found[..=place].rotate_right(1);
        lead(&found)
    })
}

/// Gives the pages of one ranking their scores, and puts the best first.
fn score(read: &mut Vec<Read>) {
    let bm25 = Bm25 { k1: K1, b: B, ..Bm25::default() };
    let lengths: Vec<(Analysis, u32)> = read.iter().map(|read| (read.analysis, read.length)).collect();
    for read in &mut *read {
        // Words of two languages, or pairs of characters, are not counted alike.
        let alike = || lengths.iter().filter(|(analysis, _)| *analysis == read.analysis);
        let average = alike().map(|&(_, length)| f64::from(length)).sum::<f64>() / alike().count().max(1) as f64;
        for term in &mut read.terms {
            term.score = bm25.term_score(term.weight, f64::from(term.count), read.length, average);
            read.by_text += term.score;
        }
        read.hit.score = read.share * (read.by_index + read.by_text) / 2.0;
    }
    sort_by(read, |a, b| {
        let (a, b) = (&a.hit, &b.hit);
        (b.exact, b.quoted).cmp(&(a.exact, a.quoted)).then(b.score.total_cmp(&a.score))
    });
}

/// A word of a sub-query.
#[derive(Clone)]
struct Term {
    text: String,
    /// Its idf, less where it is weak or of the context.
    weight: f64,
    /// How often the page has it.
    count: u32,
    score: f64,
}

/// The words of a sub-query, for each analysis that its pages have.
struct Terms<'r> {
    of: Vec<(Analysis, Vec<Term>)>,
    sub_query: &'r SubQuery,
    index: &'r Index,
    bm25: &'r Bm25,
}

impl Terms<'_> {
    fn of(&mut self, analysis: Analysis) -> Result<Vec<Term>, Error> {
        if let Some((_, terms)) = self.of.iter().find(|(known, _)| *known == analysis) {
            return Ok(terms.clone());
        }
        let terms = terms(self.sub_query, analysis, self.index, self.bm25)?;
        self.of.push((analysis, terms.clone()));
        Ok(terms)
    }
}

/// The words of `sub_query` that the index knows, sorted; how rare another is nobody can tell without all pages. A word that
/// is misspelt, or looked for in another form, counts in the index's score alone.
fn terms(sub_query: &SubQuery, analysis: Analysis, index: &Index, bm25: &Bm25) -> Result<Vec<Term>, Error> {
    let searcher = index.searcher(bm25);
    let mut terms: Vec<Term> = Vec::new();
    for (words, share) in [(&sub_query.text, 1.0), (&sub_query.context, bm25.context)] {
        let mut tokens = searcher.query_words(analysis, words)?;
        tokens.retain(|token| !token.stop && !token.is_beside());
        if tokens.is_empty() {
            // A context finds nothing alone.
            break;
        }
        for token in tokens {
            let (idf, pages_with) = searcher.rarity(analysis, &token.term)?;
            if let (Err(place), 1..) = (find(&terms, &token.term), pages_with) {
                let weight = idf * share * if token.weak { bm25.weak } else { 1.0 };
                terms.insert(place, Term { text: token.term, weight, count: 0, score: 0.0 });
            }
        }
    }
    Ok(terms)
}

/// The place of a word among sorted ones, or the one at which it would stand.
fn find(terms: &[Term], word: &str) -> Result<usize, usize> {
    terms.binary_search_by(|term| term.text.as_str().cmp(word))
}

/// A page that was read for a sub-query.
struct Read {
    hit: Hit,
    id: String,
    analysis: Analysis,
    by_index: f64,
    by_text: f64,
    /// What its score counts: 1, less of release notes.
    share: f64,
    /// Its length in words.
    length: u32,
    terms: Vec<Term>,
}

impl Read {
    fn of(hit: Hit, fetched: &FetchedPage, mut terms: Vec<Term>) -> Read {
        let (page, analysis, id) = (&fetched.page, fetched.analysis, fetched.id.clone());
        let words = fetched.page_text.words(page, analysis);
        for word in words {
            if let Ok(place) = find(&terms, word) {
                terms[place].count += 1;
            }
        }
        let share = if fetched.is_release_notes() { RELEASE_NOTES_SHARE } else { 1.0 };
        Read { hit, id, analysis, by_index: hit.score, by_text: 0.0, share, length: words.len() as u32, terms }
    }

    fn told(&self) -> Detail {
        let there = self.terms.iter().filter(|term| term.count > 0);
        let parts = there.map(|term| {
            let part = detail!({ "score": term.score, "weight": term.weight, "count": term.count });
            (term.text.clone(), part)
        });
        detail!({
            "page": self.id, "score": self.hit.score, "exact": self.hit.exact, "quoted": self.hit.quoted,
            "index": self.by_index, "text": self.by_text, "length": self.length, "terms": Detail::map(parts.collect()),
        })
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

    type Opened = Library<MemorySource, FixedClock>;

    fn source_library(source: MemorySource) -> Opened {
        block_on(Library::open(source, FixedClock, Config::default())).map_err(|_| ()).unwrap()
    }

    /// The rankings of a sub-query by the index alone, and once as many as `pages_read` are read.
    fn rankings(library: &Opened, text: &str, pages_read: usize) -> [Rankings; 2] {
        let item = SubQuery { text: text.into(), context: String::new() };
        let sub_queries = SubQueries::of_one(item);
        let config = Config { pages_read, ..Config::default() };
        let index = library.index();
        let before = search(&sub_queries, index, &config).unwrap();
        let to_read = merge(&before, index, &config.of_reading()).unwrap().wanted();
        let read = block_on(fetch(library, &to_read, Vec::new()));
        let after = rerank(&before, &sub_queries, &read, index, &config).unwrap();
        [before, after]
    }

    /// The files of their hits.
    fn orders(source: MemorySource, text: &str, pages_read: usize) -> [Vec<String>; 2] {
        let library = source_library(source);
        rankings(&library, text, pages_read).map(|rankings| {
            let files = rankings.items[0].hits.iter().map(|hit| library.index().page(hit.page).unwrap().file);
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
        // It speaks of yeast in its summary alone, so once read it is worth less than the third is by the index.
        let wordy = "It has a crust of flour and water. ".repeat(60);
        let wordy = ("Loaf", "Yeast in bread.", wordy.as_str());
        let third = ("Barm", "Froth of yeast, on ale.", "A froth.");
        let speaks = ("Leaven", "Makes dough rise: yeast.", SPEAKS_OF_IT.2);
        let pages = [wordy, speaks, third, ANOTHER];
        let [before, after] = orders(pack(&pages), "yeast", 2);
        assert_eq!([before, after], [["loaf", "barm", "leaven"], ["barm", "loaf", "leaven"]]);
        let [_, after] = orders(pack(&pages), "yeast", 16);
        assert_eq!(after, ["leaven", "barm", "loaf"], "all are read");
        assert_eq!(orders(pack(&[ANOTHER]), "yeast", 16), [Vec::<String>::new(), Vec::new()]);
    }

    #[test]
    fn what_is_lost_is_no_hit_any_more() {
        let mut source = pack(&[SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER]);
        source.remove("p/wiki/loaf.md").unwrap();
        assert_eq!(orders(source, "yeast", 16), [vec!["loaf", "leaven"], vec!["leaven"]]);
    }

    #[test]
    fn lengths_are_compared_within_a_language_alone() {
        let read = |page: u32, analysis: Analysis, length: u32| {
            let hit = Hit { page: seealso_index::PageNo(page), score: 1.0, exact: false, quoted: false };
            let term = Term { text: "yeast".into(), weight: 2.0, count: 1, score: 0.0 };
            Read {
                hit,
                id: String::new(),
                analysis,
                by_index: 1.0,
                by_text: 0.0,
                share: 1.0,
                length,
                terms: vec![term],
            }
        };
        let parts = |mut pages: Vec<Read>| {
            score(&mut pages);
            pages.iter().map(|read| (read.hit.page.0, read.by_text)).collect::<Vec<_>>()
        };
        // A page of mean length gets its word's whole weight for the first occurrence.
        let (en, plain) = (Analysis::English, Analysis::Plain);
        assert_eq!(parts(vec![read(0, en, 100), read(1, plain, 900)]), [(0, 2.0), (1, 2.0)]);
        let [(first, most), (second, least)] = parts(vec![read(0, en, 900), read(1, en, 100)])[..] else { panic!() };
        assert_eq!((first, second), (1, 0));
        assert!(most > 2.0 && least < 2.0, "{most} {least}");
        assert_eq!(parts(vec![read(0, en, 0)]), [(0, 6.0 / 1.5)], "a page without a word of its own");
    }

    #[test]
    fn a_lost_page_lets_no_other_stand_out() {
        let leads = |pages: &[(&str, &str, &str)], text: &str, lost: &[&str]| {
            let mut source = pack(pages);
            for file in lost {
                source.remove(&format!("p/wiki/{file}.md")).unwrap();
            }
            let [before, after] = rankings(&source_library(source), text, 16);
            (before.items[0].lead, after.items[0].lead)
        };
        let pages = [SAYS_IT_ONCE, SPEAKS_OF_IT, ANOTHER];
        let (before, after) = leads(&pages, "yeast", &[]);
        assert!(after > 0.5 && before > 0.5 && before != after, "{before} {after}");
        // What is left has the other's share by the index.
        let (_, left) = leads(&pages, "yeast", &["loaf"]);
        assert!((left - (1.0 - before)).abs() < 1e-12, "{left} {before}");
        assert_eq!(leads(&pages, "yeast", &["leaven"]).1, before);
        assert_eq!(leads(&pages, "yeast", &["loaf", "leaven"]).1, 0.0);

        let named = ("Yeast", "A fungus.", "It has no leaves.");
        let pages = [named, SAYS_IT_ONCE, SPEAKS_OF_IT];
        assert_eq!(leads(&pages, "yeast", &[]), (1.0, 1.0));
        assert_eq!(leads(&pages, "yeast", &["loaf"]), (1.0, 1.0), "the page that is named is there");
        let (before, after) = leads(&pages, "yeast", &["yeast"]);
        assert!(before == 1.0 && after < 0.5, "{after}");
    }

    #[test]
    fn a_page_that_is_named_or_quoted_stays_first() {
        let wordy = "It has no leaves, and no roots either. ".repeat(60);
        let named = ("Yeast", "A fungus.", wordy.as_str());
        let [before, after] = orders(pack(&[named, SPEAKS_OF_IT, SAYS_IT_ONCE]), "yeast", 16);
        assert_eq!([before, after], [["yeast", "loaf", "leaven"], ["yeast", "leaven", "loaf"]]);
        let quoted = ("Loaf", "Yeast in bread.", wordy.as_str());
        let more = ("Dough", "Bread, yeast.", "Bread wants yeast. Yeast makes bread. No bread rises without yeast.");
        let [before, after] = orders(pack(&[quoted, more]), "\"yeast in bread\"", 16);
        assert_eq!([before, after], [["loaf", "dough"], ["loaf", "dough"]]);
        let [_, after] = orders(pack(&[quoted, more]), "yeast in bread", 16);
        assert_eq!(after, ["dough", "loaf"], "without the marks");
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
