//! Postings.

pub(crate) mod profile;
pub(crate) mod run;
