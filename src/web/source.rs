//! Packs over HTTP, with copies kept in the browser.
//!
//! A kept copy is used without asking the server only where a hash proves that it is the file the index was built
//! from; where nothing proves it, it serves when the server is in trouble: can't be reached, fails, or stays silent.

use std::future::pending;

use futures_util::future::{Either, select};
use futures_util::pin_mut;
use js_sys::{Promise, Uint8Array};
use seealso_index::Form;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AbortController, ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult, RequestCache, RequestInit,
    Response,
};

use super::clock::BrowserClock;
use super::copies::Copies;
use super::inflate;
use crate::world::{Clock, Expected, Fault, Fetched, PackSource, Request, SourceError};

/// Where there is a copy to fall back on, a server that has not begun to answer after so long counts as silent.
const PATIENCE_MS: u32 = 3_000;

/// Packs under a URL.
#[derive(Debug)]
pub(super) struct HttpSource {
    /// Absolute, with a slash at the end.
    root: String,
    copies: Copies,
    patience_ms: u32,
}

impl HttpSource {
    /// Packs under `root`, an absolute URL. `keep` says whether copies may be kept; `timeout_ms` is how long the
    /// engine waits for a file, of which a copy must leave it some.
    pub(super) async fn new(root: &str, keep: bool, timeout_ms: u32) -> Self {
        HttpSource {
            root: format!("{}/", root.trim_end_matches('/')),
            copies: Copies::open(keep).await,
            patience_ms: PATIENCE_MS.min(timeout_ms / 2),
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
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        let url = self.url(&request.path);
        let kept = if request.may_be_kept { self.copies.find(&url, request).await } else { None };
        let proven = request.expected != Expected::Anything && kept.as_ref().is_some_and(|kept| !kept.changed);
        if let (true, Some(kept)) = (proven, kept.clone()) {
            return Ok(kept);
        }
        let patience_ms = kept.as_ref().map(|_| self.patience_ms);
        let mut cache = freshness(&request.expected);
        let asked = loop {
            let asked = ask(&url, request, patience_ms, cache).await;
            let asked = asked.map_err(|fault| SourceError::new(&request.path, fault));
            match asked.and_then(|bytes| request.check(bytes)) {
                // The HTTP cache may keep the wrong bytes for ever; only asking past it replaces them.
                Err(error) if error.fault == Fault::WrongHash && cache != RequestCache::Reload => {
                    cache = RequestCache::Reload;
                }
                asked => break asked,
            }
        };
        match asked {
            Ok(fetched) => {
                self.copies.keep(&url, request, &fetched).await;
                Ok(fetched)
            }
            Err(error) if error.is_passing() || matches!(error.fault, Fault::TimedOut(_)) => kept.ok_or(error),
            Err(error) => Err(error),
        }
    }

    async fn unpack(&self, form: Form<'_>) -> Result<Vec<u8>, seealso_index::Error> {
        inflate::unpack(form).await
    }
}

/// The bytes of a URL, whose server must begin to answer within `patience_ms`, where that is given.
async fn ask(url: &str, request: &Request, patience_ms: Option<u32>, cache: RequestCache) -> Result<Vec<u8>, Fault> {
    let call = Call::begin();
    let sent = call.send(url, cache);
    let late = async {
        match patience_ms {
            Some(ms) => BrowserClock.sleep(ms).await,
            None => pending().await,
        }
    };
    pin_mut!(sent, late);
    let response = match select(sent, late).await {
        Either::Left((answered, _)) => answered.map_err(unreachable)?.unchecked_into::<Response>(),
        Either::Right(_) => return Err(Fault::TimedOut(patience_ms.unwrap_or_default())),
    };
    match response.status() {
        200..=299 => read(&response, request.max_bytes).await,
        404 | 410 => Err(Fault::NotFound),
        status => Err(Fault::Status(status)),
    }
}

/// What the browser's own HTTP cache may do. Only a file that is named for its hash never changes. A catalog that lags
/// behind names an index that is no longer there, and an old page would pass for one that changed after the build.
fn freshness(expected: &Expected) -> RequestCache {
    match expected {
        Expected::Anything | Expected::HashAtBuild(_) => RequestCache::NoCache,
        Expected::Sha256(_) | Expected::HashStart(_) => RequestCache::Default,
    }
}

/// The body, which is given up as soon as it is too large, whatever length the server declared.
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

/// All bytes of a stream, of which `expected` are foreseen; given up as soon as they are more than `max_bytes`.
pub(super) async fn drain(stream: &ReadableStream, max_bytes: usize, expected: usize) -> Result<Vec<u8>, Fault> {
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let mut bytes = Vec::with_capacity(expected);
    loop {
        let step = JsFuture::from(reader.read()).await.map_err(unreachable)?;
        let chunk = step.unchecked_into::<ReadableStreamReadResult>().get_value();
        if chunk.is_undefined() {
            return Ok(bytes);
        }
        let chunk: Uint8Array = chunk.unchecked_into();
        if chunk.length() as usize > max_bytes - bytes.len() {
            return Err(Fault::TooLarge(max_bytes));
        }
        bytes.append(&mut chunk.to_vec());
    }
}

#[wasm_bindgen]
extern "C" {
    fn fetch(url: &str, options: &RequestInit) -> Promise;
}

/// A running request. Dropped before its end, because it took too long or the question was stopped, it gives its
/// connection back: a browser has only a few for each server, and lets a second request for a file wait for the first.
struct Call(Option<AbortController>);

impl Call {
    fn begin() -> Call {
        Call(AbortController::new().ok())
    }

    /// The answer's head.
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

fn unreachable(error: JsValue) -> Fault {
    Fault::Unreachable(error.unchecked_into::<js_sys::Object>().to_string().into())
}
