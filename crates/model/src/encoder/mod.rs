//! Sentence encoders of BERT's kind: texts to unit vectors whose dot product says how near they are in meaning.
//!
//! A model is what sentence-transformers publishes: `config.json`, `tokenizer.json` or `vocab.txt`, and
//! `model.safetensors`, whose bytes are taken as they come.
//!
//! ```text
//! wordpiece    text → ids                      BERT's normalisation, words, pieces
//! safetensors  bytes → named tensors           F32, F16, BF16, I8
//! bert         ids → a state a token           on burn, on every device
//! embedder     texts → unit vectors            batches of like length, pooling, normalisation
//! cross_encoder  query and texts → scores      both read together, a head of one output
//! loader       files → an embedder             one after another, in pieces
//! ```
//!
//! A file may have a matrix `NAME` in a byte a number (I8), with the scale of each of its rows in a tensor `NAME.scale` (F32): a
//! fourth of the bytes to load, and nearly the same vectors.
//! Weights are single precision on the device: such models have some 20 million of them in their layers, and an index
//! of vectors is only comparable with one made by the same arithmetic.

pub mod safetensors;
pub mod wordpiece;
mod config;
mod bert;
mod load;
mod embedder;
mod loader;
mod cross_encoder;
#[cfg(test)]
mod tests;

pub use bert::Bert;
pub use config::BertConfig;
pub use cross_encoder::CrossEncoder;
pub use embedder::{BertEmbedder, EmbedderOptions, Pooling};
pub use load::{BertLoader, SCALE, weight_shapes};
pub use loader::EmbedderLoader;
pub use wordpiece::WordPiece;

use crate::Error;

/// Texts to unit vectors.
#[allow(async_fn_in_trait, reason = "driven on one thread: in the browser futures are not `Send`")]
pub trait Embedder {
    /// The id of the vector space: vectors are comparable where this is equal, and only there.
    fn space(&self) -> &str;

    /// How many numbers a vector has.
    fn dimensions(&self) -> usize;

    /// One vector a text, in the texts' order, each of [`dimensions`](Self::dimensions) numbers and of length 1. What
    /// of a text is beyond the model's longest input is left out.
    ///
    /// # Errors
    ///
    /// Where the device fails.
    async fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, Error>;
}

/// A file that is damaged in `part`.
fn corrupt(part: &str, reason: impl Into<String>) -> Error {
    Error::File(seealso_gguf::Error::Corrupt { part: part.to_owned(), reason: reason.into() })
}

/// A sound file that asks for something that is not built here.
fn unsupported(what: impl Into<String>, supported: &str) -> Error {
    Error::File(seealso_gguf::Error::Unsupported { what: what.into(), supported: supported.to_owned() })
}

/// A tensor that does not fit.
fn misfit(name: &str, cause: impl Into<String>) -> Error {
    Error::Tensor { name: name.to_owned(), cause: cause.into() }
}
