//! Languages other than English, and the seam behind which their stemmers and stop words live.
//!
//! Natively the crate `seealso-languages` is linked in. In the browser it is a wasm of its own, and whoever loads it
//! hands it over with [`Language::supply`]; until then these languages have no terms at all, since words that are
//! taken as they stand would not meet the stems in the index.

#[cfg(target_arch = "wasm32")]
use std::sync::OnceLock;

/// A language with a stemmer of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

/// Analyses a word of the language with that ISO 639-1 code: a mark for the kind of word, and its stem.
pub type Analyse = fn(language: &str, word: &str) -> Option<String>;

/// The byte in a dictionary's keys, the code and the English name of each. A byte means the same language for ever.
const LANGUAGES: &[(u8, &str, &str)] = &[
    (b'A', "ar", "Arabic"),
    (b'B', "ca", "Catalan"),
    (b'C', "da", "Danish"),
    (b'D', "de", "German"),
    (b'E', "el", "Greek"),
    (b'F', "es", "Spanish"),
    (b'G', "fi", "Finnish"),
    (b'H', "fr", "French"),
    (b'I', "hi", "Hindi"),
    (b'J', "hu", "Hungarian"),
    (b'K', "id", "Indonesian"),
    (b'L', "it", "Italian"),
    (b'M', "nl", "Dutch"),
    (b'N', "no", "Norwegian"),
    (b'O', "pt", "Portuguese"),
    (b'P', "ro", "Romanian"),
    (b'Q', "ru", "Russian"),
    (b'R', "sv", "Swedish"),
    (b'S', "tr", "Turkish"),
];

/// What stands before the stem of a stop word.
const STOP_WORD: char = '-';

#[cfg(target_arch = "wasm32")]
static SUPPLIED: OnceLock<Analyse> = OnceLock::new();

impl Language {
    /// The language of a BCP 47 tag's first part, or of an English name, in any case.
    pub(super) fn of(name: &str) -> Option<Language> {
        let is = |known: &str| known.eq_ignore_ascii_case(name);
        let name = if is("nb") || is("nn") { "no" } else { name };
        LANGUAGES
            .iter()
            .find(|(_, code, english)| code.eq_ignore_ascii_case(name) || english.eq_ignore_ascii_case(name))
            .map(|row| Language(row.0))
    }

    pub(super) fn of_tag(tag: u8) -> Option<Language> {
        LANGUAGES.iter().any(|row| row.0 == tag).then_some(Language(tag))
    }

    pub(super) fn tag(self) -> u8 {
        self.0
    }

    /// Its ISO 639-1 code, such as `de`.
    pub fn code(self) -> &'static str {
        self.row().1
    }

    /// Its English name, such as `German`.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> &'static (u8, &'static str, &'static str) {
        LANGUAGES.iter().find(|row| row.0 == self.0).unwrap_or(&LANGUAGES[0])
    }

    /// Hands over the analyser of all languages, in the browser, once its wasm is loaded.
    #[cfg(target_arch = "wasm32")]
    pub fn supply(analyse: Analyse) {
        let _ = SUPPLIED.set(analyse);
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

    /// The stem of a word, with its accents, and whether it is a stop word.
    pub(super) fn analyse(self, word: &str) -> Option<(String, bool)> {
        let mut stem = Language::analyser()?(self.code(), word)?;
        let stop = stem.starts_with(STOP_WORD);
        stem.drain(..stem.len().min(1));
        Some((stem, stop))
    }
}
