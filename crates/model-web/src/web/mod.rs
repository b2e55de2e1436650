//! The boundary: classes, plain structs, errors with codes.

mod error;
mod kernels;
mod listener;
mod loader;
mod model;
mod options;
mod place;
mod prompt;
mod trial;

use wasm_bindgen::prelude::wasm_bindgen;

/// Changes whenever results or speed may.
#[wasm_bindgen]
#[allow(unreachable_pub, reason = "wasm_bindgen exports public functions alone")]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}
