//! The protocol: requests and responses of OpenAI's chat completions. Both sides are here, so that `seealso node`
//! speaks exactly what a node is expected to speak.
//!
//! Servers differ, so parsing is lenient: every field may be missing, and unknown ones are ignored.

mod request;
mod response;
mod fault;
pub mod json;
mod piece;
#[cfg(test)]
mod tests;

pub use fault::{Fault, FaultBody};
pub(crate) use piece::Piece;
pub use request::{ChatRequest, Content, ContentPart, Message, Stops, StreamOptions};
pub use response::{
    CachedTokens, ChatResponse, Choice, Chunk, ChunkChoice, Delta, Likelihoods, ListedModel, ModelList, Progress,
    Reply, TokenLikelihood, Usage,
};

/// The number of likelihoods requested, which is the most that servers give.
pub const TOP_LOGPROBS: u32 = 20;

/// The path of chat completions below the base URL.
pub const CHAT_PATH: &str = "/chat/completions";

/// The path of the models' list below the base URL.
pub const MODELS_PATH: &str = "/models";
