//! Publishing an index over rows of id, title and summary, without page files: for lists that memory can't hold, and
//! for measurements.
//!
//! The rows are read once, in order. Memory holds a few batches of them, and what the index writer keeps. Other threads
//! count each row's words, and this one adds them to the index, whose files are written to a folder beside the output.
//! The catalog is written last, and the folder is then moved to its place.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use seealso_index::{AnalysedPage, Analysis, Hash, Layout, NewPage, PackInfo, Writer};
use sha2::{Digest, Sha256};

use super::build::IndexFolder;
use super::file_list::check_replaceable;
use super::hex;
use super::word_parts::word_parts;
use super::write::{Staging, write_rest};
use crate::Error;
use crate::catalog::{Catalog, CatalogPack, is_safe_path};

/// Which rows to index, and where to write.
#[derive(Debug, Clone)]
pub struct RowsPlan {
    /// The file of rows, one per line: id, title and summary, separated by tabs. Further cells are ignored.
    pub file: PathBuf,
    /// The pack's path. If there are several packs, a number is appended to it.
    pub name: String,
    /// How many packs share the rows, evenly and in their order; at least one.
    pub packs: u32,
    /// The packs' titles and summaries.
    pub titles: Titles,
    /// The rows' language, as a BCP 47 tag.
    pub language: String,
    /// The folder to publish to, which is replaced in one step.
    pub out: PathBuf,
}

/// The titles and summaries of packs of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Titles {
    /// Each pack has its path as title, and no summary.
    Paths,
    /// Each pack has its first row's title and summary, as packs that say what they are about.
    FirstRows,
}

/// The result of publishing rows.
#[derive(Debug, Clone)]
pub struct RowsReport {
    /// The catalog that was written.
    pub catalog: Catalog,
    /// The rows that became pages.
    pub rows: u64,
}

/// Builds and writes the index of `plan`. `progress` is called now and then with the number of rows that are done, and
/// the number of all rows.
///
/// # Errors
/// An [`Error`] that names the file, and the line that is no row. What was published before stays whole.
pub fn publish_rows(plan: &RowsPlan, progress: &mut dyn FnMut(u64, u64)) -> Result<RowsReport, Error> {
    if !is_safe_path(&plan.name) {
        let cause = format!("\"{}\" can't be a pack's path", plan.name);
        return Err(invalid(plan, cause, "Name another with letters and digits."));
    }
    let rows = count_rows(&plan.file)?;
    if rows == 0 {
        return Err(invalid(plan, "it has no rows".to_owned(), "A row is an id, a title and a summary, between tabs."));
    }
    let shares = shares(rows, plan.packs);
    check_replaceable(&plan.out)?;
    let staging = Staging::beside(&plan.out);
    let mut index = IndexFolder::create(&staging.folder)?;
    let layout = Layout { scratch: Some(index.path.clone()), ..Layout::default() };
    let mut sink = |hash: &Hash, file: &[u8]| index.put(hash, file);
    let mut writer = Writer::new(layout, &mut sink);
    let packs = write_rows(plan, &shares, &mut writer, &mut |done| progress(done, rows))?;
    let written = writer.finish().map_err(|error| unwritable(plan, &error))?;
    // Rows have no bodies.
    let staged = index.close(packs, written, 0);
    let names: BTreeSet<&str> = staged.names().collect();
    write_rest(&staging.folder, &staged, &names.into_iter().collect::<Vec<_>>())?;
    staging.replace_output()?;
    Ok(RowsReport { catalog: staged.output.catalog, rows })
}

fn invalid(plan: &RowsPlan, cause: String, hint: &'static str) -> Error {
    Error::Invalid { path: plan.file.clone(), cause, hint }
}

fn unwritable(plan: &RowsPlan, error: &seealso_index::Error) -> Error {
    Error::Invalid { path: plan.out.clone(), cause: error.to_string(), hint: "Publish fewer rows at a time." }
}

fn open(file: &Path) -> Result<BufReader<File>, Error> {
    Ok(BufReader::with_capacity(1 << 20, File::open(file).map_err(|e| Error::io(file, "reading", e))?))
}

fn count_rows(file: &Path) -> Result<u64, Error> {
    let (mut reader, mut rows, mut ended) = (open(file)?, 0, true);
    loop {
        let bytes = reader.fill_buf().map_err(|e| Error::io(file, "reading", e))?;
        let Some(last) = bytes.last() else { return Ok(rows + u64::from(!ended)) };
        rows += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        ended = *last == b'\n';
        let read = bytes.len();
        reader.consume(read);
    }
}

/// The rows of each pack. There are no more packs than rows.
fn shares(rows: u64, packs: u32) -> Vec<Range<u64>> {
    let packs = u64::from(packs).clamp(1, rows.max(1));
    (0..packs).map(|pack| rows * pack / packs..rows * (pack + 1) / packs).collect()
}

/// How many rows go to a thread at once.
const BATCH: usize = 2048;
/// How many batches wait for a thread, and how many results of it wait, at most.
const WAITING: usize = 2;

type Batch = Vec<String>;
/// The rows of a batch as pages, with their tokens; the place of the first line that is no row where there is one.
type BatchResult = Result<Vec<(NewPage, AnalysedPage)>, usize>;

/// Adds the rows to the index, pack by pack; returns the packs as the catalog lists them.
fn write_rows(
    plan: &RowsPlan,
    shares: &[Range<u64>],
    writer: &mut Writer<'_, '_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Vec<CatalogPack>, Error> {
    let analysis = Analysis::of_language(&plan.language);
    let threads = thread::available_parallelism().map_or(1, NonZero::get).clamp(1, 4);
    thread::scope(|scope| {
        let mut lanes = Vec::new();
        for _ in 0..threads {
            let (batches, to_count) = sync_channel::<Batch>(WAITING);
            let (from_count, counted) = sync_channel::<BatchResult>(WAITING);
            scope.spawn(move || count(&to_count, &from_count, analysis));
            lanes.push((batches, counted));
        }
        Feed { plan, reader: open(&plan.file)?, lanes, sent: 0, received: 0 }.write(shares, writer, progress)
    })
}

/// The work of a thread: it counts the words of each batch that it receives.
fn count(batches: &Receiver<Batch>, counted: &SyncSender<BatchResult>, analysis: Analysis) {
    for batch in batches {
        let rows = batch.iter().enumerate().map(|(at, line)| {
            let mut page = page(line).ok_or(at)?;
            // Which words a million rows have is not known yet, so compounds are not divided.
            page.body = word_parts(&page, analysis, &|_| false).into_iter().collect();
            let analysed = AnalysedPage::of(&page, analysis);
            Ok((page, analysed))
        });
        if counted.send(rows.collect()).is_err() {
            break;
        }
    }
}

/// The page of a row; none where the line is no row.
fn page(line: &str) -> Option<NewPage> {
    let mut cells = line.trim_end_matches(['\n', '\r']).split('\t');
    let (id, title, summary) = (cells.next()?, cells.next()?, cells.next().unwrap_or_default());
    is_safe_path(id).then(|| NewPage {
        file: format!("{id}.md"),
        title: title.to_owned(),
        summary: summary.to_owned(),
        ..NewPage::default()
    })
}

/// The feed of rows: batches go to each thread in turn, and their results come back in the same order.
struct Feed<'p> {
    plan: &'p RowsPlan,
    reader: BufReader<File>,
    lanes: Vec<(SyncSender<Batch>, Receiver<BatchResult>)>,
    /// How many batches were sent.
    sent: usize,
    /// How many results were received.
    received: usize,
}

impl Feed<'_> {
    fn write(
        mut self,
        shares: &[Range<u64>],
        writer: &mut Writer<'_, '_>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<CatalogPack>, Error> {
        let (mut packs, mut row, mut hash) = (Vec::new(), 0, Sha256::new());
        // There are too many ids to keep their texts. Two of a million ids share a hash once in thirty million builds.
        let mut ids: HashSet<u64> = HashSet::new();
        while let Some(batch) = self.next()? {
            for (page, analysed) in batch {
                if shares.get(packs.len()).is_some_and(|share| share.start == row) {
                    ids.clear();
                    let mut pack = entry(self.plan, packs.len(), shares);
                    if self.plan.titles == Titles::FirstRows {
                        (pack.title, pack.summary) = (page.title.clone(), page.summary.clone());
                    }
                    writer.pack(&info(&pack));
                    packs.push(pack);
                }
                if !ids.insert(id_hash(&page.file)) {
                    let hint = "Give each row of a pack an id of its own.";
                    return Err(wrong_line(
                        self.plan,
                        row as usize + 1,
                        "has an id that an earlier line has too",
                        hint,
                    ));
                }
                for text in [&page.file, &page.title, &page.summary] {
                    hash.update((text.len() as u64).to_le_bytes());
                    hash.update(text);
                }
                writer.analysed_page(&page, analysed).map_err(|error| unwritable(self.plan, &error))?;
                row += 1;
                if let Some((share, pack)) = shares.get(packs.len().wrapping_sub(1)).zip(packs.last_mut())
                    && share.end == row
                {
                    pack.fingerprint = hex(&std::mem::replace(&mut hash, Sha256::new()).finalize());
                }
            }
            progress(row);
        }
        Ok(packs)
    }

    /// The next rows in order; none after the last.
    fn next(&mut self) -> Result<Option<Vec<(NewPage, AnalysedPage)>>, Error> {
        while self.sent < self.received + self.lanes.len() * WAITING {
            let batch = self.read()?;
            if batch.is_empty() {
                break;
            }
            // A thread that ended is noticed when its result is received.
            let _ = self.lanes[self.sent % self.lanes.len()].0.send(batch);
            self.sent += 1;
        }
        if self.received == self.sent {
            return Ok(None);
        }
        let counted = self.lanes[self.received % self.lanes.len()].1.recv();
        let before = self.received * BATCH;
        self.received += 1;
        match counted {
            Ok(Ok(rows)) => Ok(Some(rows)),
            Ok(Err(at)) => Err(wrong_line(self.plan, before + at + 1, "is no row", ROW)),
            Err(_) => Err(invalid(self.plan, "a thread ended early".to_owned(), "Please report this.")),
        }
    }

    fn read(&mut self) -> Result<Batch, Error> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH {
            let mut line = Vec::new();
            if self.reader.read_until(b'\n', &mut line).map_err(|e| Error::io(&self.plan.file, "reading", e))? == 0 {
                break;
            }
            let number = self.sent * BATCH + batch.len();
            let line = String::from_utf8(line)
                .map_err(|_| wrong_line(self.plan, number + 1, "is not in UTF-8", "Save the file as UTF-8."))?;
            batch.push(match line.strip_prefix(BYTE_ORDER_MARK) {
                Some(rest) if number == 0 => rest.to_owned(),
                _ => line,
            });
        }
        Ok(batch)
    }
}

/// The mark that some programs write before a text in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A hash that tells an id from others.
fn id_hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// What a row is, as a hint.
const ROW: &str = "A row is an id, a title and a summary, between tabs; an id is a path without # ? % : \\.";

fn wrong_line(plan: &RowsPlan, line: usize, what: &str, hint: &'static str) -> Error {
    invalid(plan, format!("line {line} {what}"), hint)
}

/// A pack as the catalog lists it, without its fingerprint.
fn entry(plan: &RowsPlan, number: usize, shares: &[Range<u64>]) -> CatalogPack {
    let digits = shares.len().to_string().len();
    let path = match shares.len() {
        1 => plan.name.clone(),
        _ => format!("{}-{:0digits$}", plan.name, number + 1),
    };
    let share = &shares[number];
    CatalogPack {
        title: path.clone(),
        path,
        language: plan.language.clone(),
        page_root: String::new(),
        pages: u32::try_from(share.end - share.start).unwrap_or(u32::MAX),
        summary: String::new(),
        fingerprint: String::new(),
        archived: false,
    }
}

fn info(pack: &CatalogPack) -> PackInfo {
    PackInfo {
        path: pack.path.clone(),
        page_root: pack.page_root.clone(),
        title: pack.title.clone(),
        summary: pack.summary.clone(),
        language: pack.language.clone(),
        links_derived: false,
        site: String::new(),
    }
}
