//! Rule 2: comparisons. Their form alone shows that there are two subjects, whatever the index knows about them.
//!
//! Words that both subjects share ("which is faster, A or B, *for large files*") are added to each of them.

use seealso_index::{Error, Role};

use super::evidence::Evidence;
use super::words::{Break, Words};
use super::{Split, end_of_run};

/// The subjects, and their shared words.
type Comparison = (Vec<String>, String);

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let protected = protected(words, evidence)?;
    let found = match between(words, &protected) {
        None => compare(words, &protected, evidence)?,
        found => found,
    };
    let found = found.or_else(|| differ(words, &protected)).or_else(|| versus(words, &protected));
    Ok(found.map(|(parts, shared)| Split { parts, shared, rule: "comparison" }))
}

/// For each word, whether it is inside a quoted phrase or a page's name, where no "and" or "vs" splits.
fn protected(words: &Words, evidence: &Evidence<'_>) -> Result<Vec<bool>, Error> {
    let names = evidence.names(&words.text)?;
    let inside = |at: usize| {
        let word = &words.words[at];
        word.quoted || names.iter().any(|name| name.start <= word.start && word.end <= name.end && name.tokens > 1)
    };
    Ok((0..words.len()).map(inside).collect())
}

/// "the difference between A and B"
fn between(words: &Words, protected: &[bool]) -> Option<Comparison> {
    let start = (1..words.len()).find(|&at| words.has(at, Role::Between) && words.has(at - 1, Role::Relating))? + 1;
    let end = end_of_run(words, start, Break::Comma);
    let joint = find(words, start, end, Role::Coordinating, protected)?;
    let end = condition(words, joint + 1, end);
    // Words after a comma belong to both; the opening of the question belongs to neither.
    Some(with_shared(words, list(words, start, joint, protected), (joint + 1, end), &[(end, words.len())]))
}

/// "compare A with B", "compare A and B"
fn compare(words: &Words, protected: &[bool], evidence: &Evidence<'_>) -> Result<Option<Comparison>, Error> {
    let is_verb = |at: &usize| words.has(*at, Role::Comparing) && is_command(words, *at);
    let Some(verb) = (0..words.len()).find(is_verb) else { return Ok(None) };
    let start = if words.is_at(verb + 1, &["and", "contrast"]) { verb + 3 } else { verb + 1 };
    let end = end_of_run(words, start, Break::Colon);
    let first_run = end_of_run(words, start, Break::Comma);
    let firm = find(words, start, first_run, Role::Against, protected);
    if let Some(joint) = firm
        && (!words.is_at(joint, &["to"]) || is_subject(words, start, joint, evidence)?)
    {
        let stop = condition(words, joint + 1, end_of_run(words, joint, Break::Comma));
        let first = vec![words.slice(start, joint).into()];
        return Ok(Some(with_shared(words, first, (joint + 1, stop), &[(stop, words.len())])));
    }
    let Some(joint) = find_last(words, start, end, protected) else { return Ok(None) };
    let stop = condition(words, joint + 1, end_of_run(words, joint, Break::Comma));
    let firsts = list(words, start, joint, protected);
    Ok(Some(shared_predicate(words, firsts, start, joint, stop)))
}

/// Whether words name something that can be compared "to" another: they are capitalised, or the index has them in one
/// pack. Other words denote an action ("the ways to store data").
fn is_subject(words: &Words, from: usize, to: usize, evidence: &Evidence<'_>) -> Result<bool, Error> {
    // A word that folding changes has capitals.
    let is_capital = |at: usize| words.written(at) != words.words[at].lower;
    Ok(words.content(from, to).any(is_capital) || evidence.leading_pack(words.slice(from, to))?.is_some())
}

/// Whether the verb at `at` begins its clause, so that it is a command rather than part of a description.
fn is_command(words: &Words, at: usize) -> bool {
    let begins = at == 0 || words.words[at].before >= Break::Comma;
    begins || (0..at).all(|i| words.words[i].stop)
}

/// "how do A and B differ", "how does A differ from B", "how does A compare to B", "A compared with B"
fn differ(words: &Words, protected: &[bool]) -> Option<Comparison> {
    let verb = words.find(1, words.len(), Role::Differing)?;
    let from = words.has(verb + 1, Role::Than);
    let clause = (0..=verb).rev().find(|&at| words.words[at].before >= Break::Colon).unwrap_or(0);
    let start = (clause..verb).find(|&at| !words.words[at].stop)?;
    if from {
        let stop = condition(words, verb + 2, end_of_run(words, verb + 1, Break::Comma));
        let left = words.slice(start, verb);
        let left = left.strip_suffix(" is").or_else(|| left.strip_suffix(" are")).unwrap_or(left);
        return Some(with_shared(words, vec![left.into()], (verb + 2, stop), &[(stop, words.len())]));
    }
    let joint = find(words, start, verb, Role::Coordinating, protected)?;
    let asked = words.has_any(clause, &[Role::Asking, Role::Doing, Role::Being]);
    asked.then(|| {
        let firsts = list(words, start, joint, protected);
        with_shared(words, firsts, (joint + 1, verb), &[(verb + 1, words.len())])
    })
}

/// "A vs B", "A versus B"
fn versus(words: &Words, protected: &[bool]) -> Option<Comparison> {
    let joint = (1..words.len()).find(|&at| {
        let word = &words.words[at];
        // "Charles V" is one name, and "-v" an option.
        let stands_alone = words.text.as_bytes().get(word.start - 1..word.end) == Some(b" v");
        words.has(at, Role::Versus) && !protected[at] && (word.lower != "v" || stands_alone)
    })?;
    let start = (0..joint).rev().find(|&at| words.words[at].before >= Break::Comma).unwrap_or(0);
    let start = (start..joint).find(|&at| !words.words[at].stop)?;
    let end = condition(words, joint + 1, end_of_run(words, joint, Break::Comma));
    let first = vec![words.slice(start, joint).into()];
    Some(with_shared(words, first, (joint + 1, end), &[(0, start), (end, words.len())]))
}

/// "compare how new A and new B come into existence": if the first subject opens a clause, its verb follows the second
/// subject, which is as long as the first.
fn shared_predicate(words: &Words, firsts: Vec<String>, start: usize, joint: usize, stop: usize) -> Comparison {
    let rest = (stop, words.len());
    if !words.has(start, Role::Asking) || firsts.len() != 1 {
        return with_shared(words, firsts, (joint + 1, stop), &[rest]);
    }
    let length = words.content(start, joint).count();
    let second_end = words.content(joint + 1, stop).nth(length.saturating_sub(1)).map_or(stop, |last| last + 1);
    with_shared(words, firsts, (joint + 1, second_end), &[(second_end, stop), rest])
}

/// The subjects `firsts` and the words `last`, and the words of the ranges `shared`, which apply to all.
fn with_shared(words: &Words, firsts: Vec<String>, last: (usize, usize), shared: &[(usize, usize)]) -> Comparison {
    let parts = firsts.into_iter().chain([words.slice(last.0, last.1).to_owned()]).collect();
    let shared = shared.iter().flat_map(|&(from, to)| words.content(from, to));
    (parts, shared.map(|at| words.words[at].lower.as_str()).collect::<Vec<_>>().join(" "))
}

/// "A, B" before "and C": the subjects of a list.
fn list(words: &Words, start: usize, end: usize, protected: &[bool]) -> Vec<String> {
    let mut parts = Vec::new();
    let mut from = start;
    for at in (start + 1..end).filter(|&at| words.words[at].before == Break::Comma && !protected[at]) {
        parts.push(words.slice(from, at).to_owned());
        from = at;
    }
    parts.push(words.slice(from, end).to_owned());
    parts
}

fn find(words: &Words, from: usize, to: usize, role: Role, protected: &[bool]) -> Option<usize> {
    (from + 1..to.min(words.len())).find(|&at| words.has(at, role) && !protected[at])
}

/// The "and" of "A, B and C": the first that no comma follows.
fn find_last(words: &Words, from: usize, to: usize, protected: &[bool]) -> Option<usize> {
    find(words, from, to, Role::Coordinating, protected)
}

/// Where a condition begins in `from..to`.
fn condition(words: &Words, from: usize, to: usize) -> usize {
    words.find(from + 1, to, Role::Conditional).unwrap_or(to)
}
