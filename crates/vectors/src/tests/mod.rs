//! Tests of the whole crate: sets that are written and read again, and bytes that no writer made.

mod support;
mod searching;
mod writing;
mod hostile;
