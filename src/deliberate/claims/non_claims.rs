//! Sentences that make no claim: questions, announcements, labels and abstentions ([`super::abstention`]).

use super::abstention::is_abstention;
use crate::deliberate::language::is_unspaced;

/// A sentence of fewer words without a number is a label.
const LEAST_WORDS: usize = 3;
/// The same limit for scripts without spaces, in characters.
const LEAST_UNSPACED: usize = 4;

/// Whether the sentence makes no claim that a page could support.
pub(super) fn claims_nothing(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '」', ' ']);
    let announces = bare.trim_end_matches('.').ends_with([':', '：']);
    bare.ends_with(['?', '？', '؟']) || announces || is_label(bare) || is_abstention(sentence)
}

fn is_label(sentence: &str) -> bool {
    let unspaced = sentence.chars().filter(|c| is_unspaced(*c)).count();
    let words = sentence.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    // A number alone is a list item's marker.
    let marker = sentence.chars().all(|c| c.is_numeric() || matches!(c, '.' | ')' | ' '));
    let number = sentence.chars().any(char::is_numeric) && !marker;
    words == 0 || (words < LEAST_WORDS && !number && unspaced < LEAST_UNSPACED)
}
