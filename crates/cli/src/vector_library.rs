//! The vectors of a folder of packs, with the library that fetches their files.

use std::path::Path;

use seealso::{Config, VectorStage};
use seealso_pack::read_stages;

use crate::source::{FolderLibrary, catalog_packs, open_library};

/// The name of the stage.
pub(crate) const VECTORS_STAGE: &str = "vectors";

/// The vectors of a folder of packs.
pub(crate) struct VectorLibrary {
    /// The packs.
    pub(crate) library: FolderLibrary,
    /// Their vectors.
    pub(crate) stage: VectorStage,
}

impl VectorLibrary {
    /// Opens the vectors of the packs under `root`; none where they have none.
    ///
    /// # Errors
    /// Packs without an index; a stages file or a root that is missing, damaged, or of another version.
    pub(crate) async fn open(root: &Path) -> anyhow::Result<Option<VectorLibrary>> {
        let stages = read_stages(root)?;
        let Some(record) = stages.as_ref().and_then(|stages| stages.stage(VECTORS_STAGE)) else { return Ok(None) };
        let library = open_library(root, Config::default()).await?;
        let stage = VectorStage::open(&library, record, &catalog_packs(&library)?).await?;
        Ok(Some(VectorLibrary { library, stage }))
    }
}
