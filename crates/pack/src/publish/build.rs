//! An index laid into a folder, pack by pack: what stands in memory is one pack and what the index writer keeps.
//!
//! Index files, the words of each pack and the rows for other programs are written as they come. The root, the list of
//! packs and the catalog wait for the end, as they name all else.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use seealso_index::{Hash, Layout, NewPack, Writer, WrittenIndex, file_name};

use super::last::{LastBuild, fingerprint};
use super::salient::add_body_terms;
use super::{Built, INDEX_FOLDER, Plan, Progress, Tell, built, entry, new_pack, pack_words, words_name};
use crate::catalog::CatalogPack;
use crate::{Error, Finding, Pack};

/// The rows that a build may write for other programs, in the folder of index files.
const TSV_FILE: &str = "pages.tsv";
/// Each time so many more pages of a pack are done, that is told.
const TELL_EVERY: usize = 1000;

/// The folder that index files go to.
pub(super) struct IndexFolder {
    pub(super) path: PathBuf,
    names: BTreeSet<String>,
    bytes: u64,
}

impl IndexFolder {
    /// Makes the folder under `root`.
    pub(super) fn create(root: &Path) -> Result<Self, Error> {
        let path = root.join(INDEX_FOLDER);
        fs::create_dir_all(&path).map_err(|e| Error::io(&path, "writing", e))?;
        Ok(IndexFolder { path, names: BTreeSet::new(), bytes: 0 })
    }

    /// Writes a file, unless it is there: two lists may be the same file.
    pub(super) fn put(&mut self, hash: &Hash, file: &[u8]) -> io::Result<()> {
        if !self.names.insert(file_name(hash)) {
            return Ok(());
        }
        self.bytes += file.len() as u64;
        fs::write(self.path.join(file_name(hash)), file)
    }

    /// Closes the index, of which `written` says the rest.
    pub(super) fn close(self, entries: Vec<CatalogPack>, written: WrittenIndex, body_terms: usize) -> Laid {
        let written = WrittenIndex { files: self.names.len(), bytes: self.bytes, ..written };
        let built = built(entries, &written, body_terms, Vec::new());
        Laid { built, index: self.names, others: Vec::new(), pages: written.pages }
    }
}

/// What a build has laid into a folder, and what it has still to write.
pub(super) struct Laid {
    /// The catalog, and the files that name others: the root, and the list of packs where that is a file of its own.
    pub(super) built: Built,
    /// The names of the index files in the folder.
    pub(super) index: BTreeSet<String>,
    /// The names of the other files there, in the order in which they came.
    pub(super) others: Vec<String>,
    pub(super) pages: u32,
}

impl Laid {
    /// The names of all files in the folder of index files, but that of the list of these names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let rest = self.built.files.iter().filter_map(|(path, _)| path.rsplit('/').next());
        self.index.iter().map(String::as_str).chain(rest).chain(self.others.iter().map(String::as_str))
    }

    /// The names of the files that were written as they came.
    pub(super) fn staged(&self) -> BTreeSet<&str> {
        self.index.iter().chain(&self.others).map(String::as_str).collect()
    }
}

/// Lays the index of the packs that `fill` adds into `folder`.
pub(super) fn lay(
    plan: &Plan,
    layout: Layout,
    folder: &Path,
    tell: &mut Tell<'_>,
    fill: impl FnOnce(&mut Build<'_, '_>, &mut Tell<'_>) -> Result<(), Error>,
) -> Result<Laid, Error> {
    let mut index = IndexFolder::create(folder)?;
    let path = index.path.clone();
    let mut sink = |hash: &Hash, file: &[u8]| index.put(hash, file);
    let writer = Writer::new(layout, &mut sink);
    let rows = plan.tsv.then(|| path.join(TSV_FILE)).map(Rows::create).transpose()?;
    let mut build = Build { writer, plan, path, rows, entries: Vec::new(), others: Vec::new() };
    fill(&mut build, tell)?;
    let Build { writer, rows, entries, mut others, .. } = build;
    if let Some(rows) = rows {
        rows.end()?;
        others.push(TSV_FILE.to_owned());
    }
    let written = writer.finish_with_progress(&mut |done, of| tell(Progress::TermsWritten { done, of }));
    let written = written.map_err(|error| unwritable(plan, &error))?;
    Ok(Laid { others, ..index.close(entries, written, plan.body_terms) })
}

/// An index that packs are added to.
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
    /// Adds a pack, with all that is written of it.
    pub(super) fn put(&mut self, entry: CatalogPack, pack: &NewPack) -> Result<(), Error> {
        self.writer.whole_pack(pack).map_err(|error| unwritable(self.plan, &error))?;
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
}

fn unwritable(plan: &Plan, error: &seealso_index::Error) -> Error {
    let hint = "Make room on the disk where it is full; else publish fewer pages at a time.";
    Error::Invalid { path: plan.out.clone(), cause: error.to_string(), hint }
}

/// The file of rows as it grows.
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

/// How a build came by its packs, and what it found in them.
#[derive(Default)]
pub(super) struct Packs {
    pub(super) read: Vec<String>,
    pub(super) taken_over: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

impl Packs {
    /// Gives `build` all packs of the plan, one after another.
    pub(super) fn hand_to(
        &mut self,
        build: &mut Build<'_, '_>,
        last: &mut LastBuild,
        tell: &mut Tell<'_>,
    ) -> Result<(), Error> {
        for (dir, path) in &build.plan.packs {
            tell(Progress::Pack(path));
            let fingerprint = fingerprint(dir)?;
            let (entry, pack) = match last.unchanged(path, &fingerprint) {
                Some(known) => {
                    self.taken_over.push(path.to_owned());
                    known
                }
                None => self.read(dir, path, fingerprint, build.plan.body_terms, tell)?,
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
        tell: &mut Tell<'_>,
    ) -> Result<(CatalogPack, NewPack), Error> {
        let mut now_and_then = |done: usize, progress: Progress<'_>| {
            if done > 0 && done.is_multiple_of(TELL_EVERY) {
                tell(progress);
            }
        };
        let mut pack =
            Pack::read_telling(dir, path, &mut |done, of| now_and_then(done, Progress::PagesRead { done, of }))?;
        for mut finding in std::mem::take(&mut pack.findings) {
            finding.file = format!("{path}/{}", finding.file);
            self.findings.push(finding);
        }
        let mut new = new_pack(&pack);
        add_body_terms(&mut new, &pack, body_terms, &mut |done, of| {
            now_and_then(done, Progress::PagesCounted { done, of });
        });
        self.read.push(path.to_owned());
        Ok((entry(&pack, fingerprint), new))
    }
}
