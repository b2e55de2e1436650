//! The dictionary of terms: [shards](shard), each a checked [map](map) from keys to postings lists, in which keys that
//! begin or are spelt [similarly](similar) are found too.

mod check;
pub(crate) mod map;
pub(crate) mod shard;
mod similar;
