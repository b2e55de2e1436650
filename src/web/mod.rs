//! The boundary to the browser: the only place that names `wasm_bindgen`. One class, plain structs, no logic. What asks by stages is
//! in the wasm of another crate alone, which takes the feature `stages`.

mod class;
mod clock;
mod convert;
mod copies;
#[cfg(feature = "stages")]
mod either;
mod inflate;
mod source;
#[cfg(feature = "stages")]
mod opened_stages;
#[cfg(feature = "stages")]
mod stages;
#[cfg(feature = "stages")]
mod entries;
mod stream;
mod to_js;
mod types;
