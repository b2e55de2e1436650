//! Evidence: every sentence of the pages that were kept, ready to be laid beside a claim.
//!
//! A claim's words are weighed by how rare they are among the passages, numbers and names more than others; a passage is
//! as good as the share of that weight which it holds, with a discount for what only its heading or its page's title
//! holds. Everything is analysed once, and a claim looks only at passages that have a word of it, so the time is linear.
//! What the words say together is not looked at here: that is what the gates are for.

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

/// A sentence, a list's item or a table's row of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The number of its page in the manifest, from 1.
    pub source: usize,
    /// The heading it stands under; empty before the first.
    pub section: String,
    /// The anchor of that heading.
    pub anchor: String,
    /// Its plain text, word for word from the page.
    pub text: String,
}

/// What claims are checked against.
#[derive(Debug)]
pub struct Evidence<'m> {
    passages: Vec<IndexedPassage>,
    pages: Vec<PageContext<'m>>,
    /// The number of each term.
    terms: BTreeMap<String, usize>,
    /// For each term the passages that hold it.
    holders: Vec<Vec<usize>>,
    /// Whether the pages are there from beginning to end: only then does a value that is missing stand nowhere.
    whole: bool,
    /// Whether it is a passage or a few that somebody laid beside the claim, and no page.
    excerpt: bool,
}

/// A passage, read.
#[derive(Debug)]
struct IndexedPassage {
    passage: Passage,
    /// Its page's place.
    page: usize,
    /// Its terms, sorted.
    terms: Vec<usize>,
    /// The terms of its heading.
    heading: Vec<usize>,
}

/// What a page is about.
#[derive(Debug)]
struct PageContext<'m> {
    title: &'m str,
    analysis: Analysis,
    /// The terms of its title, aliases and summary, sorted.
    terms: Vec<usize>,
    /// Title, aliases and summary, for names that are known by them.
    text: String,
}

/// A page is read to so many passages at most; what lies beyond is as if it could not be had.
const MOST_PASSAGES: usize = 20_000;
/// A text of so few passages was laid beside the claim for its sake, so each of them speaks of it.
pub(crate) const SHORT_EXCERPT: usize = 3;
/// So many of the best passages are looked at closely.
const MOST_CANDIDATES: usize = 24;
/// What a cited source has before another.
const CITED_BONUS: f64 = 0.05;
/// What a passage's place in the whole choice counts beside the words that no passage before it has.
const OWN_SHARE: f64 = 0.35;

impl<'m> Evidence<'m> {
    /// The whole bodies of the manifest's pages, without the sections that only list links. Where a page was lost, or is too
    /// long, what is missing may stand there.
    pub fn of(manifest: &'m Manifest) -> Evidence<'m> {
        let mut evidence = Evidence::empty(manifest.lost == 0);
        for (at, page) in manifest.pages.iter().enumerate() {
            evidence.read_page(at + 1, page);
        }
        evidence
    }

    /// A whole text without markup, whose lines are passages of one or more sentences. The title may be empty.
    pub fn of_text(title: &'m str, text: &str, analysis: Analysis) -> Evidence<'m> {
        Evidence { whole: true, excerpt: false, ..Evidence::of_excerpt(title, text, analysis) }
    }

    /// A part of such a text that was laid beside the claim for its sake: what it lacks may stand elsewhere.
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

    /// The same where a page was lost.
    #[cfg(test)]
    pub(crate) fn with_lost_page(self) -> Evidence<'m> {
        Evidence { whole: false, ..self }
    }

    /// Whether there is nothing to check against.
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Whether the pages are there from beginning to end.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether it was laid beside the claim for its sake.
    pub(crate) fn is_excerpt(&self) -> bool {
        self.excerpt
    }

    /// Whether it is one sentence that was laid beside the claim.
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

    /// The `count` passages that together hold the most of what `claim` says, the best first.
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

    /// Whether a page has the word, in whatever inflection.
    pub(crate) fn has(&self, word: &str) -> bool {
        let known = |analysis: Analysis| {
            let tokens = analysis.tokens(word);
            !tokens.is_empty() && tokens.iter().all(|token| self.terms.contains_key(&token.term))
        };
        self.analyses().into_iter().any(known)
    }

    /// Whether a page has the word, or one that begins like it: `America` for `American`.
    pub(crate) fn has_same_stem(&self, word: &str) -> bool {
        let has_stem = |term: &str| {
            let from = self.terms.range(align::stem(term).to_owned()..);
            from.take_while(|(other, _)| other.starts_with(align::stem(term))).any(|(other, _)| same_stem(other, term))
        };
        // A stop word is in every page.
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

    /// Takes a passage of the page that was opened last.
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

    /// How much a term tells: rare ones more.
    fn rarity(&self, term: Option<usize>) -> f64 {
        let holding = term.map_or(0, |term| self.holders[term].len());
        1.0 + (1.0 + self.passages.len() as f64 / (1.0 + holding as f64)).ln()
    }

    /// The passages that hold the most of the claim each by itself, looked at closely.
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

    /// The places of the passages that hold the most of `words`.
    fn best(&self, words: &[Word], analysis: Analysis, claim: &Claim) -> Vec<usize> {
        let read_alike = |place: &usize| self.pages[self.passages[*place].page].analysis == analysis;
        // What was laid beside the claim stays there, though it may say all in other words.
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
