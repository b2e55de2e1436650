//! The browser's finder of words, `Intl.Segmenter`, which has dictionaries of Thai, Lao, Khmer and Burmese.

use js_sys::{JsString, Object, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::sentences;

// js-sys has one that does not catch what a browser without it throws.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Intl)]
    type Segmenter;

    #[wasm_bindgen(constructor, js_namespace = Intl, catch)]
    fn new(locale: &JsValue, options: &Object) -> Result<Segmenter, JsValue>;

    #[wasm_bindgen(method, js_namespace = Intl)]
    fn segment(this: &Segmenter, text: &str) -> js_sys::Intl::Segments;
}

/// Words as the browser finds them; none where it can't.
pub(crate) struct Words;

impl sentences::Segmenter for Words {
    fn word_starts(&self, text: &str) -> Vec<usize> {
        let options = Object::new();
        let _ = Reflect::set(&options, &"granularity".into(), &"word".into());
        let Ok(segmenter) = Segmenter::new(&JsValue::UNDEFINED, &options) else { return Vec::new() };
        let segments = segmenter.segment(text);
        let (mut starts, mut at, mut unit) = (Vec::new(), 0, 0);
        while let Some(found) = segments.containing(unit) {
            let segment: JsString = found.segment();
            let written = String::from(&segment);
            if !written.starts_with(char::is_whitespace) {
                starts.push(at);
            }
            at += written.len();
            unit += segment.length();
        }
        starts
    }
}
