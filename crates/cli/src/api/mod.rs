//! The HTTP API of packs: what agents and other programs ask over HTTP, with JSON in and out.
//!
//! A request passes, in this order, the request log, the check of the host's name, the check of origins, the limit of requests,
//! the check of the token, and then its endpoint. Every error is JSON that says what failed and what to do.

mod error;
mod token;
mod rate;
mod metrics;
mod health;
mod exchange;
mod state;
mod endpoint;
mod endpoints;
mod guard;
mod request_log;
mod router;
mod openapi;
#[cfg(test)]
mod tests;

pub(crate) use rate::RateLimit;
pub(crate) use router::router;
pub(crate) use state::{ApiSettings, ApiState};
pub(crate) use token::{TOKEN_VARIABLE, Token};
