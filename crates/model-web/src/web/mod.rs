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

#[wasm_bindgen(start)]
fn start() {
    seealso_boundary::start_with_constructors();
}
