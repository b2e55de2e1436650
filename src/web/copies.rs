//! Copies of fetched files, in the browser's cache storage.
//!
//! A copy is kept only if its bytes are proven: by the hash that the catalog or the index names, or, for the catalog
//! itself, because it parses. A full or forbidden storage costs the copies, nothing else.
//!
//! The files of an index are many, and each build names them anew, so the catalog bounds them: a catalog with another
//! root than the one kept before removes all index files of that folder. A tab that still runs the older build fetches
//! what it needs again, and its copies go with the next build.

use js_sys::{Array, Reflect, Uint8Array, global};
use seealso_pack::{CATALOG_FILE, Catalog};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Cache, CacheStorage};

use crate::world::{Expected, FetchedFile, Request};

/// The name of the cache. A change of its content takes a new name.
const CACHE: &str = "seealso-1";

/// The ending of the files of an index.
const INDEX_ENDING: &str = ".idx";

/// The cached copies, if this context has a cache.
#[derive(Debug)]
pub(super) struct Copies(Option<Cache>);

impl Copies {
    /// Opens the cache if it is wanted and this context has cache storage: not on plain HTTP, and not if the reader
    /// forbids it.
    pub(super) async fn open(wanted: bool) -> Copies {
        Copies(if wanted { open_cache().await } else { None })
    }

    /// The copy of a URL, if it is what `request` expects.
    pub(super) async fn find(&self, url: &str, request: &Request) -> Option<FetchedFile> {
        let found = JsFuture::from(self.0.as_ref()?.match_with_str(url)).await.ok()?;
        let response: web_sys::Response = (!found.is_undefined()).then(|| found.unchecked_into())?;
        let bytes = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
        request.check(Uint8Array::new(&bytes).to_vec()).ok()
    }

    /// Keeps a fetched file if it is proven. A new build's catalog replaces the build before it.
    pub(super) async fn keep(&self, url: &str, request: &Request, fetched: &FetchedFile) {
        let Some(cache) = &self.0 else { return };
        match request.expected {
            Expected::Anything => {
                let Some(catalog) = catalog_of(request, &fetched.bytes) else { return };
                let before = self.find(url, request).await.and_then(|kept| catalog_of(request, &kept.bytes));
                if before.is_none_or(|before| before.index.root != catalog.index.root) {
                    // This comes first, because there may be room for one build only.
                    forget_index(cache, url, &catalog).await;
                }
            }
            Expected::Sha256(_) | Expected::HashStart(_) | Expected::HashAtBuild(_) if fetched.changed => return,
            Expected::Sha256(_) | Expected::HashStart(_) | Expected::HashAtBuild(_) => {}
        }
        let bytes = Uint8Array::from(fetched.bytes.as_slice());
        let Ok(response) = web_sys::Response::new_with_opt_js_u8_array(Some(&bytes)) else { return };
        let _ = JsFuture::from(cache.put_with_str(url, &response)).await;
    }
}

/// The catalog, if the bytes are one. An error page sent as a success is none.
fn catalog_of(request: &Request, bytes: &[u8]) -> Option<Catalog> {
    (request.path == CATALOG_FILE).then(|| Catalog::parse(bytes).ok()).flatten()
}

/// Deletes the index files in the folder of `catalog`, whose URL is given: their names contain their hashes, so none is
/// ever overwritten.
async fn forget_index(cache: &Cache, url: &str, catalog: &Catalog) {
    let Ok(keys) = JsFuture::from(cache.keys()).await else { return };
    let folder = format!("{}{}", url.strip_suffix(CATALOG_FILE).unwrap_or(url), catalog.index.path_of(""));
    for key in keys.unchecked_into::<Array>().iter() {
        let kept = key.unchecked_into::<web_sys::Request>().url();
        if kept.strip_prefix(&folder).is_some_and(|name| !name.contains('/') && name.ends_with(INDEX_ENDING)) {
            let _ = JsFuture::from(cache.delete_with_str(&kept)).await;
        }
    }
}

async fn open_cache() -> Option<Cache> {
    // If the reader forbids it, even this access throws.
    let storage = Reflect::get(&global(), &JsValue::from_str("caches")).ok()?;
    let opening = (!storage.is_undefined()).then(|| storage.unchecked_into::<CacheStorage>().open(CACHE))?;
    JsFuture::from(opening).await.ok().map(JsCast::unchecked_into)
}
