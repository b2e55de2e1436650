//! What the browser provides for words: its own normalisation and lower case, the stemmers of other languages, which
//! are a separate wasm, and its word segmenter for scripts without spaces. Every wasm that compares words sets up the
//! first two when it is loaded.

use js_sys::Function;
use seealso_index::{Analysis, Spelling};

mod languages;
mod segmenter;
mod spelling;

pub(crate) use segmenter::Words;

/// From now on, texts are normalised by the browser. Without it, only ASCII is folded.
pub fn use_spelling() {
    Spelling::supply(spelling::spell);
}

/// From now on, words of other languages are analysed by `analyse`, the function of that name of the languages' wasm.
pub fn use_languages(analyse: Function) {
    languages::supply(analyse);
}

/// From now on, questions in other languages are split by the words that `question_words` returns, the function
/// `questionWords` of the languages' wasm.
pub fn use_question_words(question_words: Function) {
    languages::supply_question_words(question_words);
}

/// Whether texts in any language of these BCP 47 tags cannot be analysed before [`use_languages`] was called.
pub fn needs_languages(tags: &[String]) -> bool {
    tags.iter().any(|tag| !Analysis::of_language(tag).is_there())
}
