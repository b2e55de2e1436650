//! The dictionary of terms.

pub(crate) mod map;
pub(crate) mod shard;
mod similar;
