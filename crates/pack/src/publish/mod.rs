//! Publishing: packs in, static files out, for any plain file host.
//!
//! [`publish`] either indexes packs where they lie (pages stay exactly as authored) or copies them to another folder
//! and indexes them there. Beside them it writes `catalog.json` and, in `index/`, the index's root and other files, what
//! the next build needs, and the list of packs where they are many. A build is deterministic, it takes over unchanged
//! packs from the last index instead of reading them again, and it is atomic: the catalog, which alone points at the
//! index, is replaced last, in one step. It holds one pack in memory at a time: what is written lies in a folder of its
//! own until all is.

use std::collections::BTreeMap;
use std::path::PathBuf;

use seealso_index::{Layout, NewPack, NewPage, PAGE_HASH_BYTES, PackInfo, Writer, Written, file_name};
use sha2::{Digest, Sha256};

use crate::catalog::{Catalog, CatalogPack, FileRef, IndexRef, MOST_PACKS_INLINE, to_base64};
use crate::{Dialect, Error, Finding, Manifest, Pack, Page};
use build::{Packs, lay};
use last::LastBuild;
use salient::add_body_terms;
use write::{Staging, write_copy, write_in_place};

mod last;
mod parts;
mod salient;
mod build;
mod listed;
mod litter;
mod write;
mod rows;
#[cfg(test)]
mod tests;

pub use rows::{RowsBuilt, RowsPlan, Titles, publish_rows};

/// The folder of index files, under the packs root.
const INDEX_FOLDER: &str = "index";

/// What to publish, and where.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Each pack's folder, and its path under the packs root.
    pub packs: Vec<(PathBuf, String)>,
    /// The packs root to write to.
    pub out: PathBuf,
    /// Whether the packs already lie under `out`, so that nothing is copied.
    pub in_place: bool,
    /// Whether to write `index/pages.tsv` (id, title, summary) too.
    pub tsv: bool,
    /// How many salient terms of its body each page gets in the index at most; 0 for titles and summaries alone. How rare a
    /// word is goes by whole pages in any case.
    pub body_terms: usize,
}

/// How many body terms a page gets unless told otherwise: chosen once, by a curve of bytes against quality.
pub const BODY_TERMS: usize = 64;

/// How far a build is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress<'p> {
    /// The turn of the pack of that path has come.
    Pack(&'p str),
    /// So many pages of that pack are read; told each thousand.
    PagesRead {
        /// The pages that are read.
        done: usize,
        /// All of its pages.
        of: usize,
    },
    /// The words of so many pages of that pack are counted; told each thousand.
    PagesCounted {
        /// The pages whose words are counted.
        done: usize,
        /// All of its pages.
        of: usize,
    },
    /// All packs are read, and so many terms of the index written.
    TermsWritten {
        /// The terms that are written.
        done: usize,
        /// All of them.
        of: usize,
    },
}

/// What is told how far a build is.
pub type Tell<'t> = dyn FnMut(Progress<'_>) + 't;

/// What a build did.
#[derive(Debug, Clone)]
pub struct Published {
    /// The catalog that was written.
    pub catalog: Catalog,
    /// The pages of all packs.
    pub pages: u32,
    /// Paths of the packs that were read.
    pub read: Vec<String>,
    /// Paths of the other packs: unchanged, taken over from the last index, and their findings not looked for.
    pub taken_over: Vec<String>,
    /// Whether any file was written.
    pub changed: bool,
    /// What the readers found in the packs that were read, with files named from the packs root.
    pub findings: Vec<Finding>,
}

/// Builds and writes the catalog and the index of `plan`; `tell` hears how far that is.
///
/// # Errors
/// An [`Error`] that names the file; whatever was published before stays whole.
pub fn publish(plan: &Plan, tell: &mut Tell<'_>) -> Result<Published, Error> {
    publish_in(Layout::default(), plan, tell)
}

/// As [`publish`], with an index of that layout.
///
/// # Errors
/// As [`publish`].
pub fn publish_in(layout: Layout, plan: &Plan, tell: &mut Tell<'_>) -> Result<Published, Error> {
    let staging = if plan.in_place { Staging::within(&plan.out) } else { Staging::beside(&plan.out) };
    let scratch = layout.scratch.clone().unwrap_or_else(|| staging.folder.join(INDEX_FOLDER));
    let layout = Layout { scratch: Some(scratch), ..layout };
    let mut last = LastBuild::open(&plan.out, plan.body_terms, layout.clone());
    let mut packs = Packs::default();
    let laid = lay(plan, layout, &staging.folder, tell, |build, tell| packs.hand_to(build, &mut last, tell))?;
    let changed = match plan.in_place {
        true => write_in_place(&staging, &laid)?,
        false => write_copy(plan, &staging, &laid)?,
    };
    let Packs { read, taken_over, findings } = packs;
    Ok(Published { catalog: laid.built.catalog, pages: laid.pages, read, taken_over, changed, findings })
}

/// A catalog, and every file that it leads to but the pages.
#[derive(Debug, Clone)]
pub struct Built {
    /// The catalog.
    pub catalog: Catalog,
    /// The index files, and the list of packs where that is a file of its own: path under the packs root, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The catalog and the index of `packs`, without writing anything.
///
/// # Errors
/// [`seealso_index::Error::Unwritable`] for more pages than an index can number.
pub fn catalog_of(packs: &[Pack]) -> Result<Built, seealso_index::Error> {
    catalog_in(packs, Layout::default(), BODY_TERMS)
}

/// [`catalog_of`], with the index laid out by `layout`, and at most `body_terms` terms of each page's body in it.
///
/// # Errors
/// As [`catalog_of`].
pub fn catalog_in(packs: &[Pack], layout: Layout, body_terms: usize) -> Result<Built, seealso_index::Error> {
    let mut files = BTreeMap::new();
    let mut sink = |hash: &_, bytes: &[u8]| {
        // Two lists may be the same file.
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
    let written = Written { files: files.len(), bytes, ..written };
    let entries = packs.iter().map(|pack| entry(pack, String::new())).collect();
    Ok(built(entries, &written, body_terms, files.into_iter().collect()))
}

/// A root no larger than this comes with the catalog.
const MOST_INLINE: usize = 64 << 10;

/// Puts the catalog together with the files it names. Of those that `written` counts, `files` may lack any that lie
/// in their place already.
fn built(entries: Vec<CatalogPack>, written: &Written, body_terms: usize, mut files: Vec<(String, Vec<u8>)>) -> Built {
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
    Built { catalog, files }
}

/// The file that keeps for the next build what an index does not: how many pages of a pack hold each term anywhere.
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
    }
}

impl Pack {
    /// A pack of pages in memory, each given as its file and its text; its folder is empty.
    pub fn of_pages(path: &str, pages: &[(&str, &str)]) -> Pack {
        let mut pages: Vec<(Page, [u8; 32])> =
            pages.iter().map(|(file, text)| (Page::parse(file, text).0, Sha256::digest(text).into())).collect();
        pages.sort_by(|a, b| a.0.file.cmp(&b.0.file));
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
            findings: Vec::new(),
        }
    }
}

/// A pack as the index takes it.
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
