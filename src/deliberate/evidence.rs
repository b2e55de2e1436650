//! Evidence: every sentence of the kept pages, indexed so that claims can be aligned with them.
//!
//! A claim's words are weighted by their rarity among the passages; numbers and names count more. A passage scores the
//! share of that weight that it contains, with a discount for words that only its heading or its page's title contains.
//! Everything is analysed once, and a claim visits only passages that share a word with it, so the time is linear.
//! Alignment ignores what the words say together: that is the task of the checks.

use std::collections::BTreeMap;

use seealso_index::{Analysis, sort_by};
use seealso_pack::{BlockKind, SectionKind};

use crate::answer::sentences::SentenceRules;
use crate::deliberate::claims::Claim;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::fetch::FetchedPage;

mod align;
pub(crate) use align::{AlignedPassage, Alignment};
use align::{Word, same_stem, words};

/// A sentence, a list item or a table row of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The number of its page in the manifest, from 1.
    pub source: usize,
    /// The heading above it; empty before the first heading.
    pub section: String,
    /// The anchor of that heading.
    pub anchor: String,
    /// Its plain text, verbatim from the page.
    pub text: String,
}

/// The passages that claims are checked against.
#[derive(Debug)]
pub struct Evidence<'m> {
    passages: Vec<IndexedPassage>,
    pages: Vec<PageContext<'m>>,
    /// The number of each term.
    terms: BTreeMap<String, usize>,
    /// The passages that contain each term.
    holders: Vec<Vec<usize>>,
    /// Whether the pages are complete. Only then is a value that is not found known to be absent.
    whole: bool,
    /// Whether the text is an excerpt of a few passages that was chosen for the claim, not a page.
    excerpt: bool,
}

/// A passage with its terms.
#[derive(Debug)]
struct IndexedPassage {
    passage: Passage,
    /// The index of its page.
    page: usize,
    /// Its terms, sorted.
    terms: Vec<usize>,
    /// The terms of its heading.
    heading: Vec<usize>,
}

/// What identifies a page's subject.
#[derive(Debug)]
struct PageContext<'m> {
    title: &'m str,
    analysis: Analysis,
    /// The terms of its title, aliases and summary, sorted.
    terms: Vec<usize>,
    /// Title, aliases and summary, for names that they introduce.
    text: String,
}

/// The most passages of a page; what follows them counts as unavailable.
const MOST_PASSAGES: usize = 20_000;
/// An excerpt of at most this many passages was chosen for the claim, so every passage is about it.
pub(crate) const SHORT_EXCERPT: usize = 3;
/// The number of best passages that are compared word by word.
const MOST_CANDIDATES: usize = 24;
/// The bonus of a source that the claim cites.
const CITED_BONUS: f64 = 0.05;
/// The weight of a passage's own score, relative to the coverage that it adds to the passages chosen before.
const OWN_SHARE: f64 = 0.35;

impl<'m> Evidence<'m> {
    /// The evidence of the manifest's pages with their whole bodies, except sections that only list links. If a page
    /// was lost or is too long, what is not found may stand there.
    pub fn of(manifest: &'m Manifest) -> Evidence<'m> {
        let mut evidence = Evidence::empty(manifest.lost == 0);
        for (at, page) in manifest.pages.iter().enumerate() {
            evidence.read_page(at + 1, page);
        }
        evidence
    }

    /// The evidence of a complete text without markup, whose lines are passages of one or more sentences. The title may
    /// be empty.
    pub fn of_text(title: &'m str, text: &str, analysis: Analysis) -> Evidence<'m> {
        Evidence { whole: true, excerpt: false, ..Evidence::of_excerpt(title, text, analysis) }
    }

    /// The evidence of an excerpt that was chosen for the claim: what it lacks may stand elsewhere in its text.
    pub fn of_excerpt(title: &'m str, text: &str, analysis: Analysis) -> Evidence<'m> {
        let mut evidence = Evidence { excerpt: true, ..Evidence::empty(false) };
        evidence.add_page(title, title.to_owned(), analysis);
        let rules = SentenceRules::of(analysis);
        for sentence in text.lines().flat_map(|line| rules.sentences(line)) {
            let (section, anchor) = (String::new(), String::new());
            evidence.add_passage(Passage { source: 1, section, anchor, text: sentence.to_owned() }, Vec::new());
        }
        evidence
    }

    /// The same evidence, as if a page had been lost.
    #[cfg(test)]
    pub(crate) fn with_lost_page(self) -> Evidence<'m> {
        Evidence { whole: false, ..self }
    }

    /// Whether there is nothing to check against.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Whether the pages are complete.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether it is an excerpt that was chosen for the claim.
    pub(crate) fn is_excerpt(&self) -> bool {
        self.excerpt
    }

    /// Whether it is an excerpt of one sentence.
    pub(crate) fn is_single_sentence(&self) -> bool {
        self.excerpt && self.passages.len() == 1
    }

    /// The passages, in the order of the pages.
    pub fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.passages.iter().map(|read| &read.passage)
    }

    /// The title of a source.
    pub fn title(&self, source: usize) -> &'m str {
        source.checked_sub(1).and_then(|at| self.pages.get(at)).map_or("", |page| page.title)
    }

    /// The `count` passages that together cover the most of `claim`, best first.
    pub(crate) fn align(&self, claim: &Claim, count: usize) -> Alignment<'_> {
        let candidates = self.candidates(claim);
        let mut chosen: Vec<AlignedPassage<'_>> = Vec::new();
        let mut left: Vec<AlignedPassage<'_>> = candidates;
        let mut covered: Vec<f64> = Vec::new();
        while chosen.len() < count {
            let worth = |aligned: &AlignedPassage<'_>| aligned.added_coverage(&covered) + OWN_SHARE * aligned.score;
            let best = (0..left.len()).max_by(|&a, &b| worth(&left[a]).total_cmp(&worth(&left[b])).then(b.cmp(&a)));
            let Some(best) = best else { break };
            let aligned = left.remove(best);
            aligned.add_coverage(&mut covered);
            chosen.push(aligned);
        }
        sort_by(&mut chosen, |a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
        Alignment::new(chosen, self)
    }

    /// Whether a page contains the word in any inflection.
    pub(crate) fn has(&self, word: &str) -> bool {
        let known = |analysis: Analysis| {
            let tokens = analysis.tokens(word);
            !tokens.is_empty() && tokens.iter().all(|token| self.terms.contains_key(&token.term))
        };
        self.analyses().into_iter().any(known)
    }

    /// Whether a page contains the word, or one with the same stem: `America` for `American`.
    pub(crate) fn has_same_stem(&self, word: &str) -> bool {
        let has_stem = |term: &str| {
            let from = self.terms.range(align::stem(term).to_owned()..);
            from.take_while(|(other, _)| other.starts_with(align::stem(term))).any(|(other, _)| same_stem(other, term))
        };
        // Every page contains stop words.
        let known = |analysis: Analysis| {
            let tokens = analysis.tokens(word);
            tokens.iter().all(|token| self.terms.contains_key(&token.term) || has_stem(&token.term))
        };
        self.analyses().into_iter().any(known)
    }

    /// Titles, aliases and summaries of all pages.
    pub(crate) fn contexts(&self) -> impl Iterator<Item = &str> {
        self.pages.iter().map(|page| page.text.as_str())
    }

    fn empty(whole: bool) -> Evidence<'m> {
        Evidence {
            passages: Vec::new(),
            pages: Vec::new(),
            terms: BTreeMap::new(),
            holders: Vec::new(),
            whole,
            excerpt: false,
        }
    }

    fn read_page(&mut self, source: usize, page: &'m FetchedPage) {
        let known = &page.page;
        let context = format!("{}\n{}\n{}", known.title, known.aliases.join("\n"), known.summary);
        self.add_page(&known.title, context, page.analysis);
        let rules = SentenceRules::of(page.analysis);
        let sections = known.sections();
        let most = self.passages.len() + MOST_PASSAGES;
        for block in known.blocks() {
            let Some(section) = sections.get(block.section) else { continue };
            let links_only = matches!(section.kind, SectionKind::SeeAlso | SectionKind::Sources);
            if links_only || block.kind == BlockKind::Heading {
                continue;
            }
            if self.passages.len() >= most {
                self.whole = false;
                break;
            }
            let heading = section.heading.clone().unwrap_or_default();
            let heading_terms = self.terms_of(&heading, page.analysis);
            let pieces: Vec<&str> = match block.kind {
                BlockKind::TableRow => vec![block.text.as_str()],
                BlockKind::Code => block.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect(),
                _ => rules.sentences(&block.text),
            };
            for text in pieces {
                let (section, anchor) = (heading.clone(), section.anchor.clone());
                let passage = Passage { source, section, anchor, text: text.to_owned() };
                self.add_passage(passage, heading_terms.clone());
            }
        }
    }

    fn add_page(&mut self, title: &'m str, text: String, analysis: Analysis) {
        let terms = self.terms_of(&text, analysis);
        self.pages.push(PageContext { title, analysis, terms, text });
    }

    /// Adds a passage to the last page that was added.
    fn add_passage(&mut self, passage: Passage, heading: Vec<usize>) {
        let Some(page) = self.pages.len().checked_sub(1) else { return };
        let terms = self.terms_of(&passage.text, self.pages[page].analysis);
        let place = self.passages.len();
        terms.iter().for_each(|&term| self.holders[term].push(place));
        self.passages.push(IndexedPassage { passage, page, terms, heading });
    }

    /// The numbers of the terms of `text`, sorted, each once.
    fn terms_of(&mut self, text: &str, analysis: Analysis) -> Vec<usize> {
        let mut numbers = Vec::new();
        for token in analysis.tokens(text) {
            let next = self.terms.len();
            let number = *self.terms.entry(token.term).or_insert(next);
            if number == next {
                self.holders.push(Vec::new());
            }
            numbers.push(number);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// The analyses of the pages, each once.
    fn analyses(&self) -> Vec<Analysis> {
        let mut found = Vec::new();
        for page in &self.pages {
            if !found.contains(&page.analysis) {
                found.push(page.analysis);
            }
        }
        found
    }

    /// The weight of a term: rare terms count more.
    fn rarity(&self, term: Option<usize>) -> f64 {
        let holding = term.map_or(0, |term| self.holders[term].len());
        1.0 + (1.0 + self.passages.len() as f64 / (1.0 + holding as f64)).ln()
    }

    /// The passages that each cover the most of the claim, compared word by word.
    fn candidates(&self, claim: &Claim) -> Vec<AlignedPassage<'_>> {
        let mut candidates = Vec::new();
        for analysis in self.analyses() {
            let words = words(&claim.text, analysis, |term| {
                let number = self.terms.get(term).copied();
                (number, self.rarity(number))
            });
            for place in self.best(&words, analysis, claim) {
                candidates.push(self.aligned(place, &words, analysis, claim));
            }
        }
        candidates
    }

    /// The indices of the passages that cover the most of `words`.
    fn best(&self, words: &[Word], analysis: Analysis, claim: &Claim) -> Vec<usize> {
        let read_alike = |place: &usize| self.pages[self.passages[*place].page].analysis == analysis;
        // Passages of a short excerpt always remain, because they may state the claim in other words.
        let excerpt = if self.excerpt && self.passages.len() <= SHORT_EXCERPT { self.passages.len() } else { 0 };
        let mut worth: BTreeMap<usize, f64> = (0..excerpt).filter(read_alike).map(|place| (place, 0.0)).collect();
        for (word, holders) in words.iter().filter_map(|word| Some((word, &self.holders[word.term?]))) {
            for &place in holders.iter().filter(|place| read_alike(place)) {
                *worth.entry(place).or_default() += word.weight;
            }
        }
        let cited = |place: usize| claim.citations.contains(&self.passages[place].passage.source);
        let total: f64 = words.iter().map(|word| word.weight).sum();
        let bonus = |place: usize| if cited(place) { CITED_BONUS * total } else { 0.0 };
        let mut places: Vec<(usize, f64)> =
            worth.into_iter().map(|(place, worth)| (place, worth + bonus(place))).collect();
        sort_by(&mut places, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        places.truncate(MOST_CANDIDATES);
        places.into_iter().map(|(place, _)| place).collect()
    }

    fn aligned(&self, place: usize, words: &[Word], analysis: Analysis, claim: &Claim) -> AlignedPassage<'_> {
        let read = &self.passages[place];
        let has = |terms: &[usize], term: Option<usize>| term.is_some_and(|term| terms.binary_search(&term).is_ok());
        let context = |term| has(&read.heading, term) || has(&self.pages[read.page].terms, term);
        let in_text = |term| has(&read.terms, term);
        let mut aligned = AlignedPassage::new(place, &read.passage, words, analysis, in_text, context);
        if claim.citations.contains(&read.passage.source) {
            aligned.score += CITED_BONUS;
        }
        aligned
    }
}

#[cfg(test)]
mod tests;
