//! Sentences that claim nothing: questions, announcements, labels, and honest silence ([`super::silence`]).

use super::abstention::is_abstention;

/// Fewer words than this, without a number among them, are a label.
const LEAST_WORDS: usize = 3;
/// The same for scripts without spaces, in characters.
const LEAST_UNSPACED: usize = 4;

/// Whether the sentence claims nothing that a page could bear out.
pub(super) fn claims_nothing(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '」', ' ']);
    let announces = bare.trim_end_matches('.').ends_with([':', '：']);
    bare.ends_with(['?', '？', '؟']) || announces || is_label(bare) || is_abstention(sentence)
}

/// Whether a character is of a script that puts no spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    ('\u{2e80}'..='\u{9fff}').contains(&c) || ('\u{e00}'..='\u{e7f}').contains(&c)
}

fn is_label(sentence: &str) -> bool {
    let unspaced = sentence.chars().filter(|c| is_unspaced(*c)).count();
    let words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    // A number alone is an item's marker.
    let marker = sentence.chars().all(|c| c.is_numeric() || matches!(c, '.' | ')' | ' '));
    let number = sentence.chars().any(char::is_numeric) && !marker;
    words == 0 || (words < LEAST_WORDS && !number && unspaced < LEAST_UNSPACED)
}
