//! The boundary to the browser: the only place that names `wasm_bindgen`. One class, plain structs, no logic.

mod class;
mod clock;
mod convert;
mod copies;
mod inflate;
mod source;
mod stream;
mod to_js;
mod types;
