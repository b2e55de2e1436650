//! The codes of the model's errors.

use seealso_boundary::coded;
use seealso_model::Error;
use wasm_bindgen::JsValue;

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
