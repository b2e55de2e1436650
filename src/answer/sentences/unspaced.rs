//! Thai, Lao, Khmer and Burmese: no spaces between words, spaces between phrases, and often no mark at a sentence's end.
//!
//! A space is taken for the end of a sentence where a phrase has enough words before it. A phrase that goes on far longer
//! than a sentence is cut between two words, so that some of it can be quoted. What a word is, a [`Segmenter`] tells: the
//! browser's own, which has dictionaries, or natively a rule that counts letters. They may differ in whether a phrase near
//! the bound is long enough, and in where a phrase without any space is cut; texts with marks and short phrases come out
//! the same.

use std::ops::Range;

use super::segmenter::Segmenter;

/// From so many words on, a space ends a sentence.
const FEWEST_WORDS: usize = 10;
/// A sentence of more words is cut.
const MOST_WORDS: usize = 80;

/// Adds the sentences of `range`.
pub(super) fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    match text[range.clone()].contains(is_unspaced) {
        true => cut(found, text, range, &segmenter()),
        false => found.push(range),
    }
}

#[cfg(not(all(target_arch = "wasm32", feature = "browser")))]
fn segmenter() -> impl Segmenter {
    LetterCount
}

#[cfg(all(target_arch = "wasm32", feature = "browser"))]
fn segmenter() -> impl Segmenter {
    crate::browser::Words
}

fn cut(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>, segmenter: &impl Segmenter) {
    let (mut start, mut words) = (range.start, 0);
    for word in segmenter.word_starts(&text[range.clone()]) {
        let at = range.start + word;
        let before = text[start..at].trim_end();
        // Other scripts within, such as names in Latin letters, have spaces between their words.
        let is_phrase =
            before.len() < at - start && before.ends_with(is_unspaced) && text[at..].starts_with(is_unspaced);
        if (is_phrase && words >= FEWEST_WORDS) || words >= MOST_WORDS {
            found.push(start..start + before.len());
            (start, words) = (at, 0);
        }
        words += 1;
    }
    found.push(start..range.end);
}

/// Thai and Lao, Burmese, Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

/// Counts a word for every so many letters, and one behind each space: no dictionary.
#[cfg(any(test, not(all(target_arch = "wasm32", feature = "browser"))))]
struct LetterCount;

/// The letters of a word of Thai, on average, without the marks over and under them.
#[cfg(any(test, not(all(target_arch = "wasm32", feature = "browser"))))]
const LETTERS: usize = 4;

#[cfg(any(test, not(all(target_arch = "wasm32", feature = "browser"))))]
impl Segmenter for LetterCount {
    fn word_starts(&self, text: &str) -> Vec<usize> {
        let mut starts = Vec::new();
        let (mut letters, mut was_space) = (LETTERS, true);
        for (at, c) in text.char_indices() {
            if c.is_whitespace() {
                was_space = true;
                continue;
            }
            // A vowel or tone mark belongs to the letter before it; a vowel that is written first, to the one behind.
            let is_letter = c.is_alphabetic() && !is_dependent(c);
            if was_space || (letters >= LETTERS && is_letter) {
                starts.push(at);
                letters = 0;
            }
            letters += usize::from(is_letter && !is_leading_vowel(c));
            was_space = false;
        }
        starts
    }
}

/// Vowels and marks that are written behind, over or under a letter.
#[cfg(any(test, not(all(target_arch = "wasm32", feature = "browser"))))]
fn is_dependent(c: char) -> bool {
    matches!(c, '\u{e30}'..='\u{e3a}' | '\u{e45}'..='\u{e4e}' | '\u{eb0}'..='\u{ebc}' | '\u{ec8}'..='\u{ece}')
        || matches!(c, '\u{102b}'..='\u{103e}' | '\u{17b6}'..='\u{17d3}')
}

#[cfg(any(test, not(all(target_arch = "wasm32", feature = "browser"))))]
fn is_leading_vowel(c: char) -> bool {
    matches!(c, '\u{e40}'..='\u{e44}' | '\u{ec0}'..='\u{ec4}')
}
