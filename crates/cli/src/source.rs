//! The command's implementations of the engine's traits: packs in folders, the system's clock, and a runtime for both.

use std::borrow::Cow;
use std::fs::File;
use std::future::Future;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use seealso::{Clock, Config, Fault, FetchedFile, Library, OpenError, PackSource, Request, SourceError};
use seealso_pack::{CATALOG_FILE, Catalog, CatalogPack};

use crate::exit::NoIndex;

/// Packs in a folder.
#[derive(Debug)]
pub struct FolderSource {
    /// The folder.
    pub root: PathBuf,
    /// What is given for the folder's catalog.json, where that is not to be the file: the catalog of another index of
    /// the same packs.
    catalog: Option<Vec<u8>>,
}

impl FolderSource {
    /// The packs in the folder `root`.
    pub fn new(root: &Path) -> FolderSource {
        FolderSource { root: root.to_path_buf(), catalog: None }
    }

    /// The packs in the folder `root`, with `catalog` in place of the folder's own.
    pub(crate) fn with_catalog(root: &Path, catalog: &Catalog) -> FolderSource {
        FolderSource { root: root.to_path_buf(), catalog: Some(catalog.to_json().into_bytes()) }
    }
}

impl PackSource for FolderSource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        let fault = |fault| SourceError::new(&request.path, fault);
        if !seealso_pack::is_safe_path(&request.path) {
            return Err(fault(Fault::NotFound));
        }
        if let Some(catalog) = self.catalog.as_ref().filter(|_| request.path == CATALOG_FILE) {
            return request.check(catalog.clone());
        }
        let bytes =
            read_at_most(&self.root.join(&request.path), request.max_bytes).map_err(|error| match error.kind() {
                ErrorKind::NotFound => fault(Fault::NotFound),
                _ => fault(Fault::Unreachable(error.to_string())),
            })?;
        request.check(bytes)
    }
}

/// The bytes of a file. Of a file larger than `limit`, one byte more is read, which shows that it is too large.
fn read_at_most(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The system's clock.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl SystemClock {
    /// A clock that starts now.
    pub fn start() -> SystemClock {
        SystemClock { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now_ms(&self) -> f64 {
        self.start.elapsed().as_secs_f64() * 1000.0
    }

    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(ms.into())).await;
    }
}

/// A library in a folder.
pub type FolderLibrary = Library<FolderSource, SystemClock>;

/// Runs `work` on this thread until it is done.
///
/// # Errors
/// A system that has no resources for a runtime.
pub fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("starting the runtime")?;
    Ok(runtime.block_on(work))
}

/// Opens the packs under `root`.
///
/// # Errors
/// A folder that is not there, and one without an index.
pub async fn open_library(root: &Path, config: Config) -> anyhow::Result<FolderLibrary> {
    open_library_from(FolderSource::new(root), root, config).await
}

/// Opens the packs under `root` through a source that reads from it.
pub(crate) async fn open_library_from<S: PackSource>(
    source: S,
    root: &Path,
    config: Config,
) -> anyhow::Result<Library<S, SystemClock>> {
    anyhow::ensure!(root.is_dir(), "{}: there is no such folder", root.display());
    match Library::open(source, SystemClock::start(), config).await {
        Err(OpenError::NoCatalog(_)) => Err(NoIndex { packs: root.display().to_string() }.into()),
        other => other.with_context(|| format!("opening {}", root.display())),
    }
}

/// The packs that the library's catalog lists, or the file that it names for them.
pub(crate) fn catalog_packs(library: &FolderLibrary) -> anyhow::Result<Cow<'_, [CatalogPack]>> {
    listed_packs(&library.source.root, library.catalog())
}

/// The packs that a catalog under `root` lists, or the file that it names for them.
pub(crate) fn listed_packs<'c>(root: &Path, catalog: &'c Catalog) -> anyhow::Result<Cow<'c, [CatalogPack]>> {
    let Some(file) = &catalog.packs_file else { return Ok(Cow::Borrowed(&catalog.packs)) };
    let path = root.join(&file.path);
    let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    Ok(Cow::Owned(Catalog::parse_packs(&bytes).with_context(|| path.display().to_string())?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use seealso::Expected;

    #[test]
    fn a_file_is_read_up_to_the_limit() {
        let root = std::env::temp_dir().join(format!("seealso-source-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("ten"), "0123456789").unwrap();
        let check = |path: &str, max_bytes: usize, expected: Result<usize, Fault>| {
            let request =
                Request { path: path.into(), max_bytes, expected: Expected::Anything, allows_cached_copy: false };
            let source = FolderSource::new(&root);
            let fetched = block_on(source.fetch(&request)).unwrap();
            let fetched = fetched.map(|fetched| fetched.bytes.len()).map_err(|error| error.fault);
            assert_eq!(fetched, expected, "{path} {max_bytes}");
        };
        check("ten", 10, Ok(10));
        check("ten", usize::MAX, Ok(10));
        check("ten", 9, Err(Fault::TooLarge(9)));
        check("gone", 9, Err(Fault::NotFound));
        check("../ten", 9, Err(Fault::NotFound));
        assert_eq!(read_at_most(&root.join("ten"), 3).unwrap(), b"0123");
        std::fs::remove_dir_all(root).unwrap();
    }
}
