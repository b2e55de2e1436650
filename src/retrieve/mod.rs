//! Retrieval: from a question to whole pages, stage by stage.

pub(crate) mod decompose;
pub(crate) mod search;
mod translations;
pub(crate) mod merge;
pub(crate) mod fetch;
pub(crate) mod page_text;
pub(crate) mod rerank;
pub(crate) mod expand;
pub(crate) mod assemble;
pub(crate) mod whole_or_parts;
