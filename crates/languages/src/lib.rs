//! Stemmers, stop words, abbreviations and question words of the languages other than English.
//!
//! English is built into the index's own analysis, because nearly every set of packs has some. All others live here,
//! so that they cost nothing where no pack is written in them: natively the index links this crate, in the browser it
//! is a second wasm, which the worker loads when an opened catalog needs it. The stemmers are Snowball's
//! (<https://snowballstem.org/>, version 3.0), as the Snowball compiler wrote them in Rust.
//!
//! What crosses the boundary is a word and a word; for a full stop, the table of the language's abbreviations:
//!
//! ```
//! assert_eq!(seealso_languages::analyse("de", "Häuser", "hauser").as_deref(), Some(".haus"));
//! assert_eq!(seealso_languages::analyse("de", "wie", "wie").as_deref(), Some("-wie"));
//! assert_eq!(seealso_languages::analyse("xx", "word", "word"), None);
//! assert!(seealso_languages::analyse("de", ".", "").is_some_and(|table| table.contains("bzw")));
//! ```
//!
//! This crate knows nothing of splitting text into words and drops no accents: it is handed each word without them too, and
//! stems that one, so that a word has one stem however it is typed (`accents.rs`).
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod abbreviations;
mod accents;
mod elision;
mod letters;
mod question_words;
mod stemmers;
mod stop_words;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "wasm32")]
mod web;

pub use abbreviations::abbreviations;

/// What stands before the stem of a word that says something of its own.
pub const WORD: char = '.';
/// What stands before the stem of a stop word.
pub const STOP_WORD: char = '-';

/// What is analysed to the table of a language's abbreviations.
pub const ABBREVIATIONS: &str = ".";

/// Words that are longer are taken as they are: they are no words of a language, and stemmers are not made for them.
const MOST_BYTES: usize = 100;

/// The stem of a word in the language of that ISO 639-1 code, behind [`WORD`] or [`STOP_WORD`]; `None` for a language that
/// has no stemmer here. `written` is one word as it stands in a text, by which stop words are known, and `folded` the same in
/// lower case without its accents, by which its stem is found; that may have some that the word's ending has. For
/// [`ABBREVIATIONS`], folded to nothing, it is the table of [`abbreviations()`].
pub fn analyse(language: &str, written: &str, folded: &str) -> Option<String> {
    if written == ABBREVIATIONS && folded.is_empty() {
        return abbreviations(language).map(str::to_owned);
    }
    let stemmer = stemmers::of(language)?;
    let small = letters::lower(language, written);
    let stop = stop_words::is_one(language, elision::without(language, &small));
    let mut marked = String::from(if stop { STOP_WORD } else { WORD });
    let word = elision::without(language, folded);
    match word.len() {
        0..=MOST_BYTES => marked.push_str(&stemmers::stem(stemmer, &accents::restored(language, word))),
        _ => marked.push_str(word),
    }
    Some(marked)
}

/// The words of which questions are built in the language of that ISO 639-1 code, as the index reads them: one line for each
/// role that a word may have. `None` for a language without a table.
pub fn question_words(language: &str) -> Option<&'static str> {
    question_words::of(language)
}
