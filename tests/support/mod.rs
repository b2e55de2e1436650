//! What the pipeline's tests share: the demo packs in memory, and a source with faults.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used)]

pub mod boats_and_bread;
pub mod staged;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use futures_executor::block_on;
use seealso::{
    Answer, AskOptions, Clock, Config, Fault, FetchedFile, FixedClock, Library, MemorySource, OpenError, PackSource,
    Request, SourceError, ask,
};
use seealso_index::Layout;

/// The packs of this repository, with the index that a build makes of them.
pub fn demo_packs() -> MemorySource {
    static BUILT: OnceLock<Files> = OnceLock::new();
    demo_packs_in(&BUILT, Layout::default())
}

/// The packs of this repository, with their index laid out in many small files.
pub fn sharded_demo_packs() -> MemorySource {
    static BUILT: OnceLock<Files> = OnceLock::new();
    demo_packs_in(&BUILT, small_files())
}

/// The same, with postings in files of their own too, and all terms in one file, since joined words are looked for only in
/// files that are read anyway. What splits a question is then told by fewer words.
pub fn chunked_demo_packs() -> MemorySource {
    static BUILT: OnceLock<Files> = OnceLock::new();
    demo_packs_in(&BUILT, Layout { inline_postings: 4, block_postings: 8, term_bytes: 1 << 20, ..small_files() })
}

fn small_files() -> Layout {
    Layout { single_file_bytes: 0, term_bytes: 512, text_bytes: 2_000, lengths_in_root_up_to: 0, ..Layout::default() }
}

type Files = BTreeMap<String, Vec<u8>>;

/// The packs of this repository as they were read.
pub fn demo_pack_list() -> Vec<seealso_pack::Pack> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs-static");
    seealso_pack::discover(&root)
        .unwrap()
        .iter()
        .map(|(dir, path)| seealso_pack::Pack::read(dir, path).unwrap())
        .collect()
}

/// The packs by `layout`, built once for all tests.
fn demo_packs_in(built: &OnceLock<Files>, layout: Layout) -> MemorySource {
    MemorySource::new(built.get_or_init(|| demo_files(layout)).clone())
}

fn demo_files(layout: Layout) -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("packs-static");
    let mut files = BTreeMap::new();
    let mut packs = Vec::new();
    for (dir, path) in seealso_pack::discover(&root).unwrap() {
        let pack = seealso_pack::Pack::read(&dir, &path).unwrap();
        for page in &pack.pages {
            let inside = pack.page_path(&page.file);
            files.insert(format!("{path}/{inside}"), std::fs::read(dir.join(&inside)).unwrap());
        }
        packs.push(pack);
    }
    let built = seealso_pack::catalog_in(&packs, layout, seealso_pack::BODY_TERMS).unwrap();
    files.extend(built.files);
    files.insert(seealso_pack::CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
    files
}

/// Packs of page files, with an index of titles and summaries alone: what their texts say in passing finds nothing.
pub fn packs_by_summary(packs: &[(&str, &[(&str, &str)])]) -> MemorySource {
    let built: Vec<_> = packs.iter().map(|(path, pages)| seealso_pack::Pack::of_pages(path, pages)).collect();
    let built = seealso_pack::catalog_in(&built, Layout::default(), 0).unwrap();
    let pages = packs.iter().flat_map(|(path, pages)| {
        pages.iter().map(move |(file, text)| (format!("{path}/wiki/{file}"), text.as_bytes().to_vec()))
    });
    let catalog = (seealso_pack::CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
    MemorySource::new(pages.chain(built.files).chain([catalog]))
}

/// Asks one question of a source.
pub fn answer<S: PackSource>(source: S, question: &str) -> Answer {
    answer_with(source, question, Config::default())
}

/// Asks one question of a source, with settings.
pub fn answer_with<S: PackSource>(source: S, question: &str, config: Config) -> Answer {
    let library = block_on(Library::open(source, FixedClock, config)).map_err(|error| error.to_string()).unwrap();
    block_on(ask(&library, question, AskOptions::default())).unwrap().0
}

/// What opening a source fails with.
pub fn open_error<S: PackSource>(source: S) -> OpenError {
    match block_on(Library::open(source, FixedClock, Config::default())) {
        Ok(_) => panic!("the library opened"),
        Err(error) => error,
    }
}

/// How a file misbehaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misdeed {
    /// It is not there.
    Missing,
    /// No answer ever comes.
    Silent,
    /// The first try fails, the second works.
    FailsOnce,
    /// The first two tries fail, the third works.
    FailsTwice,
    /// The server fails.
    ServerError,
    /// A web page comes instead.
    Html,
    /// Only half of it comes.
    Cut,
}

/// A source in which some files misbehave.
pub struct FaultySource {
    inner: MemorySource,
    misdeeds: Vec<(String, Misdeed)>,
    tries: RefCell<BTreeMap<String, u32>>,
}

impl FaultySource {
    /// `inner`, with a misdeed for every path that ends with the given text.
    pub fn new(inner: MemorySource, misdeeds: &[(&str, Misdeed)]) -> Self {
        let misdeeds = misdeeds.iter().map(|(end, misdeed)| ((*end).to_owned(), *misdeed)).collect();
        FaultySource { inner, misdeeds, tries: RefCell::default() }
    }

    /// How often the file at `path` was asked for.
    pub fn tries(&self, path: &str) -> u32 {
        self.tries.borrow().get(path).copied().unwrap_or_default()
    }
}

impl PackSource for FaultySource {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        let tries = {
            let mut tries = self.tries.borrow_mut();
            let count = tries.entry(request.path.clone()).or_default();
            *count += 1;
            *count
        };
        let fault = |fault| Err(SourceError::new(&request.path, fault));
        let misdeed = self.misdeeds.iter().find(|(end, _)| request.path.ends_with(end)).map(|(_, misdeed)| *misdeed);
        match misdeed {
            Some(Misdeed::Missing) => fault(Fault::NotFound),
            Some(Misdeed::Silent) => std::future::pending().await,
            Some(Misdeed::FailsTwice) if tries < 3 => fault(Fault::Status(503)),
            Some(Misdeed::FailsOnce) if tries == 1 => fault(Fault::Unreachable("connection reset".into())),
            Some(Misdeed::ServerError) => fault(Fault::Status(500)),
            Some(Misdeed::Html) => request.check(b"<!DOCTYPE html><html>not here</html>".to_vec()),
            Some(Misdeed::Cut) => {
                let any = Request { expected: seealso::Expected::Anything, ..request.clone() };
                let whole = self.inner.fetch(&any).await?.bytes;
                request.check(whole[..whole.len() / 2].to_vec())
            }
            Some(Misdeed::FailsOnce | Misdeed::FailsTwice) | None => self.inner.fetch(request).await,
        }
    }
}

/// A clock whose every reading is a millisecond later, so that a golden trace shows the same times always.
#[derive(Debug, Default)]
pub struct TickingClock {
    now: std::cell::Cell<f64>,
}

impl Clock for TickingClock {
    fn now_ms(&self) -> f64 {
        self.now.set(self.now.get() + 1.0);
        self.now.get()
    }

    async fn sleep(&self, _ms: u32) {}
}
