//! The codes of the encoder's errors.

use seealso_boundary::{bad_call, coded};
use seealso_model::Error;
use wasm_bindgen::JsValue;

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
    bad_call("the loader has given its encoder already")
}
