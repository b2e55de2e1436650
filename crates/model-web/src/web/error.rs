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

/// The model's errors.
pub(super) fn into_error(error: Error) -> JsValue {
    let code = match &error {
        Error::File(_) | Error::Read(_) | Error::Tensor { .. } => "bad-model",
        Error::NoMemory { .. } => "no-memory",
        Error::Device { .. } | Error::NoNumbers => "device-failed",
        Error::WrongResults { .. } => "wrong-results",
        Error::TooLong { .. } => "prompt-too-long",
        Error::EmptyPrompt
        | Error::UnknownToken { .. }
        | Error::NoLayer { .. }
        | Error::OtherWidth { .. }
        | Error::OtherAdapters { .. } => "bad-call",
        Error::NothingAllowed { .. } => "no-way-on",
        _ => "internal",
    };
    coded(code, &error.to_string())
}

/// A value from JavaScript that is not as expected.
pub(super) fn bad_call(error: impl std::fmt::Display) -> JsValue {
    coded("bad-call", &error.to_string())
}
