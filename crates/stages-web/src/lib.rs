//! The engine with the stages of a site: what a browser's worker loads when a question uses them.
//!
//! Its class is that of the wasm which every page loads, but that it asks otherwise: `askByStages` answers by chunks, vectors and
//! links, or by overviews alone, and `encoder` says what the encoder of the vectors is. They stand in the web folder of the crate
//! below, and only here are they compiled: a question by words costs nothing of them.
#![deny(missing_docs)]

#[cfg(target_arch = "wasm32")]
use seealso as _;
