//! What a full stop belongs to: a sentence, or the word before it.
//!
//! Abbreviations stand in tables, each in one of four classes, which say what a following capital means. Words that are only
//! written with a capital where a sentence begins (its language's stop words: "The", "It") tell where an abbreviation of
//! the open class, or an initial, also ends the sentence: "at 8 a.m. The shop", but "at 8 a.m. Tuesday".

use seealso_index::{Analysis, lower};

use super::{english, opened, polish};

/// What ends a sentence with the full stop of an abbreviation.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// Nothing: something that it belongs to follows ("Dr.", "e.g.").
    Never,
    /// A word: it stands before numbers and letters ("No. 5", "p. 12"), and else is no abbreviation.
    BeforeNumber,
    /// A word that has its capital from the sentence that it begins ("a.m.", "Inc.", "Jan.").
    Open,
    /// Any capital: it stands at the end of what it belongs to ("etc.").
    Closing,
}

/// The classes in the order of a table.
const CLASSES: [Class; 4] = [Class::Never, Class::BeforeNumber, Class::Open, Class::Closing];
/// What a table's last field says of a language that writes ordinals with a full stop: "3. Oktober".
const ORDINALS: &str = "ordinals";
/// German months: a number before one is an ordinal, also where the text is said to be in another language.
const MONTHS: &str = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember";
/// The letters of a longer word than any abbreviation are not looked at.
const MOST_BYTES: usize = 24;

/// The tables of a language and English. A table holds the words of each class, apart by spaces, the classes apart by `|`.
/// A word in small letters stands for itself with a capital too; one of a single letter does not.
pub(super) struct Stops {
    analysis: Analysis,
    own: String,
    shared: &'static str,
}

impl Stops {
    pub(super) fn of(analysis: Analysis) -> Stops {
        let shared = if analysis == Analysis::Plain { polish::ABBREVIATIONS } else { english::ABBREVIATIONS };
        Stops { analysis, own: analysis.abbreviations(), shared }
    }

    /// Whether the full stop between `before`, the sentence so far, and `rest` belongs to the word before it alone.
    pub(super) fn belongs_to_word(&self, before: &str, rest: &str) -> bool {
        let rest = opened(rest.trim_start());
        let word = last_word(before);
        if rest.is_empty() || word.is_empty() || word.len() > MOST_BYTES {
            return false;
        }
        let head = before[..before.len() - word.len()].trim_end();
        if (head.is_empty() || head.ends_with([':', '：'])) && is_item(word) {
            return true;
        }
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            return word.len() <= 3 && self.is_ordinal_before(rest);
        }
        if is_letter(word) && self.begins_abbreviation(word, rest) {
            return true;
        }
        match self.class(head, word) {
            None | Some(Class::Closing) => false,
            Some(Class::Never) => true,
            Some(Class::BeforeNumber) => !starts_with_word(rest),
            Some(Class::Open) => !self.begins_sentence(rest),
        }
    }

    /// Whether a number with a full stop before `rest` is an ordinal.
    fn is_ordinal_before(&self, rest: &str) -> bool {
        let next = first_word(rest);
        let is_of_language = self.own.ends_with(ORDINALS) && next.starts_with(char::is_alphabetic);
        MONTHS.as_bytes().split(|byte| *byte == b' ').any(|month| month == next.as_bytes())
            || is_of_language && !self.begins_sentence(rest)
    }

    /// The class of `word` behind `head`; none where it is no abbreviation.
    fn class(&self, head: &str, word: &str) -> Option<Class> {
        let before = last_word(head);
        let first = before.strip_suffix('.').filter(|first| is_letter(first) && is_short(word));
        // "z. B." is "z.B.".
        let joined = first.and_then(|first| self.listed(&[first, ".", word].concat()));
        let of_shape = || {
            let is_initial = is_letter(word) && word.starts_with(char::is_uppercase);
            let is_dotted = word.contains('.') && word.split('.').all(is_short);
            (is_initial || is_dotted).then_some(Class::Open)
        };
        joined.or_else(|| self.listed(word)).or_else(of_shape)
    }

    /// Whether a letter and what follows its full stop are one abbreviation, as in "z. B.".
    fn begins_abbreviation(&self, letter: &str, rest: &str) -> bool {
        let next = first_word(rest);
        let is_abbreviation = is_short(next) && rest[next.len()..].starts_with('.');
        is_abbreviation && self.listed(&[letter, ".", next].concat()).is_some()
    }

    fn listed(&self, word: &str) -> Option<Class> {
        let small = if is_letter(word) { word.to_owned() } else { lower(word) };
        for table in [&*self.own, self.shared] {
            for (place, class) in table.as_bytes().split(|byte| *byte == b'|').enumerate() {
                let mut words = class.split(|byte| *byte == b' ');
                if words.any(|listed| listed == word.as_bytes() || listed == small.as_bytes()) {
                    return CLASSES.get(place).copied();
                }
            }
        }
        None
    }

    /// Whether `rest` begins with a word that has its capital from the sentence that it begins. The initial of a name is none.
    fn begins_sentence(&self, rest: &str) -> bool {
        let word = first_word(rest);
        let is_initial = is_letter(word) && rest[word.len()..].starts_with('.');
        !is_initial
            && word.len() <= MOST_BYTES
            && self.analysis.all_tokens(word).first().is_some_and(|token| token.stop)
    }
}

/// What stands behind the last space, opening bracket or opening quote of `text`.
fn last_word(text: &str) -> &str {
    let is_bound = |c: char| {
        c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„' | '‚' | '‘' | '«' | '»' | '/' | '—' | '–')
    };
    let start = text.char_indices().rev().find(|(_, c)| is_bound(*c)).map_or(0, |(at, c)| at + c.len_utf8());
    &text[start..]
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    &text[..end.unwrap_or(text.len())]
}

/// Whether `text` begins with a word rather than a number, a letter or a Roman number.
fn starts_with_word(text: &str) -> bool {
    let word = first_word(text);
    let is_number = word.starts_with(char::is_numeric) || word.bytes().all(|byte| b"IVXLCDM".contains(&byte));
    !word.is_empty() && !is_number && !is_letter(word) && word.chars().all(char::is_alphabetic)
}

/// Whether `word`, at the beginning of a sentence, numbers an item: `1`, `2.1`, `a`, `iv`.
fn is_item(word: &str) -> bool {
    let word = word.trim_end_matches(')');
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // A year is none.
    let is_short = word.len() <= 3 || word.contains('.');
    is_letter(word) || is_number && is_short || word.bytes().all(|byte| b"ivx".contains(&byte))
}

fn is_letter(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// Whether `word` is of one letter or two.
fn is_short(word: &str) -> bool {
    !word.is_empty() && word.chars().take(3).count() < 3 && word.chars().all(char::is_alphabetic)
}
