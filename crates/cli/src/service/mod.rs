//! What programs ask of packs: to search, to read a page, to answer a question, to retrieve entries. Servers of all protocols
//! share it.
//!
//! The engine's futures stay on their thread, so a few threads run one engine each, and a request goes to the first that is
//! free. Requests wait in one queue, which is bounded: when it is full, the client is told so at once.

mod fault;
mod request;
mod reply;
mod overview;
mod engine;
mod pack_engine;
mod pool;
mod arguments;
#[cfg(test)]
pub(crate) mod scripted;

pub(crate) use arguments::ServiceArguments;
pub(crate) use fault::ServiceFault;
pub(crate) use overview::{Overview, PackOverview, SharedOverview};
pub(crate) use pool::ServiceHandle;
#[cfg(test)]
pub(crate) use pool::{PoolLimits, start};
pub(crate) use reply::{EntryResponseSchema, PageReply, SearchReply};
pub(crate) use request::{AskRequest, MAX_QUESTION_CHARS, PageRequest, RetrieveRequest, SearchRequest, check_length};
