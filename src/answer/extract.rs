//! `extract`: an answer without a model, out of the best sentences of the pages that were kept.
//!
//! Every sub-query is served in turn, from the pages that serve it. A sentence counts for the share of the sub-query's
//! weight (in idf) that it holds, with half of what its heading and its page's title and names hold beside it, for a
//! page on stomata seldom repeats the word (see `reading`). A sub-query that no page covers far enough gets nothing:
//! silence is better than a guess.

use seealso_index::{Analysis, Error, Index, Token, sort_by};
use seealso_pack::SectionKind;

use crate::answer::CitedSentence;
use crate::answer::reading::{Found, Quotable, Reading, Weights, either};
use crate::config::Config;
use crate::question::Question;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::fetch::{FetchedPage, Via};
use crate::trace::{Describe, Detail, counted, detail};

/// The sentences chosen, in answer order, and how far the pages covered each sub-query.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The sentences.
    pub sentences: Vec<CitedSentence>,
    /// For each sub-query, the largest share of its weight that any page holds.
    pub coverage: Vec<f64>,
}

/// The first sentences of a page say what it is about.
const LEAD_BONUS: f64 = 0.12;
/// The key points repeat what stands in the body, out of its context.
const KEY_POINT_MALUS: f64 = 0.08;
/// What a page loses for each place in the ranking, and one of See Also as a whole.
const RANK_MALUS: f64 = 0.06;
const SEE_ALSO_MALUS: f64 = 0.15;
/// Two sentences that share more of their words than this say the same.
const SAME: f64 = 0.6;
/// A page brings so many sentences into the choice at most.
const MOST_CANDIDATES: usize = 64;

/// Chooses sentences of `manifest`'s pages for each of `sub_queries`.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub(crate) fn extract(
    question: &Question,
    sub_queries: &SubQueries,
    manifest: &Manifest,
    index: &Index,
    config: &Config,
) -> Result<Extract, Error> {
    let count = if sub_queries.items.len() == 1 { config.sentences * 2 } else { config.sentences };
    let mut extract = Extract { sentences: Vec::new(), coverage: Vec::new() };
    // A part of a split question is no sentence any more, whose other words would say what is asked of its subject.
    let may_be_silent = sub_queries.items.len() > 1 || asks_for_name_or_number(question.text());
    for (number, sub_query) in sub_queries.items.iter().enumerate() {
        let (mut chosen_from, mut subject) = (Vec::new(), Subject::default());
        let mut coverage: f64 = 0.0;
        let names = index.names_in(&sub_query.text)?;
        let serving = manifest.pages.iter().enumerate().filter(|(_, page)| page.sub_queries.contains(&number));
        for (rank, (source, page)) in serving.enumerate() {
            let weights = Weights::of(&sub_query.text, page, index, config)?;
            let reading = Reading::of(&page.page, &weights);
            let covered = weights.share(&reading.found);
            coverage = coverage.max(covered);
            if covered >= weights.least_coverage(&reading.found, config) {
                let place = Place { source, rank, sub_query: number };
                chosen_from.extend(candidates(page, place, &reading, &weights));
                // A question with names of several pages asks how they go together.
                let is_named = !names.is_empty() && names.iter().all(|name| name.pages.contains(&page.number));
                subject.take(&weights, reading, is_named);
            }
        }
        extract.coverage.push(coverage);
        if may_be_silent || !subject.is_merely_named {
            extract.sentences.extend(choose(chosen_from, count, &extract.sentences));
        }
    }
    Ok(extract)
}

/// The pages that could answer a sub-query, as far as they tell whether what is asked is told anywhere.
#[derive(Default)]
struct Subject {
    /// The terms in the names of the first page that has nothing else of what is asked.
    named: Option<Found>,
    /// The terms that each page holds.
    held: Vec<Found>,
    /// Whether a page is in another language than English, the one whose words that say little are known.
    is_foreign: bool,
    is_merely_named: bool,
}

impl Subject {
    /// Takes a page. It `is_named` where names of it stand in the sub-query, and none of another page.
    fn take(&mut self, weights: &Weights, reading: Reading, is_named: bool) {
        self.is_foreign |= weights.analysis != Analysis::English;
        if is_named && weights.merely_names(&reading.found, &reading.names) {
            self.named.get_or_insert(reading.names);
        }
        self.held.push(reading.found);
        let told = |named: &Found| self.held.iter().any(|held| weights.goes_beyond(held, named));
        self.is_merely_named = !self.is_foreign && self.named.as_ref().is_some_and(|named| !told(named));
    }
}

/// Whether `question` asks for a person, a time, a place or a number: pages tell these without the question's verb, as in
/// "Hadrian (76–138)" when one asks when he was born. English is known.
fn asks_for_name_or_number(question: &str) -> bool {
    let tokens = Analysis::English.all_tokens(question);
    let asks = |token: &Token| token.stop && ["who", "when", "where"].iter().any(|word| token.term.starts_with(word));
    // "How long", but not "how does".
    tokens.iter().any(asks) || tokens.windows(2).any(|two| two[0].term == "how" && !two[1].stop)
}

/// A sentence that could be quoted.
struct Candidate {
    sentence: CitedSentence,
    /// Its page, whether it merely names what that is about, and its place on it: chosen ones are put in this order.
    order: (usize, bool, usize),
    analysis: Analysis,
}

/// Where a page stands in what was read for a sub-query.
#[derive(Clone, Copy)]
struct Place {
    /// Its place among all sources, from 0.
    source: usize,
    /// Its place among those that serve the sub-query, from 0.
    rank: usize,
    sub_query: usize,
}

fn candidates(page: &FetchedPage, place: Place, reading: &Reading, weights: &Weights) -> Vec<Candidate> {
    let see_also = if page.via == Via::SeeAlso { SEE_ALSO_MALUS } else { 0.0 };
    let page_malus = RANK_MALUS * place.rank as f64 + see_also;
    let mut found = Vec::new();
    for (order, quotable) in reading.quotable.iter().enumerate() {
        let worth = weights.worth(&quotable.own, &reading.around(quotable));
        let section = &reading.sections[quotable.section];
        if worth > 0.0 {
            let sentence = CitedSentence {
                text: quotable.text.clone(),
                source: place.source + 1,
                section: section.heading.clone(),
                anchor: section.anchor.clone(),
                sub_query: place.sub_query,
                score: worth + section_bonus(quotable, section.kind) - page_malus,
            };
            let names_only = !weights.goes_beyond(&either(&quotable.own, &reading.names), &reading.names);
            found.push(Candidate { sentence, order: (place.source, names_only, order), analysis: weights.analysis });
        }
    }
    // Far more than can be chosen; a page of thousands of sentences need not carry them all on.
    sort_by(&mut found, |a, b| b.sentence.score.total_cmp(&a.sentence.score).then(a.order.cmp(&b.order)));
    found.truncate(MOST_CANDIDATES);
    found
}

fn section_bonus(quotable: &Quotable, kind: SectionKind) -> f64 {
    match kind {
        _ if quotable.lead => LEAD_BONUS,
        SectionKind::KeyPoints => -KEY_POINT_MALUS,
        _ => 0.0,
    }
}

/// The best `count` that do not repeat each other or what is `chosen` already, in reading order.
fn choose(mut candidates: Vec<Candidate>, count: usize, chosen: &[CitedSentence]) -> Vec<CitedSentence> {
    sort_by(&mut candidates, |a, b| b.sentence.score.total_cmp(&a.sentence.score).then(a.order.cmp(&b.order)));
    let best = candidates.first().map_or(0.0, |candidate| candidate.sentence.score);
    let mut kept: Vec<(Candidate, Vec<String>)> = Vec::new();
    for candidate in candidates {
        if kept.len() == count || candidate.sentence.score < best / 2.0 {
            break;
        }
        let words = distinct(candidate.analysis.tokens(&candidate.sentence.text));
        let repeats = kept.iter().any(|(_, other)| overlap(&words, other) > SAME)
            || chosen.iter().any(|other| other.text == candidate.sentence.text);
        if !repeats {
            kept.push((candidate, words));
        }
    }
    let mut kept: Vec<Candidate> = kept.into_iter().map(|(candidate, _)| candidate).collect();
    // The page with the best sentence speaks first; within a page, what says more than its name, in the page's order.
    let mut pages: Vec<usize> = Vec::new();
    for candidate in &kept {
        if !pages.contains(&candidate.order.0) {
            pages.push(candidate.order.0);
        }
    }
    let place = |candidate: &Candidate| {
        let (page, names_only, order) = candidate.order;
        (pages.iter().position(|&other| other == page), names_only, order)
    };
    sort_by(&mut kept, |a, b| place(a).cmp(&place(b)));
    kept.into_iter().map(|candidate| candidate.sentence).collect()
}

fn distinct(tokens: Vec<Token>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        if !words.contains(&token.term) {
            words.push(token.term);
        }
    }
    words
}

/// The share of the smaller set that both have.
fn overlap(a: &[String], b: &[String]) -> f64 {
    let smaller = a.len().min(b.len()).max(1);
    a.iter().filter(|word| b.contains(word)).count() as f64 / smaller as f64
}

impl Describe for Extract {
    fn note(&self) -> String {
        match self.sentences.len() {
            0 => "no page fits".to_owned(),
            count => counted(count, "sentence"),
        }
    }

    fn detail(&self) -> Detail {
        let row = |sentence: &CitedSentence| detail!({ "source": sentence.source, "score": sentence.score, "text": sentence.text });
        detail!({ "coverage": self.coverage, "sentences": self.sentences.iter().map(row).collect::<Vec<_>>() })
    }
}
