//! Packs in memory and a clock that stands still: for tests, examples, and programs that bring their own packs.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::world::{Clock, Fault, Fetched, PackSource, Request, SourceError};

/// Files by their path under the packs root.
#[derive(Debug, Default)]
pub struct MemorySource {
    files: BTreeMap<String, Vec<u8>>,
    asked: RefCell<Vec<String>>,
}

impl MemorySource {
    /// A source of `files`.
    pub fn new(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Self {
        MemorySource { files: files.into_iter().collect(), asked: RefCell::default() }
    }

    /// Packs as `(path, page files)`, with the catalog and index that a build of them would make.
    ///
    /// # Panics
    /// Never: packs in memory are always few enough to be indexed.
    pub fn of_packs(packs: &[(&str, &[(&str, &str)])]) -> Self {
        let (mut files, mut built) = (BTreeMap::new(), Vec::new());
        for (path, pages) in packs {
            let pack = seealso_pack::Pack::of_pages(path, pages);
            for (file, text) in *pages {
                files.insert(format!("{path}/wiki/{file}"), text.as_bytes().to_vec());
            }
            built.push(pack);
        }
        let built = seealso_pack::catalog_of(&built).expect("packs in memory are few");
        files.extend(built.files);
        files.insert(seealso_pack::CATALOG_FILE.to_owned(), built.catalog.to_json().into_bytes());
        MemorySource { files, asked: RefCell::default() }
    }

    /// The file at `path`, to look at or to damage.
    pub fn file(&mut self, path: &str) -> Option<&mut Vec<u8>> {
        self.files.get_mut(path)
    }

    /// Takes the file at `path` away.
    pub fn remove(&mut self, path: &str) -> Option<Vec<u8>> {
        self.files.remove(path)
    }

    /// Every path that was asked for, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

impl PackSource for MemorySource {
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        self.asked.borrow_mut().push(request.path.clone());
        match self.files.get(&request.path) {
            Some(bytes) => request.check(bytes.clone()),
            None => Err(SourceError::new(&request.path, Fault::NotFound)),
        }
    }
}

/// A clock that always shows the same time. Its sleeps end at once, so a wait for an answer that never comes ends too.
#[derive(Debug, Clone, Copy, Default)]
pub struct FixedClock;

impl Clock for FixedClock {
    fn now_ms(&self) -> f64 {
        0.0
    }

    async fn sleep(&self, _ms: u32) {}
}
