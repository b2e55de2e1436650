//! Errors for JavaScript, with a `code` for scripts.

use seealso::ModelError;
use seealso_boundary::{coded, set};
use seealso_node::Error;
use wasm_bindgen::JsValue;

/// Why a node is not asked, or the error of asking.
pub(super) enum Refusal {
    /// The reader agreed to nothing, or to another origin than this one.
    NoConsent(String),
    /// The node's error.
    Fault(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Fault(error)
    }
}

/// With the code `no-consent`, `bad-node`, `stopped` or `node`, and with `names` where a model must be named.
impl From<Refusal> for JsValue {
    fn from(refusal: Refusal) -> JsValue {
        let error = match refusal {
            Refusal::NoConsent(origin) => {
                let message = format!("the reader has not agreed to send anything to {origin}; ask for consent first");
                return coded("no-consent", &message);
            }
            Refusal::Fault(error) => error,
        };
        let code = match &error {
            Error::Address(_) | Error::Key(_) => "bad-node",
            Error::Stopped => "stopped",
            _ => "node",
        };
        let coded = coded(code, &error.to_string());
        if let Error::NameOne { names, .. } = &error {
            let names = names.iter().map(JsValue::from).collect::<js_sys::Array>();
            set(&coded, "names", &names);
        }
        coded
    }
}

/// The model's error, as the deliberation wasm reads it.
pub(super) fn failure(error: ModelError) -> JsValue {
    let code = match error {
        ModelError::Stopped => "stopped",
        ModelError::TooLong { .. } => "prompt-too-long",
        ModelError::CannotScore => "cannot-score",
        _ => "node",
    };
    let coded = coded(code, &error.to_string());
    if let ModelError::TooLong { tokens, room } = error {
        set(&coded, "tokens", &JsValue::from_f64(tokens as f64));
        set(&coded, "room", &JsValue::from_f64(room as f64));
    }
    coded
}
