//! What a service serves: packs, index, stages, encoder.

use std::sync::{Arc, RwLock};

use schemars::JsonSchema;
use seealso_pack::{Catalog, CatalogPack};
use serde::Serialize;

/// What a service serves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub(crate) struct Overview {
    /// The index.
    pub(crate) index: IndexOverview,
    /// The packs, in the order of the index.
    pub(crate) packs: Vec<PackOverview>,
    /// The stages that questions go through, beside words.
    pub(crate) stages: Vec<String>,
    /// Whether there is an encoder for questions.
    pub(crate) encoder: bool,
    /// How many entries can be retrieved.
    pub(crate) entries: usize,
    /// What of the packs can't be used, and why.
    pub(crate) faults: Vec<String>,
}

/// The index of the packs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub(crate) struct IndexOverview {
    /// The version of the catalog's format.
    pub(crate) version: u32,
    /// SHA-256 of the index's root, in hex.
    pub(crate) sha256: String,
}

/// A pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PackOverview {
    /// Its path, with which the ids of its pages begin.
    pub(crate) path: String,
    /// Its title.
    pub(crate) title: String,
    /// The language of its pages.
    pub(crate) language: String,
    /// How many pages it has.
    pub(crate) pages: u32,
}

impl Overview {
    /// The overview of packs without stages.
    pub(crate) fn of(catalog: &Catalog, packs: &[CatalogPack]) -> Overview {
        let pack = |pack: &CatalogPack| PackOverview {
            path: pack.path.clone(),
            title: pack.title.clone(),
            language: pack.language.clone(),
            pages: pack.pages,
        };
        Overview {
            index: IndexOverview { version: catalog.version, sha256: catalog.index.root.sha256.clone() },
            packs: packs.iter().map(pack).collect(),
            ..Overview::default()
        }
    }
}

/// The overview of what the engines opened last, which can be read while they work.
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedOverview(Arc<RwLock<Overview>>);

impl SharedOverview {
    /// Replaces it.
    pub(crate) fn set(&self, overview: Overview) {
        *self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner) = overview;
    }

    /// Adds a fault, where it is not told yet; the next overview replaces it.
    pub(crate) fn add_fault(&self, fault: String) {
        let mut overview = self.0.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !overview.faults.contains(&fault) {
            overview.faults.push(fault);
        }
    }

    /// A copy of it.
    pub(crate) fn get(&self) -> Overview {
        self.0.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_told_once_until_the_packs_are_opened() {
        let overview = SharedOverview::default();
        overview.add_fault("the catalog is damaged".to_owned());
        overview.add_fault("the catalog is damaged".to_owned());
        assert_eq!(overview.get().faults, ["the catalog is damaged"]);
        overview.set(Overview::default());
        assert_eq!(overview.get().faults, [""; 0]);
    }
}
