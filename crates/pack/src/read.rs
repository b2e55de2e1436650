//! Packs read from the file system: found below a root, then read whole. Natively only.
//!
//! Links out of a pack are not followed: what is published must lie in the pack itself.

use crate::catalog::is_safe_path;
use crate::error::Error;
use crate::finding::Finding;
use crate::index_md;
use crate::manifest::Manifest;
use crate::pack::{Dialect, Pack};
use crate::page::Page;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The largest file that is read as a page.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// What is wrong with a path that [`is_safe_path`] refuses, of those that a file system can hold.
const UNSAFE: &str = "holds one of # ? % : \\ or a control character, or is too long for a URL";

/// How deep folders may nest, below the root and below a pack.
const MAX_FOLDERS: usize = 32;

impl Pack {
    /// Reads the pack in the folder `dir`, which is to be known as `path` (see [`discover`]).
    ///
    /// # Errors
    /// Where the folder cannot be listed or holds no pack, or where no URL could have that `path`. A page that cannot be read is a finding.
    pub fn read(dir: &Path, path: &str) -> Result<Pack, Error> {
        Pack::read_telling(dir, path, &mut |_, _| {})
    }

    /// As [`Pack::read`]; `tell` hears how many pages of how many are read.
    pub(crate) fn read_telling(dir: &Path, path: &str, tell: &mut dyn FnMut(usize, usize)) -> Result<Pack, Error> {
        let dialect = dialect_of(dir)?.ok_or_else(|| Error::NotAPack { path: dir.to_path_buf() })?;
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
        let (mut files, mut lost) = (Vec::new(), Vec::new());
        list_pages(&root, "", 0, &mut files, &mut lost)?;
        files.sort();
        for (file, problem) in lost {
            self.findings.push(Finding::error(&self.page_path(&file), 1, "R7", problem));
        }
        let of = files.len();
        for (done, file) in files.into_iter().enumerate() {
            tell(done, of);
            let path = self.page_path(&file);
            if !is_safe_path(&format!("{}/{path}", self.path)) {
                self.findings.push(Finding::error(&path, 1, "R7", format!("its name {UNSAFE}: left out")));
                continue;
            }
            let Some(bytes) = self.bytes_of(&path) else { continue };
            let Some(text) = self.decode(&path, &bytes) else { continue };
            let (page, findings) = Page::parse(&file, &text);
            self.findings.extend(findings.into_iter().map(|finding| Finding { file: path.clone(), ..finding }));
            self.page_hashes.push(Sha256::digest(&bytes).into());
            self.pages.push(page);
        }
        Ok(())
    }

    /// A file's text; `None` where there is no such file, or, with a finding, where it cannot be read.
    fn text_of(&mut self, path: &str) -> Option<String> {
        if !self.dir.join(path).exists() {
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
        self.findings.push(Finding::error(path, 1, "R7", problem));
        None
    }

    /// Bytes as text; `None`, with a finding, where they are no text at all.
    fn decode(&mut self, path: &str, bytes: &[u8]) -> Option<String> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Some(text.to_string());
        }
        if bytes.contains(&0) {
            self.findings.push(Finding::error(path, 1, "R7", "not text: left out"));
            return None;
        }
        self.findings.push(Finding::warning(path, 1, "R7", "not UTF-8: unreadable characters replaced"));
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// What an Open Knowledge pack says of itself: the front matter of its index.md, else its heading and first prose.
fn manifest_of_index(text: &str) -> Manifest {
    let (page, _) = Page::parse("", text);
    Manifest {
        name: page.field("name").unwrap_or_default(),
        version: page.field("version").unwrap_or_default(),
        // A page without title and heading is named after its file, which says nothing here.
        title: if page.title == "Untitled" { String::new() } else { page.title },
        domains: page.tags,
        language: page.language.unwrap_or_default(),
        summary: page.summary,
        ..Manifest::default()
    }
}

/// Finds the packs below `root`, sorted by path. A folder with `manifest.yaml` and `wiki/` is a wiki pack; one with
/// `index.md` and another markdown file below it, but no wiki pack just below it, is an Open Knowledge pack; neither is searched for further packs,
/// nor are hidden folders, `index` and `node_modules`. Each pack comes with its path below `root`, `/`-separated;
/// where `root` itself is a pack, that path is its folder's name.
///
/// # Errors
/// Where `root` cannot be listed. Folders below that cannot be listed are passed over.
pub fn discover(root: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
    if dialect_of(root)?.is_some() {
        let whole = root.canonicalize().map_err(|cause| Error::io(root, "resolving", cause))?;
        let name = whole.file_name().map_or("pack".into(), |name| name.to_string_lossy().into_owned());
        return Ok(vec![(root.to_path_buf(), name)]);
    }
    let mut found = Vec::new();
    search(root, "", 0, &mut found)?;
    found.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(found)
}

fn search(dir: &Path, path: &str, depth: usize, found: &mut Vec<(PathBuf, String)>) -> Result<(), Error> {
    for (name, kind) in entries(dir)? {
        // A link to a pack's folder is followed: sets of packs are put together that way.
        let is_dir = kind.is_dir() || (kind.is_symlink() && dir.join(&name).is_dir());
        if !is_dir || name == "index" || is_skipped(&name) || depth >= MAX_FOLDERS {
            continue;
        }
        let (below, path) = (dir.join(&name), join(path, &name));
        match dialect_of(&below) {
            Ok(Some(_)) => found.push((below, path)),
            // Only true folders are searched, so that links cannot lead in circles.
            Ok(None) if kind.is_dir() => drop(search(&below, &path, depth + 1, found)),
            _ => {}
        }
    }
    Ok(())
}

/// Which dialect's pack the folder holds, if any.
fn dialect_of(dir: &Path) -> Result<Option<Dialect>, Error> {
    fs::read_dir(dir).map_err(|cause| Error::io(dir, "listing", cause))?;
    if is_wiki_pack(dir) {
        return Ok(Some(Dialect::Wiki));
    }
    let okf = dir.join("index.md").is_file() && !holds_wiki_packs(dir)? && has_other_markdown(dir, 0)?;
    Ok(okf.then_some(Dialect::Okf))
}

fn is_wiki_pack(dir: &Path) -> bool {
    dir.join("manifest.yaml").is_file() && dir.join("wiki").is_dir()
}

/// Whether the folder is a root of packs, whose `index.md` is a page about them rather than a pack's.
fn holds_wiki_packs(dir: &Path) -> Result<bool, Error> {
    Ok(entries(dir)?.iter().any(|(name, _)| !is_skipped(name) && is_wiki_pack(&dir.join(name))))
}

/// Whether there is a markdown file that may be a page.
fn has_other_markdown(dir: &Path, depth: usize) -> Result<bool, Error> {
    for (name, kind) in entries(dir)? {
        let below = kind.is_dir() && !is_skipped(&name) && depth < MAX_FOLDERS;
        if kind.is_file() && is_page(&name) || below && has_other_markdown(&dir.join(&name), depth + 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Lists the page files below a folder, and what is left out with the reason.
fn list_pages(
    dir: &Path,
    path: &str,
    depth: usize,
    files: &mut Vec<String>,
    lost: &mut Vec<(String, String)>,
) -> Result<(), Error> {
    for (name, kind) in entries(dir)? {
        let file = join(path, &name);
        if kind.is_dir() && !is_skipped(&name) && depth < MAX_FOLDERS {
            if let Err(error) = list_pages(&dir.join(&name), &file, depth + 1, files, lost) {
                lost.push((file, error.to_string()));
            }
        } else if is_page(&name) && kind.is_file() {
            files.push(file);
        } else if is_page(&name) && kind.is_symlink() {
            lost.push((file, "a symbolic link: left out".to_string()));
        }
    }
    Ok(())
}

/// A folder's entries, sorted by name; names that are not Unicode are passed over, as no URL could name them.
fn entries(dir: &Path) -> Result<Vec<(String, fs::FileType)>, Error> {
    let listing = |cause| Error::io(dir, "listing", cause);
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(listing)? {
        let entry = entry.map_err(listing)?;
        if let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) {
            entries.push((name, kind));
        }
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(entries)
}

fn is_skipped(folder: &str) -> bool {
    folder.starts_with('.') || folder == "node_modules"
}

/// Whether a file of that name is a page: markdown that is not navigation, history, conventions or licence.
fn is_page(name: &str) -> bool {
    let other = ["index.md", "_index.md", "log.md", "schema.md", "NOTICE.md", "README.md"].contains(&name);
    name.ends_with(".md") && !other && !name.starts_with("LICENSE") && !name.starts_with('.')
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}/{name}") }
}

#[cfg(test)]
mod tests;
