//! The stages that a site can publish beside its index, and what they do with a question: pages are found by their chunks and by
//! the vectors of these, and enhancers change which of them are read.
//!
//! ```text
//! question → multi_query → by_chunks, by_vectors → gate → graph → fusion with the words → cross_encoder → expand_top → quality
//! ```
//!
//! Each is a pure function over rankings, with its own switch in [`StageOptions`](options::StageOptions) and its own line in the
//! trace. What is not there, or cannot be read, costs a sentence in the answer, and never the answer.

pub(crate) mod options;
pub(crate) mod fault;
pub(crate) mod report;
mod note;
pub(crate) mod near;
pub(crate) mod multi_query;
pub(crate) mod by_chunks;
pub(crate) mod by_vectors;
pub(crate) mod gate;
pub(crate) mod graph;
pub(crate) mod fusion;
pub(crate) mod cross_encoder;
pub(crate) mod expand_top;
pub(crate) mod quality;
pub(crate) mod stage_files;
pub(crate) mod model_space;
pub(crate) mod vector_stage;
pub(crate) mod open;
mod lookup;
pub(crate) mod ranker;
pub(crate) mod finder;
