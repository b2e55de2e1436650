//! The browser's clock, in a page and in a worker alike.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::world::Clock;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn now_ms() -> f64;

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(done: &Function, ms: f64);
}

/// `performance.now` for the time, `setTimeout` for waiting.
#[derive(Debug, Clone, Copy)]
pub(super) struct BrowserClock;

impl Clock for BrowserClock {
    fn now_ms(&self) -> f64 {
        now_ms()
    }

    async fn sleep(&self, ms: u32) {
        let promise = Promise::new(&mut |resolve, _| set_timeout(&resolve, ms.into()));
        let _ = JsFuture::from(promise).await;
    }
}
