//! The texts of pages.

pub(crate) mod block;
