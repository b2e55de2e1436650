//! The boundary of deliberation: the wasm that a browser loads when a reader wants a model's answer beside the quoted
//! one.
//!
//! One function: it takes an answer with the pages behind it, and models as objects of JavaScript, and returns the
//! result of the deliberation. There is no logic here, and no model: where one runs is JavaScript's business.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
