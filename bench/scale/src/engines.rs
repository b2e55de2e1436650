//! The engines by name: building an index on disk, and opening it.

use std::path::Path;

use anyhow::{Result, bail};

use crate::engine::Engine;
use crate::fts5::Fts5;
use crate::ours::{Cut, Ours};
use crate::tantivy_engine::Tantivy;
use crate::{fts5, ours, tantivy_engine};

/// The engines, in the order in which they are measured.
pub(crate) const ENGINES: [&str; 4] = [ours::NAME, tantivy_engine::TWO_FIELDS, tantivy_engine::ONE_FIELD, fts5::NAME];

/// Builds the index of `name` in the folder `index`, which is there and empty, from the prepared rows.
/// `cut` is seealso's.
pub(crate) fn build(name: &str, rows: &Path, index: &Path, cut: Cut) -> Result<()> {
    match name {
        ours::NAME => ours::build(rows, index, cut),
        tantivy_engine::TWO_FIELDS | tantivy_engine::ONE_FIELD => tantivy_engine::build(name, rows, index),
        fts5::NAME => fts5::build(rows, index),
        _ => bail!("no engine {name:?}"),
    }
}

/// Opens what [`build`] wrote.
pub(crate) fn open(name: &str, index: &Path) -> Result<Box<dyn Engine>> {
    Ok(match name {
        ours::NAME => Box::new(Ours::open(index)?),
        tantivy_engine::TWO_FIELDS | tantivy_engine::ONE_FIELD => Box::new(Tantivy::open(name, index)?),
        fts5::NAME => Box::new(Fts5::open(index)?),
        _ => bail!("no engine {name:?}"),
    })
}
