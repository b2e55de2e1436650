//! The class for JavaScript.

use std::cell::RefCell;

use futures_util::future::{AbortHandle, abortable};
use js_sys::{Array, Function};
use seealso_index::{Error, Filter, Index, Query, try_all};
use seealso_pack::site_url;
use wasm_bindgen::prelude::*;

use super::clock::BrowserClock;
use super::convert::{answer, fault, progress, to_error};
use super::source::HttpSource;
use super::to_js::ToJs;
use super::types::{Hit, Info, Marks, Options, PackInfo, RenderedPage};
use crate::ask::{AskError, AskOptions, ask};
use crate::browser;
use crate::config::Config;
use crate::highlight::Highlighter;
use crate::library::{Library, page_id};
use crate::mode::Mode;
use crate::page::{PageError, render_page};
#[cfg(not(feature = "stages"))]
use crate::retrieve::finder::ByWords;
use crate::retrieve::finder::Finder;
use crate::tier::Tier;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A piece of a rendered page: text, or an element of an allowed kind. */
export type PageNode = string | { tag: string; attrs?: [string, string][]; children?: PageNode[] };

/** What a question or a search keeps to. A list that is left out or empty keeps nothing out. */
export interface Filter {
    /** Paths of packs, or of folders of packs. */
    packs?: string[];
    /** Tags, of which a page must bear one. */
    tags?: string[];
    /** Language tags; "pt" admits "pt-BR". */
    languages?: string[];
}

/** How to search; every one may be left out. */
export interface SearchOptions extends Filter {
    /** How many pages at most: 8 unless said otherwise, and never more than 100. */
    k?: number;
    /** Whether the query is being typed, so that its last word may be the beginning of one. */
    prefix?: boolean;
}
"#;

/// Runs once, when the module is loaded.
#[wasm_bindgen(start)]
pub(crate) fn start() {
    console_error_panic_hook::set_once();
    browser::use_spelling();
}

/// From now on, words of other languages are analysed by `analyse`, and questions in them are split by the words that
/// `question_words` returns: the functions `analyse` and `questionWords` of the languages' wasm.
#[wasm_bindgen(js_name = useLanguages)]
#[allow(unreachable_pub)] // What crosses the boundary must be public.
pub fn use_languages(
    #[wasm_bindgen(unchecked_param_type = "(language: string, word: string) => string | undefined")] analyse: Function,
    #[wasm_bindgen(unchecked_param_type = "(language: string) => string | undefined")] question_words: Function,
) {
    browser::use_languages(analyse);
    browser::use_question_words(question_words);
}

/// The hits of a search that names no number, and the most of any search.
const HITS: f64 = 8.0;
const MOST_HITS: f64 = 100.0;

/// An opened set of packs.
#[wasm_bindgen]
pub struct SeeAlso {
    pub(super) library: Library<HttpSource, BrowserClock>,
    running: RefCell<Option<AbortHandle>>,
    #[cfg(feature = "stages")]
    pub(super) opened_stages: super::opened_stages::OpenedStages,
    #[cfg(feature = "stages")]
    pub(super) opened_entries: super::opened_stages::OpenedEntries,
}

#[wasm_bindgen]
impl SeeAlso {
    /// Fetches the catalog and the index's root under `packs_url`. Rejects with an `Error` that has a `code`.
    pub async fn open(
        packs_url: String,
        #[wasm_bindgen(unchecked_param_type = "Options | undefined")] options: JsValue,
    ) -> Result<SeeAlso, JsValue> {
        let options = read_options(&options);
        let config = config(&options)?;
        let source = HttpSource::new(&packs_url, options.cache.unwrap_or(true), config.page_timeout_ms).await;
        let library =
            Library::open(source, BrowserClock, config).await.map_err(|e| to_error(e.code(), &e.to_string()))?;
        Ok(SeeAlso {
            library,
            running: RefCell::default(),
            #[cfg(feature = "stages")]
            opened_stages: Default::default(),
            #[cfg(feature = "stages")]
            opened_entries: Default::default(),
        })
    }

    /// The contents of the opened packs.
    #[wasm_bindgen(unchecked_return_type = "Info")]
    pub fn info(&self) -> JsValue {
        let catalog = self.library.catalog();
        let packs = catalog.packs.iter().map(|pack| PackInfo {
            path: pack.path.clone(),
            title: pack.title.clone(),
            language: pack.language.clone(),
            pages: pack.pages,
            summary: pack.summary.clone(),
        });
        Info {
            packs: packs.collect(),
            pack_count: catalog.pack_count,
            pages: self.library.index().len(),
            index_bytes: catalog.index.total_bytes,
            stages: catalog.stages.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
        .to_js()
    }

    /// Whether a pack is in a language whose words cannot be analysed before `useLanguages` was called.
    #[wasm_bindgen(js_name = needsLanguages)]
    pub fn needs_languages(&self) -> bool {
        self.library.missing_languages().next().is_some()
    }

    /// Ends the running question, which then rejects with the code `cancelled`.
    pub fn cancel(&self) {
        if let Some(running) = self.running.take() {
            running.abort();
        }
    }

    /// The best pages for some words, without answering.
    #[wasm_bindgen(unchecked_return_type = "Hit[]")]
    pub async fn search(
        &self,
        query: String,
        #[wasm_bindgen(unchecked_param_type = "SearchOptions | undefined")] options: JsValue,
    ) -> Result<JsValue, JsValue> {
        let filter = read_filter(&options)?;
        let k = value(&options, "k").as_f64().unwrap_or(HITS).min(MOST_HITS) as usize;
        let prefix = value(&options, "prefix").is_truthy();
        // The query is cut like a question.
        let end = query.char_indices().nth(self.library.config.question_chars).map_or(query.len(), |(at, _)| at);
        let query = Query { prefix, filter: Some(&filter), ..Query::from(&query[..end]) };
        let rows = self.library.resolve(|index| self.rows(index, query, k)).await;
        rows.map(|rows| rows.to_js()).map_err(|error| fault(&error))
    }

    /// A whole page, rendered.
    #[wasm_bindgen(unchecked_return_type = "RenderedPage")]
    pub async fn page(&self, id: String) -> Result<JsValue, JsValue> {
        let url = |path: &str| self.library.source.url(path);
        match render_page(&self.library, &id, &url).await {
            Ok(page) => {
                Ok(RenderedPage { url: url(&page.path), id, title: page.title, pack: page.pack, nodes: page.nodes }
                    .to_js())
            }
            Err(error @ PageError::Unknown(_)) => Err(to_error("no-page", &error.to_string())),
            Err(PageError::Index(error)) => Err(fault(&error)),
            Err(error @ PageError::Source(_)) => Err(to_error("page-lost", &error.to_string())),
        }
    }
}

/// What the wasm with stages does without: it asks by them.
#[cfg(not(feature = "stages"))]
#[wasm_bindgen]
impl SeeAlso {
    /// Answers a question from the pages that `filter` admits; `on_progress` is called for each stage. `deep` reads twice as many
    /// pages. A later call ends an earlier one.
    #[wasm_bindgen(unchecked_return_type = "Answer")]
    pub async fn ask(
        &self,
        question: String,
        #[wasm_bindgen(unchecked_param_type = "(progress: Progress) => void")] on_progress: Function,
        #[wasm_bindgen(unchecked_param_type = "Filter | undefined")] filter: JsValue,
        deep: Option<bool>,
    ) -> Result<JsValue, JsValue> {
        let mode = if deep == Some(true) { Mode::Deep } else { Mode::Standard };
        self.ask_by(ByWords, &question, &on_progress, &filter, mode).await
    }
}

impl SeeAlso {
    /// The answer to a question whose pages `finder` finds, as an object of JavaScript.
    pub(super) async fn ask_by<F: Finder>(
        &self,
        finder: F,
        question: &str,
        on_progress: &Function,
        filter: &JsValue,
        mode: Mode,
    ) -> Result<JsValue, JsValue> {
        let mut watch = |step| drop(on_progress.call1(&JsValue::UNDEFINED, &progress(step).to_js()));
        let filter = Some(read_filter(filter)?);
        let options = AskOptions { filter, mode, watch: Some(&mut watch), ..AskOptions::default() }.found_by(finder);
        let (run, handle) = abortable(ask(&self.library, question, options));
        if let Some(earlier) = self.running.replace(Some(handle)) {
            earlier.abort();
        }
        match run.await {
            Ok(Ok((done, pages))) => Ok(answer(done, pages, &self.library.source).to_js()),
            Ok(Err(error @ AskError::EmptyQuestion)) => Err(to_error("empty-question", &error.to_string())),
            Ok(Err(AskError::Index(error))) => Err(fault(&error)),
            Err(_) => Err(to_error("cancelled", "the question was stopped")),
        }
    }

    /// The rows of a result list.
    fn rows(&self, index: &Index, query: Query<'_>, k: usize) -> Result<Vec<Hit>, Error> {
        let searcher = index.searcher(&self.library.config.bm25);
        let hits = searcher.search(query, k);
        // Both run before either is checked, so that the files that both miss are fetched in the same round.
        try_all([searcher.prefetch(query.text), hits.as_ref().map(drop).map_err(Error::clone)].into_iter())?;
        let hits = hits?;
        index.prefetch_pages(hits.iter().map(|hit| hit.page))?;
        let mut rows = Vec::with_capacity(hits.len());
        for hit in hits {
            let entry = index.page(hit.page)?;
            let pack = index.pack(entry.pack)?;
            let words = Highlighter::new(query.text, index.analysis_of(entry.pack), query.prefix);
            rows.push(Hit {
                page: page_id(&pack.path, &entry.file),
                url: self.library.source.url(&pack.page_path(&entry.file)),
                site: self.library.source.site_url(site_url(&pack.site, &entry.file).unwrap_or_default()),
                marks: Marks { title: words.marks(&entry.title), summary: words.marks(&entry.summary) },
                pack: pack.path,
                title: entry.title,
                summary: entry.summary,
                score: hit.score,
            });
        }
        Ok(rows)
    }
}

/// Reads the options key by key: a deserialiser for three of them would be larger than the rest of this file.
fn read_options(given: &JsValue) -> Options {
    Options {
        tier: value(given, "tier").as_string(),
        timeout_ms: value(given, "timeout_ms").as_f64().and_then(timeout_ms),
        cache: value(given, "cache").as_bool(),
    }
}

/// Reads the filter. A misread filter would show pages that it excludes, so anything but lists of strings is refused.
fn read_filter(given: &JsValue) -> Result<Filter, JsValue> {
    let list = |key: &str| read_list(given, key);
    Ok(Filter { packs: list("packs")?, tags: list("tags")?, languages: list("languages")? })
}

/// The strings of the list `key`; none where it is left out.
pub(super) fn read_list(given: &JsValue, key: &str) -> Result<Vec<String>, JsValue> {
    let value = value(given, key);
    if value.is_null() || value.is_undefined() {
        return Ok(Vec::new());
    }
    let items = value.dyn_into::<Array>().ok().and_then(|items| items.iter().map(|item| item.as_string()).collect());
    items.ok_or_else(|| to_error("options", &format!("\"{key}\" must be an array of strings")))
}

pub(super) fn value(given: &JsValue, key: &str) -> JsValue {
    js_sys::Reflect::get(given, &JsValue::from_str(key)).unwrap_or(JsValue::UNDEFINED)
}

/// A timeout that `setTimeout` can keep: it treats one longer than `i32::MAX` as none. NaN and negative numbers mean no
/// timeout.
fn timeout_ms(given: f64) -> Option<u32> {
    (given >= 0.0).then(|| given.clamp(1.0, f64::from(i32::MAX)) as u32)
}

fn config(options: &Options) -> Result<Config, JsValue> {
    let mut config = Config::default();
    if let Some(name) = &options.tier {
        config.tier = Tier::named(name).ok_or_else(|| to_error("options", &format!("there is no tier \"{name}\"")))?;
    }
    if let Some(ms) = options.timeout_ms {
        config.page_timeout_ms = ms;
        config.index_timeout_ms = config.index_timeout_ms.max(ms);
    }
    Ok(config)
}
