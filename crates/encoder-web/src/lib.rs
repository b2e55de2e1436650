//! The encoder's boundary: what a browser's worker loads when texts are to become vectors.
//!
//! Two classes: a loader that takes an encoder's files as they stream in, and the encoder that it gives. It is apart from
//! the wasm of the models that write, since it needs another part of burn than they do, and neither should be fetched for
//! the other.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
