//! The chunks of a folder of packs, as a library: an index like that of pages, in which each chunk is a page.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso::Config;
use seealso_chunks::{CHUNKS_STAGE, CHUNKS_VERSION};
use seealso_pack::{CATALOG_FILE, Catalog, StageRecord, StagesFile};

use crate::exit::{NoChunks, NoIndex};
use crate::source::{FolderLibrary, FolderSource, listed_packs, open_library, open_library_from};

/// The catalog under `root`.
///
/// # Errors
/// A folder that is not there, and one without an index.
pub(crate) fn read_catalog(root: &Path) -> anyhow::Result<Catalog> {
    anyhow::ensure!(root.is_dir(), "{}: there is no such folder", root.display());
    let path = root.join(CATALOG_FILE);
    if !path.exists() {
        return Err(NoIndex { packs: root.display().to_string() }.into());
    }
    let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    Catalog::parse(&bytes).with_context(|| path.display().to_string())
}

/// The chunks of a folder of packs.
pub(crate) struct ChunkLibrary {
    /// The library whose pages are chunks.
    pub(crate) library: FolderLibrary,
    /// The packs that changed since their chunks were made, or that have none, by path.
    pub(crate) outdated: Vec<String>,
}

impl ChunkLibrary {
    /// Opens the chunks of the packs under `root`.
    ///
    /// # Errors
    /// [`NoIndex`] and [`NoChunks`].
    pub(crate) async fn open(root: &Path) -> anyhow::Result<ChunkLibrary> {
        let catalog = read_catalog(root)?;
        let record = chunk_stage(root, &catalog)?;
        let packs = listed_packs(root, &catalog)?;
        let outdated = record.outdated_packs(&packs).into_iter().map(str::to_owned).collect();
        let of_chunks = catalog_of_chunks(&catalog, &record);
        let library = open_library_from(FolderSource::with_catalog(root, &of_chunks), root, Config::default()).await;
        let library = library.map_err(|error| damaged(root, format!("{:#}", error.root_cause())))?;
        Ok(ChunkLibrary { library, outdated })
    }
}

/// The pages under `root`, or their chunks.
///
/// # Errors
/// [`NoIndex`] and [`NoChunks`].
pub(crate) async fn open_pages_or_chunks(root: &Path, chunks: bool) -> anyhow::Result<FolderLibrary> {
    match chunks {
        true => Ok(ChunkLibrary::open(root).await?.library),
        false => open_library(root, Config::default()).await,
    }
}

/// The catalog with the index of chunks in place of that of pages.
fn catalog_of_chunks(catalog: &Catalog, record: &StageRecord) -> Catalog {
    let mut of_chunks = catalog.clone();
    (of_chunks.index, of_chunks.pack_count) = (record.index(), record.packs.len());
    of_chunks
}

/// The stage of chunks of the packs under `root`.
///
/// # Errors
/// [`NoChunks`].
pub(crate) fn chunk_stage(root: &Path, catalog: &Catalog) -> anyhow::Result<StageRecord> {
    let stages = match &catalog.stages_file {
        Some(_) => read_stages(root)?,
        None => None,
    };
    let stage = stages.as_ref().and_then(|stages| stages.stage(CHUNKS_STAGE));
    let stage = stage.ok_or_else(|| NoChunks { packs: root.display().to_string(), damage: None })?;
    stage.check_version(CHUNKS_VERSION).map_err(|error| damaged(root, error.to_string()))?;
    Ok(stage.clone())
}

fn read_stages(root: &Path) -> anyhow::Result<Option<StagesFile>> {
    seealso_pack::read_stages(root).map_err(|error| damaged(root, error.to_string()))
}

fn damaged(root: &Path, why: String) -> anyhow::Error {
    NoChunks { packs: root.display().to_string(), damage: Some(why) }.into()
}
