//! Languages other than English, and the seam behind which their stemmers and stop words live.
//!
//! Natively the crate `seealso-languages` is linked in. In the browser it is a wasm of its own, and whoever loads it
//! hands it over with `Language::supply`; until then these languages have no terms at all, since words that are
//! taken as they stand would not meet the stems in the index.

use std::borrow::Cow;
#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;

/// A language with a stemmer of its own: its place among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

/// Analyses a word of the language with that ISO 639-1 code, given as it is written and folded: a mark for the kind of word,
/// and its stem.
pub type Analyse = fn(language: &str, written: &str, folded: &str) -> Option<String>;

/// Gives the table of question words of the language with that ISO 639-1 code.
pub type TellQuestionWords = fn(language: &str) -> Option<String>;

/// The code and the English name of each. Its place makes the byte in a dictionary's keys, so each keeps it for ever.
const LANGUAGES: &[&str] = &[
    "ar Arabic",
    "ca Catalan",
    "da Danish",
    "de German",
    "el Greek",
    "es Spanish",
    "fi Finnish",
    "fr French",
    "hi Hindi",
    "hu Hungarian",
    "id Indonesian",
    "it Italian",
    "nl Dutch",
    "no Norwegian",
    "pt Portuguese",
    "ro Romanian",
    "ru Russian",
    "sv Swedish",
    "tr Turkish",
    "eo Esperanto",
    "et Estonian",
    "eu Basque",
    "ga Irish",
    "hy Armenian",
    "lt Lithuanian",
    "ne Nepali",
    "sr Serbian",
    "ta Tamil",
    "yi Yiddish",
];

/// The word that stands for the table of a language's abbreviations: the mark that these end in.
const ABBREVIATIONS: &str = ".";

/// The byte of the first of them.
const FIRST_TAG: u8 = b'A';

/// What stands before the stem of a stop word.
const STOP_WORD: char = '-';

#[cfg(target_arch = "wasm32")]
static SUPPLIED: OnceLock<Analyse> = OnceLock::new();
#[cfg(target_arch = "wasm32")]
static SUPPLIED_QUESTION_WORDS: OnceLock<TellQuestionWords> = OnceLock::new();

impl Language {
    /// The language of a BCP 47 tag's first part, or of an English name, in any case.
    pub(super) fn of(name: &str) -> Option<Language> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        if is("nb") || is("nn") {
            return Language::of("no");
        }
        let place = LANGUAGES.iter().position(|row| is(&row[..2]) || is(&row[3..]))?;
        Some(Language(place as u8))
    }

    pub(super) fn of_tag(tag: u8) -> Option<Language> {
        let place = tag.checked_sub(FIRST_TAG)?;
        (usize::from(place) < LANGUAGES.len()).then_some(Language(place))
    }

    pub(super) fn tag(self) -> u8 {
        FIRST_TAG + self.0
    }

    /// Its ISO 639-1 code, such as `de`.
    pub fn code(self) -> &'static str {
        &LANGUAGES[usize::from(self.0)][..2]
    }

    /// Its English name, such as `German`.
    pub fn name(self) -> &'static str {
        &LANGUAGES[usize::from(self.0)][3..]
    }

    /// Hands over the analyser of all languages, in the browser, once its wasm is loaded.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(analyse: Analyse) {
        let _ = SUPPLIED.set(analyse);
    }

    /// Hands over the tables of question words, in the browser, once the languages' wasm is loaded.
    #[cfg(target_arch = "wasm32")]
    pub fn supply_question_words(tell: TellQuestionWords) {
        let _ = SUPPLIED_QUESTION_WORDS.set(tell);
    }

    /// The language's table of question words; none where it has none, or a browser has not loaded it.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn question_words(self) -> Option<Cow<'static, str>> {
        SUPPLIED_QUESTION_WORDS.get()?(self.code()).map(Cow::Owned)
    }

    /// The language's table of question words; none where it has none.
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) fn question_words(self) -> Option<Cow<'static, str>> {
        seealso_languages::question_words(self.code()).map(Cow::Borrowed)
    }

    #[cfg(target_arch = "wasm32")]
    fn analyser() -> Option<Analyse> {
        SUPPLIED.get().copied()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn analyser() -> Option<Analyse> {
        Some(seealso_languages::analyse)
    }

    /// Whether words of these languages can be analysed: always, but for a browser that has not loaded them.
    pub(super) fn are_there() -> bool {
        Language::analyser().is_some()
    }

    /// The stem of a word, which may have accents of its ending, and whether it is a stop word.
    pub(super) fn analyse(self, written: &str, folded: &str) -> Option<(String, bool)> {
        let mut stem = Language::analyser()?(self.code(), written, folded)?;
        let stop = stem.starts_with(STOP_WORD);
        if !stem.is_empty() {
            stem.remove(0);
        }
        Some((stem, stop))
    }

    /// The table of its abbreviations; none where it has none or can't be analysed yet.
    pub(super) fn abbreviations(self) -> Option<String> {
        Language::analyser()?(self.code(), ABBREVIATIONS, "")
    }
}
