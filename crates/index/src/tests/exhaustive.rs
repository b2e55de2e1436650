//! Scoring without an index: every page's tokens are counted, every page is scored.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Analysis, Bm25, Field, Frequencies, NewPack, NewPage, Query};

/// A page, its words counted.
struct Counted<'p> {
    number: u32,
    pack: &'p NewPack,
    page: &'p NewPage,
    analysis: Analysis,
    counts: BTreeMap<String, Frequencies>,
    length: u32,
}

/// All pages, counted.
pub(super) struct Corpus<'p> {
    pages: Vec<Counted<'p>>,
}

/// A page of a ranking: number, score, whether the query is its name.
pub(super) type Ranked = (u32, f64, bool);

impl<'p> Corpus<'p> {
    pub(super) fn new(packs: &'p [NewPack]) -> Self {
        let all = packs.iter().flat_map(|pack| pack.pages.iter().map(move |page| (pack, page)));
        Corpus { pages: all.zip(0..).map(|((pack, page), number)| counted(number, pack, page)).collect() }
    }

    /// The `k` best pages: those whose name the query is, then by score, then by number.
    pub(super) fn search(&self, query: Query<'_>, k: usize, bm25: &Bm25) -> Vec<Ranked> {
        let analyses: BTreeSet<Analysis> = self.pages.iter().map(|page| page.analysis).collect();
        let mut ranked = Vec::new();
        for analysis in analyses {
            ranked.extend(self.search_in(analysis, query, k, bm25));
        }
        order(&mut ranked);
        ranked.truncate(k);
        ranked
    }

    fn search_in(&self, analysis: Analysis, query: Query<'_>, k: usize, bm25: &Bm25) -> Vec<Ranked> {
        let pages: Vec<&Counted<'_>> = self.pages.iter().filter(|page| page.analysis == analysis).collect();
        let average = pages.iter().map(|page| f64::from(page.length)).sum::<f64>() / pages.len() as f64;
        let terms: Vec<(String, f64)> = terms(analysis, query, bm25)
            .into_iter()
            .map(|(term, factor)| {
                let with = pages.iter().filter(|page| page.counts.contains_key(&term)).count() as u32;
                (term, factor * bm25.idf(pages.len() as u32, with))
            })
            .collect();
        let name = name(analysis, query.text);
        let mut ranked: Vec<Ranked> = Vec::new();
        for page in pages.into_iter().filter(|page| page.passes(query)) {
            let exact = !name.is_empty() && page.names().any(|known| known == name);
            let holds = terms.iter().any(|(term, _)| page.counts.contains_key(term));
            let score = |(term, weight): &(String, f64)| {
                let counts = page.counts.get(term)?;
                Some(weight * bm25.term_score(1.0, bm25.weighted(counts), page.length, average))
            };
            if exact || holds {
                ranked.push((page.number, terms.iter().filter_map(score).sum(), exact));
            }
        }
        order(&mut ranked);
        ranked.truncate(k);
        ranked
    }
}

fn order(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.2.cmp(&a.2).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
}

fn counted<'p>(number: u32, pack: &'p NewPack, page: &'p NewPage) -> Counted<'p> {
    let analysis = Analysis::of_language(&pack.info.language);
    let (mut counts, mut length) = (BTreeMap::<String, Frequencies>::new(), 0);
    let texts = [(Field::Title, &page.title), (Field::Summary, &page.summary)];
    let all = texts.into_iter().chain(page.aliases.iter().map(|alias| (Field::Aliases, alias)));
    for (field, text) in all {
        for token in analysis.tokens_and_forms(text) {
            length += u32::from(!token.is_beside());
            counts.entry(token.term).or_default()[field as usize] += 1;
        }
    }
    for (term, count) in page.body.iter().filter(|(_, count)| *count > 0) {
        counts.entry(term.clone()).or_default()[Field::Body as usize] += count;
    }
    Counted { number, pack, page, analysis, counts, length }
}

/// The query's terms, each once, with what it counts.
fn terms(analysis: Analysis, query: Query<'_>, bm25: &Bm25) -> Vec<(String, f64)> {
    let own = analysis.tokens_and_forms(query.text);
    let context = if own.is_empty() { Vec::new() } else { analysis.tokens_and_forms(query.context) };
    let all = own.iter().map(|token| (token, 1.0)).chain(context.iter().map(|token| (token, bm25.context)));
    let mut seen = BTreeSet::new();
    all.filter(|(token, _)| seen.insert(&token.term)).map(|(token, factor)| (token.term.clone(), factor)).collect()
}

/// The words of a name: without stop words, if it has others.
fn name(analysis: Analysis, text: &str) -> Vec<String> {
    let all = analysis.all_tokens(text);
    let words: Vec<String> = all.iter().filter(|token| !token.stop).map(|token| token.term.clone()).collect();
    if words.is_empty() { all.into_iter().map(|token| token.term).collect() } else { words }
}

impl Counted<'_> {
    fn names(&self) -> impl Iterator<Item = Vec<String>> {
        [&self.page.title].into_iter().chain(&self.page.aliases).map(|text| name(self.analysis, text))
    }

    fn passes(&self, query: Query<'_>) -> bool {
        let Some(filter) = query.filter else { return true };
        let one_of = |wanted: &[String], is: &dyn Fn(&str) -> bool| wanted.is_empty() || wanted.iter().any(|w| is(w));
        let language = self.pack.info.language.to_lowercase();
        one_of(&filter.packs, &|path| self.pack.info.path == path)
            && one_of(&filter.tags, &|tag| self.page.tags.iter().any(|own| crate::fold(own) == crate::fold(tag)))
            && one_of(&filter.languages, &|wanted| {
                let wanted = wanted.to_lowercase();
                language == wanted || language.starts_with(&format!("{wanted}-"))
            })
    }
}
