//! What one question costs: a source that counts what is fetched through it, and the visit of a reader who asks once.
//!
//! A round is counted where a file is asked for while none is on its way, which is what a reader waits for over a network.

use std::cell::Cell;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use seealso::{Config, Fetched, Highlighter, IndexFault, Library, PackSource, Request, SourceError};
use seealso_index::{Bm25, Error, Index, Query};

use super::spread::median;
use crate::commands::search::listed;
use crate::source::{FolderSource, SystemClock, open_through};

/// So many pages are listed, as below the element's box.
pub(super) const LISTED: usize = 8;

/// What came from a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// Of all files, as they lie on the server.
    pub(super) bytes: u64,
    pub(super) requests: u64,
    /// How many times files had to be waited for; the catalog is the first.
    pub(super) rounds: u64,
}

/// A source, and what was fetched through it.
pub(super) struct Counted<S> {
    source: S,
    on_their_way: Cell<u32>,
    sum: Cell<Sum>,
}

impl<S> Counted<S> {
    pub(super) fn new(source: S) -> Counted<S> {
        Counted { source, on_their_way: Cell::default(), sum: Cell::default() }
    }

    /// All that came so far.
    pub(super) fn sum(&self) -> Sum {
        self.sum.get()
    }

    fn add(&self, bytes: u64, requests: u64, rounds: u64) {
        let sum = self.sum.get();
        let [bytes, requests, rounds] = [sum.bytes + bytes, sum.requests + requests, sum.rounds + rounds];
        self.sum.set(Sum { bytes, requests, rounds });
    }
}

impl<S: PackSource> PackSource for Counted<S> {
    async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
        self.add(0, 1, u64::from(self.on_their_way.get() == 0));
        self.on_their_way.set(self.on_their_way.get() + 1);
        // A disk answers at once. As over a network, all files of a round are asked for before the first one comes.
        tokio::task::yield_now().await;
        let fetched = self.source.fetch(request).await;
        self.on_their_way.set(self.on_their_way.get() - 1);
        self.add(fetched.as_ref().map_or(0, |fetched| fetched.bytes.len() as u64), 0, 0);
        fetched
    }
}

/// A library that nobody has asked yet.
pub(super) type Fresh = Library<Counted<FolderSource>, SystemClock>;

/// Opens the packs under `root` with nothing held.
pub(super) async fn fresh(root: &Path) -> anyhow::Result<Fresh> {
    open_through(Counted::new(FolderSource { root: root.to_path_buf() }), root, Config::default()).await
}

/// What one question cost.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub(super) cold: Sum,
    /// Of opening and listing.
    pub(super) cold_ms: f64,
    /// Of listing again, the median.
    pub(super) warm_ms: f64,
}

/// Asks `question` of a library that holds nothing, and then `runs` times more.
pub(super) async fn visit(root: &Path, question: &str, runs: u16) -> anyhow::Result<Visit> {
    let start = Instant::now();
    let library = fresh(root).await?;
    list(&library, Query::from(question)).await?;
    let cold_ms = milliseconds(start);
    let cold = library.source.sum();
    Ok(Visit { cold, cold_ms, warm_ms: warm(&library, Query::from(question), runs).await? })
}

/// The milliseconds that a list takes whose files are all there: the median of `runs`.
pub(super) async fn warm(library: &Fresh, query: Query<'_>, runs: u16) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        list(library, query).await?;
        times.push(milliseconds(start));
    }
    Ok(median(times))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// Makes the list for a query with all that the element shows of it.
pub(super) async fn list(library: &Fresh, query: Query<'_>) -> Result<(), IndexFault> {
    library.resolve(|index| mark(index, query, &library.config.bm25)).await
}

fn mark(index: &Index, query: Query<'_>, bm25: &Bm25) -> Result<(), Error> {
    for (_, pack, entry) in listed(index, query, LISTED, bm25)? {
        let words = Highlighter::new(query.text, index.analysis_of(entry.pack), query.prefix);
        black_box((words.marks(&entry.title), words.marks(&entry.summary), pack));
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    use super::*;
    use crate::source::block_on;
    use seealso::{Expected, Fault};

    /// Ten bytes of every path but `gone`, and which were asked for.
    #[derive(Default)]
    struct Noted(RefCell<Vec<String>>);

    impl PackSource for Noted {
        async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
            self.0.borrow_mut().push(request.path.clone());
            match request.path.as_str() {
                "gone" => Err(SourceError::new("gone", Fault::NotFound)),
                _ => request.check(vec![0; 10]),
            }
        }
    }

    #[test]
    fn files_asked_for_together_are_one_round() {
        let source = Counted::new(Noted::default());
        let request =
            |path: &str| Request { path: path.into(), max_bytes: 99, expected: Expected::Anything, may_be_kept: true };
        let [a, b, gone] = ["a", "b", "gone"].map(request);
        block_on(async {
            source.fetch(&a).await.unwrap();
            assert_eq!(source.sum(), Sum { bytes: 10, requests: 1, rounds: 1 });
            let (first, second) = tokio::join!(source.fetch(&b), source.fetch(&gone));
            assert!(first.is_ok() && second.is_err());
            source.fetch(&a).await.unwrap();
        })
        .unwrap();
        assert_eq!(source.sum(), Sum { bytes: 30, requests: 4, rounds: 3 });
        assert_eq!(source.source.0.borrow().len(), 4);
    }

    #[test]
    fn a_library_asks_for_each_file_once() {
        struct Both(FolderSource, Noted);
        impl PackSource for Both {
            async fn fetch(&self, request: &Request) -> Result<Fetched, SourceError> {
                drop(self.1.fetch(request).await);
                self.0.fetch(request).await
            }
        }
        let out = std::env::temp_dir().join(format!("seealso-bench-{}", std::process::id()));
        let rows = out.with_extension("tsv");
        let row = |n: u32| format!("thing-{n}\tThing {n}\tA small parser whose number is n{n}.\n");
        std::fs::write(&rows, (0..3_000).map(row).collect::<String>()).unwrap();
        let plan = seealso_pack::RowsPlan {
            file: rows.clone(),
            name: "things".into(),
            packs: 1,
            titles: seealso_pack::Titles::Paths,
            language: "en".into(),
            out: out.clone(),
        };
        seealso_pack::publish_rows(&plan, &mut |_, _| ()).unwrap();
        let source = Counted::new(Both(FolderSource { root: out.clone() }, Noted::default()));
        block_on(async {
            let library = open_through(source, &out, Config::default()).await.unwrap();
            let bm25 = &library.config.bm25;
            library.resolve(|index| mark(index, Query::from("Which thing is n2345?"), bm25)).await.unwrap();
            let (asked, sum) = (library.source.source.1.0.borrow(), library.source.sum());
            assert_eq!(sum.requests, asked.iter().collect::<BTreeSet<_>>().len() as u64);
            assert_eq!(sum.requests, asked.len() as u64);
            let bytes: u64 = asked.iter().map(|path| out.join(path).metadata().unwrap().len()).sum();
            assert_eq!(sum.bytes, bytes);
            assert!(sum.rounds > 1 && sum.rounds <= sum.requests, "{sum:?}");
        })
        .unwrap();
        std::fs::remove_dir_all(&out).unwrap();
        std::fs::remove_file(&rows).unwrap();
    }
}
