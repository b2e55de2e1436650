//! What an opened index holds in memory besides its root: the files that were supplied, decoded, and the list of those
//! that calls have missed.

pub(crate) mod file_cache;
pub(crate) mod sorted_map;
