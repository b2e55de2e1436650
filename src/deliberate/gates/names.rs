//! Names: runs of capitalised words, acronyms, and words with digits in them.
//!
//! A name is known where a page, its title or one of its aliases has it, in part, by its initials or in another
//! inflection. The word that opens a sentence may have its capital from there, so alone it is no name.

use std::ops::Range;

use super::dates::dates;
use super::months::month;
use super::wording::{Word, words};
use super::{Beside, Finding, Gate, GateKind, GateOutcome, STRONG};
use crate::deliberate::language::language;

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) range: Range<usize>,
    /// Its words, as written.
    pub(super) words: Vec<String>,
    /// Whether it opens the sentence, and so is most likely what the sentence is about.
    pub(super) opens: bool,
}

/// Words that may stand inside a name.
const INSIDE: [&str; 16] =
    ["of", "the", "de", "la", "le", "von", "van", "der", "den", "du", "da", "di", "al", "bin", "and", "&"];
/// A name of which less than this share of the words is known is not borne out.
const KNOWN_SHARE: f64 = 0.5;
/// Weekdays are no names.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

pub(super) fn check(beside: &Beside<'_>) -> Vec<Finding> {
    let in_dates: Vec<_> = dates(beside.claim).into_iter().map(|date| date.range).collect();
    let is_date = |name: &Name| in_dates.iter().any(|date| date.contains(&name.range.start));
    // German writes every noun with a capital.
    let german = language(beside.claim) == Some("de");
    let certain = |name: &Name| !german || name.words.iter().any(|word| is_acronym(word));
    let checked = names(beside.claim).into_iter().filter(|name| !is_date(name) && certain(name));
    checked.filter_map(|name| one(beside, &name)).collect()
}

fn one(beside: &Beside<'_>, name: &Name) -> Option<Finding> {
    let evidence = beside.alignment.evidence;
    let claimed = beside.claim[name.range.clone()].to_owned();
    let finding = |found: String, outcome, passage| {
        Some(Finding { gate: Gate { kind: GateKind::Name, claimed: claimed.clone(), found, outcome }, passage })
    };
    let known: Vec<&String> = name.words.iter().filter(|word| evidence.has_kindred(word)).collect();
    if known.len() as f64 >= KNOWN_SHARE * name.words.len() as f64 && !known.is_empty() {
        return match namesake(beside, name, &known) {
            Some((found, at)) => finding(found, GateOutcome::Against, Some(at)),
            None => finding(
                known.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(" "),
                GateOutcome::BorneOut,
                None,
            ),
        };
    }
    if let Some(found) = by_initials(beside, name) {
        return finding(found, GateOutcome::BorneOut, None);
    }
    // Pages call what they are about "it" and "the company"; without their title nothing tells that the name is wrong.
    if name.opens && evidence.contexts().all(|context| context.trim().is_empty()) && !another_opens(beside, name) {
        return None;
    }
    match instead(beside, name) {
        Some((found, at)) => finding(found, GateOutcome::Against, Some(at)),
        None => finding(String::new(), GateOutcome::Missing, None),
    }
}

/// Another first name before the same last name, where the claim's first name is not known at all.
fn namesake(beside: &Beside<'_>, name: &Name, known: &[&String]) -> Option<(String, usize)> {
    let (first, last) = (name.words.first()?, name.words.last()?);
    if name.words.len() < 2 || known.contains(&first) || !known.contains(&last) || is_initial(first) {
        return None;
    }
    beside.holding(&name.range, STRONG).find_map(|(at, aligned)| {
        let others = names(&aligned.passage.text).into_iter();
        let other = others.into_iter().find(|other| {
            let theirs = other.words.first();
            other.words.len() >= 2
                && other.words.contains(last)
                && !theirs.is_some_and(|theirs| is_initial(theirs) || shortens(theirs, first))
        })?;
        Some((aligned.passage.text[other.range].to_owned(), at))
    })
}

/// A name in a passage that says all the rest, which the claim does not have.
fn instead(beside: &Beside<'_>, name: &Name) -> Option<(String, usize)> {
    let claim = words(beside.claim);
    let said = |word: &String| claim.iter().any(|own| own.lower == word.to_lowercase());
    beside.holding(&name.range, STRONG).find_map(|(at, aligned)| {
        let others = names(&aligned.passage.text);
        let other = others.into_iter().find(|other| other.opens == name.opens && !other.words.iter().any(said))?;
        Some((aligned.passage.text[other.range].to_owned(), at))
    })
}

/// Whether the passage that fits best opens with a name of its own.
fn another_opens(beside: &Beside<'_>, name: &Name) -> bool {
    let best = beside.holding(&name.range, STRONG).next();
    best.is_some_and(|(_, aligned)| names(&aligned.passage.text).first().is_some_and(|other| other.opens))
}

/// The name that an acronym stands for, or the acronym of a name.
fn by_initials(beside: &Beside<'_>, name: &Name) -> Option<String> {
    let initials =
        |words: &[String]| words.iter().filter_map(|word| word.chars().next()).collect::<String>().to_uppercase();
    let evidence = beside.alignment.evidence;
    if let [word] = name.words.as_slice() {
        let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_uppercase();
        let stands_for = |text: &str| {
            let found =
                names(text).into_iter().find(|other| other.words.len() > 1 && initials(&other.words) == letters);
            found.map(|found| text[found.range].to_owned())
        };
        let texts = evidence.contexts().chain(evidence.passages().map(|passage| passage.text.as_str()));
        return is_acronym(word).then(|| texts.into_iter().find_map(stands_for)).flatten();
    }
    let acronym = initials(&name.words);
    (acronym.len() >= 2 && evidence.has(&acronym)).then_some(acronym)
}

fn is_acronym(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() > 1
}

fn is_initial(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() == 1
}

/// Whether one is short for the other: `Tom` and `Thomas` are not, `Will` and `William` are.
fn shortens(a: &str, b: &str) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// The names of `text`, in order.
pub(super) fn names(text: &str) -> Vec<Name> {
    let words = words(text);
    let mut found: Vec<Name> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let end = run(text, &words, at);
        if end > at {
            found.extend(name(text, &words, at, end));
        }
        at = end.max(at + 1);
    }
    found
}

/// Where the run of capitalised words that begins at `at` ends.
fn run(text: &str, words: &[Word], at: usize) -> usize {
    let capital = |at: usize| words.get(at).is_some_and(|word| is_capital(&text[word.range.clone()]));
    // The full stop behind an initial ends nothing.
    let initial = |at: usize| is_initial(&words[at].lower) && text[words[at].range.end..].starts_with('.');
    let joined = |at: usize| words.get(at).is_some_and(|word| !word.after_break || initial(at - 1));
    let mut end = at;
    while capital(end) && (end == at || joined(end)) {
        end += 1;
        // "Bank of England" is one name, "England and the" is not.
        let inside = |at: usize| words.get(at).is_some_and(|word| joined(at) && INSIDE.contains(&word.lower.as_str()));
        let step = (end..end + 3).take_while(|&at| inside(at) && !capital(at)).count();
        if step > 0 && capital(end + step) && joined(end + step) && !ends_with_and(words, end, step) {
            end += step;
        }
    }
    end
}

fn ends_with_and(words: &[Word], end: usize, step: usize) -> bool {
    words[end..end + step].iter().any(|word| word.lower == "and")
}

fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || (word.chars().any(char::is_uppercase) && word.chars().count() > 1)
}

/// The name of the words `at..end`, without what has its capital for another reason.
fn name(text: &str, all: &[Word], at: usize, end: usize) -> Option<Name> {
    let as_written = |word: &Word| text[word.range.clone()].trim_end_matches("'s").trim_end_matches("’s").to_owned();
    let mut from = at;
    // A common word that opens the sentence, or is a month or a day, is none of its words.
    while from < end && (all[from].stop || is_time(&all[from].lower)) && !is_acronym(&as_written(&all[from])) {
        from += 1;
    }
    let before = text[..all.get(from)?.range.start].trim_end();
    let opens = before.is_empty() || before.ends_with(['.', '!', '?', ':', '"', '“', '`']) && at == from;
    let members: Vec<&Word> = all[from..end].iter().filter(|word| !INSIDE.contains(&word.lower.as_str())).collect();
    let alone = members.len() == 1 && opens && !is_acronym(&as_written(members[0]));
    let pronoun = members.iter().all(|word| word.stop || word.lower == "i");
    if members.is_empty() || alone || pronoun {
        return None;
    }
    let range = members[0].range.start..members[members.len() - 1].range.end;
    Some(Name { range, words: members.into_iter().map(as_written).collect(), opens })
}

fn is_time(word: &str) -> bool {
    DAYS.contains(&word) || month(word).is_some() && word.len() > 3
}
