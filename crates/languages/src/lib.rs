//! Stemmers and stop words of the languages other than English.
//!
//! English is built into the index's own analysis, because nearly every set of packs has some. All others live here,
//! so that they cost nothing where no pack is written in them: natively the index links this crate, in the browser it
//! is a second wasm, which the worker loads when an opened catalog needs it. The stemmers are Snowball's
//! (<https://snowballstem.org/>, version 3.0), as the Snowball compiler wrote them in Rust.
//!
//! What crosses the boundary is a word and a word:
//!
//! ```
//! assert_eq!(seealso_languages::analyse("de", "Häuser").as_deref(), Some(".haus"));
//! assert_eq!(seealso_languages::analyse("de", "wie").as_deref(), Some("-wie"));
//! assert_eq!(seealso_languages::analyse("xx", "word"), None);
//! ```
//!
//! This crate knows nothing of splitting text into words and drops no accents: stemmers need them.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod elision;
mod letters;
mod stemmers;
mod stop_words;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "wasm32")]
mod web;

/// What stands before the stem of a word that says something of its own.
pub const WORD: char = '.';
/// What stands before the stem of a stop word.
pub const STOP_WORD: char = '-';

/// Words that are longer are taken as they are: they are no words of a language, and stemmers are not made for them.
const MOST_BYTES: usize = 100;

/// The stem of `word` in the language of that ISO 639-1 code, behind [`WORD`] or [`STOP_WORD`]; `None` for a language
/// that has no stemmer here. `word` is one word as it stands in a text; the stem is in lower case, with its accents.
pub fn analyse(language: &str, word: &str) -> Option<String> {
    let stemmer = stemmers::of(language)?;
    let word = letters::lower(language, word);
    let word = elision::without(language, &word);
    let stop = stop_words::is_one(language, word);
    let mut marked = String::from(if stop { STOP_WORD } else { WORD });
    match word.len() {
        0..=MOST_BYTES => marked.push_str(&stemmers::stem(stemmer, word)),
        _ => marked.push_str(word),
    }
    Some(marked)
}
