//! Misspelt questions: one content word of each, with one random edit, as `bench/search/typos.mjs` makes them. The same
//! question always gets the same edit.

use std::ops::Range;

use crate::tokens;

/// Letters that a word must have to be misspelt.
const LEAST_LETTERS: usize = 5;

/// `question` with a misspelt word, or as it is where no word is long enough.
pub(crate) fn misspelt(question: &str) -> String {
    let mut random = Random::seeded(question);
    let is_word = |place: &Range<usize>| {
        let word = &question[place.clone()];
        word.len() >= LEAST_LETTERS && word.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let places: Vec<Range<usize>> = tokens::content_places(question).into_iter().filter(is_word).collect();
    let Some(place) = places.get(random.below(places.len())) else { return question.to_owned() };
    let changed = edited(&question[place.clone()], &mut random);
    [&question[..place.start], &changed, &question[place.end..]].concat()
}

/// A word of ASCII letters with a letter added, lost, changed, or swapped with the next.
fn edited(word: &str, random: &mut Random) -> String {
    loop {
        let (edit, at) = (random.below(4), random.below(word.len()));
        let letter = char::from(b'a' + random.below(26) as u8);
        let mut changed: Vec<char> = word.chars().collect();
        match edit {
            0 => changed.insert(at, letter),
            1 => drop(changed.remove(at)),
            2 => changed[at] = letter,
            _ => changed.swap(at, (at + 1).min(word.len() - 1)),
        }
        let changed: String = changed.into_iter().collect();
        if !changed.eq_ignore_ascii_case(word) {
            return changed;
        }
    }
}

/// Numbers that depend on a text alone: FNV-1a, then mulberry32, as in `bench/search/typos.mjs`, so that both benchmarks
/// misspell a question alike.
struct Random(u32);

impl Random {
    fn seeded(text: &str) -> Random {
        Random(text.bytes().fold(0x811c_9dc5, |state, byte| (state ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }

    /// A number below `limit`; 0 where there is none.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x6d2b_79f5);
        let state = self.0;
        let mut mixed = (state ^ (state >> 15)).wrapping_mul(1 | state);
        mixed ^= mixed.wrapping_add((mixed ^ (mixed >> 7)).wrapping_mul(61 | mixed));
        ((u64::from(mixed ^ (mixed >> 14)) * limit as u64) >> 32) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_is_misspelt_and_always_alike() {
        let question = "which tool is a benchmarking toolkit";
        let changed = misspelt(question);
        assert_eq!(misspelt(question), changed);
        let differ = question.split(' ').zip(changed.split(' ')).filter(|(a, b)| a != b).count();
        assert_eq!(differ, 1, "{changed}");
        assert!(changed.starts_with("which tool is a "), "short words and stop words stay: {changed}");
    }

    #[test]
    fn short_words_stay() {
        assert_eq!(misspelt("what is a db?"), "what is a db?");
        assert_eq!(misspelt(""), "");
    }
}
