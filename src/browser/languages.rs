//! Languages other than English: their stemmers and question words are a wasm of their own, which the worker loads where a pack needs it
//! and hands over here.

use std::cell::RefCell;

use js_sys::Function;
use seealso_index::Language;
use wasm_bindgen::JsValue;

thread_local! {
    static ANALYSE: RefCell<Option<Function>> = const { RefCell::new(None) };
    static QUESTION_WORDS: RefCell<Option<Function>> = const { RefCell::new(None) };
}

pub(super) fn supply(analyse: Function) {
    ANALYSE.set(Some(analyse));
    Language::supply(ask);
}

fn ask(language: &str, written: &str, folded: &str) -> Option<String> {
    ANALYSE.with_borrow(|analyse| {
        analyse
            .as_ref()?
            .call3(&JsValue::UNDEFINED, &language.into(), &written.into(), &folded.into())
            .ok()?
            .as_string()
    })
}

pub(super) fn supply_question_words(question_words: Function) {
    QUESTION_WORDS.set(Some(question_words));
    Language::supply_question_words(call_question_words);
}

fn call_question_words(language: &str) -> Option<String> {
    QUESTION_WORDS
        .with_borrow(|function| function.as_ref()?.call1(&JsValue::UNDEFINED, &language.into()).ok()?.as_string())
}
