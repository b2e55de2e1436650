//! A library: an opened set of packs that can be queried.

use std::fmt;
use std::rc::Rc;

use seealso_index::{Form, Index, PackEntry, PageEntry, PageNo, WantedFile, root_form};
use seealso_pack::{CATALOG_FILE, CATALOG_MAX_BYTES, Catalog, CatalogError, IndexRef, from_base64, is_markdown};

use crate::config::Config;
use crate::world::{BoxFuture, Clock, Expected, Fault, PackSource, Request, SourceError, fetch_with_retries, join_all};

/// Packs, their index, and the traits through which they are read.
pub struct Library<S, C> {
    /// The source of pages.
    pub source: S,
    /// The clock.
    pub clock: C,
    /// The settings of every question.
    pub config: Config,
    catalog: Catalog,
    index: Rc<Index>,
}

/// Why a library cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no catalog: nothing has been built here yet.
    NoCatalog(SourceError),
    /// The catalog cannot be used.
    BadCatalog(CatalogError),
    /// The catalog names no index, or one that does not exist.
    NoIndex(String),
    /// The index cannot be used.
    BadIndex(String),
    /// The catalog or the index has a version that this program does not know.
    Version(String),
    /// The server cannot be reached.
    Network(SourceError),
    /// The server did not answer in time.
    Timeout(SourceError),
}

impl OpenError {
    /// The kind of error as a short code, for programs.
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

/// Why the index cannot be queried.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum IndexFault {
    /// It is damaged.
    Damaged(seealso_index::Error),
    /// One of its files could not be fetched.
    Lost(SourceError),
}

impl fmt::Display for IndexFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexFault::Damaged(error) => error.fmt(f),
            IndexFault::Lost(error) => {
                write!(
                    f,
                    "a part of the index did not come ({error}); ask again, or open the page anew if it was updated"
                )
            }
        }
    }
}

impl std::error::Error for IndexFault {}

/// A query of the index, which is run once for each round.
type IndexQuery<'a> = dyn FnMut(&Index) -> Result<(), seealso_index::Error> + 'a;

/// The most rounds of fetching for a query; only a hostile index needs more.
const MOST_ROUNDS: usize = 64;

impl<S: PackSource, C: Clock> Library<S, C> {
    /// Fetches the catalog and the index's root under the source's packs root.
    ///
    /// # Errors
    /// An [`OpenError`] that says what failed, where, and what to do.
    pub async fn open(source: S, clock: C, config: Config) -> Result<Self, OpenError> {
        let catalog = fetch_catalog(&source, &clock, &config).await?;
        let mut index = fetch_index(&source, &clock, &config, &catalog.index).await?;
        index.archive(catalog.archived.clone());
        if index.pack_count() != catalog.pack_count {
            let why = "the index and the catalog list different packs; rebuild them with `seealso build`";
            return Err(OpenError::BadIndex(why.to_owned()));
        }
        Ok(Library { source, clock, config, catalog, index: Rc::new(index) })
    }

    /// The catalog.
    pub fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The index, with the files that have been fetched so far. Query it through [`Library::resolve`].
    pub fn index(&self) -> &Rc<Index> {
        &self.index
    }

    /// Runs `query` on the index until it has a result, fetching the files that it needs after each run.
    ///
    /// # Errors
    /// [`IndexFault`].
    pub async fn resolve<T>(
        &self,
        mut query: impl FnMut(&Index) -> Result<T, seealso_index::Error>,
    ) -> Result<T, IndexFault> {
        let mut answer = None;
        let mut keep = |index: &Index| query(index).map(|found| answer = Some(found));
        self.resolve_rounds(&mut keep).await?;
        answer.ok_or(IndexFault::Damaged(seealso_index::Error::Missing))
    }

    /// The rounds of [`Library::resolve`], compiled once for all types of result.
    fn resolve_rounds<'a>(&'a self, query: &'a mut IndexQuery<'_>) -> BoxFuture<'a, Result<(), IndexFault>> {
        Box::pin(async move {
            let mut lost = (Vec::new(), None);
            for _ in 0..MOST_ROUNDS {
                match query(&self.index) {
                    Err(seealso_index::Error::Missing) => self.fetch_missing(&mut lost).await?,
                    // Files that were only prefetched are not fetched any more.
                    other => {
                        self.index.wanted();
                        return other.map_err(IndexFault::Damaged);
                    }
                }
            }
            let reason = format!("it asks for files in more than {MOST_ROUNDS} rounds");
            Err(IndexFault::Damaged(seealso_index::Error::Corrupt { part: "files", reason }))
        })
    }

    /// Fetches the files that the index is missing, concurrently, except those that were `lost` before. A lost file
    /// fails the query only when nothing else is left to fetch: it may have been prefetched without being needed.
    async fn fetch_missing(&self, lost: &mut (Vec<WantedFile>, Option<IndexFault>)) -> Result<(), IndexFault> {
        let mut wanted = self.index.wanted();
        wanted.retain(|want| !lost.0.contains(want));
        if wanted.is_empty() {
            return lost.1.take().map_or(Ok(()), Err);
        }
        let work = |&want: &WantedFile| -> BoxFuture<'_, Result<(), IndexFault>> { Box::pin(self.fetch_file(want)) };
        let came = join_all(wanted.iter().map(work).collect()).await;
        for (want, came) in wanted.into_iter().zip(came) {
            if let Err(fault) = came {
                lost.0.push(want);
                lost.1 = Some(fault);
            }
        }
        Ok(())
    }

    async fn fetch_file(&self, want: WantedFile) -> Result<(), IndexFault> {
        let request = Request {
            path: self.catalog.index.path_of(&want.name()),
            max_bytes: self.config.index_max_bytes,
            expected: Expected::HashStart(want.hash.to_vec()),
            allows_cached_copy: true,
        };
        let (source, clock) = (&self.source, &self.clock);
        let fetched = fetch_with_retries(source, clock, &request, self.config.index_timeout_ms).await;
        let bytes = fetched.map_err(IndexFault::Lost)?.bytes;
        let form = Form::of(&bytes).map_err(IndexFault::Damaged)?;
        let raw = source.unpack(form).await.map_err(IndexFault::Damaged)?;
        self.index.supply(want.file, raw).map_err(IndexFault::Damaged)
    }

    /// Opens another index of the same packs.
    ///
    /// # Errors
    /// An [`OpenError`].
    pub(crate) async fn open_index(&self, files: &IndexRef) -> Result<Index, OpenError> {
        fetch_index(&self.source, &self.clock, &self.config, files).await
    }

    /// A library of the same packs whose index is that one.
    pub(crate) fn beside(&self, index: &Rc<Index>, files: IndexRef) -> Library<&S, &C> {
        Library {
            source: &self.source,
            clock: &self.clock,
            config: self.config.clone(),
            catalog: Catalog::new(Vec::new(), files),
            index: Rc::clone(index),
        }
    }

    /// The languages of packs that cannot be searched because their stemmer is not loaded.
    pub fn missing_languages(&self) -> impl Iterator<Item = &'static str> {
        let analyses = self.index.analyses().iter();
        analyses.filter(|(analysis, _)| !analysis.is_there()).map(|(analysis, _)| analysis.name())
    }

    /// The page with this id: `<pack>/<file without .md>`, or with `.md`.
    ///
    /// # Errors
    /// [`IndexFault`].
    pub async fn find_page(&self, id: &str) -> Result<Option<PageNo>, IndexFault> {
        self.resolve(|index| find_page(index, id)).await
    }

    /// The request for a page.
    pub fn page_request(&self, pack: &PackEntry, entry: &PageEntry) -> Request {
        Request {
            path: pack.page_path(&entry.file),
            max_bytes: self.config.page_max_bytes,
            expected: Expected::HashAtBuild(entry.hash.to_vec()),
            allows_cached_copy: true,
        }
    }
}

fn find_page(index: &Index, id: &str) -> Result<Option<PageNo>, seealso_index::Error> {
    // Packs may be nested, so the longest path that is a pack comes first.
    for (slash, _) in id.rmatch_indices('/') {
        let Some(pack) = index.find_pack(&id[..slash])? else { continue };
        let file = &id[slash + 1..];
        let file = if is_markdown(file) { file.to_owned() } else { format!("{file}.md") };
        if let Some(page) = index.find_page(pack, &file)? {
            return Ok(Some(page));
        }
    }
    Ok(None)
}

/// A page's id: its pack's path and its file without the ending `.md`; other endings stay.
pub fn page_id(pack: &str, file: &str) -> String {
    format!("{pack}/{}", file.strip_suffix(".md").unwrap_or(file))
}

async fn fetch_catalog<S: PackSource, C: Clock>(source: &S, clock: &C, config: &Config) -> Result<Catalog, OpenError> {
    let request = Request {
        path: CATALOG_FILE.to_owned(),
        max_bytes: CATALOG_MAX_BYTES,
        expected: Expected::Anything,
        allows_cached_copy: true,
    };
    let fetched = fetch_with_retries(source, clock, &request, config.index_timeout_ms).await.map_err(|error| {
        match error.fault {
            Fault::NotFound => OpenError::NoCatalog(error),
            _ => unreachable_or_late(error),
        }
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
    files: &IndexRef,
) -> Result<Index, OpenError> {
    let root = &files.root;
    let request = Request {
        path: root.path.clone(),
        max_bytes: config.index_max_bytes,
        expected: Expected::Sha256(root.sha256.clone()),
        allows_cached_copy: true,
    };
    let inline = files.inline.as_deref().and_then(from_base64).map(|bytes| request.check(bytes));
    let fetched = match inline {
        Some(Ok(fetched)) => fetched,
        _ => fetch_with_retries(source, clock, &request, config.index_timeout_ms).await.map_err(|error| match error
            .fault
        {
            Fault::NotFound => OpenError::NoIndex(format!("{error}; upload index/ together with {CATALOG_FILE}")),
            Fault::WrongHash | Fault::TooLarge(_) => OpenError::BadIndex(error.to_string()),
            _ => unreachable_or_late(error),
        })?,
    };
    let bad = |error: seealso_index::Error| match error.is_version() {
        true => OpenError::Version(format!("{}: {error}", root.path)),
        false => OpenError::BadIndex(format!("{}: {error}", root.path)),
    };
    let raw = source.unpack(root_form(&fetched.bytes).map_err(bad)?).await.map_err(bad)?;
    Index::open_unpacked(&raw).map_err(bad)
}

fn unreachable_or_late(error: SourceError) -> OpenError {
    match error.fault {
        Fault::TimedOut(_) => OpenError::Timeout(error),
        _ => OpenError::Network(error),
    }
}
