//! The cost of one question: a source that counts what is fetched through it, and a reader who asks once.
//!
//! A round is counted when a file is requested while no other request is in flight. Over a network, a reader waits for each
//! round.

use std::cell::Cell;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use seealso::{Config, FetchedFile, Highlighter, IndexFault, Library, PackSource, Request, SourceError};
use seealso_index::{Bm25, Error, Index, Query};

use super::spread::median;
use crate::search_rows::list_pages;
use crate::source::{FolderSource, SystemClock, open_library_from};

/// The number of pages in a list, as below the element's box.
pub(super) const LIST_LENGTH: usize = 8;

/// The files that were fetched from a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FetchCost {
    /// The bytes of all files, as stored on the server.
    pub(crate) bytes: u64,
    pub(crate) requests: u64,
    /// The rounds; the catalog is the first.
    pub(crate) rounds: u64,
}

/// A source that counts what is fetched through it.
pub(super) struct CountingSource<S> {
    source: S,
    in_flight: Cell<u32>,
    sum: Cell<FetchCost>,
}

impl<S> CountingSource<S> {
    pub(super) fn new(source: S) -> CountingSource<S> {
        CountingSource { source, in_flight: Cell::default(), sum: Cell::default() }
    }

    /// The sum of what was fetched so far.
    pub(super) fn sum(&self) -> FetchCost {
        self.sum.get()
    }

    fn add(&self, bytes: u64, requests: u64, rounds: u64) {
        let sum = self.sum.get();
        let [bytes, requests, rounds] = [sum.bytes + bytes, sum.requests + requests, sum.rounds + rounds];
        self.sum.set(FetchCost { bytes, requests, rounds });
    }
}

impl<S: PackSource> PackSource for CountingSource<S> {
    async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
        self.add(0, 1, u64::from(self.in_flight.get() == 0));
        self.in_flight.set(self.in_flight.get() + 1);
        // A disk answers at once. As over a network, all files of a round are requested before the first one comes.
        tokio::task::yield_now().await;
        let fetched = self.source.fetch(request).await;
        self.in_flight.set(self.in_flight.get() - 1);
        self.add(fetched.as_ref().map_or(0, |fetched| fetched.bytes.len() as u64), 0, 0);
        fetched
    }
}

/// A library with an empty cache.
pub(super) type ColdLibrary = Library<CountingSource<FolderSource>, SystemClock>;

/// Opens the packs under `root` with an empty cache.
pub(super) async fn open_cold(root: &Path) -> anyhow::Result<ColdLibrary> {
    open_library_from(CountingSource::new(FolderSource::new(root)), root, Config::default()).await
}

/// The cost of one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct QuestionCost {
    pub(super) cold: FetchCost,
    /// The milliseconds of opening the packs and listing pages.
    pub(super) cold_ms: f64,
    /// The median milliseconds of listing pages again.
    pub(super) warm_ms: f64,
}

/// What `question` costs with an empty cache.
pub(crate) async fn measure_cold(root: &Path, question: &str) -> anyhow::Result<FetchCost> {
    let library = open_cold(root).await?;
    list_results(&library, Query::from(question)).await?;
    Ok(library.source.sum())
}

/// Asks `question` with an empty cache, and then `runs` times more.
pub(super) async fn measure_question(root: &Path, question: &str, runs: u16) -> anyhow::Result<QuestionCost> {
    let start = Instant::now();
    let library = open_cold(root).await?;
    list_results(&library, Query::from(question)).await?;
    let cold_ms = milliseconds(start);
    let cold = library.source.sum();
    Ok(QuestionCost { cold, cold_ms, warm_ms: warm_median_ms(&library, Query::from(question), runs).await? })
}

/// The median milliseconds of `runs` lists whose files are all in memory.
pub(super) async fn warm_median_ms(library: &ColdLibrary, query: Query<'_>, runs: u16) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..runs {
        let start = Instant::now();
        list_results(library, query).await?;
        times.push(milliseconds(start));
    }
    Ok(median(times))
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// Makes the list for a query, with all that the element shows.
pub(super) async fn list_results(library: &ColdLibrary, query: Query<'_>) -> Result<(), IndexFault> {
    library.resolve(|index| list_and_highlight(index, query, &library.config.bm25)).await
}

fn list_and_highlight(index: &Index, query: Query<'_>, bm25: &Bm25) -> Result<(), Error> {
    for (_, pack, entry) in list_pages(index, query, LIST_LENGTH, bm25)? {
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

    /// A source of ten bytes for every path but `gone`, which records the paths that were requested.
    #[derive(Default)]
    struct RecordingSource(RefCell<Vec<String>>);

    impl PackSource for RecordingSource {
        async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
            self.0.borrow_mut().push(request.path.clone());
            match request.path.as_str() {
                "gone" => Err(SourceError::new("gone", Fault::NotFound)),
                _ => request.check(vec![0; 10]),
            }
        }
    }

    #[test]
    fn files_requested_together_are_one_round() {
        let source = CountingSource::new(RecordingSource::default());
        let request = |path: &str| Request {
            path: path.into(),
            max_bytes: 99,
            expected: Expected::Anything,
            allows_cached_copy: true,
        };
        let [a, b, gone] = ["a", "b", "gone"].map(request);
        block_on(async {
            source.fetch(&a).await.unwrap();
            assert_eq!(source.sum(), FetchCost { bytes: 10, requests: 1, rounds: 1 });
            let (first, second) = tokio::join!(source.fetch(&b), source.fetch(&gone));
            assert!(first.is_ok() && second.is_err());
            source.fetch(&a).await.unwrap();
        })
        .unwrap();
        assert_eq!(source.sum(), FetchCost { bytes: 30, requests: 4, rounds: 3 });
        assert_eq!(source.source.0.borrow().len(), 4);
    }

    #[test]
    fn a_library_requests_each_file_once() {
        struct Both(FolderSource, RecordingSource);
        impl PackSource for Both {
            async fn fetch(&self, request: &Request) -> Result<FetchedFile, SourceError> {
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
        let source = CountingSource::new(Both(FolderSource::new(&out), RecordingSource::default()));
        block_on(async {
            let library = open_library_from(source, &out, Config::default()).await.unwrap();
            let bm25 = &library.config.bm25;
            library
                .resolve(|index| list_and_highlight(index, Query::from("Which thing is n2345?"), bm25))
                .await
                .unwrap();
            let (requested, sum) = (library.source.source.1.0.borrow(), library.source.sum());
            assert_eq!(sum.requests, requested.iter().collect::<BTreeSet<_>>().len() as u64);
            assert_eq!(sum.requests, requested.len() as u64);
            let bytes: u64 = requested.iter().map(|path| out.join(path).metadata().unwrap().len()).sum();
            assert_eq!(sum.bytes, bytes);
            assert!(sum.rounds > 1 && sum.rounds <= sum.requests, "{sum:?}");
        })
        .unwrap();
        std::fs::remove_dir_all(&out).unwrap();
        std::fs::remove_file(&rows).unwrap();
    }
}
