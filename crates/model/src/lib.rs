//! Runs a GGUF language model on burn: it reads prompts and writes answers, on the reader's own device.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use seealso_gguf::{Message, testing::TinyModel};
//! use seealso_model::ops::flex::FlexStore;
//! use seealso_model::{Event, LoadOptions, Model, Request, SessionOptions};
//!
//! # futures_executor::block_on(async {
//! // A tiny model of random weights; a real one comes from a file.
//! let file = TinyModel::default().write()?;
//! let store = Box::new(FlexStore::native());
//! let mut model = Model::load(&file[..], store, LoadOptions::default(), SessionOptions::default(), &mut |_| ())?;
//!
//! let prompt = model.language.prompt(&[Message::user("Who are you?")])?;
//! let request = Request { prompt: &prompt, max_tokens: 5, ..Request::default() };
//! let mut shown = String::new();
//! let mut watch = async |event: Event<'_>| {
//!     if let Event::Text(text) = event {
//!         shown.push_str(text);
//!     }
//!     ControlFlow::Continue(()) // or `Break`, to stop
//! };
//! let answer = model.generate(&request, &mut watch).await?;
//! assert_eq!(answer.text, shown);
//! # Ok::<(), seealso_model::Error>(()) }).unwrap();
//! ```
//!
//! # From a file to an answer
//!
//! - [`Loader`] takes a file's bytes as they come and places each weight where it will be used, still quantised: a
//!   [`WeightStore`](ops::WeightStore). [`FlexStore`](ops::flex::FlexStore) is the CPU.
//! - [`Decoder`] runs llama, qwen2 and qwen3 over a few coarse [operations](ops), which are an extension of burn's
//!   backends: one model for every device.
//! - [`Session`] knows what is in the decoder's cache, so that a prompt that begins like the last one, or like one
//!   that is kept under a name, is not read again. It also scores given continuations.
//! - A [`Probe`] is a number read off what a session has in mind before it says anything: a linear function of what
//!   stands behind one layer or several, or a perceptron with one hidden layer.
//! - [`generate`](fn@generate) draws token after token, by [sampling](sample) and under a [mask], and streams the text.
//!
//! # From a text to a vector
//!
//! - [`encoder`] runs sentence encoders of BERT's kind from safetensors files, behind [`Embedder`].
//!
//! # What it does not do
//!
//! It knows no prompts' wording, no network and no clock, and starts no threads: futures are driven by the caller,
//! and are not `Send`. Between any two passes the caller is asked, and may stop. It computes nothing itself: that is
//! what the device's kernels are for.
//!
//! # Quirks
//!
//! - Products with quantised weights round activations to 8 bits, and the cache holds half floats: logits differ in
//!   the second decimal from an implementation in single precision, and a near-tie may fall otherwise.
//! - A pass of one token and a pass of many give logits that differ in the last bits.
//! - One [`Decoder`] has one cache: it reads one conversation at a time.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
pub mod adapters;
mod vocabulary;
mod language;
mod load;
pub mod ops;
mod decoder;
pub mod network;
mod prefix;
mod session;
mod probe;
pub mod random;
pub mod sample;
pub mod mask;
mod stop;
mod generate;
mod model;
pub mod encoder;

pub use adapters::Adapters;
pub use decoder::Decoder;
pub use encoder::Embedder;
pub use error::Error;
pub use generate::{Event, Finish, GenerationResult, Request, generate};
pub use language::Language;
pub use load::{LoadOptions, Loader, Progress, load};
pub use model::Model;
pub use probe::{Probe, Unit};
pub use session::{PrefillProgress, Session, SessionOptions};
pub use vocabulary::{TokenSet, Vocabulary};
