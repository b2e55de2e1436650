//! The local model's boundary: what a browser's worker loads when a model is wanted.
//!
//! Two classes: a loader that takes a model's file as it streams in, and the model that it gives, which generates and
//! scores. The CPU's kernels are another wasm, chosen by what the browser can do, with memory of its own; they come in
//! as a JavaScript object. There is no logic here, and the only names of `wasm_bindgen` in the crates of the model.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
