//! Rule 1: two questions in one, each about a subject of its own.

use seealso_index::Error;

use super::Split;
use super::evidence::Evidence;
use super::words::{Break, Words};

/// Words with which a clause begins that asks.
const ASKING: [&str; 31] = [
    "what", "what's", "which", "who", "who's", "whom", "whose", "where", "where's", "when", "why", "how", "how's",
    "is", "are", "was", "were", "do", "does", "did", "can", "could", "should", "will", "would", "has", "have",
    "compare", "explain", "tell", "describe",
];
/// So many places are looked at; each costs a search.
const MOST_BOUNDARIES: usize = 12;
/// Words that may stand between two clauses.
const JOINING: [&str; 6] = ["and", "or", "but", "also", "then", "plus"];
/// Words by which a clause leans on the one before.
const LEANING_BACK: [&str; 9] = ["it", "its", "they", "them", "their", "that", "those", "this", "these"];

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let mut boundaries = boundaries(words);
    boundaries.truncate(MOST_BOUNDARIES);
    for (place, &(end, start)) in boundaries.iter().enumerate() {
        // What stands behind the next boundary is not this clause's.
        let right_end = boundaries.get(place + 1).map_or(words.len(), |next| next.0);
        let (left, right) = (words.slice(0, end), words.slice(start, right_end));
        if evidence.clauses_apart(left, right)? || are_named_apart(words, end, start, evidence)? {
            return Ok(Some(Split {
                parts: vec![left.to_owned(), words.slice(start, words.len()).to_owned()],
                shared: String::new(),
                rule: "clauses",
            }));
        }
    }
    Ok(None)
}

/// Places where one asking clause ends (exclusive) and another starts: a new sentence, a joining word, or a comma.
fn boundaries(words: &Words) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut asked = asks(words, 0) || words.words.first().is_some_and(|_| words.question_mark_after(0));
    for at in 1..words.len() {
        let start = (at..words.len()).find(|&place| !joins(words, place)).unwrap_or(at);
        let parted = joins(words, at) || words.words[at].before >= Break::Comma;
        if asked && parted && !joins(words, at - 1) && asks(words, start) {
            found.push((at, start));
        }
        asked |= asks(words, at) || words.question_mark_after(at);
    }
    found
}

fn joins(words: &Words, at: usize) -> bool {
    JOINING.contains(&words.words[at].lower.as_str()) && !words.words[at].quoted
}

fn asks(words: &Words, at: usize) -> bool {
    words.words.get(at).is_some_and(|word| ASKING.contains(&word.lower.as_str()) && !word.quoted)
}

/// Whether each clause names a page of its own, and the second does not lean on the first.
fn are_named_apart(words: &Words, end: usize, start: usize, evidence: &Evidence<'_>) -> Result<bool, Error> {
    let leans = (start..words.len()).any(|at| LEANING_BACK.contains(&words.words[at].lower.as_str()));
    if leans {
        return Ok(false);
    }
    let left = evidence.names(words.slice(0, end))?;
    let right = evidence.names(words.slice(start, words.len()))?;
    let shared = left.iter().any(|l| right.iter().any(|r| l.pages.iter().any(|page| r.pages.contains(page))));
    Ok(!left.is_empty() && !right.is_empty() && !shared)
}
