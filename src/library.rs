//! A library: an opened set of packs, ready to be asked.

use std::fmt;
use std::rc::Rc;

use seealso_index::{Index, PackNo, PageEntry, PageNo};
use seealso_pack::{CATALOG_FILE, CATALOG_MAX_BYTES, Catalog, CatalogError, CatalogPack};

use crate::config::Config;
use crate::world::{Clock, Expected, Fault, PackSource, Request, SourceError, fetch_patiently};

/// Packs, their index, and the world they are read through.
pub struct Library<S, C> {
    /// Where pages come from.
    pub source: S,
    /// What time it is.
    pub clock: C,
    /// The settings of every question.
    pub config: Config,
    catalog: Catalog,
    index: Rc<Index>,
}

/// Why a library can't be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no catalog: nothing has been built here yet.
    NoCatalog(SourceError),
    /// The catalog can't be used.
    BadCatalog(CatalogError),
    /// The catalog names no index, or one that is not there.
    NoIndex(String),
    /// The index can't be used.
    BadIndex(String),
    /// The catalog or the index is of a version that this program doesn't know.
    Version(String),
    /// The server can't be reached.
    Network(SourceError),
    /// The server did not answer in time.
    Timeout(SourceError),
}

impl OpenError {
    /// A short word for the kind, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            OpenError::NoCatalog(_) => "no-catalog",
            OpenError::BadCatalog(_) => "bad-catalog",
            OpenError::NoIndex(_) => "no-index",
            OpenError::BadIndex(_) => "bad-index",
            OpenError::Version(_) => "version",
            OpenError::Network(_) => "network",
            OpenError::Timeout(_) => "timeout",
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::NoCatalog(_) => {
                write!(f, "there is no {CATALOG_FILE} here; run `seealso build` on the packs and upload what it writes")
            }
            OpenError::BadCatalog(error) => error.fmt(f),
            OpenError::NoIndex(why) | OpenError::BadIndex(why) | OpenError::Version(why) => f.write_str(why),
            OpenError::Network(error) | OpenError::Timeout(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {}

impl<S: PackSource, C: Clock> Library<S, C> {
    /// Fetches the catalog and the index under the source's packs root.
    ///
    /// # Errors
    /// An [`OpenError`] that says what failed, where, and what to do.
    pub async fn open(source: S, clock: C, config: Config) -> Result<Self, OpenError> {
        let catalog = fetch_catalog(&source, &clock, &config).await?;
        let index = fetch_index(&source, &clock, &config, &catalog).await?;
        let same = index.packs().len() == catalog.packs.len()
            && index.packs().iter().zip(&catalog.packs).all(|(known, listed)| known.path == listed.path);
        if !same {
            let why = "the index and the catalog list different packs; rebuild them with `seealso build`";
            return Err(OpenError::BadIndex(why.to_owned()));
        }
        Ok(Library { source, clock, config, catalog, index: Rc::new(index) })
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The index.
    pub fn index(&self) -> &Rc<Index> {
        &self.index
    }

    /// The catalog's entry of a pack.
    pub fn pack(&self, pack: PackNo) -> &CatalogPack {
        &self.catalog.packs[pack.0]
    }

    /// The languages of packs that can't be searched, because their stemmer is not loaded.
    pub fn missing_languages(&self) -> impl Iterator<Item = &'static str> {
        let analyses = self.index.analyses().iter();
        analyses.filter(|(analysis, _)| !analysis.is_there()).map(|(analysis, _)| analysis.name())
    }

    /// The page of that id: `<pack>/<file without .md>`, or with it.
    ///
    /// # Errors
    /// [`seealso_index::Error::Corrupt`] where the index is damaged.
    pub fn find_page(&self, id: &str) -> Result<Option<PageNo>, seealso_index::Error> {
        for pack in self.index.packs() {
            let Some(file) = id.strip_prefix(pack.path.as_str()).and_then(|rest| rest.strip_prefix('/')) else {
                continue;
            };
            let with_ending = format!("{}.md", file.strip_suffix(".md").unwrap_or(file));
            if let Some(page) = self.index.find_page(&pack.path, &with_ending)? {
                return Ok(Some(page));
            }
        }
        Ok(None)
    }

    /// What to ask the source for, to get a page.
    pub fn page_request(&self, entry: &PageEntry) -> Request {
        Request {
            path: self.pack(entry.pack).page_path(&entry.file),
            max_bytes: self.config.page_max_bytes,
            expected: Expected::HashAtBuild(entry.hash.to_vec()),
            may_be_kept: true,
        }
    }
}

/// A page's id: its pack's path and its file, without the ending.
pub fn page_id(pack: &str, file: &str) -> String {
    format!("{pack}/{}", file.strip_suffix(".md").unwrap_or(file))
}

async fn fetch_catalog<S: PackSource, C: Clock>(source: &S, clock: &C, config: &Config) -> Result<Catalog, OpenError> {
    let request = Request {
        path: CATALOG_FILE.to_owned(),
        max_bytes: CATALOG_MAX_BYTES,
        expected: Expected::Anything,
        may_be_kept: true,
    };
    let fetched =
        fetch_patiently(source, clock, &request, config.index_timeout_ms).await.map_err(|error| match error.fault {
            Fault::NotFound => OpenError::NoCatalog(error),
            _ => unreachable_or_late(error),
        })?;
    Catalog::parse(&fetched.bytes).map_err(|error| match error {
        CatalogError::Version { .. } => OpenError::Version(error.to_string()),
        other => OpenError::BadCatalog(other),
    })
}

async fn fetch_index<S: PackSource, C: Clock>(
    source: &S,
    clock: &C,
    config: &Config,
    catalog: &Catalog,
) -> Result<Index, OpenError> {
    let [file] = catalog.index.as_slice() else {
        let why = format!(
            "{CATALOG_FILE} names {} index files, not one; rebuild it with `seealso build`",
            catalog.index.len()
        );
        return Err(OpenError::NoIndex(why));
    };
    let request = Request {
        path: file.path.clone(),
        max_bytes: config.index_max_bytes,
        expected: Expected::Sha256(file.sha256.clone()),
        may_be_kept: true,
    };
    let fetched =
        fetch_patiently(source, clock, &request, config.index_timeout_ms).await.map_err(|error| match error.fault {
            Fault::NotFound => OpenError::NoIndex(format!("{error}; upload index/ together with {CATALOG_FILE}")),
            Fault::WrongHash | Fault::TooLarge(_) => OpenError::BadIndex(error.to_string()),
            _ => unreachable_or_late(error),
        })?;
    Index::open(fetched.bytes).map_err(|error| match error.is_version() {
        true => OpenError::Version(format!("{}: {error}", file.path)),
        false => OpenError::BadIndex(format!("{}: {error}", file.path)),
    })
}

fn unreachable_or_late(error: SourceError) -> OpenError {
    match error.fault {
        Fault::TimedOut(_) => OpenError::Timeout(error),
        _ => OpenError::Network(error),
    }
}
