//! Errors as JavaScript's, with a code for programs.

use js_sys::{Error, Reflect};
use wasm_bindgen::JsValue;

/// An `Error` with a `code` that scripts can tell apart.
#[must_use]
pub fn coded(code: &str, message: &str) -> JsValue {
    let error = Error::new(message).into();
    set(&error, "code", &code.into());
    error
}

/// The error of a value from JavaScript that is not as expected: its code is `bad-call`.
#[must_use]
pub fn bad_call(error: impl std::fmt::Display) -> JsValue {
    coded("bad-call", &error.to_string())
}

/// Sets a property of an object that was just made, which takes any.
pub fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}
