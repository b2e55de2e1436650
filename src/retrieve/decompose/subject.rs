//! The subject of a clause: the phrase that a later pronoun refers to.

use seealso_index::{Error, Role};

use super::evidence::Evidence;
use super::words::{Break, Words};

/// A phrase, as a range of word numbers.
pub(super) type Phrase = (usize, usize);

/// The most words of one side of "A and B".
const REACH: usize = 4;

/// The subject of a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) phrase: Phrase,
    /// Whether the clause introduces it: as a name, or after an article.
    pub(super) is_introduced: bool,
    /// Whether it needs no antecedent: a name, or after "a".
    pub(super) is_new: bool,
}

/// The subject of the clause `from..to`: its first noun phrase that ends in a page's name, or else the words after
/// "does", or else its first noun phrase, or else its last run of words that are not function words.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub(super) fn subject(
    words: &Words,
    from: usize,
    to: usize,
    evidence: &Evidence<'_>,
) -> Result<Option<Subject>, Error> {
    let named = named(words, from, to, evidence)?;
    let mut phrases: Vec<Subject> = Vec::new();
    let mut at = from;
    while at < to {
        if named.is_empty()
            && let Some(phrase) = behind_do(words, at, to)
        {
            return Ok(Some(Subject { phrase, is_introduced: true, is_new: true }));
        }
        let is_article = words.has_any(at, &[Role::Definite, Role::Determining]) && words.words[at].stop;
        let start = at + usize::from(is_article);
        let run = end_of_run(words, start, to);
        let name =
            named.iter().find(|name| start <= name.0 && name.0 < run.max(start + 1) && (is_article || name.0 == start));
        let is_new = name.is_some() || is_capital(words, from, at) || words.has(at, Role::Determining);
        let end = name.map_or(run, |name| name.1.min(to));
        at += 1;
        // "L'eau" includes its article.
        if (is_article || is_new || words.has(start, Role::Definite)) && end > start {
            let subject = Subject { phrase: (start, end), is_introduced: true, is_new };
            if name.is_some() {
                return Ok(Some(subject));
            }
            phrases.push(subject);
            at = end;
        }
    }
    let chosen = phrases.first().map(|first| Subject { phrase: with_of(words, first.phrase, to), ..*first });
    let loose = |phrase| Subject { phrase, is_introduced: false, is_new: false };
    Ok(chosen.or_else(|| last_run(words, from, to).map(loose)))
}

/// The subjects of "A and B" before word `to`, if both are names: they are capitalised, or the index has them.
///
/// # Errors
/// [`Error::Corrupt`] where the index is damaged.
pub(super) fn pair(words: &Words, to: usize, evidence: &Evidence<'_>) -> Result<Option<[Phrase; 2]>, Error> {
    let named = named(words, 0, to, evidence)?;
    let is_name = |at: usize| is_capital(words, usize::MAX, at) || named.iter().any(|name| name.0 <= at && at < name.1);
    for joint in (1..to.saturating_sub(1)).filter(|&at| words.has(at, Role::Coordinating)) {
        let mut left = joint;
        while left > 0 && joint - left < REACH && is_name(left - 1) && !words.words[left - 1].stop {
            left -= 1;
        }
        let start = joint + 1 + usize::from(words.has_any(joint + 1, &[Role::Definite, Role::Determining]));
        let mut right = start;
        while right < to && right - start < REACH && is_name(right) && !words.words[right].stop {
            right += 1;
        }
        if left < joint && right > start {
            return Ok(Some([(left, joint), (start, right)]));
        }
    }
    Ok(None)
}

/// The names of pages in `from..to`.
fn named(words: &Words, from: usize, to: usize, evidence: &Evidence<'_>) -> Result<Vec<Phrase>, Error> {
    let (Some(first), Some(last)) = (words.words.get(from), words.words[..to].last()) else { return Ok(Vec::new()) };
    let place = |byte: usize| words.words.partition_point(|word| word.end <= byte);
    let mut found = Vec::new();
    for name in evidence.names(&words.text[first.start..last.end])? {
        let range = (place(first.start + name.start), place(first.start + name.end - 1) + 1);
        // A common word is a page's name by chance.
        if words.telling(range.0, range.1).next().is_some() {
            found.push(range);
        }
    }
    Ok(found)
}

/// Whether word `at` is capitalised like a name; `first` begins the clause, where a capital means nothing.
fn is_capital(words: &Words, first: usize, at: usize) -> bool {
    let written = words.written(at);
    let opens = at == first || at == 0 || words.words[at].before >= Break::Stop;
    let begins_with_capital = written.chars().next().is_some_and(char::is_uppercase);
    let is_mixed = written.chars().skip(1).any(char::is_uppercase);
    (is_mixed || begins_with_capital && (!opens || first == usize::MAX)) && !words.words[at].stop
}

/// The subject after a form of "do" before word `at`: of the words that stand together there, the last is the verb, as
/// in "does sea water freeze".
fn behind_do(words: &Words, at: usize, to: usize) -> Option<Phrase> {
    let is_behind = at > 0 && words.has(at - 1, Role::Doing);
    let end = end_of_run(words, at, to);
    (is_behind && end > at && !words.words[at].weak).then(|| (at, (end - 1).max(at + 1)))
}

/// The end of the words that stand together from `start` on: at a function word or a break.
fn end_of_run(words: &Words, start: usize, to: usize) -> usize {
    let stops = |&at: &usize| words.words[at].stop || at > start && words.words[at].before >= Break::Comma;
    (start..to).find(stops).unwrap_or(to)
}

/// A noun phrase with its "of" phrase.
fn with_of(words: &Words, (start, end): Phrase, to: usize) -> Phrase {
    if end >= to || !words.has(end, Role::Of) {
        return (start, end);
    }
    let next = end + 1 + usize::from(words.has_any(end + 1, &[Role::Definite, Role::Determining]));
    let further = if next < to { end_of_run(words, next, to) } else { end };
    (start, if further > next { further } else { end })
}

/// The last words of `from..to` that stand together and are not function words.
fn last_run(words: &Words, from: usize, to: usize) -> Option<Phrase> {
    let last = words.telling(from, to).last()?;
    let stops = |&at: &usize| words.words[at].stop || words.words[at + 1].before >= Break::Comma;
    let start = (from..last).rev().find(stops).map_or(from, |at| at + 1);
    Some((start, last + 1))
}
