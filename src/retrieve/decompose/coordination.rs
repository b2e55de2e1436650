//! Rule 3: "A and B", "A or B", if the index knows both as different subjects.

use seealso_index::{Error, Role};

use super::evidence::Evidence;
use super::words::{Break, Words};
use super::{Split, join};

/// The most joints that are examined.
const MOST_JOINTS: usize = 32;
/// The most words of one side.
const REACH: usize = 4;
/// The most articles and prepositions before the second side.
const OPENERS: usize = 3;

pub(super) fn split(words: &Words, evidence: &Evidence<'_>) -> Result<Option<Split>, Error> {
    let names = evidence.names(&words.text)?;
    let joints = (1..words.len().saturating_sub(1)).filter(|&at| words.has(at, Role::Coordinating));
    for joint in joints.take(MOST_JOINTS) {
        let word = &words.words[joint];
        let in_name = names.iter().any(|name| name.start < word.start && word.end < name.end);
        if in_name {
            continue;
        }
        let Some(sides) = Sides::around(words, joint) else { continue };
        if sides.are_apart(words, evidence)? {
            let (head, loose) = sides.before(words);
            let parts = [sides.left(words), sides.right(words)].map(|side| join(&[&head, side])).to_vec();
            let shared = join(&[&loose, &sides.after(words)]);
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
        let tells = |at: usize| !words.words[at].stop && !words.words[at].weak;
        let mut from = joint;
        let joined = |at: usize| at == joint || words.words[at].before == Break::None;
        while from > 0 && joint - from < REACH && joined(from) && tells(from - 1) {
            from -= 1;
        }
        let start = (joint + 1..words.len().min(joint + 2 + OPENERS)).find(|&at| tells(at))?;
        let mut to = start + 1;
        while to < words.len() && to - start < REACH && words.words[to].before == Break::None && tells(to) {
            to += 1;
        }
        let unbroken = (joint + 1..=start).all(|at| words.words[at].before <= Break::Comma);
        (from < joint && unbroken).then_some(Sides { left: (from, joint), right: (start, to) })
    }

    /// Whether the index, or the question's own words, separate the sides.
    fn are_apart(&self, words: &Words, evidence: &Evidence<'_>) -> Result<bool, Error> {
        let (left, right) = (self.left(words), self.right(words));
        if evidence.are_two_names(left, right)? || evidence.are_two_subjects(left, right)? {
            return Ok(true);
        }
        let head = words.slice(self.right.1 - 1, self.right.1);
        if evidence.are_two_names(&join(&[left, head]), right)? {
            return Ok(true);
        }
        let cued = words.words.iter().any(|word| word.roles.has(Role::Cue));
        Ok(cued && evidence.leading_pack(left)? != evidence.leading_pack(right)?)
    }

    fn left<'w>(&self, words: &'w Words) -> &'w str {
        words.slice(self.left.0, self.left.1)
    }

    fn right<'w>(&self, words: &'w Words) -> &'w str {
        words.slice(self.right.0, self.right.1)
    }

    /// The words before the coordination: content words govern both its sides, as in "fork on A and in B"; the others
    /// are context.
    fn before(&self, words: &Words) -> (String, String) {
        let (weak, telling): (Vec<usize>, Vec<usize>) =
            self.content(words, 0, self.left.0).partition(|&at| words.words[at].weak);
        (words.gather(&telling), words.gather(&weak))
    }

    /// The words after the coordination, which only say where both sides belong.
    fn after(&self, words: &Words) -> String {
        words.gather(&self.content(words, self.right.1, words.len()).collect::<Vec<_>>())
    }

    fn content<'w>(&self, words: &'w Words, from: usize, to: usize) -> impl Iterator<Item = usize> + 'w {
        words.content(from, to).filter(|&at| !words.words[at].roles.has(Role::Cue))
    }
}
