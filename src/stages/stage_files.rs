//! The files of stages, fetched and checked.

use seealso_pack::{Catalog, CatalogPack, FileRef, STAGES_MAX_BYTES, StagesFile};

use crate::library::Library;
use crate::world::{Clock, Expected, PackSource, Request, SourceError, fetch_with_retries};

/// A file of a stage, of at most so many bytes.
pub(crate) async fn fetch_file<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    path: String,
    expected: Expected,
    max_bytes: usize,
) -> Result<Vec<u8>, SourceError> {
    let request = Request { path, max_bytes, expected, allows_cached_copy: true };
    let timeout_ms = library.config.index_timeout_ms;
    Ok(fetch_with_retries(&library.source, &library.clock, &request, timeout_ms).await?.bytes)
}

/// A file that the catalog or the stages file names.
pub(crate) async fn fetch_ref<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    file: &FileRef,
    max_bytes: usize,
) -> Result<Vec<u8>, String> {
    let fetched = fetch_file(library, file.path.clone(), Expected::Sha256(file.sha256.clone()), max_bytes).await;
    fetched.map_err(|error| error.to_string())
}

/// The stages file that the catalog names.
pub(crate) async fn read_stages_file<S: PackSource, C: Clock>(
    library: &Library<S, C>,
    file: &FileRef,
) -> Result<StagesFile, String> {
    let bytes = fetch_ref(library, file, STAGES_MAX_BYTES).await?;
    StagesFile::parse(&bytes).map_err(|error| error.to_string())
}

/// The packs that the catalog lists, or the file that it names for them.
pub(crate) async fn packs_of<S: PackSource, C: Clock>(library: &Library<S, C>) -> Result<Vec<CatalogPack>, String> {
    let catalog = library.catalog();
    let Some(file) = &catalog.packs_file else { return Ok(catalog.packs.clone()) };
    let bytes = fetch_ref(library, file, library.config.index_max_bytes).await?;
    Catalog::parse_packs(&bytes).map_err(|error| error.to_string())
}
