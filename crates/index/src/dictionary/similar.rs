//! Keys of a dictionary that begin with a word, or are spelt like one.
//!
//! The search for similar keys walks the FST with one row of the edit-distance table for each letter (Oflazer, 1996): a
//! Levenshtein automaton whose states are made as they are reached. Two neighbouring letters that changed places count
//! as one edit. A branch ends where no cell of its row is within the limit.

use super::map::{Dictionary, Walk};

/// The longest key that is found, in bytes.
const LONGEST: usize = 256;
/// The most transitions that one search follows; those of a sound shard are fewer. With nodes that share their ends, a
/// few hostile bytes could make a search that never ends.
const MOST_STEPS: usize = 1 << 17;

impl Dictionary {
    /// The keys that begin with `start`, itself included, in order; the first `most` of them.
    pub(crate) fn starting_with(&self, start: &[u8], most: usize) -> Vec<(Vec<u8>, u64)> {
        let mut found = Vec::new();
        let Some(here) = self.walk().follow(start) else { return found };
        let mut key = start.to_vec();
        let mut path = vec![(here, 0)];
        let mut steps = 0..MOST_STEPS;
        while let Some((here, followed)) = path.last_mut().filter(|_| steps.next().is_some()) {
            if *followed == 0
                && let Some(value) = here.value()
            {
                found.push((key.clone(), value));
                if found.len() >= most {
                    break;
                }
            }
            match here.step(*followed).filter(|_| key.len() < LONGEST) {
                Some((byte, next)) => {
                    *followed += 1;
                    key.push(byte);
                    path.push((next, 0));
                }
                None => {
                    path.pop();
                    key.pop();
                }
            }
        }
        found
    }

    /// The keys of `start` and a word that differs from `word` by 1 to `most` edits, each with the number of edits.
    pub(crate) fn similar_to(&self, start: &[u8], word: &str, most: u32) -> Vec<(Vec<u8>, u64, u32)> {
        let Some(here) = self.walk().follow(start) else { return Vec::new() };
        let word: Vec<char> = word.chars().collect();
        let first: Vec<u32> = (0..=word.len() as u32).collect();
        let (key, found, letters) = (start.to_vec(), Vec::new(), Vec::new());
        let mut search = SimilarKeys { word: &word, most, key, found, letters, steps: MOST_STEPS };
        search.visit(here, &[], &first, &[]);
        search.found
    }
}

/// A search for similar keys.
struct SimilarKeys<'w> {
    word: &'w [char],
    most: u32,
    key: Vec<u8>,
    /// The letters that were followed so far.
    letters: Vec<char>,
    found: Vec<(Vec<u8>, u64, u32)>,
    /// How many transitions may still be followed.
    steps: usize,
}

impl SimilarKeys<'_> {
    /// Visits the keys that go on from `here`. `before` and `row` are the rows of the last two letters, `bytes` are the
    /// bytes of an incomplete letter.
    fn visit(&mut self, here: Walk<'_>, before: &[u32], row: &[u32], bytes: &[u8]) {
        let distance = row[self.word.len()];
        if bytes.is_empty()
            && distance <= self.most
            && distance > 0
            && let Some(value) = here.value()
        {
            self.found.push((self.key.clone(), value, distance));
        }
        if self.key.len() >= LONGEST {
            return;
        }
        let mut at = 0;
        while let Some((byte, next)) = here.step(at) {
            at += 1;
            let Some(left) = self.steps.checked_sub(1) else { return };
            self.steps = left;
            self.key.push(byte);
            let letter = [bytes, &[byte]].concat();
            match std::str::from_utf8(&letter).ok().and_then(|text| text.chars().next()) {
                Some(c) => self.follow(next, before, row, c),
                None if letter.len() < 4 => self.visit(next, before, row, &letter),
                None => {}
            }
            self.key.pop();
        }
    }

    fn follow(&mut self, next: Walk<'_>, before: &[u32], row: &[u32], letter: char) {
        let new = self.row_after(before, row, letter);
        if new.iter().any(|&cell| cell <= self.most) {
            self.letters.push(letter);
            self.visit(next, row, &new, &[]);
            self.letters.pop();
        }
    }

    /// The row of the edit-distance table after one more letter.
    fn row_after(&self, before: &[u32], row: &[u32], letter: char) -> Vec<u32> {
        let mut new = vec![row[0] + 1];
        for at in 1..=self.word.len() {
            let wrong = u32::from(self.word[at - 1] != letter);
            let mut least = (row[at - 1] + wrong).min(row[at] + 1).min(new[at - 1] + 1);
            let swapped = at > 1 && self.word[at - 2] == letter && self.letters.last() == Some(&self.word[at - 1]);
            if swapped && let Some(&two_back) = before.get(at - 2) {
                least = least.min(two_back + 1);
            }
            new.push(least);
        }
        new
    }
}
