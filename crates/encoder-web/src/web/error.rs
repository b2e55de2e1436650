//! Errors as JavaScript's, with a code for programs.

use js_sys::{Error as JsError, Reflect};
use seealso_model::Error;
use wasm_bindgen::JsValue;

/// An `Error` with a `code`.
pub(super) fn coded(code: &str, message: &str) -> JsValue {
    let error = JsError::new(message);
    // An object just made takes a property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

/// The encoder's errors.
pub(super) fn into_error(error: Error) -> JsValue {
    let code = match &error {
        Error::File(_) | Error::Read(_) | Error::Tensor { .. } => "bad-model",
        Error::NoMemory { .. } => "no-memory",
        _ => "device-failed",
    };
    coded(code, &error.to_string())
}

/// A loader that is asked for more after its end.
pub(super) fn spent() -> JsValue {
    coded("bad-call", "the loader has given its encoder already")
}
