//! The boundary to JavaScript: two functions.

use wasm_bindgen::prelude::*;

/// The stem of a word behind a character for its kind, or nothing for a language without a stemmer; for a full stop the
/// table of the language's abbreviations.
#[wasm_bindgen]
#[allow(unreachable_pub)] // What crosses the boundary must be public.
pub fn analyse(language: &str, written: &str, folded: &str) -> Option<String> {
    crate::analyse(language, written, folded)
}

/// The words of which questions are built, or nothing for a language without a table.
#[wasm_bindgen(js_name = questionWords)]
#[allow(unreachable_pub)] // What crosses the boundary must be public.
pub fn question_words(language: &str) -> Option<String> {
    crate::question_words(language).map(str::to_owned)
}
