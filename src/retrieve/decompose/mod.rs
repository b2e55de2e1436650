//! `decompose`: one sub-query for each independent subject of a question, without a model.
//!
//! It looks for seams, it does not interpret. The rules come in the order in which they bind, and each but the second
//! asks the index (see `evidence`) whether both sides of a seam are subjects of their own:
//!
//! 1. *clauses*: two questions in one ("…, and which …", "…? How …");
//! 2. *comparison*: "compare A with B", "the difference between A and B", "A vs B": the form alone is enough;
//! 3. *coordination*: "A and B", "A or B", where both are names or belong to different packs;
//! 4. *preposition*: "A in B", "A with B", where both name pages of different packs.
//!
//! A question that no rule splits is one sub-query. Every rule may split again what an earlier one left, up to the
//! configured number. A model may be asked instead (`by_model`); the rules then stand where it fails.

pub(crate) mod words;
mod evidence;
mod clauses;
mod comparison;
mod coordination;
mod preposition;
mod reply;
pub(crate) mod by_model;
#[cfg(test)]
mod tests;

use seealso_index::{Error, Index, Query, fold};

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
    /// Words that it shares with others of the question: they count for less.
    pub context: String,
}

/// The subjects of a question, at least one, in the order in which they are asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubQueries {
    /// The subjects.
    pub items: Vec<SubQuery>,
    /// The rule behind each split, in the order in which they were made.
    pub seams: Vec<&'static str>,
    /// Whether there were more subjects than are searched apart, so that the last sub-query holds several.
    pub joined: bool,
}

/// A split that a rule found: its parts, and the rule's name.
pub(crate) struct Split {
    parts: Vec<String>,
    /// What all parts share.
    shared: String,
    rule: &'static str,
}

type Rule = fn(&Words, &Evidence<'_>) -> Result<Option<Split>, Error>;

const RULES: [Rule; 4] = [clauses::split, comparison::split, coordination::split, preposition::split];

/// Splits `question` into its subjects.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub fn decompose(question: &Question, index: &Index, config: &Config) -> Result<SubQueries, Error> {
    let evidence = Evidence::new(index, &config.bm25);
    let mut waiting = vec![(evidence.words(question.text())?, String::new(), 0)];
    let (mut items, mut seams, mut joined) = (Vec::new(), Vec::new(), false);
    while let Some((piece, context, first_rule)) = waiting.pop() {
        let room = config.sub_queries.saturating_sub(items.len() + waiting.len());
        match find_split(&piece, first_rule, &evidence)? {
            Some((rule, mut split)) if room > 1 => {
                joined |= join_surplus(&mut split.parts, room);
                seams.push(split.rule);
                // What the form of a comparison holds is not compared again.
                let next = if rule == 1 { 2 } else { rule };
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
    Ok(SubQueries { items, seams, joined })
}

/// Joins the parts beyond `room` into the last that there is room for; says whether there were any.
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

/// Words at a question's beginning that ask to be told, and say nothing of what.
const FRAMES: [&str; 12] = [
    "explain",
    "tell",
    "describe",
    "define",
    "summarize",
    "summarise",
    "give",
    "show",
    "list",
    "compare",
    "contrast",
    "discuss",
];

/// `piece` without the words at its ends that only say how it is asked. A quoted phrase keeps all its words.
fn bare(piece: &Words) -> String {
    let matters = |at: usize| {
        let word = &piece.words[at];
        word.quoted || !(word.stop || (FRAMES.contains(&word.lower.as_str()) && !starts_name(piece, at)))
    };
    let first = (0..piece.len()).find(|&at| matters(at));
    let last = (0..piece.len()).rev().find(|&at| !piece.words[at].stop || piece.words[at].quoted);
    match first.zip(last) {
        Some((first, last)) if first <= last => piece.slice(first, last + 1).to_owned(),
        _ => piece.text.trim().to_owned(),
    }
}

/// A frame word counts as content where no question could begin with it: after the first content word.
fn starts_name(piece: &Words, at: usize) -> bool {
    (0..at).any(|before| !piece.words[before].stop && !FRAMES.contains(&piece.words[before].lower.as_str()))
}

impl SubQuery {
    /// What the index is asked.
    pub fn query(&self) -> Query<'_> {
        Query { context: &self.context, ..Query::from(self.text.as_str()) }
    }
}

/// The words of a shared part that say what it is about.
fn content_of(text: &str) -> String {
    let words = Words::of(text);
    words.content(0, words.len()).map(|at| words.words[at].lower.clone()).collect::<Vec<_>>().join(" ")
}

/// Joins the parts of a sub-query, leaving out the empty ones.
fn join(parts: &[&str]) -> String {
    parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Where the sentence or clause that begins at `from` ends: the first word behind a break at least so strong.
fn end_of_run(words: &Words, from: usize, least: Break) -> usize {
    (from + 1..words.len()).find(|&at| words.words[at].before >= least).unwrap_or(words.len())
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
        detail!({ "sub_queries": self.items.iter().map(row).collect::<Vec<_>>(), "seams": self.seams })
    }
}
