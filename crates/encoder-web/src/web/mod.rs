//! The boundary: two classes, errors with codes.

mod encoder;
mod error;

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(start)]
fn start() {
    seealso_boundary::start_with_constructors();
}
