//! A language model that runs elsewhere, as a [`Model`](seealso::Model) of `seealso`: behind any endpoint that is
//! compatible with OpenAI's chat completions, such as llama.cpp's server, Ollama, vLLM, or `seealso node`.
//!
//! ```
//! use seealso_node::{Address, Consent, Key, Node, Settings, Terms, Transport};
//!
//! /// `show` is asked to show the terms, and gives whether the reader agrees.
//! fn node<T: Transport, C: seealso::Clock>(
//!     transport: T,
//!     clock: C,
//!     show: impl Fn(&Terms) -> bool,
//! ) -> Result<Option<Node<T, C>>, seealso_node::Error> {
//!     let address = Address::parse("http://127.0.0.1:8322/v1")?;
//!     let terms = Terms::of(&address);
//!     if !show(&terms) {
//!         return Ok(None);
//!     }
//!     let settings = Settings { model: Some("qwen2.5".to_owned()), ..Settings::at(address) };
//!     Node::new(settings, terms.agree(), transport, clock).map(Some)
//! }
//! ```
//!
//! # What it takes care of
//!
//! - **Consent.** A [`Node`] is made with a [`Consent`], which only [`Terms`] give and which names one origin. Without it
//!   there is no node, so there is no request. Redirects are not followed. What is sent is the prompt, the model's name,
//!   the limit of tokens, and the key.
//! - **Faults.** No connection, no key, an overloaded server, half an answer, a timeout, a web page, other forms of JSON:
//!   each is an [`Error`] that says what failed, where, and what to do. Before the first word, a request is retried if that
//!   may help; after it, never.
//! - **Dialects.** A part of a request that a node refuses is omitted or sent in the form that the node names, and the
//!   request is sent again; a [`Dialect`] remembers that for as long as the caller keeps it.
//! - **Time.** There is a time limit up to the first word and one between words ([`Limits`]); comments that keep a
//!   connection alive are not words. While nothing comes, the caller is asked several times a second whether to continue:
//!   by an event with an empty piece of text, or, before the first word, with 0 of 0 tokens read.
//! - **Scores.** The likelihood of one-word continuations, such as "Yes" and "No", from the first token's `top_logprobs`.
//!
//! # What it does not do
//!
//! It opens no socket: a [`Transport`] sends, in a browser the one in `browser`, natively the one in `native`, which is a
//! feature. It stores nothing.
//!
//! # Quirks
//!
//! - Servers count tokens as they like: if one does not, [`Generation`](seealso::Generation) has zeros.
//! - Some servers compute `logprobs` before temperature, others after it; at temperature 0, which is requested, all give
//!   the model's own.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod address;
mod key;
mod consent;
mod error;
mod transport;
pub mod events;
pub mod protocol;
mod timeouts;
mod change;
mod request;
mod dialect;
mod answer;
mod score;
mod node;
mod generation;
#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
pub mod native;

pub use address::{Address, is_this_machine};
pub use consent::{Consent, Terms};
pub use dialect::Dialect;
pub use error::{Error, Instead};
pub use key::Key;
pub use node::{Node, Settings};
pub use timeouts::Limits;
pub use transport::{Body, Header, Reply, Transport, TransportError};
