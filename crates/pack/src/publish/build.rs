//! Building an index into a staging folder, pack by pack. Memory holds one pack, and what the index writer keeps.
//!
//! Index files, the words of each pack and the rows for other programs are written at once. The root, the list of packs
//! and the catalog name all other files, so they are written at the end.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use seealso_index::{AnalysedPage, Hash, Layout, NewPack, Writer, WrittenIndex, file_name};

use super::body_terms::add_body_terms;
use super::previous_build::{PreviousBuild, fingerprint};
use super::{
    BuildOutput, INDEX_FOLDER, OnProgress, Plan, Progress, build_output, entry, file_ref, new_pack, pack_words,
    words_name,
};
use crate::catalog::{CatalogPack, FileRef};
use crate::{Error, Finding, Pack, parallel};

/// The file of rows that a build may write for other programs, in the folder of index files.
const TSV_FILE: &str = "pages.tsv";
/// Progress is reported each time that so many more pages of a pack are done.
const PAGES_BETWEEN_REPORTS: usize = 1000;
/// The words of so many pages are in memory at once.
const PAGES_COUNTED_AT_ONCE: usize = 512;

/// The folder that index files go to.
pub(super) struct IndexFolder {
    pub(super) path: PathBuf,
    pub(super) names: BTreeSet<String>,
    bytes: u64,
}

impl IndexFolder {
    /// Creates the folder under `root`.
    pub(super) fn create(root: &Path) -> Result<Self, Error> {
        let path = root.join(INDEX_FOLDER);
        fs::create_dir_all(&path).map_err(|e| Error::io(&path, "writing", e))?;
        Ok(IndexFolder { path, names: BTreeSet::new(), bytes: 0 })
    }

    /// Writes a file, unless it is there. Two blocks may be the same file.
    pub(super) fn put(&mut self, hash: &Hash, file: &[u8]) -> io::Result<()> {
        if !self.names.insert(file_name(hash)) {
            return Ok(());
        }
        self.bytes += file.len() as u64;
        fs::write(self.path.join(file_name(hash)), file)
    }

    /// Writes a file that another one names by path, with that ending.
    pub(super) fn put_named(&mut self, file: &[u8], ending: &str) -> Result<FileRef, Error> {
        let named = file_ref(file, ending);
        let path = self.path.join(named.path.rsplit('/').next().unwrap_or_default());
        fs::write(&path, file).map_err(|e| Error::io(&path, "writing", e))?;
        self.names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        self.bytes += named.bytes;
        Ok(named)
    }

    /// Ends the index, whose root is in `written`.
    pub(super) fn close(self, entries: Vec<CatalogPack>, written: WrittenIndex, body_terms: usize) -> StagedBuild {
        let written = WrittenIndex { files: self.names.len(), bytes: self.bytes, ..written };
        let output = build_output(entries, &written, body_terms, Vec::new());
        StagedBuild { output, index: self.names, others: Vec::new(), pages: written.pages }
    }
}

/// A build in a staging folder, and what is still to be written.
pub(super) struct StagedBuild {
    /// The catalog and the files that name others, which are still to be written: the root, and the list of packs where
    /// that is a file of its own.
    pub(super) output: BuildOutput,
    /// The names of the index files in the folder.
    pub(super) index: BTreeSet<String>,
    /// The names of the other files there, in the order in which they were written.
    pub(super) others: Vec<String>,
    pub(super) pages: u32,
}

impl StagedBuild {
    /// The names of all files in the folder of index files, without the list of these names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let rest = self.output.files.iter().filter_map(|(path, _)| path.rsplit('/').next());
        self.index.iter().map(String::as_str).chain(rest).chain(self.others.iter().map(String::as_str))
    }

    /// The names of the files that are in the staging folder.
    pub(super) fn staged(&self) -> BTreeSet<&str> {
        self.index.iter().chain(&self.others).map(String::as_str).collect()
    }
}

/// Builds the index of the packs that `fill` adds into `folder`.
pub(super) fn stage(
    plan: &Plan,
    layout: Layout,
    folder: &Path,
    on_progress: &mut OnProgress<'_>,
    fill: impl FnOnce(&mut Build<'_, '_>, &mut OnProgress<'_>) -> Result<(), Error>,
) -> Result<StagedBuild, Error> {
    let mut index = IndexFolder::create(folder)?;
    let path = index.path.clone();
    let mut sink = |hash: &Hash, file: &[u8]| index.put(hash, file);
    let writer = Writer::new(layout, &mut sink);
    let rows = plan.tsv.then(|| path.join(TSV_FILE)).map(Rows::create).transpose()?;
    let mut build = Build { writer, plan, path, rows, entries: Vec::new(), others: Vec::new() };
    fill(&mut build, on_progress)?;
    let Build { writer, rows, entries, mut others, .. } = build;
    if let Some(rows) = rows {
        rows.end()?;
        others.push(TSV_FILE.to_owned());
    }
    let written = writer.finish_with_progress(&mut |done, of| on_progress(Progress::TermsWritten { done, of }));
    let written = written.map_err(|error| unwritable(plan, &error))?;
    Ok(StagedBuild { others, ..index.close(entries, written, plan.body_terms) })
}

/// A build that packs are added to.
pub(super) struct Build<'s, 'k> {
    writer: Writer<'s, 'k>,
    plan: &'s Plan,
    /// The folder of index files.
    path: PathBuf,
    rows: Option<Rows>,
    entries: Vec<CatalogPack>,
    others: Vec<String>,
}

impl Build<'_, '_> {
    /// Adds a pack, and writes its words and rows.
    pub(super) fn put(&mut self, entry: CatalogPack, pack: &NewPack) -> Result<(), Error> {
        self.index(pack).map_err(|error| unwritable(self.plan, &error))?;
        let name = words_name(&entry.fingerprint);
        let to = self.path.join(&name);
        fs::write(&to, pack_words(pack)).map_err(|e| Error::io(&to, "writing", e))?;
        if let Some(rows) = &mut self.rows {
            rows.put(pack)?;
        }
        self.others.push(name);
        self.entries.push(entry);
        Ok(())
    }

    /// Adds a pack to the index. The words of many pages are counted at once.
    fn index(&mut self, pack: &NewPack) -> Result<(), seealso_index::Error> {
        self.writer.pack(&pack.info);
        let analysis = self.writer.analysis();
        for pages in pack.pages.chunks(PAGES_COUNTED_AT_ONCE) {
            let counted = parallel::map(pages, |page| AnalysedPage::of(page, analysis));
            for (page, counted) in pages.iter().zip(counted) {
                self.writer.analysed_page(page, counted)?;
            }
        }
        self.writer.pages_with(&pack.pages_with);
        Ok(())
    }
}

fn unwritable(plan: &Plan, error: &seealso_index::Error) -> Error {
    let hint = "Make room on the disk where it is full; else publish fewer pages at a time.";
    Error::Invalid { path: plan.out.clone(), cause: error.to_string(), hint }
}

/// The writer of the file of rows.
struct Rows {
    path: PathBuf,
    out: BufWriter<File>,
}

impl Rows {
    fn create(path: PathBuf) -> Result<Rows, Error> {
        let out = BufWriter::new(File::create(&path).map_err(|e| Error::io(&path, "writing", e))?);
        Ok(Rows { path, out })
    }

    fn put(&mut self, pack: &NewPack) -> Result<(), Error> {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for page in &pack.pages {
            let id = page.file.strip_suffix(".md").unwrap_or(&page.file);
            writeln!(self.out, "{}/{id}\t{}\t{}", pack.info.path, flat(&page.title), flat(&page.summary))
                .map_err(|e| Error::io(&self.path, "writing", e))?;
        }
        Ok(())
    }

    fn end(mut self) -> Result<(), Error> {
        self.out.flush().map_err(|e| Error::io(&self.path, "writing", e))
    }
}

/// The packs of a build: which were read, which were reused, and what was found in them.
#[derive(Default)]
pub(super) struct Packs {
    pub(super) read: Vec<String>,
    pub(super) reused: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

impl Packs {
    /// Adds all packs of the plan to `build`.
    pub(super) fn add_to(
        &mut self,
        build: &mut Build<'_, '_>,
        previous: &mut PreviousBuild,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(), Error> {
        for (dir, path) in &build.plan.packs {
            on_progress(Progress::Pack(path));
            let fingerprint = fingerprint(dir)?;
            let (entry, pack) = match previous.unchanged(path, &fingerprint) {
                Some(known) => {
                    self.reused.push(path.to_owned());
                    known
                }
                None => self.read(dir, path, fingerprint, build.plan.body_terms, on_progress)?,
            };
            build.put(entry, &pack)?;
        }
        Ok(())
    }

    fn read(
        &mut self,
        dir: &Path,
        path: &str,
        fingerprint: String,
        body_terms: usize,
        on_progress: &mut OnProgress<'_>,
    ) -> Result<(CatalogPack, NewPack), Error> {
        let mut report = |done: usize, progress: Progress<'_>| {
            if done > 0 && done.is_multiple_of(PAGES_BETWEEN_REPORTS) {
                on_progress(progress);
            }
        };
        let mut pack = Pack::read_telling(dir, path, &mut |done, of| report(done, Progress::PagesRead { done, of }))?;
        for mut finding in std::mem::take(&mut pack.findings) {
            finding.file = format!("{path}/{}", finding.file);
            self.findings.push(finding);
        }
        let mut new = new_pack(&pack);
        add_body_terms(&mut new, &pack, body_terms, &mut |done, of| {
            report(done, Progress::PagesCounted { done, of });
        });
        self.read.push(path.to_owned());
        Ok((entry(&pack, fingerprint), new))
    }
}
