//! Entries: what somebody, the *principal*, holds on subjects, found for an agent that answers in the principal's place.
//!
//! ```text
//! question → embed → scan of all entries by cosine → the nearest top_n → blend → verdict → patterns → EntryResponse
//! ```
//!
//! The path reads and never writes: it has shared references to an opened stage, and no source that it could write to. Its
//! result is one type that serialises to the same JSON for the command, for a server and in the browser.
//!
//! - *Relevance* is the cosine of an entry's vector and the question's, 0 where it is negative. It selects the entries, and
//!   alone decides the verdict.
//! - *Score* is a [blend] of the relevance and of what the entry says of itself. It orders the entries that were selected.
//! - The *verdict*, `strong_match`, is whether the best relevance reaches the threshold that is stored with the encoder. An agent
//!   then quotes; else it reasons from the patterns ([`entry_prompt`](prompt::entry_prompt)).

pub(crate) mod request;
pub(crate) mod fault;
pub(crate) mod stage;
pub(crate) mod blend;
mod rank;
mod patterns;
pub(crate) mod response;
pub(crate) mod retrieve;
pub(crate) mod prompt;
