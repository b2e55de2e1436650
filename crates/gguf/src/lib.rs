//! GGUF model files, read as they come: metadata, quantised tensors, the tokenizer and the chat template in them.
//!
//! A model file begins with a [`Header`]: metadata and the tensors' descriptions. [`Reader`] takes a download piece by
//! piece, and hands each piece of each tensor on as soon as it is there, so that the weights are in memory once, where
//! their user puts them. [`ModelConfig`] is what a decoder needs to know, checked against the tensors. [`dequantise`]
//! gives the values of quantised blocks, for reference and for small tensors. [`Tokenizer`] turns text into tokens and
//! back, [`ChatTemplate`] a conversation into the prompt that the model knows.
//!
//! It reads files from anywhere: whatever the bytes say, the outcome is a value or an [`Error`], never a panic, and
//! no more memory than a small multiple of the bytes that came. It does not compute with weights, and knows no
//! network and no browser.
//!
//! ```
//! use seealso_gguf::{Header, HeaderProgress};
//!
//! // The first bytes of a download: not a header yet.
//! let parsed = Header::parse(b"GGUF\x03\0\0\0")?;
//! assert_eq!(parsed, HeaderProgress::NeedMore { at_least: 16 });
//! assert!(Header::parse(b"<!DOCTYPE html>").is_err());
//! # Ok::<(), seealso_gguf::Error>(())
//! ```
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod bytes;
mod chat;
mod config;
mod error;
mod fields;
mod header;
mod metadata;
mod prompt;
mod quant;
mod reader;
mod role;
mod stream;
mod tensor;
mod tokenizer;
#[cfg(any(test, feature = "write"))]
pub mod testing;
#[cfg(test)]
mod tests;

pub use chat::{ChatRole, ChatTemplate, Message};
pub use config::{Architecture, ModelConfig, Rope, RopeLayout, RopeScaling};
pub use error::Error;
pub use header::{Header, HeaderProgress, MAX_HEADER_BYTES};
pub use metadata::{Array, Metadata, Texts, Value};
pub use prompt::{Piece, Prompt, Special};
pub use quant::{Kind, dequantise, f16_to_f32, f32_to_f16};
pub use reader::{Reader, TensorSink, read_all};
pub use role::{BlockTensor, Role};
pub use stream::Stream;
pub use tensor::Tensor;
pub use tokenizer::{Detokenizer, TokenKind, Tokenizer};
