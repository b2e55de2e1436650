//! The browser's clock, in a page and in a worker alike.

use js_sys::{Function, Promise, Reflect, global};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::world::Clock;

/// `performance.now` for the time (`Date.now` where there is none), `setTimeout` for waiting.
#[derive(Debug, Clone, Copy)]
pub(super) struct BrowserClock;

impl Clock for BrowserClock {
    fn now_ms(&self) -> f64 {
        performance_now().unwrap_or_else(js_sys::Date::now)
    }

    async fn sleep(&self, ms: u32) {
        let promise = Promise::new(&mut |resolve, _| {
            let set = Reflect::get(&global(), &JsValue::from_str("setTimeout"))
                .ok()
                .and_then(|f| f.dyn_into::<Function>().ok());
            if let Some(set) = set {
                let _ = set.call2(&JsValue::UNDEFINED, &resolve, &JsValue::from_f64(ms.into()));
            }
        });
        let _ = JsFuture::from(promise).await;
    }
}

/// `performance.now()`, where the global scope has it.
fn performance_now() -> Option<f64> {
    let performance = Reflect::get(&global(), &JsValue::from_str("performance")).ok()?;
    let performance: web_sys::Performance = performance.dyn_into().ok()?;
    Some(performance.now())
}
