//! `extract`: an answer without a model, out of the best sentences of the pages that were read.
//!
//! Every sub-query is served in turn, from the pages that serve it. A sentence counts for the share of the sub-query's
//! weight (in idf) that it holds, with half of what its heading and its page's title and names hold beside it, for a
//! page on stomata seldom repeats the word. A sub-query that no page covers far enough gets nothing: silence is better
//! than a guess.

use seealso_index::{Analysis, Error, Index, Token, sort_by};
use seealso_pack::{BlockKind, SectionKind};
use serde_json::{Value, json};

use crate::answer::CitedSentence;
use crate::answer::sentences::sentences;
use crate::config::Config;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::decompose::SubQueries;
use crate::retrieve::fetch::{FetchedPage, Via};
use crate::trace::{Describe, counted};

/// The sentences chosen, in answer order, and how far the pages covered each sub-query.
#[derive(Debug, Clone, PartialEq)]
pub struct Extract {
    /// The sentences.
    pub sentences: Vec<CitedSentence>,
    /// For each sub-query, the largest share of its weight that any page holds.
    pub coverage: Vec<f64>,
}

/// What a heading's or title's word counts beside a sentence, against one in it.
const CONTEXT_SHARE: f64 = 0.5;
/// The first sentences of a page say what it is about.
const LEAD_BONUS: f64 = 0.12;
/// The key points repeat what stands in the body, out of its context.
const KEY_POINT_MALUS: f64 = 0.08;
/// What a page loses for each place in the ranking, and one of See Also as a whole.
const RANK_MALUS: f64 = 0.06;
const SEE_ALSO_MALUS: f64 = 0.15;
/// Two sentences that share more of their words than this say the same.
const SAME: f64 = 0.6;
/// Sentences outside these lengths, in characters, are not quoted.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=420;

/// Chooses sentences of `manifest`'s pages for each of `sub_queries`.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub(crate) fn extract(
    sub_queries: &SubQueries,
    manifest: &Manifest,
    index: &Index,
    config: &Config,
) -> Result<Extract, Error> {
    let count = if sub_queries.items.len() == 1 { config.sentences * 2 } else { config.sentences };
    let mut extract = Extract { sentences: Vec::new(), coverage: Vec::new() };
    for (number, sub_query) in sub_queries.items.iter().enumerate() {
        let mut candidates = Vec::new();
        let mut coverage: f64 = 0.0;
        let serving = manifest.pages.iter().enumerate().filter(|(_, page)| page.sub_queries.contains(&number));
        for (rank, (place, page)) in serving.enumerate() {
            let weights = Weights::of(&sub_query.text, page, index, config)?;
            let covered = weights.share(&weights.terms(&page.text));
            coverage = coverage.max(covered);
            if covered >= config.least_coverage {
                candidates.extend(page_candidates(page, place, rank, number, &weights));
            }
        }
        extract.coverage.push(coverage);
        extract.sentences.extend(choose(candidates, count, &extract.sentences));
    }
    Ok(extract)
}

/// The terms of a sub-query as one page's language analyses them, each with its rarity.
struct Weights {
    analysis: Analysis,
    by_term: Vec<(String, f64)>,
    total: f64,
}

impl Weights {
    fn of(text: &str, page: &FetchedPage, index: &Index, config: &Config) -> Result<Weights, Error> {
        let analysis = index.packs()[page.pack.0].analysis;
        let mut by_term: Vec<(String, f64)> = Vec::new();
        for token in analysis.tokens(text) {
            let (rarity, _) = index.rarity(analysis, &token.term, &config.bm25)?;
            if !by_term.iter().any(|(term, _)| *term == token.term) {
                by_term.push((token.term, rarity));
            }
        }
        let total = by_term.iter().map(|(_, rarity)| rarity).sum();
        Ok(Weights { analysis, by_term, total })
    }

    /// Which of the sub-query's terms stand in `text`, in their order.
    fn terms(&self, text: &str) -> Vec<bool> {
        let mut found = vec![false; self.by_term.len()];
        for token in self.analysis.tokens(text) {
            if let Some(place) = self.by_term.iter().position(|(term, _)| *term == token.term) {
                found[place] = true;
            }
        }
        found
    }

    /// The share of the whole weight that the `found` terms have.
    fn share(&self, found: &[bool]) -> f64 {
        let held: f64 =
            self.by_term.iter().zip(found).filter(|(_, found)| **found).map(|((_, rarity), _)| rarity).sum();
        if self.total > 0.0 { held / self.total } else { 0.0 }
    }

    /// A sentence's worth: its own terms, and at a discount those of its heading and title.
    fn worth(&self, own: &[bool], around: &[bool]) -> f64 {
        let beside: Vec<bool> = around.iter().zip(own).map(|(around, own)| *around && !own).collect();
        self.share(own) + CONTEXT_SHARE * self.share(&beside)
    }
}

/// A sentence that could be quoted.
struct Candidate {
    sentence: CitedSentence,
    /// Its page, then its place on it, to put chosen ones in reading order.
    order: (usize, usize),
    words: Vec<String>,
}

fn page_candidates(
    page: &FetchedPage,
    place: usize,
    rank: usize,
    sub_query: usize,
    weights: &Weights,
) -> Vec<Candidate> {
    let sections = page.page.sections();
    let names = format!("{} {}", page.page.title, page.page.aliases.join(" "));
    let page_malus = RANK_MALUS * rank as f64 + if page.via == Via::SeeAlso { SEE_ALSO_MALUS } else { 0.0 };
    let mut found = Vec::new();
    for block in page.page.blocks() {
        let Some(section) = sections.get(block.section) else { continue };
        let prose = matches!(block.kind, BlockKind::Paragraph | BlockKind::Quote | BlockKind::ListItem);
        if !prose || matches!(section.kind, SectionKind::SeeAlso | SectionKind::Sources) {
            continue;
        }
        let heading = section.heading.clone().unwrap_or_default();
        let around = weights.terms(&format!("{names} {heading}"));
        let text = block.text.trim().trim_start_matches("Abstract:").trim();
        for sentence in sentences(text) {
            if !LENGTHS.contains(&sentence.chars().count()) || sentence.ends_with(':') {
                continue;
            }
            let own = weights.terms(sentence);
            let lead = section.kind == SectionKind::Lead || block.kind == BlockKind::Quote;
            let bonus = match section.kind {
                _ if lead => LEAD_BONUS,
                SectionKind::KeyPoints => -KEY_POINT_MALUS,
                _ => 0.0,
            };
            let worth = weights.worth(&own, &around);
            if worth <= 0.0 {
                continue;
            }
            let sentence = CitedSentence {
                text: sentence.to_owned(),
                source: place + 1,
                section: heading.clone(),
                anchor: section.anchor.clone(),
                sub_query,
                score: worth + bonus - page_malus,
            };
            let words = distinct(weights.analysis.tokens(&sentence.text));
            found.push(Candidate { sentence, order: (place, found.len()), words });
        }
    }
    found
}

/// The best `count` that do not repeat each other or what is `chosen` already, in reading order.
fn choose(mut candidates: Vec<Candidate>, count: usize, chosen: &[CitedSentence]) -> Vec<CitedSentence> {
    sort_by(&mut candidates, |a, b| b.sentence.score.total_cmp(&a.sentence.score).then(a.order.cmp(&b.order)));
    let best = candidates.first().map_or(0.0, |candidate| candidate.sentence.score);
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let repeats = kept.iter().any(|other| overlap(&candidate.words, &other.words) > SAME)
            || chosen.iter().any(|other| other.text == candidate.sentence.text);
        let weak = candidate.sentence.score < best / 2.0;
        if kept.len() < count && !repeats && !weak {
            kept.push(candidate);
        }
    }
    // The page with the best sentence speaks first; within a page, its own order.
    let mut pages: Vec<usize> = Vec::new();
    for candidate in &kept {
        if !pages.contains(&candidate.order.0) {
            pages.push(candidate.order.0);
        }
    }
    let place = |candidate: &Candidate| (pages.iter().position(|page| *page == candidate.order.0), candidate.order.1);
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

    fn detail(&self) -> Value {
        let row = |sentence: &CitedSentence| json!({ "source": sentence.source, "score": sentence.score, "text": sentence.text });
        json!({ "coverage": self.coverage, "sentences": self.sentences.iter().map(row).collect::<Vec<_>>() })
    }
}
