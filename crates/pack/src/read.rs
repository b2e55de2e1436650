//! Packs read from the file system, whole. Natively only.

use crate::block::BlockKind;
use crate::catalog::is_safe_path;
use crate::error::Error;
use crate::finding::Finding;
use crate::index_md;
use crate::manifest::Manifest;
use crate::pack::{Dialect, Pack};
use crate::page::Page;
use crate::parallel;
use discover::{dialect_of, is_unmarked_pack};
use listing::{Listing, Role};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

mod discover;
mod listing;
mod private;

pub use discover::{Discovery, discover, discover_all};
pub(crate) use private::{is_private_file, page_root_of};

/// The largest file that is read as a page.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// What is wrong with a path that [`is_safe_path`] refuses, of those that a file system can hold.
const UNSAFE: &str = "holds one of # ? % : \\ or a control character, or is too long for a URL";

/// Progress is reported each time that so many pages are read.
const PAGES_AT_ONCE: usize = 1000;

/// How deep folders may nest, below the root and below a pack.
const MAX_FOLDERS: usize = 32;

impl Pack {
    /// Reads the pack in the folder `dir`, which is to be known as `path` (see [`discover()`]).
    ///
    /// # Errors
    /// Where the folder cannot be listed or holds no pack, or where no URL could have that `path`. A page that cannot be read is a finding.
    pub fn read(dir: &Path, path: &str) -> Result<Pack, Error> {
        Pack::read_telling(dir, path, &mut |_, _| {})
    }

    /// As [`Pack::read`]; `tell` is called with how many pages of how many are read.
    pub(crate) fn read_telling(dir: &Path, path: &str, tell: &mut dyn FnMut(usize, usize)) -> Result<Pack, Error> {
        let dialect = match dialect_of(dir)? {
            Some(dialect) => dialect,
            None if is_unmarked_pack(dir)? => Dialect::Okf,
            None => return Err(Error::NotAPack { path: dir.to_path_buf() }),
        };
        if !is_safe_path(path) {
            let cause = format!("{path:?} {UNSAFE}, so none of its pages could be fetched");
            return Err(Error::Invalid { path: dir.to_path_buf(), cause, hint: "Rename the pack's folder." });
        }
        let mut pack = Pack {
            path: path.to_string(),
            dialect,
            manifest: Manifest::default(),
            pages: Vec::new(),
            index_rows: None,
            schema: None,
            log: None,
            dir: dir.to_path_buf(),
            page_hashes: Vec::new(),
            private_files: Vec::new(),
            findings: Vec::new(),
        };
        let index = pack.text_of(&pack.page_path("index.md"));
        pack.schema = pack.text_of(&pack.page_path("schema.md"));
        pack.log = pack.text_of(&pack.page_path("log.md"));
        pack.manifest = match dialect {
            Dialect::Wiki => pack.read_manifest(),
            Dialect::Okf => manifest_of_index(index.as_deref().unwrap_or("")),
        };
        pack.index_rows = index.map(|text| pack.read_index(&text));
        pack.read_pages(tell)?;
        if pack.manifest.name.is_empty() {
            pack.manifest.name = pack.name().to_string();
        }
        Ok(pack)
    }

    fn read_manifest(&mut self) -> Manifest {
        let text = self.text_of("manifest.yaml").unwrap_or_default();
        let (manifest, findings) = Manifest::parse(&text);
        self.findings.extend(findings);
        manifest
    }

    fn read_index(&mut self, text: &str) -> Vec<index_md::IndexRow> {
        let (rows, findings) = index_md::read(text);
        let file = self.page_path("index.md");
        self.findings.extend(findings.into_iter().map(|finding| Finding { file: file.clone(), ..finding }));
        rows
    }

    fn read_pages(&mut self, tell: &mut dyn FnMut(usize, usize)) -> Result<(), Error> {
        let root = self.dir.join(self.page_root());
        if !self.page_root().is_empty() && is_link(&root) {
            let why = "a symbolic link to a folder: left out";
            self.findings.push(Finding::error(self.page_root(), 1, "R7", why));
            return Ok(());
        }
        let listing = Listing::of(&root, self.dialect)?;
        for finding in listing.left_out {
            self.findings.push(Finding { file: self.page_path(&finding.file), ..finding });
        }
        let of = listing.files.len();
        for (at, files) in listing.files.chunks(PAGES_AT_ONCE).enumerate() {
            tell(at * PAGES_AT_ONCE, of);
            for read in parallel::map(files, |(file, role)| self.read_page(file, *role)) {
                self.findings.extend(read.findings);
                if let Some(page) = read.page.as_ref().map(|(page, _)| page).filter(|page| page.is_private()) {
                    self.private_files.push(self.page_path(&page.file));
                } else if let Some((page, hash)) = read.page {
                    self.pages.push(page);
                    self.page_hashes.push(hash);
                }
            }
        }
        Ok(())
    }

    fn read_page(&self, file: &str, role: Role) -> PageOutcome {
        let mut files = Files { dir: &self.dir, findings: Vec::new() };
        let page = self.page_in(&mut files, file, role);
        PageOutcome { page, findings: files.findings }
    }

    /// The page in a file, with the file's SHA-256; `None` where the file is no page, or, with a finding, cannot be read.
    fn page_in(&self, files: &mut Files<'_>, file: &str, role: Role) -> Option<(Page, [u8; 32])> {
        let path = self.page_path(file);
        let is_safe = is_safe_path(&format!("{}/{path}", self.path));
        if !is_safe && role == Role::Page {
            files.leave_out(&path, &format!("its name {UNSAFE}: left out"));
            return None;
        }
        let bytes = files.bytes_of(&path)?;
        if role != Role::Page && !(is_safe && has_front_matter(&bytes)) {
            if role == Role::Readme {
                let why = "left out, as it has no front matter: with a title and a summary it is a page";
                files.findings.push(Finding::note(&path, 1, "R7", why));
            }
            return None;
        }
        let text = files.decode(&path, &bytes)?;
        let (page, findings) = Page::parse(file, &text);
        files.findings.extend(findings.into_iter().map(|finding| Finding { file: path.clone(), ..finding }));
        Some((page, Sha256::digest(&bytes).into()))
    }

    /// A file's text; `None` where there is no such file, or, with a finding, where it cannot be read.
    fn text_of(&mut self, path: &str) -> Option<String> {
        let mut files = Files { dir: &self.dir, findings: Vec::new() };
        let text = files.text_of(path);
        self.findings.append(&mut files.findings);
        text
    }
}

/// What became of a file that is listed as a page.
struct PageOutcome {
    page: Option<(Page, [u8; 32])>,
    findings: Vec<Finding>,
}

/// The files in a pack's folder, and what is wrong with those that were read.
struct Files<'d> {
    dir: &'d Path,
    findings: Vec<Finding>,
}

impl Files<'_> {
    fn leave_out(&mut self, path: &str, why: &str) {
        self.findings.push(Finding::error(path, 1, "R7", why));
    }

    /// A file's text; `None` where there is no such file, or, with a finding, where it cannot be read.
    fn text_of(&mut self, path: &str) -> Option<String> {
        let whole = self.dir.join(path);
        if is_link(&whole) {
            self.leave_out(path, "a symbolic link: left out");
            return None;
        }
        if !whole.exists() {
            return None;
        }
        let bytes = self.bytes_of(path)?;
        self.decode(path, &bytes)
    }

    /// A file's bytes; `None`, with a finding, where it is too large or cannot be read.
    fn bytes_of(&mut self, path: &str) -> Option<Vec<u8>> {
        let whole = self.dir.join(path);
        let problem = match fs::metadata(&whole) {
            Ok(metadata) if metadata.len() > MAX_FILE_BYTES => "larger than 4 MiB: left out".to_string(),
            _ => match fs::read(&whole) {
                Ok(bytes) => return Some(bytes),
                Err(cause) => format!("cannot be read: {cause}"),
            },
        };
        self.leave_out(path, &problem);
        None
    }

    /// Bytes as text; `None`, with a finding, where they are no text at all.
    fn decode(&mut self, path: &str, bytes: &[u8]) -> Option<String> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Some(text.to_string());
        }
        if bytes.contains(&0) {
            self.leave_out(path, "not text: left out");
            return None;
        }
        self.findings.push(Finding::warning(path, 1, "R7", "not UTF-8: unreadable characters replaced"));
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// Whether the path itself is a symbolic link.
fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|known| known.is_symlink())
}

/// Whether a text opens with the fence of front matter.
fn has_front_matter(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    matches!(first.trim_ascii_end(), b"---" | b"+++")
}

/// What an Open Knowledge pack says of itself: the front matter of its index.md, else its heading and first prose. A
/// heading right above a list names that list, as the format has it: not the pack.
fn manifest_of_index(text: &str) -> Manifest {
    let (page, _) = Page::parse("", text);
    let is_from_list = |kind: BlockKind| matches!(kind, BlockKind::ListItem | BlockKind::TableRow);
    let blocks = page.blocks();
    let listed =
        blocks.iter().find(|block| block.kind != BlockKind::Heading).is_some_and(|block| is_from_list(block.kind));
    let heading = blocks.first().filter(|block| listed && block.kind == BlockKind::Heading);
    let has_prose = blocks.iter().any(|block| block.kind != BlockKind::Heading && !is_from_list(block.kind));
    // A page without title and heading is named after its file, which says nothing here.
    let has_title = page.title != "Untitled" && heading.is_none_or(|heading| heading.text != page.title);
    let has_summary = has_prose || page.summary != page.snippet();
    Manifest {
        name: page.field("name").unwrap_or_default(),
        version: page.field("version").unwrap_or_default(),
        title: if has_title { page.title } else { String::new() },
        domains: page.tags,
        language: page.language.unwrap_or_default(),
        summary: if has_summary { page.summary } else { String::new() },
        ..Manifest::default()
    }
}

/// An entry of a folder.
struct Entry {
    /// Its name; where that is no Unicode, with a mark in the place of what can't be read.
    name: String,
    is_unicode: bool,
    /// What it is itself: links are not followed.
    kind: fs::FileType,
}

/// A folder's entries, sorted by name.
fn entries(dir: &Path) -> Result<Vec<Entry>, Error> {
    let listing = |cause| Error::io(dir, "listing", cause);
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(listing)? {
        let entry = entry.map_err(listing)?;
        let (name, kind) = (entry.file_name(), entry.file_type().map_err(listing)?);
        entries.push(Entry { is_unicode: name.to_str().is_some(), name: name.to_string_lossy().into_owned(), kind });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

fn is_skipped(folder: &str) -> bool {
    folder.starts_with('.') || folder == "node_modules"
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}/{name}") }
}

#[cfg(test)]
mod tests;
