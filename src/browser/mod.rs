//! What the browser does for words: its own normal forms and small letters, and the stemmers of other languages, which are
//! a wasm of their own; and its finder of words in scripts without spaces. Every wasm that compares words hands the first
//! two over to itself when it is loaded.

use js_sys::Function;
use seealso_index::{Analysis, Spelling};

mod languages;
mod segmenter;
mod spelling;

pub(crate) use segmenter::Words;

/// From now on texts are spelt as the browser does. Without it only ASCII is folded.
pub fn use_spelling() {
    Spelling::supply(spelling::spell);
}

/// From now on words of other languages go through `analyse`, the function of that name of the languages' wasm.
pub fn use_languages(analyse: Function) {
    languages::supply(analyse);
}

/// From now on questions in other languages are split by the words that `question_words` tells, the function
/// `questionWords` of the languages' wasm.
pub fn use_question_words(question_words: Function) {
    languages::supply_question_words(question_words);
}

/// Whether texts in any language of these BCP 47 tags can't be analysed before [`use_languages`] was called.
pub fn needs_languages(tags: &[String]) -> bool {
    tags.iter().any(|tag| !Analysis::of_language(tag).is_there())
}
