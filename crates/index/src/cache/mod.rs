//! The files of an index that have been supplied.

pub(crate) mod file_cache;
pub(crate) mod sorted_map;
