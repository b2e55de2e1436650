//! The boundary: two classes, errors with codes.

mod encoder;
mod error;

use wasm_bindgen::prelude::wasm_bindgen;

// SAFETY: what the linker makes of a program's constructors, which take nothing and give nothing.
#[allow(unsafe_code, reason = "the linker's name for it can't be said otherwise")]
unsafe extern "C" {
    fn __wasm_call_ctors();
}

#[wasm_bindgen(start)]
#[allow(unsafe_code, reason = "calls what the linker makes")]
fn start() {
    // Burn's dependencies have constructors, and where nobody calls these by name, every exported function does so first.
    //
    // SAFETY: this is called once, before anything else.
    unsafe { __wasm_call_ctors() };
    console_error_panic_hook::set_once();
}
