//! Finding packs: which folders below a root are packs, and of which dialect.
//!
//! Some folders are packs by a mark: `manifest.yaml` and `wiki/`, an `index.md`, a vault's settings. Others are where
//! they hold pages and no folder below has a mark.

use super::listing::{Role, role};
use super::{Entry, MAX_FOLDERS, entries, is_skipped, join};
use crate::error::Error;
use crate::pack::Dialect;
use crate::page::Page;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A folder in which a note-taking program keeps the settings of the vault around it.
const VAULT_SETTINGS: &str = ".obsidian";

/// How many bytes of a page are looked at for its type.
const HEAD_BYTES: u64 = 4096;

/// The packs below a root.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Discovery {
    /// Each pack's folder, and its path below the root, `/`-separated; sorted by path. Where the root itself is the pack,
    /// the path is its folder's name.
    pub packs: Vec<(PathBuf, String)>,
    /// Files that are pages by their names and lie in no pack, by their paths below the root.
    pub outside: Vec<String>,
}

/// The packs that [`discover_all`] finds, each its folder and its path below `root`.
///
/// # Errors
/// As [`discover_all`].
pub fn discover(root: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
    Ok(discover_all(root)?.packs)
}

/// Finds the packs below `root`. A folder is a pack by a mark:
///
/// - `manifest.yaml` and `wiki/`: a wiki pack;
/// - `index.md` or a folder `.obsidian`, and a page in it or below: an Open Knowledge pack.
///
/// A folder without a mark is an Open Knowledge pack where one of its own pages has a `type`, or where there are pages in it or
/// below and no folder below has a mark; the uppermost such folder counts. A folder right above a wiki pack is none.
/// Packs are not searched for further packs, nor are hidden folders, `index` and `node_modules`.
///
/// # Errors
/// Where `root` cannot be listed. Folders below that cannot be listed are passed over.
pub fn discover_all(root: &Path) -> Result<Discovery, Error> {
    if dialect_of(root)?.is_none() {
        let below = Subtree::of(root, "", 0)?;
        if below.is_marked || !below.has_pages() {
            let (mut packs, mut outside) = (below.packs, below.pages);
            packs.sort_by(|a, b| a.1.cmp(&b.1));
            outside.sort();
            return Ok(Discovery { packs, outside });
        }
    }
    let whole = root.canonicalize().map_err(|cause| Error::io(root, "resolving", cause))?;
    let name = whole.file_name().map_or("pack".into(), |name| name.to_string_lossy().into_owned());
    Ok(Discovery { packs: vec![(root.to_path_buf(), name)], outside: Vec::new() })
}

/// Whether a folder without a mark is a pack by its pages.
pub(super) fn is_unmarked_pack(dir: &Path) -> Result<bool, Error> {
    let below = Subtree::of(dir, "", 0)?;
    Ok(!below.is_marked && below.has_pages())
}

/// What lies below a folder that has no mark.
#[derive(Default)]
struct Subtree {
    /// Packs: those with a mark, and beside them those without.
    packs: Vec<(PathBuf, String)>,
    /// Whether any of them has a mark.
    is_marked: bool,
    /// Pages in none of these packs.
    pages: Vec<String>,
}

impl Subtree {
    fn of(dir: &Path, path: &str, depth: usize) -> Result<Subtree, Error> {
        let mut found = Subtree::default();
        for entry in entries(dir)? {
            let (below, path) = (dir.join(&entry.name), join(path, &entry.name));
            // A link to a pack's folder is followed: sets of packs are put together that way.
            let is_dir = entry.kind.is_dir() || (entry.kind.is_symlink() && below.is_dir());
            if is_page(&entry) {
                found.pages.push(path);
            } else if is_dir && entry.name != "index" && !is_skipped(&entry.name) && depth < MAX_FOLDERS {
                found.add(below, path, depth, entry.kind.is_dir());
            }
        }
        Ok(found)
    }

    /// Whether there is a page, in a pack or in none.
    fn has_pages(&self) -> bool {
        !(self.pages.is_empty() && self.packs.is_empty())
    }

    /// Adds the folder `dir` of that path; only true folders are searched, so that links cannot lead in circles.
    fn add(&mut self, dir: PathBuf, path: String, depth: usize, is_true: bool) {
        let Ok(dialect) = dialect_of(&dir) else { return };
        if dialect.is_some() {
            self.is_marked |= has_mark(&dir).unwrap_or(false);
            return self.packs.push((dir, path));
        }
        let inner = if is_true { Subtree::of(&dir, &path, depth + 1).unwrap_or_default() } else { Subtree::default() };
        if inner.is_marked {
            self.is_marked = true;
            self.packs.extend(inner.packs);
            self.pages.extend(inner.pages);
        } else if inner.has_pages() {
            self.packs.push((dir, path));
        }
    }
}

fn is_page(entry: &Entry) -> bool {
    entry.kind.is_file() && role(Dialect::Okf, &entry.name) == Role::Page
}

/// Which dialect's pack the folder holds, if that can be told without a search below it.
pub(super) fn dialect_of(dir: &Path) -> Result<Option<Dialect>, Error> {
    if is_wiki_pack(dir) {
        return Ok(Some(Dialect::Wiki));
    }
    let is_pack = (has_mark(dir)? || holds_typed_page(dir)?) && !holds_wiki_packs(dir)?;
    Ok(is_pack.then_some(Dialect::Okf))
}

fn has_mark(dir: &Path) -> Result<bool, Error> {
    let has_settings = dir.join("index.md").is_file() || dir.join(VAULT_SETTINGS).is_dir();
    Ok(is_wiki_pack(dir) || has_settings && has_pages(dir, 0)?)
}

pub(super) fn is_wiki_pack(dir: &Path) -> bool {
    dir.join("manifest.yaml").is_file() && dir.join("wiki").is_dir()
}

/// Whether the folder is a root of packs, whose `index.md` is a page about them rather than a pack's.
fn holds_wiki_packs(dir: &Path) -> Result<bool, Error> {
    Ok(entries(dir)?.iter().any(|entry| !is_skipped(&entry.name) && is_wiki_pack(&dir.join(&entry.name))))
}

/// Whether there is a file in the folder or below that is a page by its name.
fn has_pages(dir: &Path, depth: usize) -> Result<bool, Error> {
    for entry in entries(dir)? {
        let below = entry.kind.is_dir() && !is_skipped(&entry.name) && depth < MAX_FOLDERS;
        if is_page(&entry) || below && has_pages(&dir.join(&entry.name), depth + 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether there is a page in the folder itself with a `type`, as every Open Knowledge page has one.
fn holds_typed_page(dir: &Path) -> Result<bool, Error> {
    Ok(entries(dir)?.into_iter().filter(is_page).any(|entry| {
        let mut head = Vec::new();
        let read = File::open(dir.join(&entry.name)).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
        read.is_ok() && Page::parse(&entry.name, &String::from_utf8_lossy(&head)).0.category.is_some()
    }))
}
