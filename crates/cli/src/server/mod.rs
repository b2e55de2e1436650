//! A model of this machine behind an OpenAI-compatible endpoint.
//!
//! The model runs on a thread of its own and does one job at a time; jobs wait in a short queue, and beyond it are told to
//! come back. What a job tells goes through a channel of its own. When the client leaves, the channel's other end goes
//! with it, and the model stops at its next step.

mod job;
mod likelihoods;
mod worker;
mod response;
mod events;
mod origins;
mod http;
#[cfg(test)]
mod tests;

pub(crate) use http::router;
pub(crate) use origins::{Origins, origin};
pub(crate) use worker::{Host, Model, start};
