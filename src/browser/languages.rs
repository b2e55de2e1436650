//! Languages other than English: their stemmers are a wasm of their own, which the worker loads where a pack needs it
//! and hands over here.

use std::cell::RefCell;

use js_sys::Function;
use seealso_index::Language;
use wasm_bindgen::JsValue;

thread_local! {
    static ANALYSE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

pub(super) fn supply(analyse: Function) {
    ANALYSE.set(Some(analyse));
    Language::supply(ask);
}

fn ask(language: &str, word: &str) -> Option<String> {
    ANALYSE.with_borrow(|analyse| {
        analyse.as_ref()?.call2(&JsValue::UNDEFINED, &language.into(), &word.into()).ok()?.as_string()
    })
}
