//! Acronyms, and the names that they stand for.

use super::Beside;
use super::names::{INSIDE, is_capital};
use super::wording::{Word, words};

/// What stands in the pages for a name of these words: what an acronym stands for, or the acronym of a name.
pub(super) fn by_initials(beside: &Beside<'_>, name: &[String]) -> Option<String> {
    if let [word] = name {
        let letters: String = word.chars().filter(|c| c.is_alphanumeric()).collect();
        return is_acronym(word).then(|| beside.texts().find_map(|text| spelled_out(text, &letters))).flatten();
    }
    let acronym = name.iter().filter_map(|word| word.chars().next()).collect::<String>().to_uppercase();
    (acronym.len() >= 2 && beside.alignment.evidence.has(&acronym)).then_some(acronym)
}

/// Capitalised words of `text` in a row, at least two, which begin with these letters; small words and "and" may stand between.
fn spelled_out(text: &str, letters: &str) -> Option<String> {
    let all: Vec<Word> = words(text);
    let initial = |word: &Word| is_capital(&text[word.range.clone()]).then(|| word.lower.chars().next()).flatten();
    let from_here = |from: usize| {
        let mut left = letters.chars().flat_map(char::to_lowercase).peekable();
        let mut end = None;
        for (at, word) in all.iter().enumerate().skip(from) {
            if at > from && word.after_break {
                break;
            } else if left.peek().copied() == initial(word) {
                left.next();
                end = Some(word.range.end);
            } else if at == from || !INSIDE.contains(&word.lower.as_str()) {
                break;
            }
            if left.peek().is_none() {
                return end.filter(|_| at > from).map(|end| text[all[from].range.start..end].to_owned());
            }
        }
        None
    };
    (0..all.len()).find_map(from_here)
}

pub(super) fn is_acronym(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() > 1
}

pub(super) fn is_initial(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() == 1
}
