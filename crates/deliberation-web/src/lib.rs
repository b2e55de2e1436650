//! The boundary of deliberation: the wasm that a browser loads when a reader wants a model's answer beside the quoted
//! one.
//!
//! Two functions: one takes an answer with the pages behind it, and models as objects of JavaScript, and returns the
//! result of the deliberation; the other takes a question, and returns what a model answers from its own knowledge. There is no
//! logic here, and no model: where one runs is JavaScript's business.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
