//! Retrieval: from a question to whole pages, stage by stage.

pub mod decompose;
pub mod search;
pub mod merge;
pub mod fetch;
pub mod expand;
pub mod assemble;
