//! The boundary to JavaScript: one function.

use wasm_bindgen::prelude::*;

/// The stem of a word behind a character for its kind, or nothing for a language without a stemmer; for a full stop the
/// table of the language's abbreviations.
#[wasm_bindgen]
#[allow(unreachable_pub)] // What crosses the boundary must be public.
pub fn analyse(language: &str, written: &str, folded: &str) -> Option<String> {
    crate::analyse(language, written, folded)
}
