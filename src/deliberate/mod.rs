//! Deliberation: an Expert drafts, a Critic checks each claim of the draft against the pages, a Synthesizer integrates
//! both, and what comes out is checked once more.
//!
//! ```text
//! manifest → expert → critic → synthesize → verify → complete → deliberation
//! ```
//!
//! Where a site allows it and no page is near the question, a model answers from its own knowledge instead (`own_knowledge`).
//!
//! Models only propose. Every verdict rests on a passage of a page, which is found and compared here. The log-odds of a
//! model that was measured as a judge are one more input to the verdict.

pub(crate) mod step;
pub(crate) mod sources;
pub(crate) mod parts;
pub(crate) mod generation;
pub(crate) mod claims;
mod claim_edits;
mod addresses;
pub(crate) mod prompt_echo;
pub(crate) mod evidence;
pub(crate) mod checks;
pub(crate) mod verdict;
pub(crate) mod judge;
pub(crate) mod overlap;
pub(crate) mod fallback_claims;
pub(crate) mod expert;
pub(crate) mod ungrounded;
pub(crate) mod critic;
pub(crate) mod synthesizer;
pub(crate) mod verify;
pub(crate) mod complete;
mod missing_quotes;
pub(crate) mod language;
pub(crate) mod deliberation;
pub(crate) mod own_knowledge;
