//! Scoring without an index: the tokens of every page are counted, and every page is scored. Misspellings, incomplete
//! words, compounds and common terms are tested elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use crate::postings::list::{more_class, more_of};
use crate::{Analysis, Bm25, Field, Frequencies, Hit, Kind, NewPack, NewPage, Query, Token};

/// A page with its tokens counted.
struct CountedPage<'p> {
    number: u32,
    pack_number: usize,
    pack: &'p NewPack,
    page: &'p NewPage,
    analysis: Analysis,
    counts: BTreeMap<String, Frequencies>,
    length: u32,
}

/// All pages, with their tokens counted.
pub(super) struct Corpus<'p> {
    packs: &'p [NewPack],
    pages: Vec<CountedPage<'p>>,
    /// The terms of each pack's title and summary.
    about: Vec<BTreeSet<String>>,
}

/// A term of a query: its factor, its idf, and the packs that have it.
struct WeightedTerm {
    term: String,
    factor: f64,
    idf: f64,
    evidence: Option<PackEvidence>,
}

/// The packs that have a term in their title or summary.
struct PackEvidence {
    packs: BTreeSet<usize>,
    /// What it adds to the weighted count of their pages.
    more: f64,
    /// The term's idf if all their pages held it.
    idf: f64,
}

/// A page of a ranking: number, score, whether the query is its name.
pub(super) type RankedPage = (u32, f64, bool);

/// Hits to be compared with a [`Corpus::search`].
pub(super) fn ranked(hits: &[Hit]) -> Vec<RankedPage> {
    hits.iter().map(|hit| (hit.page.0, hit.score, hit.exact)).collect()
}

/// Whether two rankings have the same pages in the same order with the same scores.
pub(super) fn same(ours: &[RankedPage], theirs: &[RankedPage]) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(b.abs());
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| a.0 == b.0 && a.2 == b.2 && close(a.1, b.1))
}

impl<'p> Corpus<'p> {
    pub(super) fn new(packs: &'p [NewPack]) -> Self {
        let all = packs.iter().enumerate().flat_map(|pack| pack.1.pages.iter().map(move |page| (pack, page)));
        let pages = all.zip(0..).map(|((pack, page), number)| counted(number, pack, page)).collect();
        let words = |pack: &NewPack| {
            let analysis = Analysis::of_language(&pack.info.language);
            let tokens = [&pack.info.title, &pack.info.summary].into_iter().flat_map(|text| analysis.tokens(text));
            tokens.into_iter().filter(|token| !token.weak).map(|token| token.term).collect()
        };
        Corpus { packs, pages, about: packs.iter().map(words).collect() }
    }

    /// The `k` best pages: those whose name the query is, then by score, then by number.
    ///
    /// Words side by side and whole names count for two groups of the 64 best pages without them: the eight with the
    /// highest bound, and the eight that are then the best. Pages that hold a quotation come first: of the 128 best,
    /// the first 32 with its words are read. The query has one quotation at most. If more than sixteen pages have the
    /// query's name, the sixteen best by postings come first; of these, the ones whose name has the query's stop words
    /// too, if there are any. Signs in names are tested elsewhere.
    pub(super) fn search(&self, query: Query<'_>, k: usize, bm25: &Bm25) -> Vec<RankedPage> {
        let analyses: BTreeSet<Analysis> = self.pages.iter().map(|page| page.analysis).collect();
        let quote = query.text.split('"').nth(1);
        let listed = if quote.is_some() { k.max(128) } else { k };
        let among = if bm25.adjacent > 0.0 { listed.max(64) } else { listed };
        let mut named: Vec<(f64, u32)> =
            analyses.iter().flat_map(|&analysis| self.named_in(analysis, query, bm25)).collect();
        if named.len() > 16 {
            named.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            named.truncate(16);
        }
        let mut compared: BTreeSet<u32> = named.into_iter().map(|(_, number)| number).collect();
        let is_written_so = |number: &u32| self.pages[*number as usize].is_written(query.text);
        if compared.iter().any(is_written_so) {
            compared.retain(is_written_so);
        }
        let mut ranked: Vec<RankedPage> = Vec::new();
        for analysis in analyses {
            ranked.extend(self.search_in(analysis, query, among, &compared, bm25));
        }
        ranked.sort_by(|a, b| b.2.cmp(&a.2).then(b.1.total_cmp(&a.1)).then(a.0.cmp(&b.0)));
        if let Some(quote) = quote {
            let counted = |page: &RankedPage| &self.pages[page.0 as usize];
            let among = ranked.iter().take(128).filter(|page| !page.2 && counted(page).has_words_of(quote)).take(32);
            let says: BTreeSet<u32> = among.filter(|page| counted(page).says(quote)).map(|page| page.0).collect();
            ranked.sort_by_key(|page| !(page.2 || says.contains(&page.0)));
        }
        ranked.truncate(k);
        ranked
    }

    /// The pages of an analysis that pass the filter, best first, with their scores by postings.
    fn scored(
        &self,
        analysis: Analysis,
        query: Query<'_>,
        terms: &[WeightedTerm],
        bm25: &Bm25,
    ) -> Vec<(&CountedPage<'p>, f64)> {
        let pages: Vec<&CountedPage<'p>> = self.pages.iter().filter(|page| page.analysis == analysis).collect();
        let average = pages.iter().map(|page| f64::from(page.length)).sum::<f64>() / pages.len() as f64;
        let admitted = pages.into_iter().filter(|page| page.passes(query));
        let mut scored: Vec<_> = admitted.map(|page| (page, page.score(terms, average, bm25))).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.number.cmp(&b.0.number)));
        scored
    }

    /// The pages whose name the query is, each with its score.
    fn named_in(&self, analysis: Analysis, query: Query<'_>, bm25: &Bm25) -> Vec<(f64, u32)> {
        let scored = self.scored(analysis, query, &self.terms(analysis, query, bm25), bm25);
        let named = scored.into_iter().filter(|(page, _)| page.is_named(query.text));
        named.map(|(page, score)| (score, page.number)).collect()
    }

    fn search_in(
        &self,
        analysis: Analysis,
        query: Query<'_>,
        k: usize,
        compared: &BTreeSet<u32>,
        bm25: &Bm25,
    ) -> Vec<RankedPage> {
        let terms = self.terms(analysis, query, bm25);
        let scored = self.scored(analysis, query, &terms, bm25);
        let holds = |page: &CountedPage<'_>| terms.iter().any(|term| page.counts.contains_key(&term.term));
        let kept: Vec<_> = scored.iter().copied().filter(|(page, _)| holds(page)).take(k).collect();
        let bound = |page: &CountedPage<'_>| {
            self.side_by_side(page, query.text, bm25, |two| {
                two.iter().all(|token| token.stop || page.has_term(&token.term))
            })
        };
        // The pages with the highest bound are read, and then those that are the best by what was read.
        let mut known: Vec<(f64, &CountedPage<'_>)> =
            kept.iter().take(64).map(|&(page, score)| (score, page)).collect();
        let order = |a: &(f64, &CountedPage<'_>), b: &(f64, &CountedPage<'_>)| {
            b.0.total_cmp(&a.0).then(a.1.number.cmp(&b.1.number))
        };
        let mut by_bound: Vec<_> = known.iter().map(|&(score, page)| (score + bound(page), page)).collect();
        by_bound.sort_by(order);
        let mut read: BTreeSet<u32> = by_bound.iter().take(8).map(|(_, page)| page.number).collect();
        for (score, page) in &mut known {
            *score += if read.contains(&page.number) { self.proximity(page, query.text, bm25) } else { 0.0 };
        }
        known.sort_by(order);
        read.extend(known.iter().take(8).map(|(_, page)| page.number));
        let mut ranked = Vec::new();
        for (page, score) in scored {
            let compared = compared.contains(&page.number);
            if compared || kept.iter().any(|(known, _)| known.number == page.number) {
                let read = compared || read.contains(&page.number);
                let ordered = if read { self.proximity(page, query.text, bm25) } else { 0.0 };
                ranked.push((page.number, score + ordered, compared));
            }
        }
        ranked
    }

    /// The query's terms, each once.
    fn terms(&self, analysis: Analysis, query: Query<'_>, bm25: &Bm25) -> Vec<WeightedTerm> {
        let meant = |text: &str| {
            let mut tokens = analysis.all_tokens_and_forms(text);
            self.mark_names(analysis, text, &mut tokens);
            tokens.retain(|token| !token.stop);
            tokens
        };
        let own = meant(query.text);
        let context = if own.is_empty() { Vec::new() } else { meant(query.context) };
        let all =
            own.into_iter().map(|token| (token, 1.0)).chain(context.into_iter().map(|token| (token, bm25.context)));
        let mut seen = BTreeSet::new();
        let once = all.filter(|(token, _)| seen.insert(token.term.clone()));
        once.map(|(token, factor)| WeightedTerm {
            factor: if token.weak { factor * bm25.weak } else { factor },
            idf: self.idf(analysis, &token.term, bm25),
            evidence: self.evidence(analysis, &token.term, bm25),
            term: token.term,
        })
        .collect()
    }

    /// The words of a query in their order. Stop words that are a name are not marked as stop words.
    fn query_words(&self, analysis: Analysis, text: &str) -> Vec<Token> {
        let mut words = words(analysis, text);
        self.mark_names(analysis, text, &mut words);
        words
    }

    /// Unmarks the stop words of a query that are a page's name: all words of the query; three or more after another
    /// word; two after another stop word, where the query has no other words; or words between quotation marks or other
    /// signs. Names with capitals are tested elsewhere.
    fn mark_names(&self, analysis: Analysis, text: &str, tokens: &mut [Token]) {
        let words = analysis.all_tokens(text);
        let is_bare = words.iter().all(|word| word.stop);
        let mut at = 0;
        while at < words.len() {
            let run = words[at..].iter().take(8).take_while(|word| word.stop).count();
            let name = (1..=run).rev().map(|length| &words[at..at + length]).find(|name| {
                let is_whole = name.len() == words.len();
                // A single stop word counts after "what is" and the like, which the texts here don't have.
                let is_likely = is_whole || at > 0 && (is_bare && name.len() == 2 || name.len() >= 3);
                (is_likely || is_enclosed(text, name)) && self.knows_name(analysis, name, is_whole && run == 1)
            });
            for token in tokens.iter_mut().filter(|token| {
                name.is_some_and(|name| name[0].start <= token.start && token.end <= name[name.len() - 1].end)
            }) {
                token.stop = false;
            }
            at += name.map_or(1, <[Token]>::len);
        }
    }

    /// Whether `name` is the name of a page; for a single word, also whether it is part of a name.
    fn knows_name(&self, analysis: Analysis, name: &[Token], is_only: bool) -> bool {
        let terms: Vec<&str> = name.iter().map(|token| token.term.as_str()).collect();
        self.pages
            .iter()
            .filter(|page| page.analysis == analysis)
            .any(|page| is_only && page.counts.contains_key(terms[0]) || page.names().any(|known| known == terms))
    }

    fn pages_of(&self, analysis: Analysis) -> u32 {
        self.pages.iter().filter(|page| page.analysis == analysis).count() as u32
    }

    /// How many pages hold a term: those that are found by it, and roughly those that hold it without a posting.
    fn pages_with(&self, analysis: Analysis, term: &str) -> u32 {
        let of = |page: &&CountedPage<'_>| page.analysis == analysis && page.counts.contains_key(term);
        let found = self.pages.iter().filter(of).count() as u32;
        let packs = self.packs.iter().filter(|pack| Analysis::of_language(&pack.info.language) == analysis);
        let anywhere: u32 = packs.filter_map(|pack| pack.pages_with.get(term)).sum();
        let more = more_of(more_class(anywhere.saturating_sub(found)));
        if found == 0 { 0 } else { (found + more).min(self.pages.len() as u32) }
    }

    fn idf(&self, analysis: Analysis, term: &str, bm25: &Bm25) -> f64 {
        bm25.idf(self.pages_of(analysis), self.pages_with(analysis, term))
    }

    fn evidence(&self, analysis: Analysis, term: &str, bm25: &Bm25) -> Option<PackEvidence> {
        let says = |&pack: &usize| {
            Analysis::of_language(&self.packs[pack].info.language) == analysis && self.about[pack].contains(term)
        };
        let packs: BTreeSet<usize> = (0..self.about.len()).filter(says).collect();
        let more = bm25.pack * (1.0 - packs.len() as f64 / self.about.len() as f64);
        let there: usize = packs.iter().map(|&pack| self.packs[pack].pages.len()).sum();
        let together = self.pages_with(analysis, term).max(there as u32);
        let idf = bm25.idf(self.pages_of(analysis), together);
        (!packs.is_empty() && more > 0.0).then_some(PackEvidence { packs, more, idf })
    }

    /// What the pairs of words on a page, and its name with the highest score, add.
    fn proximity(&self, page: &CountedPage<'_>, text: &str, bm25: &Bm25) -> f64 {
        // One form of a word may be weak and another not. The query's form counts.
        let mut query_words = BTreeMap::new();
        for token in self.query_words(page.analysis, text) {
            let counts = bm25.adjacent * self.rarity(page.analysis, &token, bm25) / 2.0;
            query_words.entry(token.term).or_insert(counts);
        }
        let names = [&page.page.title].into_iter().chain(&page.page.aliases).map(|name| {
            let mut seen = BTreeSet::new();
            let mut name = page.analysis.all_tokens(name);
            name.retain(|token| !token.stop && seen.insert(token.term.clone()));
            let counts: Option<Vec<f64>> = name.iter().map(|token| query_words.get(&token.term).copied()).collect();
            counts.map_or(0.0, |counts| counts.iter().sum())
        });
        let name = names.fold(0.0, |most: f64, name: f64| most.max(name));
        name + self.side_by_side(page, text, bm25, |two| page.has_pair(two))
    }

    fn rarity(&self, analysis: Analysis, token: &Token, bm25: &Bm25) -> f64 {
        let factor = match (token.stop, token.weak) {
            (true, _) => 0.0,
            (false, true) => bm25.weak,
            (false, false) => 1.0,
        };
        factor * self.idf(analysis, &token.term, bm25)
    }

    /// What those pairs of the query's neighbouring words add for which `stands` holds.
    fn side_by_side(&self, page: &CountedPage<'_>, text: &str, bm25: &Bm25, stands: impl Fn(&[Token]) -> bool) -> f64 {
        let rarity = |token: &Token| self.rarity(page.analysis, token, bm25);
        let tells = |token: &Token| !token.stop && !token.weak;
        let (mut sum, mut seen) = (0.0, BTreeSet::new());
        for two in self.query_words(page.analysis, text).windows(2).filter(|two| tells(&two[0]) || tells(&two[1])) {
            if stands(two) && seen.insert((two[0].term.clone(), two[1].term.clone())) {
                // Added in the same order as by an index, so that of two equal bounds neither wins by rounding.
                sum += bm25.adjacent * rarity(&two[0]) / 2.0 + bm25.adjacent * rarity(&two[1]) / 2.0;
            }
        }
        sum
    }
}

fn words(analysis: Analysis, text: &str) -> Vec<Token> {
    analysis.all_tokens(text).into_iter().filter(|token| token.kind == Kind::Word).collect()
}

fn counted<'p>(number: u32, (pack_number, pack): (usize, &'p NewPack), page: &'p NewPage) -> CountedPage<'p> {
    let analysis = Analysis::of_language(&pack.info.language);
    let (mut counts, mut length) = (BTreeMap::<String, Frequencies>::new(), 0);
    let texts = [(Field::Title, &page.title), (Field::Summary, &page.summary)];
    let all = texts.into_iter().chain(page.aliases.iter().map(|alias| (Field::Aliases, alias)));
    for (field, text) in all {
        for token in analysis.tokens_in(field, text).into_iter().filter(|token| token.kind != Kind::Joined) {
            length += u32::from(!token.is_beside());
            counts.entry(token.term).or_default()[field as usize] += 1;
        }
    }
    for (term, count) in page.body.iter().filter(|(_, count)| *count > 0) {
        counts.entry(term.clone()).or_default()[Field::Body as usize] += count;
    }
    CountedPage { number, pack_number, pack, page, analysis, counts, length }
}

/// Whether `name` has a character other than space on both sides in `text`.
fn is_enclosed(text: &str, name: &[Token]) -> bool {
    let stands = |side: Option<char>| side.is_some_and(|side| !side.is_whitespace());
    stands(text[..name[0].start].chars().next_back()) && stands(text[name[name.len() - 1].end..].chars().next())
}

/// The words of a name: without stop words, if it has others.
fn name(analysis: Analysis, text: &str) -> Vec<String> {
    let all = analysis.all_tokens(text);
    let words: Vec<String> = all.iter().filter(|token| !token.stop).map(|token| token.term.clone()).collect();
    if words.is_empty() { all.into_iter().map(|token| token.term).collect() } else { words }
}

impl CountedPage<'_> {
    /// The page's score by its own terms and the boosts of packs. A page without a term of the query scores 0.
    fn score(&self, terms: &[WeightedTerm], average: f64, bm25: &Bm25) -> f64 {
        let own = |term: &WeightedTerm| {
            let counts = self.counts.get(&term.term).unwrap_or(&[0; crate::FIELDS]);
            bm25.weighted(counts, self.length, average)
        };
        let part = |idf: f64, count: f64| bm25.term_score(idf, count, self.length, average);
        let sum: f64 = terms.iter().map(|term| term.factor * term.idf * part(1.0, own(term))).sum();
        let boosts = terms.iter().filter_map(|term| {
            let evidence = term.evidence.as_ref().filter(|evidence| evidence.packs.contains(&self.pack_number))?;
            Some(term.factor * (part(evidence.idf, own(term) + evidence.more) - part(term.idf, own(term))))
        });
        let holds = terms.iter().any(|term| self.counts.contains_key(&term.term));
        if holds { sum + boosts.sum::<f64>() } else { 0.0 }
    }

    fn is_named(&self, text: &str) -> bool {
        let name = name(self.analysis, text);
        !name.is_empty() && self.names().any(|known| known == name)
    }

    /// Whether one of its names has the stop words of `text` too.
    fn is_written(&self, text: &str) -> bool {
        let terms = |text: &str| words(self.analysis, text).into_iter().map(|token| token.term).collect::<Vec<_>>();
        [&self.page.title].into_iter().chain(&self.page.aliases).any(|name| terms(name) == terms(text))
    }

    fn names(&self) -> impl Iterator<Item = Vec<String>> {
        [&self.page.title].into_iter().chain(&self.page.aliases).map(|text| name(self.analysis, text))
    }

    /// Whether a term is in its title, aliases or summary.
    fn has_term(&self, term: &str) -> bool {
        self.counts.get(term).is_some_and(|counts| counts[..Field::Body as usize].iter().any(|&count| count > 0))
    }

    /// Whether all words of `quote` are there.
    fn has_words_of(&self, quote: &str) -> bool {
        words(self.analysis, quote).iter().all(|token| token.stop || self.has_term(&token.term))
    }

    /// Whether one of its texts has two words side by side, in that order.
    fn has_pair(&self, two: &[Token]) -> bool {
        let same = |there: &[Token]| there[0].term == two[0].term && there[1].term == two[1].term;
        let mut texts = [&self.page.title, &self.page.summary].into_iter().chain(&self.page.aliases);
        texts.any(|text| words(self.analysis, text).windows(2).any(same))
    }

    /// Whether one of its texts holds `quote`, word by word.
    fn says(&self, quote: &str) -> bool {
        let terms = |text: &str| words(self.analysis, text).into_iter().map(|token| token.term).collect::<Vec<_>>();
        let quote = terms(quote);
        let mut texts = [&self.page.title, &self.page.summary].into_iter().chain(&self.page.aliases);
        texts.any(|text| terms(text).windows(quote.len()).any(|part| part == quote))
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
