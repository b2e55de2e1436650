//! Packs over HTTP, with copies kept in the browser's own cache storage.
//!
//! A kept copy is used without asking the server only where a hash proves that it is the file the index was built
//! from; where nothing proves it, it serves when the server can't be reached. A full or forbidden storage costs the
//! copies, nothing else.

use gloo_net::http::{Request as HttpRequest, Response};
use js_sys::{Promise, Reflect, Uint8Array, global};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, AbortSignal, Cache, CacheStorage};

use crate::world::{Expected, Fault, Fetched, PackSource, Request, SourceError};

/// The name of our cache. A change of what is kept in it takes a new name.
const CACHE: &str = "seealso-1";

/// Packs under a URL.
#[derive(Debug)]
pub(super) struct HttpSource {
    /// Absolute, with a slash at the end.
    root: String,
    cache: Option<Cache>,
}

impl HttpSource {
    /// Packs under `root`, an absolute URL; `keep` says whether copies may be kept.
    pub(super) async fn new(root: &str, keep: bool) -> Self {
        let cache = if keep { open_cache().await } else { None };
        HttpSource { root: format!("{}/", root.trim_end_matches('/')), cache }
    }

    /// The URL of a path under the packs root.
    pub(super) fn url(&self, path: &str) -> String {
        let encoded: Vec<String> = path.split('/').map(|step| js_sys::encode_uri_component(step).into()).collect();
        format!("{}{}", self.root, encoded.join("/"))
    }

    async fn kept(&self, url: &str, request: &Request) -> Option<Fetched> {
        let found = JsFuture::from(self.cache.as_ref()?.match_with_str(url)).await.ok()?;
        let response: web_sys::Response = found.dyn_into().ok()?;
        let bytes = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
        request.check(Uint8Array::new(&bytes).to_vec()).ok()
    }

    async fn keep(&self, url: &str, bytes: &[u8]) {
        let Some(cache) = &self.cache else { return };
        let Ok(response) = web_sys::Response::new_with_opt_js_u8_array(Some(&Uint8Array::from(bytes))) else { return };
        let _ = JsFuture::from(cache.put_with_str(url, &response)).await;
    }

    async fn ask(&self, url: &str, request: &Request) -> Result<Vec<u8>, SourceError> {
        let fault = |fault| SourceError::new(&request.path, fault);
        let unreachable = |error: gloo_net::Error| fault(Fault::Unreachable(first_line(&error.to_string())));
        let call = Call::begin();
        let response = HttpRequest::get(url).abort_signal(call.signal().as_ref()).send().await.map_err(unreachable)?;
        match response.status() {
            200..=299 => {}
            404 | 410 => return Err(fault(Fault::NotFound)),
            status => return Err(fault(Fault::Status(status))),
        }
        if declared_length(&response).is_some_and(|length| length > request.max_bytes) {
            return Err(fault(Fault::TooLarge(request.max_bytes)));
        }
        response.binary().await.map_err(unreachable)
    }
}

impl PackSource for HttpSource {
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        let url = self.url(&request.path);
        let kept = if request.may_be_kept { self.kept(&url, request).await } else { None };
        let proven = request.expected != Expected::Anything && kept.as_ref().is_some_and(|kept| !kept.changed);
        if let (true, Some(kept)) = (proven, kept.clone()) {
            return Ok(kept);
        }
        match self.ask(&url, request).await {
            Ok(bytes) => {
                let fetched = request.check(bytes)?;
                self.keep(&url, &fetched.bytes).await;
                Ok(fetched)
            }
            Err(error) if matches!(error.fault, Fault::Unreachable(_)) => kept.ok_or(error),
            Err(error) => Err(error),
        }
    }
}

/// A running request. Dropped before its end, because it took too long or the question was stopped, it gives its
/// connection back: a browser has only a few for each server, and lets a second request for a file wait for the first.
struct Call(Option<AbortController>);

impl Call {
    fn begin() -> Call {
        Call(AbortController::new().ok())
    }

    fn signal(&self) -> Option<AbortSignal> {
        self.0.as_ref().map(AbortController::signal)
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            controller.abort();
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn declared_length(response: &Response) -> Option<usize> {
    response.headers().get("content-length")?.parse().ok()
}

/// Our cache, where this context has cache storage: not on plain HTTP, and not where the reader forbids it.
async fn open_cache() -> Option<Cache> {
    let storage: CacheStorage = Reflect::get(&global(), &JsValue::from_str("caches")).ok()?.dyn_into().ok()?;
    let opening: Promise = storage.open(CACHE);
    JsFuture::from(opening).await.ok()?.dyn_into().ok()
}
