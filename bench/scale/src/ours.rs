//! seealso's index as `seealso build` publishes it and a browser reads it, from a folder: the one file that knows it.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use seealso_index::{Bm25, Error, Form, Index, PageNo, try_all};
use seealso_pack::{CATALOG_FILE, Catalog, RowsPlan, Titles, from_base64, publish_rows};
use serde::{Deserialize, Serialize};

use crate::data::{self, PACK};
use crate::engine::{Engine, Entry, TOP};

pub(crate) const NAME: &str = "seealso";

/// Rounds of fetching that no question needs.
const MOST_ROUNDS: u32 = 64;

/// The weights that the peers are given too: title, summary.
pub(crate) fn weights() -> [f64; 2] {
    let [title, _aliases, summary, _body] = Bm25::default().weights;
    [title, summary]
}

/// How all rows are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cut {
    /// How many packs share them, evenly.
    pub(crate) packs: u32,
    /// Whether each pack has its first row's title and summary.
    pub(crate) titled: bool,
}

impl Cut {
    /// Everything in one pack.
    pub(crate) const WHOLE: Cut = Cut { packs: 1, titled: false };
}

/// Publishes the rows, cut as asked, as `seealso build ROWS.tsv` does; the peers' columns are left out.
pub(crate) fn build(rows: &Path, index: &Path, cut: Cut) -> Result<()> {
    let (file, name, language, out) = (rows.into(), PACK.into(), "en".into(), index.to_path_buf());
    let titles = if cut.titled { Titles::FirstRows } else { Titles::Paths };
    let plan = RowsPlan { file, name, packs: cut.packs, titles, language, out };
    publish_rows(&plan, &mut |_, _| ())?;
    Ok(())
}

/// What came from the folder.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FetchedData {
    pub(crate) bytes: u64,
    pub(crate) requests: u32,
    /// How many times the reader had to wait for files before it knew which to ask for next.
    pub(crate) rounds: u32,
}

/// An opened index. It keeps each file that it has read.
pub(crate) struct Ours {
    folder: PathBuf,
    index: Index,
    bm25: Bm25,
    fetched: Cell<FetchedData>,
}

impl Ours {
    /// Reads the catalog and the root, as [`seealso::Library`](../../../src/library.rs) does.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let fetched = Cell::new(FetchedData::default());
        let catalog = Catalog::parse(&read_all(folder, [CATALOG_FILE.to_owned()], &fetched)?.remove(0))?;
        let root = match catalog.index.inline.as_deref().and_then(from_base64) {
            Some(root) => root,
            None => read_all(folder, [catalog.index.root.path.clone()], &fetched)?.remove(0),
        };
        let index = Index::open(&root)?;
        let files = folder.join(&catalog.index.root.path);
        let folder = files.parent().context("the root has no folder")?.to_path_buf();
        Ok(Ours { folder, index, bm25: Bm25::default(), fetched })
    }

    /// All that came so far, the catalog included.
    pub(crate) fn fetched(&self) -> FetchedData {
        self.fetched.get()
    }

    /// The list for a question, its titles, summaries and packs read, as the browser's class makes it.
    pub(crate) fn list(&self, question: &str) -> Result<Vec<Entry>> {
        self.resolve(|index| {
            let searcher = index.searcher(&self.bm25);
            let hits = searcher.search(question, TOP);
            try_all([searcher.prefetch(question), hits.as_ref().map(drop).map_err(Error::clone)].into_iter())?;
            let hits = hits?;
            index.prefetch_pages(hits.iter().map(|hit| hit.page))?;
            hits.iter().map(|hit| entry(index, hit.page)).collect()
        })
    }

    /// Asks until all files are there.
    fn resolve<T>(&self, ask: impl Fn(&Index) -> Result<T, Error>) -> Result<T> {
        for _ in 0..MOST_ROUNDS {
            match ask(&self.index) {
                Err(Error::Missing) => {}
                found => {
                    // What was only foreseen is not fetched.
                    self.index.wanted();
                    return Ok(found?);
                }
            }
            let wanted = self.index.wanted();
            let files = read_all(&self.folder, wanted.iter().map(|want| want.name()), &self.fetched)?;
            for (want, bytes) in wanted.iter().zip(files) {
                self.index.supply(want.file, Form::of(&bytes)?.unpack()?)?;
            }
        }
        bail!("the question never settles")
    }
}

/// Reads files, which are one round.
fn read_all(folder: &Path, names: impl IntoIterator<Item = String>, fetched: &Cell<FetchedData>) -> Result<Vec<Vec<u8>>> {
    let mut all = Vec::new();
    let mut sum = fetched.get();
    for name in names {
        let bytes = fs::read(folder.join(&name)).with_context(|| format!("reading {name}"))?;
        sum.bytes += bytes.len() as u64;
        sum.requests += 1;
        all.push(bytes);
    }
    sum.rounds += 1;
    fetched.set(sum);
    Ok(all)
}

fn entry(index: &Index, page: PageNo) -> Result<Entry, Error> {
    let page = index.page(page)?;
    index.pack(page.pack)?;
    let id = page.file.strip_suffix(".md").unwrap_or(&page.file).to_owned();
    Ok(Entry { id, title: page.title, summary: page.summary })
}

impl Engine for Ours {
    fn rank(&self, question: &data::Form) -> Result<Vec<u64>> {
        let hits = self.resolve(|index| index.searcher(&self.bm25).search(question.text.as_str(), TOP))?;
        Ok(hits.iter().map(|hit| hit.page.0.into()).collect())
    }

    fn read(&self, row: u64) -> Result<Entry> {
        let page = PageNo(u32::try_from(row)?);
        self.resolve(|index| entry(index, page))
    }
}
