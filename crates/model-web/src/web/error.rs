//! The model's errors, as scripts get them.

use seealso_boundary::coded;
use seealso_model::Error;
use wasm_bindgen::JsValue;

/// The error with its code.
pub(super) fn into_error(error: Error) -> JsValue {
    coded(error.code(), &error.to_string())
}
