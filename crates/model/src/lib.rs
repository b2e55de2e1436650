//! Runs a GGUF decoder on burn.

pub mod random;
mod vocabulary;
pub mod sample;
pub mod mask;
mod stop;

pub use vocabulary::{TokenSet, Vocabulary};
