//! The clock of the page or the worker that the wasm runs in.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use seealso::Clock;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now() -> f64;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(after: &Function, ms: u32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// `performance.now` and `setTimeout`.
#[derive(Debug, Clone, Copy)]
pub(super) struct WebClock;

impl Clock for WebClock {
    fn now_ms(&self) -> f64 {
        now()
    }

    async fn sleep(&self, ms: u32) {
        let timer = Timer(Rc::new(Cell::new(JsValue::UNDEFINED)));
        let promise = Promise::new(&mut |resolve, _| timer.0.set(set_timeout(&resolve, ms)));
        let _ = JsFuture::from(promise).await;
    }
}

/// A running timer. It is cancelled when its wait is dropped: one for the first word may be minutes long.
struct Timer(Rc<Cell<JsValue>>);

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(&self.0.take());
    }
}
