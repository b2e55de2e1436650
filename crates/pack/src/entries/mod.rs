//! Entries: what somebody holds on a subject, and why, and the patterns of reasoning that they share.
//!
//! A pack may have pages in two folders below its page root. They are pages as all others, so they are searched, read and
//! cited; the front matter and the sections below say more about them, and the stage `entries` is made of that.
//!
//! ```text
//! entries/SLUG.md                             patterns/SLUG.md
//! ---                                         ---
//! topic: Small releases                       slug: cost-of-undoing          the file's name, where it is left out
//! type: framework                             description: What would it cost to take this back?
//! pattern: cost-of-undoing                    template: >-
//! confidence: high                              If {change} can be undone in {time}, then …
//! stability: evergreen                        ---
//! superseded_by: SLUG of an entry
//! tier: public                                ## Variants
//! created: 2024-01-31
//! updated: 2025-06-01                         ### A plugin, not the core
//! ---
//!                                             The pattern as it reads in this situation.
//! ## Position
//! ## Reasoning
//! ```
//!
//! | field | values | where it is missing or unknown |
//! |---|---|---|
//! | `topic` | the title | the title, else the first heading, else the file's name |
//! | `type` | `framework`, `standard`, `philosophy`, `decision`, `reaction` | `reaction` |
//! | `confidence` | `high`, `medium`, `low` | `low` |
//! | `stability` | `evergreen`, `stable`, `evolving` | `evolving` |
//! | `pattern`, `superseded_by` | a slug of this pack | none |
//! | `tier` | `public`, `private` | public; a tier of any other name is private |
//! | `created`, `updated` | a date | none |
//!
//! What is missing or unknown counts as the least of its kind, so that a misspelt word never makes an entry weigh more.
//! Every such flaw is a finding of [`lint`](crate::lint()).
//!
//! A private entry is in no [`Pack`](crate::Pack), so no index, chunk or vector is made of it, and
//! [`publish`](crate::publish()) leaves its file out of copies. An entry that `superseded_by` names a successor of stays a page,
//! and is no entry of the stage.

mod date;
mod entry;
mod pattern;
mod section;
mod stage_file;
#[cfg(test)]
mod tests;

pub use date::Date;
pub use entry::{Confidence, EntryType, KnowledgeEntry, Stability};
pub(crate) use entry::{confidence, date, entry_type, has_section, stability, superseded_by};
pub(crate) use pattern::slug;
pub use pattern::{Pattern, Variant};
pub use stage_file::{
    ENTRIES_MAX_BYTES, ENTRIES_STAGE, ENTRIES_VERSION, EntriesError, EntriesFile, PackEntries, WithVector,
};
