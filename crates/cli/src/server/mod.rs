//! A model of this machine behind an OpenAI-compatible endpoint.
//!
//! The model runs on a thread of its own and does one job at a time. Jobs wait in a short queue; when it is full, the client
//! is asked to come back. The events of a job go through a channel of its own. When the client leaves, the other end of the
//! channel is dropped, and the model stops at its next step.

mod job;
mod likelihoods;
mod worker;
mod response;
mod events;
mod http;
#[cfg(test)]
mod tests;

pub(crate) use http::router;
pub(crate) use worker::{ModelHandle, ModelSettings, start};
