//! The wasm itself: its memory, and what runs once when it is loaded.

use js_sys::{ArrayBuffer, WebAssembly};
use wasm_bindgen::JsCast;

// SAFETY: what the linker makes of a program's constructors, which take nothing and give nothing.
#[allow(unsafe_code, reason = "the linker's name for it can't be said otherwise")]
unsafe extern "C" {
    fn __wasm_call_ctors();
}

/// Runs the constructors that the dependencies of burn have, and has panics told to the console. Where nobody calls
/// constructors by name, the linker has every exported function call them first, which once was a fifth of a token's time.
///
/// A wasm calls this once, before anything else. It is inlined, so that a wasm without the call does not name them.
#[inline]
#[allow(unsafe_code, reason = "calls what the linker makes")]
pub fn start_with_constructors() {
    // SAFETY: a wasm calls this once, before anything else.
    unsafe { __wasm_call_ctors() };
    console_error_panic_hook::set_once();
}

/// The bytes of this wasm's memory.
#[must_use]
pub fn memory_bytes() -> f64 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let buffer: ArrayBuffer = memory.buffer().unchecked_into();
    f64::from(buffer.byte_length())
}
