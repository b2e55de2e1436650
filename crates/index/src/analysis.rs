//! Analysis: from text to the tokens that are indexed and asked for.
//!
//! The same steps serve pages and questions: compatibility form (Unicode NFKC), lower case, accents of Latin and
//! Greek letters dropped, words split at everything that is neither letter, digit nor mark. Scripts written without
//! spaces (and Korean, whose words carry their particles) become overlapping pairs of characters. A pack in English
//! also loses its stop words and is stemmed by Snowball's English algorithm ("Porter2",
//! <https://snowballstem.org/algorithms/english/stemmer.html>); every other language is taken word for word.

use crate::fold::{fold, is_mark};
use crate::stop_words::{is_english_stop_word, is_english_weak_word};
use rust_stemmers::{Algorithm, Stemmer};

/// How the text of a pack is analysed; one index may hold packs of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Analysis {
    /// English: stop words dropped, words stemmed.
    English,
    /// Any other language: words as they stand.
    Plain,
}

impl Analysis {
    /// Every analysis that this version knows.
    pub const ALL: [Analysis; 2] = [Analysis::English, Analysis::Plain];

    /// The analysis for a BCP 47 language tag (`en-GB` is English).
    pub fn of_language(tag: &str) -> Analysis {
        let primary = tag.split(['-', '_']).next().unwrap_or_default();
        if primary.eq_ignore_ascii_case("en") { Analysis::English } else { Analysis::Plain }
    }

    /// The byte that stands before each of this analysis's keys in a dictionary.
    pub(crate) fn tag(self) -> u8 {
        match self {
            Analysis::English => b'e',
            Analysis::Plain => b'p',
        }
    }

    pub(crate) fn of_tag(tag: u8) -> Option<Analysis> {
        Analysis::ALL.into_iter().find(|analysis| analysis.tag() == tag)
    }

    /// The tokens of `text` in reading order, stop words left out.
    pub fn tokens(self, text: &str) -> Vec<Token> {
        self.all_tokens(text).into_iter().filter(|token| !token.stop).collect()
    }

    /// The tokens of `text` in reading order, stop words marked but kept.
    pub fn all_tokens(self, text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        for word in words(text) {
            if word.text.chars().all(is_unspaced) {
                tokens.extend(pairs(&word));
            } else {
                tokens.push(self.token(&word));
            }
        }
        tokens
    }

    fn token(self, word: &Word) -> Token {
        let bare = without_possessive(&word.text);
        let stop = self == Analysis::English && is_english_stop_word(&word.text);
        let weak = self == Analysis::English && is_english_weak_word(&word.text);
        let term = match self {
            Analysis::English => Stemmer::create(Algorithm::English).stem(&bare).into_owned(),
            Analysis::Plain => bare,
        };
        Token { term, start: word.start, end: word.end, stop, weak }
    }
}

/// One token, with where it stands in the text it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What is looked up in the dictionary.
    pub term: String,
    /// First byte of the word in the text.
    pub start: usize,
    /// One past the last byte of the word in the text.
    pub end: usize,
    /// Whether the analysis's language counts it as a stop word.
    pub stop: bool,
    /// Whether it is a common word that says little about a subject, in a question.
    pub weak: bool,
}

/// A word in folded form, with its place in the text.
struct Word {
    text: String,
    start: usize,
    end: usize,
}

/// Splits `text` into words. An apostrophe between letters stays inside the word.
fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut open: Option<(usize, bool)> = None;
    for (at, c) in text.char_indices() {
        let apostrophe = is_apostrophe(c) && text[at + c.len_utf8()..].chars().next().is_some_and(char::is_alphabetic);
        let inside = is_word_char(c) || (apostrophe && open.is_some());
        let unspaced = is_unspaced(c);
        match open {
            Some((start, script)) if !inside || (script != unspaced && !is_mark(c)) => {
                found.push(folded(text, start, at));
                open = inside.then_some((at, unspaced));
            }
            None if inside => open = Some((at, unspaced)),
            _ => {}
        }
    }
    if let Some((start, _)) = open {
        found.push(folded(text, start, text.len()));
    }
    found.retain(|word| !word.text.is_empty());
    found
}

fn folded(text: &str, start: usize, end: usize) -> Word {
    Word { text: fold(&text[start..end]), start, end }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}')
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

fn without_possessive(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    word.replace('\'', "")
}

/// Whether `c` belongs to a script that is written without spaces between words, or to Hangul.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c),
        0x0e00..=0x0eff     // Thai, Lao
        | 0x1000..=0x109f   // Myanmar
        | 0x1100..=0x11ff   // Hangul Jamo
        | 0x1780..=0x17ff   // Khmer
        | 0x3005..=0x3007 | 0x3040..=0x30ff | 0x31f0..=0x31ff // Japanese
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff // Han
        | 0xac00..=0xd7af   // Hangul syllables
        | 0xff66..=0xff9f   // half-width Katakana
        | 0x20000..=0x3ffff // Han extensions
    )
}

/// Overlapping pairs of characters; a lone character stands for itself.
fn pairs(word: &Word) -> Vec<Token> {
    let chars: Vec<char> = word.text.chars().collect();
    let token = |term: String| Token { term, start: word.start, end: word.end, stop: false, weak: false };
    if chars.len() < 2 {
        return vec![token(word.text.clone())];
    }
    chars.windows(2).map(|pair| token(pair.iter().collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(analysis: Analysis, text: &str, expected: &[&str]) {
        let terms: Vec<String> = analysis.tokens(text).into_iter().map(|token| token.term).collect();
        assert_eq!(terms, expected, "{text}");
    }

    #[test]
    fn english_is_stemmed_and_loses_its_stop_words() {
        check(Analysis::English, "What is the difference between Roman emperors?", &["differ", "roman", "emperor"]);
        check(Analysis::English, "Hadrian's Wall", &["hadrian", "wall"]);
        check(Analysis::English, "don’t I've isn't", &[]);
        check(Analysis::English, "multi-stage builds, v2.0", &["multi", "stage", "build", "v2", "0"]);
        check(Analysis::English, "", &[]);
    }

    #[test]
    fn other_languages_are_taken_word_for_word() {
        check(Analysis::Plain, "Was ist die Größe?", &["was", "ist", "die", "große"]);
        check(Analysis::Plain, "ＦＵＬＬ width Ⅳ", &["full", "width", "iv"]);
        check(Analysis::Plain, "Ночной дозор", &["ночной", "дозор"]);
        check(Analysis::Plain, "हिन्दी", &["हिन्दी"]);
    }

    #[test]
    fn accents_fold_alike_in_both_forms() {
        assert_eq!(fold("Café"), "cafe");
        assert_eq!(fold("Cafe\u{301}"), "cafe");
        assert_eq!(fold("が"), "が");
        assert_eq!(fold("й"), "й");
    }

    #[test]
    fn unspaced_scripts_become_pairs() {
        check(Analysis::English, "光合成とは", &["光合", "合成", "成と", "とは"]);
        check(Analysis::English, "Dockerとは", &["docker", "とは"]);
        check(Analysis::Plain, "猫", &["猫"]);
    }

    #[test]
    fn tokens_know_their_place() {
        let tokens = Analysis::English.all_tokens("the Éclair's end");
        assert_eq!(
            tokens.iter().map(|t| (t.start, t.end, t.stop)).collect::<Vec<_>>(),
            [(0, 3, true), (4, 13, false), (14, 17, false)]
        );
    }
}
