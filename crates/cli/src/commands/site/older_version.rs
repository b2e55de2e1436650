//! An older version of a site, as the report and the pages' elements need it.

use seealso_import::{Site, packs_folder};
use serde::{Deserialize, Serialize};

/// An older version of the site.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OlderVersion {
    pub(super) pages: usize,
    /// The folder of its packs under the packs root.
    pub(super) packs: String,
}

impl OlderVersion {
    /// The version that `site` is, and that stands in `folder`.
    pub(super) fn of(folder: &str, site: &Site) -> OlderVersion {
        OlderVersion { pages: site.pages.len(), packs: packs_folder(folder) }
    }
}
