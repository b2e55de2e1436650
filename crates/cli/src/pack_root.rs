//! The packs that a server reads: those of a folder, or those behind a web address.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use seealso::{Config, Expected, FetchedFile, Library, PackSource, Request, SourceError};
use seealso_pack::{CATALOG_FILE, Catalog, CatalogPack};

use crate::source::{FolderSource, SystemClock, open_library_from};
use crate::web_source::{WebAddress, WebSource};

/// The most bytes of a catalog's list of packs.
const LIST_BYTES: usize = 64 << 20;

/// Where packs are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PackRoot {
    /// In this folder.
    Folder(PathBuf),
    /// Behind this address.
    Web(WebAddress),
}

/// A state of the catalog: when it was written, and its bytes.
pub(crate) type CatalogState = (SystemTime, u64);

impl PackRoot {
    /// Parses what `--packs` names.
    ///
    /// # Errors
    /// What is wrong with a web address.
    pub(crate) fn parse(text: &str) -> Result<PackRoot, String> {
        match WebAddress::is_meant(text) {
            true => WebAddress::parse(text).map(PackRoot::Web),
            false => Ok(PackRoot::Folder(PathBuf::from(text))),
        }
    }

    /// The folder; empty for packs behind an address, which lie in none.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            PackRoot::Folder(folder) => folder,
            PackRoot::Web(_) => Path::new(""),
        }
    }

    /// Opens the packs.
    ///
    /// # Errors
    /// A folder that is not there, and packs without an index.
    pub(crate) async fn open(&self, config: Config) -> anyhow::Result<ServedLibrary> {
        match self {
            PackRoot::Folder(folder) => {
                open_library_from(ServedSource::Folder(FolderSource::new(folder)), folder, config).await
            }
            PackRoot::Web(address) => {
                let source = ServedSource::Web(WebSource::new(address.clone()));
                Library::open(source, SystemClock::start(), config)
                    .await
                    .map_err(|error| anyhow::anyhow!("opening {address}: {error}"))
            }
        }
    }

    /// The state of the folder's catalog, which changes where the packs are built again; none for packs behind an address.
    pub(crate) fn catalog_state(&self) -> Option<CatalogState> {
        let PackRoot::Folder(folder) = self else { return None };
        let known = std::fs::metadata(folder.join(CATALOG_FILE)).ok()?;
        Some((known.modified().ok()?, known.len()))
    }
}

impl fmt::Display for PackRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PackRoot::Folder(folder) => folder.display().fmt(f),
            PackRoot::Web(address) => address.fmt(f),
        }
    }
}

/// The source of a [`PackRoot`].
#[derive(Debug)]
pub(crate) enum ServedSource {
    /// A folder.
    Folder(FolderSource),
    /// A web address.
    Web(WebSource),
}

/// A library of a [`PackRoot`].
pub(crate) type ServedLibrary = Library<ServedSource, SystemClock>;

impl PackSource for ServedSource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        match self {
            ServedSource::Folder(folder) => folder.fetch(request).await,
            ServedSource::Web(web) => web.fetch(request).await,
        }
    }
}

/// The packs of `library`: those of its catalog, or of the file that it names for them.
///
/// # Errors
/// A file that can't be read, or is damaged.
pub(crate) async fn list_packs(library: &ServedLibrary) -> anyhow::Result<Vec<CatalogPack>> {
    let catalog = library.catalog();
    let Some(file) = &catalog.packs_file else { return Ok(catalog.packs.clone()) };
    let request = Request {
        path: file.path.clone(),
        max_bytes: LIST_BYTES,
        expected: Expected::Sha256(file.sha256.clone()),
        allows_cached_copy: false,
    };
    let bytes = library.source.fetch(&request).await?.bytes;
    Ok(Catalog::parse_packs(&bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_a_folder_or_an_address() {
        let check = |text: &str, expected: Result<&str, ()>| {
            let root = PackRoot::parse(text).map(|root| format!("{root} {}", root.folder().display())).map_err(drop);
            assert_eq!(root, expected.map(str::to_owned), "{text}");
        };
        check("packs-static", Ok("packs-static packs-static"));
        check("https://docs.example.org/packs", Ok("https://docs.example.org/packs/ "));
        check("http://", Err(()));
    }
}
