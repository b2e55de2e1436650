//! Rule 3: "A and B", "A or B", where the index knows both for different subjects.

use seealso_index::Error;

use super::evidence::Evidence;
use super::words::{Break, Words};
use super::{Split, join};

const JOINTS: [&str; 4] = ["and", "or", "nor", "plus"];
/// Words that say of a coordination that its sides are set against each other.
const CUES: [&str; 10] =
    ["compare", "compared", "same", "differ", "difference", "different", "both", "versus", "similar", "common"];
/// A side of a coordination reaches over so many words at most.
const REACH: usize = 4;
/// Articles and prepositions that may open the second side.
const OPENERS: usize = 3;

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let names = evidence.names(&words.text)?;
    for joint in 1..words.len().saturating_sub(1) {
        let word = &words.words[joint];
        let in_name = names.iter().any(|name| name.start < word.start && word.end < name.end);
        if !JOINTS.contains(&word.lower.as_str()) || word.quoted || in_name {
            continue;
        }
        let Some(sides) = Sides::around(words, joint) else { continue };
        if sides.are_apart(words, evidence)? {
            let head = sides.content(words, 0, sides.left.0);
            let parts = [sides.left(words), sides.right(words)].map(|side| join(&[&head, side])).to_vec();
            let shared = sides.content(words, sides.right.1, words.len());
            return Ok(Some(Split { parts, shared, rule: "coordination" }));
        }
    }
    Ok(None)
}

/// The words on both sides of a joint, as ranges of word numbers.
struct Sides {
    left: (usize, usize),
    right: (usize, usize),
}

impl Sides {
    fn around(words: &Words, joint: usize) -> Option<Sides> {
        let mut from = joint;
        while from > 0
            && joint - from < REACH
            && (from == joint || words.words[from].before == Break::None)
            && !words.words[from - 1].stop
        {
            from -= 1;
        }
        let start = (joint + 1..words.len().min(joint + 2 + OPENERS)).find(|&at| !words.words[at].stop)?;
        let mut to = start + 1;
        while to < words.len() && to - start < REACH && words.words[to].before == Break::None && !words.words[to].stop {
            to += 1;
        }
        let unbroken = (joint + 1..=start).all(|at| words.words[at].before <= Break::Comma);
        (from < joint && unbroken).then_some(Sides { left: (from, joint), right: (start, to) })
    }

    /// Whether the index, or the question's own words, set the sides apart.
    fn are_apart(&self, words: &Words, evidence: &Evidence<'_>) -> Result<bool, Error> {
        let (left, right) = (self.left(words), self.right(words));
        if evidence.are_two_names(left, right)? || evidence.are_two_subjects(left, right)? {
            return Ok(true);
        }
        let head = words.slice(self.right.1 - 1, self.right.1);
        if evidence.are_two_names(&join(&[left, head]), right)? {
            return Ok(true);
        }
        let cued = words.words.iter().any(|word| CUES.contains(&word.lower.as_str()));
        Ok(cued && evidence.leaning(left)? != evidence.leaning(right)?)
    }

    fn left<'w>(&self, words: &'w Words) -> &'w str {
        words.slice(self.left.0, self.left.1)
    }

    fn right<'w>(&self, words: &'w Words) -> &'w str {
        words.slice(self.right.0, self.right.1)
    }

    /// The words of `from..to` that say what the question is about. Those before a coordination govern both its
    /// sides, as in "fork on A and in B"; those behind it only say where both belong.
    fn content(&self, words: &Words, from: usize, to: usize) -> String {
        let told = words.content(from, to).filter(|&at| !CUES.contains(&words.words[at].lower.as_str()));
        told.map(|at| words.slice(at, at + 1)).collect::<Vec<_>>().join(" ")
    }
}
