//! The traits through which the engine touches the world. Everything else is pure.
//!
//! They are async without a `Send` bound, so that a browser's promises and a current-thread runtime both serve.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use futures_util::future::{Either, select};
use futures_util::pin_mut;
use seealso_index::Form;
use sha2::{Digest, Sha256};

/// The source of packs: the bytes of a path under the packs root.
#[allow(async_fn_in_trait)]
pub trait PackSource {
    /// The bytes of `request.path`, checked with [`Request::check`].
    ///
    /// # Errors
    /// A [`SourceError`] that names the path and the cause.
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError>;

    /// The unpacked bytes of an index file.
    ///
    /// # Errors
    /// [`seealso_index::Error::Corrupt`] where it does not unpack to what it announces.
    async fn unpack(&self, form: Form<'_>) -> Result<Vec<u8>, seealso_index::Error> {
        form.unpack()
    }
}

/// The clock.
#[allow(async_fn_in_trait)]
pub trait Clock {
    /// Milliseconds since a fixed moment.
    fn now_ms(&self) -> f64;
    /// Completes after `ms` milliseconds.
    async fn sleep(&self, ms: u32);
}

impl<S: PackSource> PackSource for &S {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        (**self).fetch(request).await
    }

    async fn unpack(&self, form: Form<'_>) -> Result<Vec<u8>, seealso_index::Error> {
        (**self).unpack(form).await
    }
}

impl<C: Clock> Clock for &C {
    fn now_ms(&self) -> f64 {
        (**self).now_ms()
    }

    async fn sleep(&self, ms: u32) {
        (**self).sleep(ms).await;
    }
}

/// A request to a [`PackSource`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Path under the packs root, `/`-separated.
    pub path: String,
    /// A response of more bytes is refused.
    pub max_bytes: usize,
    /// The expected content.
    pub expected: Expected,
    /// Whether a cached copy may be used although nothing proves that it is current.
    pub allows_cached_copy: bool,
}

/// The expected content of a file, as far as it is known before it is fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expected {
    /// Nothing.
    Anything,
    /// Its SHA-256, in hex; different bytes are an error.
    Sha256(String),
    /// The first bytes of its SHA-256; different bytes are an error.
    HashStart(Vec<u8>),
    /// The first bytes of its SHA-256 when the index was built; different bytes are newer, and reported as such.
    HashAtBuild(Vec<u8>),
}

/// The bytes of a file that passed the checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedFile {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether they differ from what the index was built from.
    pub changed: bool,
}

/// Why a file was not fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// The path that was asked for.
    pub path: String,
    /// The kind of fault.
    pub fault: Fault,
}

/// The kinds of fault of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The file does not exist.
    NotFound,
    /// The server answered with another status code.
    Status(u16),
    /// No connection: offline, refused, or blocked.
    Unreachable(String),
    /// No answer within this many milliseconds.
    TimedOut(u32),
    /// More bytes than allowed.
    TooLarge(usize),
    /// The server's own web page instead of the file.
    WebPage,
    /// A path that leaves the packs root, or is invalid; it was not requested.
    Refused,
    /// Other bytes than the catalog names: truncated or changed on the way.
    WrongHash,
}

impl SourceError {
    /// An error for `path`.
    pub fn new(path: &str, fault: Fault) -> SourceError {
        SourceError { path: path.to_owned(), fault }
    }

    /// Whether the same request may succeed a moment later.
    pub fn is_transient(&self) -> bool {
        match self.fault {
            Fault::Unreachable(_) | Fault::WrongHash => true,
            Fault::Status(status) => status >= 500 || status == 429,
            // A reader who waited once in vain should not wait again.
            Fault::TimedOut(_) | Fault::NotFound | Fault::TooLarge(_) | Fault::WebPage | Fault::Refused => false,
        }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = &self.path;
        match &self.fault {
            Fault::NotFound => write!(f, "{path}: there is no such file on the server"),
            Fault::Status(status) => write!(f, "{path}: the server answered with status {status}; look at its log"),
            Fault::Unreachable(why) => write!(f, "{path}: the server can't be reached ({why}); check the connection"),
            Fault::TimedOut(ms) => {
                write!(f, "{path}: no answer within {} s; ask again, or check the connection", ms.div_ceil(1000))
            }
            Fault::TooLarge(limit) => {
                write!(f, "{path}: larger than the {limit} bytes allowed; publish smaller pages, or raise the limit")
            }
            Fault::WebPage => write!(
                f,
                "{path}: the server answered with a web page, not with the file; check that the file was uploaded"
            ),
            Fault::Refused => write!(f, "{path}: not a path under the packs root; it was not asked for"),
            Fault::WrongHash => {
                write!(
                    f,
                    "{path}: not the bytes that the catalog names; upload it again, or rebuild with `seealso build`"
                )
            }
        }
    }
}

impl std::error::Error for SourceError {}

impl Request {
    /// Checks received bytes against the request.
    ///
    /// # Errors
    /// [`Fault::TooLarge`] or [`Fault::WrongHash`].
    pub fn check(&self, bytes: Vec<u8>) -> Result<FetchedFile, SourceError> {
        if bytes.len() > self.max_bytes {
            return Err(SourceError::new(&self.path, Fault::TooLarge(self.max_bytes)));
        }
        let hash = Sha256::digest(&bytes);
        match &self.expected {
            Expected::Anything => Ok(FetchedFile { bytes, changed: false }),
            Expected::Sha256(hex) if *hex == seealso_pack::hex(&hash) => Ok(FetchedFile { bytes, changed: false }),
            Expected::Sha256(_) => Err(SourceError::new(&self.path, Fault::WrongHash)),
            Expected::HashStart(start) if hash.starts_with(start) => Ok(FetchedFile { bytes, changed: false }),
            Expected::HashStart(_) => Err(SourceError::new(&self.path, Fault::WrongHash)),
            Expected::HashAtBuild(start) => Ok(FetchedFile { changed: !hash.starts_with(start), bytes }),
        }
    }
}

/// A boxed future that borrows from its caller.
pub(crate) type BoxFuture<'w, T> = Pin<Box<dyn Future<Output = T> + 'w>>;

/// Waits for all futures concurrently, and returns their results in order. There are a few dozen at most, so each wake
/// polls all that are not done; the `futures` crate's version, made for thousands, is several times the code.
pub(crate) async fn join_all<T>(mut waiting: Vec<BoxFuture<'_, T>>) -> Vec<T> {
    let mut done: Vec<Option<T>> = waiting.iter().map(|_| None).collect();
    poll_fn(|context| {
        for (work, result) in waiting.iter_mut().zip(&mut done).filter(|(_, result)| result.is_none()) {
            if let Poll::Ready(value) = work.as_mut().poll(context) {
                *result = Some(value);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}

/// What `work` gives; none where it takes longer than so many milliseconds.
pub(crate) async fn within<C: Clock, T>(clock: &C, timeout_ms: u32, work: impl Future<Output = T>) -> Option<T> {
    let limit = clock.sleep(timeout_ms);
    pin_mut!(work, limit);
    match select(work, limit).await {
        Either::Left((result, _)) => Some(result),
        Either::Right(_) => None,
    }
}

/// Fetches with a timeout for each attempt, and retries after a transient fault.
pub(crate) async fn fetch_with_retries<S: PackSource, C: Clock>(
    source: &S,
    clock: &C,
    request: &Request,
    timeout_ms: u32,
) -> Result<FetchedFile, SourceError> {
    for pause_ms in RETRIES_AFTER_MS {
        match fetch_with_timeout(source, clock, request, timeout_ms).await {
            Err(error) if error.is_transient() => clock.sleep(pause_ms).await,
            other => return other,
        }
    }
    fetch_with_timeout(source, clock, request, timeout_ms).await
}

/// The pauses before the second and the third attempt.
const RETRIES_AFTER_MS: [u32; 2] = [250, 750];

async fn fetch_with_timeout<S: PackSource, C: Clock>(
    source: &S,
    clock: &C,
    request: &Request,
    timeout_ms: u32,
) -> Result<FetchedFile, SourceError> {
    if !seealso_pack::is_safe_path(&request.path) {
        return Err(SourceError::new(&request.path, Fault::Refused));
    }
    let (fetch, limit) = (source.fetch(request), clock.sleep(timeout_ms));
    pin_mut!(fetch, limit);
    match select(fetch, limit).await {
        Either::Left((result, _)) => result,
        Either::Right(_) => Err(SourceError::new(&request.path, Fault::TimedOut(timeout_ms))),
    }
}
