//! The encoder's errors, as scripts get them.

use seealso_boundary::{bad_call, coded};
use seealso_model::Error;
use wasm_bindgen::JsValue;

/// The error with its code.
pub(super) fn into_error(error: Error) -> JsValue {
    coded(error.code(), &error.to_string())
}

/// A loader that is asked for more after its end.
pub(super) fn spent() -> JsValue {
    bad_call("the loader has given its encoder already")
}
