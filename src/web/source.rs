//! Packs over HTTP, with copies kept in the browser.
//!
//! A cached copy is used without asking the server only if a hash proves that it is the file from which the index was
//! built. Otherwise it serves if the server cannot be reached, fails, or does not answer in time.

use std::future::pending;

use futures_util::future::{Either, select};
use futures_util::pin_mut;
use js_sys::Promise;
use seealso_index::Form;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCache, RequestInit, Response};

use super::clock::BrowserClock;
use super::copies::Copies;
use super::inflate;
use super::stream::{drain, unreachable};
use crate::world::{Clock, Expected, Fault, FetchedFile, PackSource, Request, SourceError};

/// If there is a cached copy, the time in which the server must begin to answer.
const COPY_FALLBACK_MS: u32 = 3_000;

/// Packs under a URL.
#[derive(Debug)]
pub(super) struct HttpSource {
    /// Absolute URL, with a slash at the end.
    root: String,
    copies: Copies,
    fallback_ms: u32,
}

impl HttpSource {
    /// Packs under `root`, an absolute URL. `keep` says whether copies may be cached; `timeout_ms` is how long the
    /// engine waits for a file, of which the fallback to a copy takes at most half.
    pub(super) async fn new(root: &str, keep: bool, timeout_ms: u32) -> Self {
        HttpSource {
            root: format!("{}/", root.trim_end_matches('/')),
            copies: Copies::open(keep).await,
            fallback_ms: COPY_FALLBACK_MS.min(timeout_ms / 2),
        }
    }

    /// The whole URL of one that is relative to the packs root, as those of a site's pages may be; none stays none.
    pub(super) fn site_url(&self, url: String) -> String {
        let is_whole = url.is_empty() || url.starts_with("https://") || url.starts_with("http://");
        if is_whole { url } else { self.root.clone() + &url }
    }

    /// The URL of a path under the packs root.
    pub(super) fn url(&self, path: &str) -> String {
        let encoded: Vec<String> = path.split('/').map(|step| js_sys::encode_uri_component(step).into()).collect();
        format!("{}{}", self.root, encoded.join("/"))
    }
}

impl PackSource for HttpSource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        let url = self.url(&request.path);
        let kept = if request.allows_cached_copy { self.copies.find(&url, request).await } else { None };
        let proven = request.expected != Expected::Anything && kept.as_ref().is_some_and(|kept| !kept.changed);
        if let (true, Some(kept)) = (proven, kept.clone()) {
            return Ok(kept);
        }
        let fallback_ms = kept.as_ref().map(|_| self.fallback_ms);
        let mut cache = freshness(&request.expected);
        let response = loop {
            let response = ask(&url, request, fallback_ms, cache).await;
            let response = response.map_err(|fault| SourceError::new(&request.path, fault));
            match response.and_then(|bytes| request.check(bytes)) {
                // The HTTP cache may keep the wrong bytes for ever; only bypassing it replaces them.
                Err(error) if error.fault == Fault::WrongHash && cache != RequestCache::Reload => {
                    cache = RequestCache::Reload;
                }
                response => break response,
            }
        };
        match response {
            Ok(fetched) => {
                self.copies.keep(&url, request, &fetched).await;
                Ok(fetched)
            }
            Err(error) if error.is_transient() || matches!(error.fault, Fault::TimedOut(_)) => kept.ok_or(error),
            Err(error) => Err(error),
        }
    }

    async fn unpack(&self, form: Form<'_>) -> Result<Vec<u8>, seealso_index::Error> {
        inflate::unpack(form).await
    }
}

/// The bytes of a URL, whose server must begin to answer within `fallback_ms` if that is given.
async fn ask(url: &str, request: &Request, fallback_ms: Option<u32>, cache: RequestCache) -> Result<Vec<u8>, Fault> {
    let call = Call::begin();
    let sent = call.send(url, cache);
    let late = async {
        match fallback_ms {
            Some(ms) => BrowserClock.sleep(ms).await,
            None => pending().await,
        }
    };
    pin_mut!(sent, late);
    let response = match select(sent, late).await {
        Either::Left((answered, _)) => answered.map_err(unreachable)?.unchecked_into::<Response>(),
        Either::Right(_) => return Err(Fault::TimedOut(fallback_ms.unwrap_or_default())),
    };
    match response.status() {
        200..=299 => read(&response, request.max_bytes).await,
        404 | 410 => Err(Fault::NotFound),
        status => Err(Fault::Status(status)),
    }
}

/// How the browser's own HTTP cache may be used. Only a file that is named for its hash never changes. An outdated
/// catalog names an index that no longer exists, and an outdated page would pass for one that changed after the build.
fn freshness(expected: &Expected) -> RequestCache {
    match expected {
        Expected::Anything | Expected::HashAtBuild(_) => RequestCache::NoCache,
        Expected::Sha256(_) | Expected::HashStart(_) => RequestCache::Default,
    }
}

/// The body. Reading stops as soon as it is too large, whatever length the server declared.
async fn read(response: &Response, max_bytes: usize) -> Result<Vec<u8>, Fault> {
    let declared: usize =
        response.headers().get("content-length").ok().flatten().and_then(|n| n.parse().ok()).unwrap_or(0);
    if declared > max_bytes {
        return Err(Fault::TooLarge(max_bytes));
    }
    match response.body() {
        Some(body) => drain(&body, max_bytes, declared).await,
        None => Ok(Vec::new()),
    }
}

#[wasm_bindgen]
extern "C" {
    fn fetch(url: &str, options: &RequestInit) -> Promise;
}

/// A running request. If it is dropped before its end, because it timed out or the question was stopped, it frees its
/// connection: a browser has only a few for each server, and lets a second request for a file wait for the first.
struct Call(Option<AbortController>);

impl Call {
    fn begin() -> Call {
        Call(AbortController::new().ok())
    }

    /// Sends the request and resolves to the response's head.
    fn send(&self, url: &str, cache: RequestCache) -> JsFuture {
        let options = RequestInit::new();
        options.set_cache(cache);
        options.set_signal(self.0.as_ref().map(AbortController::signal).as_ref());
        fetch(url, &options).into()
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}
