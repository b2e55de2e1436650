//! `extract`: an answer without a model, out of the best passages of the pages that were kept.
//!
//! Every sub-query is served in turn, from the pages that serve it. A unit (a sentence, a list item, a row, a block of
//! code) counts for the share of the sub-query's weight that it holds, with some of what its surroundings hold beside it
//! (see `scored_page`); it is quoted with the run around it that says the whole of it (see `run`). Runs of one section are one
//! passage. The best passage leads, and further ones follow as long as they are good beside it and the answer is short. A
//! sub-query that no page covers far enough gets nothing (see `refusal`): silence is better than a guess.

use seealso_index::{Analysis, Error, Index, sort_by};

use crate::answer::asking::{asks_for_name_or_number, asks_for_number, asks_how_to, clause, tells_number};
use crate::answer::passage::{Passage, Quotation};
use crate::answer::refusal::Subject;
use crate::answer::repetition::say_the_same;
use crate::answer::run::run_around;
use crate::answer::scored_page::ScoredPage;
use crate::answer::terms::Terms;
use crate::answer::unit::{Standing, Unit};
use crate::answer::{CitedSentence, Form, Layout};
use crate::config::Config;
use crate::question::Question;
use crate::retrieve::assemble::Manifest;
use crate::retrieve::decompose::{SubQueries, SubQuery};
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

/// The first sentences of a page, and its description, say what it is about: the more so the more of the sub-query its
/// names hold, in the fourth power, for a page that is asked about by its name alone is to be defined.
const LEAD_BONUS: f64 = 0.08;
const DESCRIPTION_BONUS: f64 = 0.15;
const NAMED_BONUS: f64 = 0.6;
/// The key points repeat what stands in the body, out of its context.
const KEY_POINT_MALUS: f64 = 0.08;
/// A number where one is asked for.
const NUMBER_BONUS: f64 = 0.15;
/// An item of a list, or code, where a question asks how something is done.
const STEP_BONUS: f64 = 0.1;
/// What a page loses for each place in the ranking, and one of See Also as a whole.
const RANK_MALUS: f64 = 0.06;
const SEE_ALSO_MALUS: f64 = 0.15;
/// What release notes lose: they say what changed, seldom how things are done.
const RELEASE_NOTES_MALUS: f64 = 0.15;
/// A further passage has at least this share of the best unit's score; one that goes on in a quoted section this.
const LEAST_SHARE: f64 = 0.5;
const LEAST_SHARE_THERE: f64 = 0.4;
/// A part whose best unit another part quotes has a passage of its own from this share of that unit's score on.
const LEAST_SHARE_BESIDE_AGAIN: f64 = 0.8;
/// A page brings so many units into the choice at most.
const MOST_CANDIDATES: usize = 16;

/// Chooses passages of `manifest`'s pages for each of `sub_queries`.
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
    let room = Room::of(sub_queries.items.len(), config);
    let mut extract = Extract { sentences: Vec::new(), coverage: Vec::new() };
    // A part of a split question is no sentence any more, whose other words would say what is asked of its subject.
    let may_be_silent = sub_queries.items.len() > 1 || asks_for_name_or_number(question.text());
    for (number, sub_query) in sub_queries.items.iter().enumerate() {
        let (mut chosen_from, mut subject) = (Vec::new(), Subject::default());
        let mut coverage: f64 = 0.0;
        let names = index.searcher(&config.bm25).names_in(&sub_query.text)?;
        let clause = clause(question.text(), &sub_query.text);
        // The terms of the sub-query, once for each language that its pages are in.
        let (in_view, mut terms) = (sub_query_in_view(sub_queries, number), Vec::new());
        let serving = manifest.pages.iter().enumerate().filter(|(_, page)| page.sub_queries.contains(&number));
        for (rank, (source, page)) in serving.enumerate() {
            let known = terms.iter().position(|terms: &Terms| terms.analysis == page.analysis);
            let known = match known {
                Some(known) => known,
                None => {
                    terms.push(Terms::of(&in_view, clause, page.analysis, index, config)?);
                    terms.len() - 1
                }
            };
            let terms = &terms[known];
            let scored = ScoredPage::of(page, terms);
            let covered = terms.share(&scored.found);
            coverage = coverage.max(covered);
            if covered >= terms.least_coverage(&scored.found, config) {
                let place = Place { source, rank, sub_query: number };
                chosen_from.extend(candidates(page, place, &scored, terms));
                // A question with names of several pages asks how they go together.
                let is_named = !names.is_empty() && names.iter().all(|name| name.pages.contains(&page.number));
                subject.take(terms, scored, is_named);
            }
        }
        extract.coverage.push(coverage);
        if may_be_silent || !subject.is_merely_named {
            let chosen = choose(chosen_from, room, &extract.sentences);
            extract.sentences.extend(chosen);
        }
    }
    Ok(extract)
}

/// A sub-query with what its passages are to be about. The two sides of a preposition ("a server in a container") are about each
/// other: each is the other's context.
fn sub_query_in_view(sub_queries: &SubQueries, number: usize) -> SubQuery {
    let mut sub_query = sub_queries.items[number].clone();
    if sub_queries.split_rules.contains(&"preposition") {
        for (_, other) in sub_queries.items.iter().enumerate().filter(|(at, _)| *at != number) {
            sub_query.context = [&*sub_query.context, &*other.text].join(" ");
        }
    }
    sub_query
}

/// How much is quoted for one sub-query.
#[derive(Clone, Copy)]
struct Room {
    passages: usize,
    /// No further passage follows once so many characters are quoted.
    characters: usize,
}

impl Room {
    /// The room of each of `parts`: the answer of several parts is not as many times as long.
    fn of(parts: usize, config: &Config) -> Room {
        let characters = config.quoted_chars.min(2 * config.quoted_chars / parts.max(1));
        let passages = if parts > 1 { config.passages.saturating_sub(1).max(1) } else { config.passages };
        Room { passages, characters }
    }
}

/// A unit that could be quoted.
struct Candidate {
    /// What is quoted with it, itself included.
    run: Vec<Quotation>,
    score: f64,
    /// Its page and its place on it.
    order: (usize, usize),
    /// The place of its section in the scored page.
    section: usize,
    text: String,
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

/// The best units of a page, each with its run.
fn candidates(page: &FetchedPage, place: Place, scored: &ScoredPage, terms: &Terms) -> Vec<Candidate> {
    let see_also = if page.via == Via::SeeAlso { SEE_ALSO_MALUS } else { 0.0 };
    let release_notes = if page.is_release_notes() { RELEASE_NOTES_MALUS } else { 0.0 };
    let page_malus = RANK_MALUS * place.rank as f64 + see_also + release_notes;
    let bonus = Bonus::of(scored, terms);
    let mut best: Vec<(usize, f64)> = Vec::new();
    let is_wanted = |unit: &Unit| unit.is_seed && (bonus.is_procedure || !unit.is_cut());
    for (at, unit) in scored.units.iter().enumerate().filter(|(_, unit)| is_wanted(unit)) {
        let worth = scored.worth(at);
        // A row stands for itself alone.
        let holds_own_word = unit.form != Form::Row || unit.own.contains(&true);
        if worth > 0.0 && holds_own_word {
            let named = scored.sections[unit.section].named;
            best.push((at, worth + bonus.of_unit(unit, named) - page_malus));
        }
    }
    // Far more than can be chosen; a page of thousands of sentences need not carry them all on.
    sort_by(&mut best, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    best.truncate(MOST_CANDIDATES);
    let candidate = |(at, score): (usize, f64)| {
        let unit = &scored.units[at];
        let run = run_around(scored, at, terms.question_words.as_ref());
        Candidate {
            run: run.into_iter().map(|at| quote(scored, at, place, score)).collect(),
            score,
            order: (place.source, at),
            section: unit.section,
            text: unit.text.clone(),
            analysis: terms.analysis,
        }
    };
    best.into_iter().map(candidate).collect()
}

fn quote(scored: &ScoredPage, at: usize, place: Place, score: f64) -> Quotation {
    let unit = &scored.units[at];
    let section = &scored.sections[unit.section];
    // The list goes on, or the one around it, or what is announced.
    let goes_on = |next: &Unit| unit.list != 0 && next.list != 0 || next.intro == Some(at) && unit.is_lead_in();
    let next = scored.units.get(at + 1).filter(|next| next.section == unit.section);
    let sentence = CitedSentence {
        text: unit.quotable().to_owned(),
        form: unit.form,
        source: place.source + 1,
        section: section.heading.clone(),
        anchor: section.anchor.clone(),
        sub_query: place.sub_query,
        passage: 0,
        layout: Layout {
            truncated: unit.is_cut() || unit.form != Form::Code && next.is_some_and(goes_on),
            number: unit.number,
            depth: unit.depth,
            ..Layout::default()
        },
        score,
    };
    let begins = (0..=at).rev().find(|at| !scored.units[*at].joins).unwrap_or(at);
    Quotation { place: at, begins, sentence }
}

/// What a unit of one page counts more than for its terms.
struct Bonus<'t> {
    /// For standing at the page's beginning.
    named: f64,
    /// Whether the question asks how something is done.
    is_procedure: bool,
    /// Where a number is asked for.
    table: Option<&'t seealso_index::QuestionWords>,
}

impl Bonus<'_> {
    fn of<'t>(scored: &ScoredPage, terms: &'t Terms) -> Bonus<'t> {
        let table = terms.question_words.as_ref().filter(|table| asks_for_number(&terms.words, table));
        let is_procedure = terms.question_words.as_ref().is_some_and(|table| asks_how_to(&terms.words, table));
        Bonus { is_procedure, named: NAMED_BONUS * terms.own_share(&scored.names).powi(4), table }
    }

    /// The bonus of a unit in a section whose names hold the share `section_named` of the sub-query.
    fn of_unit(&self, unit: &Unit, section_named: f64) -> f64 {
        let standing = match unit.standing {
            Standing::Description => self.named,
            Standing::SaidDescription => DESCRIPTION_BONUS + self.named,
            Standing::Lead => LEAD_BONUS + self.named,
            Standing::Opening => NAMED_BONUS * section_named.powi(4),
            Standing::KeyPoint => -KEY_POINT_MALUS,
            Standing::Body => 0.0,
        };
        let is_step = self.is_procedure && matches!(unit.form, Form::Item | Form::Code);
        let is_number = self.table.is_some_and(|table| tells_number(&unit.text, table));
        let of = |holds: bool, bonus: f64| if holds { bonus } else { 0.0 };
        standing + of(is_number, NUMBER_BONUS) + of(is_step, STEP_BONUS)
    }
}

/// The best that do not repeat each other or what is `quoted` already, the best passage first.
fn choose(mut candidates: Vec<Candidate>, room: Room, quoted: &[CitedSentence]) -> Vec<CitedSentence> {
    sort_by(&mut candidates, |a, b| b.score.total_cmp(&a.score).then(a.order.cmp(&b.order)));
    // What a page's beginning counts more sets no bar for others.
    let best = candidates.first().map_or(0.0, |candidate| candidate.score.min(1.0));
    let is_quoted =
        |source: usize, text: &str| quoted.iter().any(|other| other.source == source + 1 && other.text == text);
    let mut passages: Vec<Passage> = Vec::new();
    let mut seeds: Vec<(String, Analysis)> = Vec::new();
    let mut characters = 0;
    // What another part quotes already is quoted once more where this part has nothing as good: it is answered.
    let (mut again, mut least_beside_again): (Option<Passage>, f64) = (None, 0.0);
    for candidate in candidates {
        let (source, place) = candidate.order;
        let there = passages.iter().position(|passage| passage.is_of(candidate.order.0, candidate.section));
        let least = if there.is_some() { LEAST_SHARE_THERE } else { LEAST_SHARE };
        if characters >= room.characters {
            break;
        }
        let is_full = there.is_none() && passages.len() >= room.passages;
        let is_there = passages.iter().any(|passage| passage.has(source, place));
        let repeats = || seeds.iter().any(|(text, analysis)| say_the_same(text, &candidate.text, *analysis));
        let is_lesser = candidate.score < best * least || passages.is_empty() && candidate.score < least_beside_again;
        if is_full || is_there || is_lesser || repeats() {
            continue;
        }
        if is_quoted(source, &candidate.text) {
            // Lesser passages would pass for the answer of this part.
            least_beside_again = candidate.score * LEAST_SHARE_BESIDE_AGAIN;
            again.get_or_insert(Passage { section: candidate.section, quotations: candidate.run });
            continue;
        }
        seeds.push((candidate.text, candidate.analysis));
        let is_new = |other: &Quotation| {
            let is_there = passages.iter().any(|passage| passage.has(source, other.place));
            !is_there && !is_quoted(source, &other.sentence.text)
        };
        let run: Vec<_> = candidate.run.into_iter().filter(is_new).collect();
        characters += run.iter().map(|other| other.sentence.text.chars().count()).sum::<usize>();
        match there {
            Some(passage) => passages[passage].quotations.extend(run),
            None => passages.push(Passage { section: candidate.section, quotations: run }),
        }
    }
    if passages.is_empty() {
        passages.extend(again);
    }
    let first = quoted.last().map_or(0, |last| last.passage + 1);
    let numbered = passages.into_iter().enumerate();
    numbered.flat_map(|(number, passage)| passage.into_sentences(first + number)).collect()
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
