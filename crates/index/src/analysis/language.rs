//! Languages other than English: their names, and the interface to their stemmers and stop words.
//!
//! Natively the crate `seealso-languages` is linked in. In a browser it is a wasm of its own, and whoever loads it
//! supplies it with `Language::supply`. Until then these languages have no terms at all, because unstemmed words would
//! not match the stems in the index.

use std::borrow::Cow;
#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;

/// A language with a stemmer of its own, by its place in the table of these languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

/// Analyses a word of the language with that ISO 639-1 code. The word is given as written and folded; the result is a
/// mark for the kind of word, and its stem.
pub type Analyser = fn(language: &str, written: &str, folded: &str) -> Option<String>;

/// Returns the table of question words of the language with that ISO 639-1 code.
pub type QuestionWordsSource = fn(language: &str) -> Option<String>;

/// The code and the English name of each language. A language's place determines the byte in a dictionary's keys, so it
/// never changes.
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

/// The word that an analyser answers with the table of a language's abbreviations.
const ABBREVIATIONS: &str = ".";

/// The byte of the first language in a dictionary's keys.
const FIRST_TAG: u8 = b'A';

/// The mark before the stem of a stop word.
const STOP_WORD: char = '-';

#[cfg(target_arch = "wasm32")]
static SUPPLIED: OnceLock<Analyser> = OnceLock::new();
#[cfg(target_arch = "wasm32")]
static SUPPLIED_QUESTION_WORDS: OnceLock<QuestionWordsSource> = OnceLock::new();

impl Language {
    /// The language of a BCP 47 tag's first part, or of an English name. Case does not matter.
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

    /// Supplies the analyser of all languages, in a browser, once its wasm is loaded.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(analyser: Analyser) {
        let _ = SUPPLIED.set(analyser);
    }

    /// Supplies the tables of question words, in a browser, once the languages' wasm is loaded.
    #[cfg(target_arch = "wasm32")]
    pub fn supply_question_words(source: QuestionWordsSource) {
        let _ = SUPPLIED_QUESTION_WORDS.set(source);
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
    fn analyser() -> Option<Analyser> {
        SUPPLIED.get().copied()
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn analyser() -> Option<Analyser> {
        Some(seealso_languages::analyse)
    }

    /// Whether words of these languages can be analysed. In a browser they can once their wasm is loaded.
    pub(super) fn are_loaded() -> bool {
        Language::analyser().is_some()
    }

    /// The stem of a word, and whether it is a stop word. The stem may have an accent that its ending left.
    pub(super) fn analyse(self, written: &str, folded: &str) -> Option<(String, bool)> {
        let mut stem = Language::analyser()?(self.code(), written, folded)?;
        let stop = stem.starts_with(STOP_WORD);
        if !stem.is_empty() {
            stem.remove(0);
        }
        Some((stem, stop))
    }

    /// The table of its abbreviations; none where the language has none or is not loaded yet.
    pub(super) fn abbreviations(self) -> Option<String> {
        Language::analyser()?(self.code(), ABBREVIATIONS, "")
    }
}
