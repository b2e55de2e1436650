//! The clauses of a question: which of them ask, and which only introduce the question.
//!
//! Sentences come first: one asks if it ends in a question mark or begins as a question does; otherwise it tells. An
//! asking sentence is split at clause breaks, where a joining word or a comma stands before words that ask. A break is
//! certain if the index separates its sides, and uncertain if only its form indicates it.

use seealso_index::{Error, Role};

use super::evidence::Evidence;
use super::words::{Break, Words};

/// The most clause breaks that are examined; each costs a search.
const MOST_BREAKS: usize = 12;
/// A full stop after fewer letters may be an abbreviation's.
const LEAST_LETTERS: usize = 3;
/// A clause after a comparison asks something else if it has more content words than this.
const OF_COMPARISON: usize = 2;

/// The roles of words with which a question begins.
const OPENING: [Role; 5] = [Role::Asking, Role::Being, Role::Doing, Role::Opening, Role::Commanding];

/// A clause, as a range of word numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) kind: Kind,
}

/// The function of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Tells, and asks nothing.
    Telling,
    /// Asks, and is the first of its sentence.
    Asking,
    /// Asks, after a clause break of its sentence.
    Joined,
    /// Asks, and the index separates it from the clause before.
    Apart,
}

/// The clauses of a question.
pub(super) fn clauses(words: &Words, evidence: &Evidence<'_>) -> Result<Vec<Clause>, Error> {
    let mut found = Vec::new();
    for (from, to) in sentences(words) {
        if !asks(words, from, to) {
            found.push(Clause { from, to, kind: Kind::Telling });
            continue;
        }
        let place = found.len();
        cut(words, from, to, evidence, &mut found)?;
        let (earlier, later) = found.split_at_mut(place);
        if let (Some(before), Some(first)) = (earlier.last(), later.first_mut())
            && first.kind == Kind::Asking
            && before.kind != Kind::Telling
            && are_apart(words, *before, *first, evidence)?
        {
            first.kind = Kind::Apart;
        }
    }
    Ok(found)
}

/// The sentences, as ranges of word numbers.
fn sentences(words: &Words) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for at in 1..=words.len() {
        if at < words.len() && !starts_sentence(words, at) {
            continue;
        }
        // "Who founded Warner Bros. Pictures?" is one sentence: a question that a full stop seems to end, and an end of
        // one that nothing seems to begin.
        let last = found.last().copied().filter(|&(before, end)| {
            opens(words, before)
                && !words.question_mark_after(end - 1)
                && !opens(words, from)
                && words.question_mark_after(at - 1)
        });
        match last {
            Some((before, _)) => {
                found.pop();
                found.push((before, at));
            }
            None => found.push((from, at)),
        }
        from = at;
    }
    found
}

fn starts_sentence(words: &Words, at: usize) -> bool {
    let word = &words.words[at];
    let is_capital = words.written(at) != word.lower;
    let before = &words.words[at - 1];
    let is_abbreviation = before.end - before.start < LEAST_LETTERS;
    match word.before {
        Break::Question => true,
        Break::Stop => !is_abbreviation && (is_capital || opens(words, at)),
        _ => false,
    }
}

/// Whether the sentence `from..to` asks.
fn asks(words: &Words, from: usize, to: usize) -> bool {
    words.question_mark_after(to - 1) || opens(words, from)
}

/// Whether a question begins at word `at`, joining words and a preposition aside.
fn opens(words: &Words, at: usize) -> bool {
    let at = (at..words.len()).find(|&place| !words.has(place, Role::Joining)).unwrap_or(at);
    words.has_any(at, &OPENING) || words.has(at, Role::Preposition) && words.has(at + 1, Role::Asking)
}

/// Splits the asking sentence `from..to` at its clause breaks.
fn cut(words: &Words, from: usize, to: usize, evidence: &Evidence<'_>, found: &mut Vec<Clause>) -> Result<(), Error> {
    let mut breaks = clause_breaks(words, from, to);
    breaks.truncate(MOST_BREAKS);
    let (mut start, mut kind) = (from, Kind::Asking);
    for (place, &(end, next)) in breaks.iter().enumerate() {
        // The words after the next break do not belong to this clause.
        let right_end = breaks.get(place + 1).map_or(to, |clause_break| clause_break.0);
        if end <= start || !has_content(words, start, end) || !has_content(words, next, right_end) {
            continue;
        }
        let before = Clause { from: start, to: end, kind };
        let after = Clause { from: next, to: right_end, kind: Kind::Joined };
        let next_kind = match () {
            _ if are_apart(words, before, after, evidence)? => Kind::Apart,
            _ if is_formal_break(words, before, after, is_listed(words, breaks.get(place + 1))) => Kind::Joined,
            _ => continue,
        };
        let tells = place == 0 && !asks_inside(words, start, end);
        found.push(if tells { Clause { kind: Kind::Telling, ..before } } else { before });
        (start, kind) = (next, if tells { Kind::Asking } else { next_kind });
    }
    found.push(Clause { from: start, to, kind });
    Ok(())
}

/// The clause breaks inside the sentence `from..to`: where one clause ends (exclusive) and another starts that may ask.
fn clause_breaks(words: &Words, from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for at in from + 1..to {
        let start = (at..to).find(|&place| !words.has(place, Role::Joining)).unwrap_or(at);
        let is_parted = words.has(at, Role::Joining) || words.words[at].before >= Break::Comma;
        if is_parted && !words.has(at - 1, Role::Joining) && opens(words, start) {
            found.push((at, start));
        }
    }
    found
}

fn has_content(words: &Words, from: usize, to: usize) -> bool {
    words.content(from, to).next().is_some()
}

/// Whether the index separates two clauses, or each names a page of its own and the second does not refer to the first.
fn are_apart(words: &Words, before: Clause, after: Clause, evidence: &Evidence<'_>) -> Result<bool, Error> {
    let (left, right) = (words.slice(before.from, before.to), words.slice(after.from, after.to));
    let leans = |at| words.has_any(at, &[Role::Leaning, Role::Possessive, Role::Pointing]);
    let asks = |at| words.has_any(at, &OPENING) || words.question_mark_after(at);
    if !(before.from..before.to).any(asks) {
        return Ok(false);
    }
    if evidence.clauses_apart(left, right)? {
        return Ok(true);
    }
    if (after.from..after.to).any(leans) {
        return Ok(false);
    }
    let (left, right) = (evidence.names(left)?, evidence.names(right)?);
    let shared = left.iter().any(|l| right.iter().any(|r| l.pages.iter().any(|page| r.pages.contains(page))));
    Ok(!left.is_empty() && !right.is_empty() && !shared)
}

/// Whether a joining word stands at the clause break, so that the clauses before it are a list.
fn is_listed(words: &Words, clause_break: Option<&(usize, usize)>) -> bool {
    clause_break.is_some_and(|clause_break| words.has(clause_break.0, Role::Joining))
}

/// Whether the form of two clauses indicates a break between them, whatever the index knows; `is_listed` if a joining
/// word follows at the next break.
fn is_formal_break(words: &Words, before: Clause, after: Clause, is_listed: bool) -> bool {
    let joined = (before.to..after.from).any(|at| words.has(at, Role::Joining));
    let first = after.from + usize::from(words.has(after.from, Role::Preposition));
    let is_relative = words.has(first, Role::Relative);
    // "When I call it, how …" asks once: a condition opens it.
    let is_condition = !joined
        && words.has(before.from, Role::Conditional)
        && !words.has_any(before.from + 1, &[Role::Being, Role::Doing, Role::Opening]);
    let tells = !asks_inside(words, before.from, before.to);
    if is_condition || tells && !speaks(words, before.from, before.to) {
        return false;
    }
    if words.has(first, Role::Asking) {
        let is_said = |at: usize| words.words[at].lower == words.words[first].lower;
        // "The actor who sings and who paints" goes on with what is said of him.
        let goes_on = is_relative && (before.from + 1..before.to).any(is_said);
        // "Who wrote it, when was it sold": behind a relative "when", the subject comes first.
        let is_time_or_place = words.has(first, Role::Conditional);
        let is_inverted = words.has_any(first + 1, &[Role::Being, Role::Doing, Role::Opening]);
        let asks = joined || !is_relative || tells || is_time_or_place && (is_inverted || is_listed);
        asks && !goes_on && !belongs_to_comparison(words, before, after)
    } else if words.has_any(first, &[Role::Being, Role::Doing, Role::Opening]) {
        // "A bird that sings and is brown": only a subject behind the verb asks.
        words.has_any(first + 1, &[Role::Person, Role::Leaning, Role::Speaking])
    } else {
        // "Where can I get help and compare offers" asks once.
        words.words[after.from].before >= Break::Comma || words.has(before.from, Role::Commanding)
    }
}

/// Whether a question begins with the clause, or inside it, as in "By the sea, what grows".
fn asks_inside(words: &Words, from: usize, to: usize) -> bool {
    let asks = |at| {
        let is_governed = at > from && words.has(at - 1, Role::Preposition);
        words.has(at, Role::Asking) && (is_governed || !words.has_any(at, &[Role::Relative, Role::Conditional]))
    };
    opens(words, from) || (from..to).any(asks)
}

/// Whether the speaker stands in a clause, so that it tells what happened to them.
fn speaks(words: &Words, from: usize, to: usize) -> bool {
    words.find(from, to, Role::Speaking).is_some()
}

/// Whether the second clause only says by what the things are compared that the first compares: "which is faster".
fn belongs_to_comparison(words: &Words, before: Clause, after: Clause) -> bool {
    let compares = |at| words.has_any(at, &[Role::Relating, Role::Versus, Role::Differing, Role::Comparing]);
    let telling = words.telling(after.from, after.to).count();
    let is_of_them = telling <= OF_COMPARISON || words.has(after.from, Role::Relative);
    (before.from..before.to).any(compares) && is_of_them
}
