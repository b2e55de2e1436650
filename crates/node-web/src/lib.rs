//! The boundary of nodes: what a browser loads when a reader names one.
//!
//! What would be sent is told without a request; a node is asked after the reader's consent alone, which names its origin.
//! It is then a model as the wasm that deliberates wants one. There is no logic here: that is in `seealso-node`.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
mod web;
