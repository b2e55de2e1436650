//! `decompose`: one sub-query for each independent subject of a question, without a model.
//!
//! It applies split rules and does not interpret. The rules come in order of precedence. The words that trigger them
//! are those of the question's language (`language`), and most rules ask the index (see `evidence`) whether both sides
//! of a split are subjects of their own:
//!
//! 1. *asks*: several questions in one, and what introduces them ("…, and which …", "…? How …"), each made to stand
//!    alone. Where the index does not set them apart, the whole question is searched too ([`SubQueries::whole`]);
//! 2. *comparison*: "compare A with B", "the difference between A and B", "A vs B": the form alone is enough;
//! 3. *coordination*: "A and B", "A or B", where both are names or belong to different packs;
//! 4. *preposition*: "A in B", "A with B", where both name pages of different packs.
//!
//! A question that no rule splits is one sub-query. Every rule may split again what an earlier one left, up to the
//! configured number. A model may be asked instead (`by_model`); the rules apply if it fails.

pub(crate) mod words;
mod evidence;
mod language;
mod asks;
mod clauses;
mod subject;
mod comparison;
mod coordination;
mod preposition;
pub(crate) mod reply;
pub(crate) mod by_model;
mod by_rules;
pub(crate) mod splitter;
#[cfg(test)]
mod tests;

use seealso_index::{Error, Index, Query, Role, fold};

use crate::config::Config;
use crate::question::Question;
use crate::trace::{Describe, Detail, detail};
use evidence::Evidence;
use words::{Break, Words};

/// One subject of a question, as text to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubQuery {
    /// Its own words.
    pub text: String,
    /// Words that it shares with others of the question: they count less.
    pub context: String,
}

/// The subjects of a question, at least one, in the order in which they are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubQueries {
    /// The subjects.
    pub items: Vec<SubQuery>,
    /// The whole question, if it is uncertain that the subjects are separate: it is searched too, and answered instead
    /// if that covers more (`whole_or_parts`).
    pub whole: Option<SubQuery>,
    /// The rule of each split, in the order of the splits.
    pub split_rules: Vec<&'static str>,
    /// Whether there were more subjects than are searched separately, so that the last sub-query has several.
    pub joined: bool,
}

/// A split that a rule found: its parts, and the rule's name.
pub(crate) struct Split {
    parts: Vec<String>,
    /// The words that all parts share.
    shared: String,
    rule: &'static str,
}

type Rule = fn(&Words, &Evidence<'_>) -> Result<Option<Split>, Error>;

const RULES: [Rule; 3] = [comparison::split, coordination::split, preposition::split];

/// Splits `question` into its subjects.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub fn decompose(question: &Question, index: &Index, config: &Config) -> Result<SubQueries, Error> {
    let evidence = Evidence::new(question.text(), index, &config.bm25);
    let words = evidence.words(question.text())?;
    let (mut items, mut split_rules, mut joined) = (Vec::new(), Vec::new(), false);
    let (mut waiting, mut whole) = (Vec::new(), None);
    if let Some(asks) = asks::asks(&words, &evidence)? {
        whole = (!asks.are_sure).then(|| SubQuery { text: bare(&words), context: String::new() });
        split_rules.resize(asks.items.len() - 1, "asks");
        joined = asks.items.len() > config.sub_queries;
        for ask in asks::within(asks.items, config.sub_queries).into_iter().rev() {
            waiting.push((evidence.words(&ask.text)?, ask.context, 0));
        }
    } else {
        waiting.push((words, String::new(), 0));
    }
    while let Some((piece, context, first_rule)) = waiting.pop() {
        let room = config.sub_queries.saturating_sub(items.len() + waiting.len());
        match find_split(&piece, first_rule, &evidence)? {
            Some((rule, mut split)) if room > 1 => {
                joined |= join_surplus(&mut split.parts, room);
                split_rules.push(split.rule);
                // The parts of a comparison are not compared again.
                let next = if rule == 0 { 1 } else { rule };
                let context = join(&[&context, &split.shared]);
                for part in split.parts.iter().rev() {
                    waiting.push((evidence.words(part)?, context.clone(), next));
                }
            }
            _ => items.push(SubQuery { text: bare(&piece), context }),
        }
    }
    let mut seen: Vec<String> = Vec::new();
    items.retain(|item| {
        let key = fold(&item.text);
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    let whole = whole.filter(|whole| items != std::slice::from_ref(whole));
    Ok(SubQueries { items, whole, split_rules, joined })
}

/// Joins the parts beyond `room` into the last one within it; returns whether there were any.
fn join_surplus(parts: &mut Vec<String>, room: usize) -> bool {
    let surplus = parts.len() > room;
    if surplus {
        let last = parts.split_off(room - 1).join(", ");
        parts.push(last);
    }
    surplus
}

fn find_split(piece: &Words, first_rule: usize, evidence: &Evidence<'_>) -> Result<Option<(usize, Split)>, Error> {
    for (number, rule) in RULES.iter().enumerate().skip(first_rule) {
        let Some(split) = rule(piece, evidence)? else { continue };
        let mut is_sound = split.parts.len() > 1;
        for part in &split.parts {
            let words = evidence.words(part)?;
            is_sound &= words.content(0, words.len()).next().is_some();
        }
        if is_sound {
            return Ok(Some((number, split)));
        }
    }
    Ok(None)
}

/// `piece` without the words at its ends that only express how it is asked. A quoted phrase keeps all its words.
fn bare(piece: &Words) -> String {
    match bare_range(piece, 0, piece.len()) {
        "" => piece.text.trim().to_owned(),
        bare => bare.to_owned(),
    }
}

/// The same of the words `from..to`; empty if all of them only express how it is asked.
fn bare_range(piece: &Words, from: usize, to: usize) -> &str {
    let matters = |at: &usize| {
        let word = &piece.words[*at];
        word.quoted || !(word.stop || piece.has(*at, Role::Framing) && !starts_name(piece, from, *at))
    };
    let first = (from..to).find(matters);
    let last = (from..to).rev().find(|&at| !piece.words[at].stop || piece.words[at].quoted);
    match first.zip(last) {
        Some((first, last)) if first <= last => piece.slice(first, last + 1),
        _ => "",
    }
}

/// A framing word counts as content where no question could begin with it: after the first content word.
fn starts_name(piece: &Words, from: usize, at: usize) -> bool {
    (from..at).any(|before| !piece.words[before].stop && !piece.words[before].roles.has(Role::Framing))
}

impl SubQuery {
    /// The query of the index.
    pub fn query(&self) -> Query<'_> {
        Query { context: &self.context, ..Query::from(self.text.as_str()) }
    }
}

/// Joins the non-empty parts of a sub-query.
fn join(parts: &[&str]) -> String {
    parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The end of the sentence or clause that begins at `from`: the first word after a break of at least this strength.
fn end_of_run(words: &Words, from: usize, least: Break) -> usize {
    (from + 1..words.len()).find(|&at| words.words[at].before >= least).unwrap_or(words.len())
}

impl SubQueries {
    /// One subject.
    pub fn of_one(sub_query: SubQuery) -> SubQueries {
        SubQueries { items: vec![sub_query], whole: None, split_rules: Vec::new(), joined: false }
    }

    /// What is searched for: the subjects, and the whole question if that is searched too.
    pub(crate) fn searched(&self) -> impl Iterator<Item = &SubQuery> {
        self.items.iter().chain(&self.whole)
    }
}

impl Describe for SubQueries {
    fn note(&self) -> String {
        let texts: Vec<&str> = self.items.iter().map(|item| item.text.as_str()).collect();
        let count = match texts.len() {
            1 => "1 sub-query".to_owned(),
            many => format!("{many} sub-queries"),
        };
        format!("{count}: {}", texts.join(" · "))
    }

    fn detail(&self) -> Detail {
        let row = |item: &SubQuery| detail!({ "text": item.text, "context": item.context });
        let rows: Vec<Detail> = self.items.iter().map(row).collect();
        match &self.whole {
            None => detail!({ "sub_queries": rows, "split_rules": self.split_rules }),
            Some(whole) => detail!({ "sub_queries": rows, "whole": whole.text, "split_rules": self.split_rules }),
        }
    }
}
