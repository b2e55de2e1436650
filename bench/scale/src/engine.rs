//! What every engine can do with an opened index: rank, and read what a result list shows.

use anyhow::Result;

use crate::data::Form;

/// Results of a list.
pub(crate) const TOP: usize = 8;

/// One line of a result list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) summary: String,
}

/// An opened index.
pub(crate) trait Engine {
    /// The [`TOP`] best rows, best first, by the engine's own numbers.
    fn rank(&self, question: &Form) -> Result<Vec<u64>>;
    /// What a list shows of a row.
    fn read(&self, row: u64) -> Result<Entry>;
}
