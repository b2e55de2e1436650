//! What the boundaries of the workers' wasm packages share: errors that scripts can tell apart, the size of a wasm's memory,
//! and what runs when a wasm is loaded.
//!
//! The boundary of retrieval has its own errors, since it has none of these crates and is held to a size.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod error;
#[cfg(target_arch = "wasm32")]
mod module;

#[cfg(target_arch = "wasm32")]
pub use error::{bad_call, coded, set};
#[cfg(target_arch = "wasm32")]
pub use module::{memory_bytes, start_with_constructors};
