//! Publishing: packs in, static files out, for any plain file host.
//!
//! [`publish`] either indexes packs in place, so that their pages stay exactly as they are, or copies them to another
//! folder and indexes them there. Beside them it writes `catalog.json` and, in `index/`, the index's root and other
//! files, what the next build needs, and the list of packs where they are many.
//!
//! A build is deterministic. It reuses unchanged packs of the previous index instead of reading them again. It is
//! atomic: the catalog, which alone points at the index, is replaced last, in one step; until then the build is in a
//! folder of its own. It holds one pack in memory at a time.
//!
//! A [`StageWriter`] adds a stage to what is published, and a later build keeps it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use seealso_index::{Layout, NewPack, NewPage, PAGE_HASH_BYTES, PackInfo, Writer, WrittenIndex, file_name};
use sha2::{Digest, Sha256};

use crate::catalog::{CATALOG_FILE, Catalog, CatalogPack, FileRef, IndexRef, MOST_PACKS_INLINE, to_base64};
use crate::{Dialect, Error, Finding, Manifest, Pack, Page};
use body_terms::add_body_terms;
use build::{Packs, stage};
use previous_build::PreviousBuild;
pub use stage_list::LostStages;
use stage_list::StageFiles;
use write::{Staging, write_copy, write_in_place};

mod previous_build;
mod word_parts;
mod body_terms;
mod build;
mod index_names;
mod file_list;
mod litter;
mod replace;
mod stage_list;
mod write;
mod stage_writer;
mod rows;
#[cfg(test)]
mod tests;

pub use file_list::built_files;
pub use litter::WORK_FOLDER;
pub use previous_build::fingerprint;
pub use rows::{RowsPlan, RowsReport, Titles, publish_rows};
pub use stage_writer::{EncoderFileEnding, StageWriter, carry_stages, read_stages, remove_stages};

/// The folder of index files, under the packs root.
const INDEX_FOLDER: &str = "index";

/// What to publish, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Each pack's folder, and its path under the packs root.
    pub packs: Vec<(PathBuf, String)>,
    /// The packs root to write to.
    pub out: PathBuf,
    /// Whether the packs are under `out` already, so that nothing is copied.
    pub in_place: bool,
    /// Whether to write `index/pages.tsv` (id, title, summary) too.
    pub tsv: bool,
    /// How many terms of its body each page has in the index, at most; 0 for an index of titles and summaries alone.
    /// How rare a word is goes by whole pages in either case.
    pub body_terms: usize,
}

/// How many body terms a page has by default. The number was chosen by a curve of bytes against quality.
pub const BODY_TERMS: usize = 64;

/// The progress of a build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress<'p> {
    /// The build begins with the pack of that path.
    Pack(&'p str),
    /// So many pages of that pack are read. Reported for each thousand.
    PagesRead {
        /// The pages that are read.
        done: usize,
        /// All of its pages.
        of: usize,
    },
    /// The words of so many pages of that pack are counted. Reported for each thousand.
    PagesCounted {
        /// The pages whose words are counted.
        done: usize,
        /// All of its pages.
        of: usize,
    },
    /// All packs are read, and so many terms of the index are written.
    TermsWritten {
        /// The terms that are written.
        done: usize,
        /// All of them.
        of: usize,
    },
}

/// A function that is called with the progress of a build.
pub type OnProgress<'t> = dyn FnMut(Progress<'_>) + 't;

/// The result of publishing.
#[derive(Debug, Clone)]
pub struct PublishReport {
    /// The catalog that was written.
    pub catalog: Catalog,
    /// How many pages all packs have.
    pub pages: u32,
    /// The paths of the packs that were read.
    pub read: Vec<String>,
    /// The paths of the other packs: they are unchanged and were reused from the previous index, without looking for
    /// findings.
    pub reused: Vec<String>,
    /// Whether any file was written.
    pub changed: bool,
    /// The stages that are no longer published.
    pub lost_stages: LostStages,
    /// The findings in the packs that were read. Files are named from the packs root.
    pub findings: Vec<Finding>,
}

/// Builds and writes the catalog and the index of `plan`. `on_progress` is called with the progress.
///
/// # Errors
/// An [`Error`] that names the file. What was published before stays whole.
pub fn publish(plan: &Plan, on_progress: &mut OnProgress<'_>) -> Result<PublishReport, Error> {
    publish_in(Layout::default(), plan, on_progress)
}

/// [`publish`] with an index of that layout.
///
/// # Errors
/// As [`publish`].
pub fn publish_in(layout: Layout, plan: &Plan, on_progress: &mut OnProgress<'_>) -> Result<PublishReport, Error> {
    let staging = if plan.in_place { Staging::within(&plan.out) } else { Staging::beside(&plan.out) };
    let scratch = layout.scratch.clone().unwrap_or_else(|| staging.folder.join(INDEX_FOLDER));
    let layout = Layout { scratch: Some(scratch), ..layout };
    let mut previous = PreviousBuild::open(&plan.out, plan.body_terms, layout.clone());
    let mut packs = Packs::default();
    let mut staged = stage(plan, layout, &staging.folder, on_progress, |build, on_progress| {
        packs.add_to(build, &mut previous, on_progress)
    })?;
    let known = std::fs::read(plan.out.join(CATALOG_FILE)).ok().and_then(|bytes| Catalog::parse(&bytes).ok());
    let listed = known.map(|catalog| StageFiles::listed(&plan.out, &catalog)).unwrap_or_default();
    let lost_stages = listed.lost(&plan.out, &staged.output.packs());
    let dropped = if lost_stages.outdated_entries.is_some() { listed.entries_names() } else { BTreeSet::new() };
    let stages = listed.without(&lost_stages.names());
    stages.enter(&mut staged.output.catalog);
    let changed = match plan.in_place {
        true => write_in_place(&staging, &staged, &stages, &dropped)?,
        false => write_copy(plan, &staging, &staged, &stages)?,
    };
    let Packs { read, reused, findings } = packs;
    let (catalog, pages) = (staged.output.catalog, staged.pages);
    Ok(PublishReport { catalog, pages, read, reused, changed, lost_stages, findings })
}

/// A catalog, and every file that it leads to except the pages.
#[derive(Debug, Clone)]
pub struct BuildOutput {
    /// The catalog.
    pub catalog: Catalog,
    /// The index files, and the list of packs where that is a file of its own: path under the packs root, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl BuildOutput {
    /// The packs, also where their list is a file of its own.
    fn packs(&self) -> Vec<CatalogPack> {
        let list = self.catalog.packs_file.as_ref();
        match list.and_then(|list| self.files.iter().find(|(path, _)| *path == list.path)) {
            Some((_, bytes)) => Catalog::parse_packs(bytes).unwrap_or_default(),
            None => self.catalog.packs.clone(),
        }
    }
}

/// Builds the catalog and the index of `packs`, without writing anything.
///
/// # Errors
/// [`seealso_index::Error::Unwritable`] for more pages than an index can number.
pub fn catalog_of(packs: &[Pack]) -> Result<BuildOutput, seealso_index::Error> {
    catalog_in(packs, Layout::default(), BODY_TERMS)
}

/// [`catalog_of`] with an index of that layout, and at most `body_terms` terms of each page's body in it.
///
/// # Errors
/// As [`catalog_of`].
pub fn catalog_in(packs: &[Pack], layout: Layout, body_terms: usize) -> Result<BuildOutput, seealso_index::Error> {
    let mut files = BTreeMap::new();
    let mut sink = |hash: &_, bytes: &[u8]| {
        // Two blocks may be the same file.
        files.insert(format!("{INDEX_FOLDER}/{}", file_name(hash)), bytes.to_vec());
        Ok(())
    };
    let mut writer = Writer::new(layout, &mut sink);
    for pack in packs {
        let mut new = new_pack(pack);
        add_body_terms(&mut new, pack, body_terms, &mut |_, _| {});
        writer.whole_pack(&new)?;
    }
    let written = writer.finish()?;
    let bytes = files.values().map(|file| file.len() as u64).sum();
    let written = WrittenIndex { files: files.len(), bytes, ..written };
    let entries = packs.iter().map(|pack| entry(pack, String::new())).collect();
    Ok(build_output(entries, &written, body_terms, files.into_iter().collect()))
}

/// The largest root, in bytes, that is part of the catalog.
const MOST_INLINE: usize = 64 << 10;

/// The catalog, with the files that it names. `files` are those index files that are not in their place yet.
fn build_output(
    entries: Vec<CatalogPack>,
    written: &WrittenIndex,
    body_terms: usize,
    mut files: Vec<(String, Vec<u8>)>,
) -> BuildOutput {
    let root = &written.root;
    let total_bytes = written.bytes + root.len() as u64;
    let inline = (written.files > 0 && root.len() <= MOST_INLINE).then(|| to_base64(root));
    let (files_beside, body_terms) = (written.files as u64, body_terms as u64);
    let index = IndexRef { root: file_ref(root, "idx"), files: files_beside, total_bytes, body_terms, inline };
    files.push((index.root.path.clone(), root.clone()));
    let mut catalog = Catalog::new(entries, index);
    if catalog.packs.len() > MOST_PACKS_INLINE {
        let list = serde_json::to_vec(&std::mem::take(&mut catalog.packs)).unwrap_or_default();
        let file = file_ref(&list, "json");
        files.push((file.path.clone(), list));
        catalog.packs_file = Some(file);
    }
    BuildOutput { catalog, files }
}

/// The name of the file that keeps for the next build how many pages of a pack hold each term anywhere. An index does
/// not.
fn words_name(fingerprint: &str) -> String {
    format!("{}.words", &fingerprint[..fingerprint.len().min(16)])
}

fn pack_words(pack: &NewPack) -> Vec<u8> {
    let lines: Vec<String> = pack.pages_with.iter().map(|(term, pages)| format!("{term}\t{pages}\n")).collect();
    lines.concat().into_bytes()
}

fn read_words(text: &str) -> Option<BTreeMap<String, u32>> {
    text.lines()
        .map(|line| line.rsplit_once('\t').and_then(|(term, pages)| Some((term.to_owned(), pages.parse().ok()?))))
        .collect()
}

fn file_ref(bytes: &[u8], ending: &str) -> FileRef {
    let sha256 = hex(&Sha256::digest(bytes));
    FileRef { path: format!("{INDEX_FOLDER}/{}.{ending}", &sha256[..16]), bytes: bytes.len() as u64, sha256 }
}

fn entry(pack: &Pack, fingerprint: String) -> CatalogPack {
    CatalogPack {
        path: pack.path.clone(),
        title: pack.title().to_owned(),
        language: pack.language().to_owned(),
        page_root: pack.page_root().to_owned(),
        pages: pack.pages.len() as u32,
        summary: pack.summary().to_owned(),
        fingerprint,
        archived: pack.manifest.archived,
    }
}

impl Pack {
    /// A pack of pages in memory, each with its file and its text. The pack has no folder.
    pub fn of_pages(path: &str, pages: &[(&str, &str)]) -> Pack {
        let mut pages: Vec<(Page, [u8; 32])> =
            pages.iter().map(|(file, text)| (Page::parse(file, text).0, Sha256::digest(text).into())).collect();
        pages.sort_by(|a, b| a.0.file.cmp(&b.0.file));
        let (private, pages): (Vec<_>, Vec<_>) = pages.into_iter().partition(|(page, _)| page.is_private());
        let (pages, page_hashes) = pages.into_iter().unzip();
        Pack {
            path: path.to_owned(),
            dialect: Dialect::Wiki,
            manifest: Manifest::default(),
            pages,
            index_rows: None,
            schema: None,
            log: None,
            dir: PathBuf::new(),
            page_hashes,
            private_files: private.into_iter().map(|(page, _)| format!("wiki/{}", page.file)).collect(),
            findings: Vec::new(),
        }
    }
}

/// A pack as the index writer takes it.
pub fn new_pack(pack: &Pack) -> NewPack {
    let directory = pack.directory();
    let places: BTreeMap<&str, u32> =
        pack.pages.iter().zip(0..).map(|(page, place)| (page.file.as_str(), place)).collect();
    let pages = pack.pages.iter().zip(&pack.page_hashes).map(|(page, hash)| NewPage {
        file: page.file.clone(),
        title: page.title.clone(),
        aliases: page.aliases.clone(),
        summary: page.summary.clone(),
        body: Vec::new(),
        tags: page.tags.clone(),
        hash: short_hash(hash),
        links: directory.links(&page.file).iter().filter_map(|file| places.get(file.as_str()).copied()).collect(),
    });
    let info = PackInfo {
        path: pack.path.clone(),
        page_root: pack.page_root().to_owned(),
        title: pack.title().to_owned(),
        summary: pack.summary().to_owned(),
        language: pack.language().to_owned(),
        links_derived: directory.derived(),
        site: pack.manifest.site.clone(),
    };
    NewPack { info, pages: pages.collect(), ..NewPack::default() }
}

fn short_hash(hash: &[u8; 32]) -> [u8; PAGE_HASH_BYTES] {
    let mut short = [0; PAGE_HASH_BYTES];
    short.copy_from_slice(&hash[..PAGE_HASH_BYTES]);
    short
}

/// Bytes as lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
