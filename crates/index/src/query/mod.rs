//! Queries.

pub(crate) mod bm25;
pub(crate) mod common_terms;
pub(crate) mod compounds;
pub(crate) mod explain;
pub(crate) mod filter;
pub(crate) mod lazy_topk;
pub(crate) mod names;
pub(crate) mod packs;
pub(crate) mod proximity;
pub(crate) mod search;
pub(crate) mod terms;
pub(crate) mod topk;
pub(crate) mod words;
