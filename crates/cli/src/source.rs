//! The command's side of the seams: packs in folders, the system's clock, and a runtime that drives both.

use std::future::Future;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use seealso::{Clock, Config, Fault, Fetched, Library, OpenError, PackSource, Request, SourceError};

use crate::exit::NoIndex;

/// Packs in a folder.
#[derive(Debug)]
pub(crate) struct FolderSource {
    root: PathBuf,
}

impl PackSource for FolderSource {
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        let fault = |fault| SourceError::new(&request.path, fault);
        if !seealso_pack::is_safe_path(&request.path) {
            return Err(fault(Fault::NotFound));
        }
        let bytes = std::fs::read(self.root.join(&request.path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => fault(Fault::NotFound),
            _ => fault(Fault::Unreachable(error.to_string())),
        })?;
        request.check(bytes)
    }
}

/// The system's clock.
#[derive(Debug)]
pub(crate) struct SystemClock {
    start: Instant,
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
pub(crate) type FolderLibrary = Library<FolderSource, SystemClock>;

/// Runs `work` on this thread until it is done.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("starting the runtime")?;
    Ok(runtime.block_on(work))
}

/// Opens the packs under `root`.
pub(crate) async fn open(root: &Path, config: Config) -> anyhow::Result<FolderLibrary> {
    anyhow::ensure!(root.is_dir(), "{}: there is no such folder", root.display());
    let source = FolderSource { root: root.to_path_buf() };
    let clock = SystemClock { start: Instant::now() };
    match Library::open(source, clock, config).await {
        Err(OpenError::NoCatalog(_)) => Err(NoIndex { packs: root.display().to_string() }.into()),
        other => other.with_context(|| format!("opening {}", root.display())),
    }
}
