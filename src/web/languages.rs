//! Languages other than English: their stemmers are a wasm of their own, which the worker loads where a pack needs it
//! and hands over here.

use std::cell::RefCell;

use js_sys::Function;
use seealso_index::Language;
use wasm_bindgen::prelude::*;

thread_local! {
    static ANALYSE: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// From now on words of other languages go through `analyse`, the function of that name of the languages' wasm.
#[wasm_bindgen(js_name = useLanguages)]
#[allow(unreachable_pub)] // What crosses the boundary must be public.
pub fn use_languages(
    #[wasm_bindgen(unchecked_param_type = "(language: string, word: string) => string | undefined")] analyse: Function,
) {
    ANALYSE.set(Some(analyse));
    Language::supply(ask);
}

fn ask(language: &str, word: &str) -> Option<String> {
    ANALYSE.with_borrow(|analyse| {
        analyse.as_ref()?.call2(&JsValue::UNDEFINED, &language.into(), &word.into()).ok()?.as_string()
    })
}
