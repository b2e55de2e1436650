//! The words of a sentence as checks compare them: in lower case, and by stem.

use std::ops::Range;

use seealso_index::Analysis;

/// A word.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) lower: String,
    /// The stem of its English inflections. In other languages it is compared with itself.
    pub(super) stem: String,
    /// Whether it is a stop word.
    pub(super) stop: bool,
    pub(super) range: Range<usize>,
    /// Whether a punctuation mark that ends a clause precedes it.
    pub(super) after_break: bool,
}

/// The words of `text`, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut end = 0;
    let mut found = Vec::new();
    for token in Analysis::English.all_tokens(text) {
        let between = text.get(end..token.start).unwrap_or_default();
        let after_break = between.contains([',', ';', ':', '.', '(', ')', '—', '=', '|']);
        let lower = text[token.start..token.end].to_lowercase().replace('’', "'");
        found.push(Word { lower, stem: token.term, stop: token.stop, range: token.start..token.end, after_break });
        end = token.end;
    }
    found
}

/// The first content word after `place`, at most `reach` words on, in the same clause.
pub(super) fn head(words: &[Word], place: usize, reach: usize) -> Option<usize> {
    let mut inside = (place + 1..words.len().min(place + 1 + reach)).take_while(|&at| !words[at].after_break);
    inside.find(|&at| !words[at].stop)
}

/// Whether a word begins with a capital letter, or has one further on.
pub(super) fn is_capital(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || (word.chars().any(char::is_uppercase) && word.chars().count() > 1)
}

/// Whether a word has several capital letters.
pub(super) fn is_acronym(word: &str) -> bool {
    word.chars().filter(|c| c.is_uppercase()).count() > 1
}

/// Whether a word has a single letter.
pub(super) fn is_initial(word: &str) -> bool {
    word.chars().filter(|c| c.is_alphabetic()).count() == 1
}
