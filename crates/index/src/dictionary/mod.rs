//! The dictionary of terms: [shards](shard), each of which is a checked [map] from keys to postings lists. Keys
//! that begin with a word, or are spelt like one, are found by [similarity](similar).

mod check;
pub(crate) mod map;
pub(crate) mod shard;
mod similar;
