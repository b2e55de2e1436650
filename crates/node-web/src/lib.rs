//! The boundary of nodes: what a browser loads when a reader names one.
//!
//! The terms of a node are returned without a request. A node is asked only after the reader's consent, which names its
//! origin; it is then a model as the deliberation wasm expects one. There is no logic here: that is in `seealso-node`.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
