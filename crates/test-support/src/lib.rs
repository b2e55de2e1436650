//! What the tests of several crates share: random numbers, where the data of tests lies, and how a test is skipped.
//!
//! A test whose data is missing must not look like one that passed. It ends with [`skip()`], or gets its data through
//! [`or_skip!`]; both write a line that `cargo xtask ci` counts and repeats at its end.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod data;
mod models;
mod random;
mod skip;

pub use data::{evaluation_data, evaluation_data_at};
pub use models::real_file;
pub use random::Random;
pub use skip::skip;
