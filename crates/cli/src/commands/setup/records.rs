//! Chunk records: what each chunk is and what it was made of, one JSON file a chunk, for people and other programs.
//!
//! They lie under the packs root in `.seealso/chunks/`, in a folder of each page's own path. That folder is hidden: no
//! build takes it for a pack or copies it, and `seealso serve` does not show it. They hold the time at which they were
//! written, so they must not be published; what is published is made of the pages alone.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use seealso::page_id;
use seealso_chunks::{CHUNKS_VERSION, Chunk, ChunkKind};
use seealso_pack::{Pack, WORK_FOLDER, hex};
use serde::{Deserialize, Serialize};

use super::site::Site;
use crate::style::ProgressLine;
use crate::utc::now;

/// The folder of the records, in the work folder.
const CHUNKS_FOLDER: &str = "chunks";

/// A chunk record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ChunkRecord {
    schema_version: u32,
    /// The page's file, below the packs root.
    page_path: String,
    /// The page's id.
    page_address: String,
    chunk_index: usize,
    /// `text`, or `references`, which is not searched.
    kind: String,
    headings: Vec<String>,
    section_id: String,
    raw_text: String,
    contextualized_text: String,
    prefix: String,
    prefix_source: String,
    char_count: usize,
    /// SHA-256 of the raw text.
    body_hash: String,
    /// SHA-256 of what of the page its chunks are made of.
    page_body_hash: String,
    created_at: String,
}

impl ChunkRecord {
    fn of(pack: &Pack, chunk: &Chunk, created_at: String) -> ChunkRecord {
        let kind = match chunk.kind {
            ChunkKind::Text => "text",
            ChunkKind::References => "references",
        };
        ChunkRecord {
            schema_version: CHUNKS_VERSION,
            page_path: page_path(pack, &chunk.page_file),
            page_address: page_id(&pack.path, &chunk.page_file),
            chunk_index: chunk.number,
            kind: kind.to_owned(),
            headings: chunk.headings.clone(),
            section_id: chunk.section_id.clone(),
            raw_text: chunk.raw_text.clone(),
            contextualized_text: chunk.contextualized_text.clone(),
            prefix: chunk.prefix.clone(),
            prefix_source: chunk.prefix_source.name().to_owned(),
            char_count: chunk.char_count,
            body_hash: hex(&chunk.body_hash),
            page_body_hash: hex(&chunk.page_hash),
            created_at,
        }
    }

    /// Whether two records say the same, whenever they were written.
    fn says_the_same(&self, other: &ChunkRecord) -> bool {
        ChunkRecord { created_at: other.created_at.clone(), ..self.clone() } == *other
    }
}

fn page_path(pack: &Pack, file: &str) -> String {
    format!("{}/{}", pack.path, pack.page_path(file))
}

/// The result of writing all records.
#[derive(Debug, Default, Serialize)]
pub(super) struct ChunkCounts {
    /// All chunks.
    pub(super) total: usize,
    /// Those that are searched.
    pub(super) text: usize,
    /// The characters of all contextualized texts.
    pub(super) chars: usize,
    pub(super) pages_written: usize,
    pub(super) pages_unchanged: usize,
    /// Pages that are gone, and whose records were removed.
    pub(super) pages_removed: usize,
}

impl ChunkCounts {
    pub(super) fn has_changes(&self) -> bool {
        self.pages_written + self.pages_removed > 0
    }
}

/// The folder of chunk records of a packs root.
pub(in crate::commands) struct RecordFolder {
    pub(super) path: PathBuf,
}

impl RecordFolder {
    /// The folder, which need not be there.
    pub(in crate::commands) fn of(root: &Path) -> RecordFolder {
        RecordFolder { path: root.join(WORK_FOLDER).join(CHUNKS_FOLDER) }
    }

    pub(super) fn create(root: &Path) -> anyhow::Result<RecordFolder> {
        let folder = RecordFolder::of(root);
        fs::create_dir_all(&folder.path).with_context(|| format!("writing {}", folder.path.display()))?;
        Ok(folder)
    }

    /// Writes the records of all pages, but not of those that are unchanged, unless `rebuild` says so; and removes the
    /// records of pages that are gone.
    pub(super) fn write_all(&self, site: &Site, rebuild: bool, line: &ProgressLine) -> anyhow::Result<ChunkCounts> {
        let (mut counts, mut kept) = (ChunkCounts::default(), BTreeSet::new());
        for (number, pack) in site.packs.iter().enumerate() {
            line.show(&format!("chunks of pack {} of {}: {}", number + 1, site.packs.len(), pack.path));
            let divided = site.read_chunks(pack)?;
            counts.text += divided.texts();
            for (page, chunks) in divided.pack.pages.iter().zip(&divided.of_pages) {
                let folder = self.path.join(page_path(&divided.pack, &page.file));
                let changed = write_page(&folder, &divided.pack, chunks, rebuild)?;
                counts.pages_written += usize::from(changed);
                counts.pages_unchanged += usize::from(!changed);
                counts.total += chunks.len();
                counts.chars += chunks.iter().map(|chunk| chunk.contextualized_text.chars().count()).sum::<usize>();
                kept.insert(folder);
            }
        }
        let gone: BTreeSet<PathBuf> =
            self.record_files()?.into_iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
        for folder in gone.difference(&kept) {
            remove_records(folder, 0)?;
            counts.pages_removed += 1;
        }
        remove_empty_folders(&self.path);
        Ok(counts)
    }

    /// The files of all records.
    pub(in crate::commands) fn record_files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let (mut found, mut waiting) = (Vec::new(), vec![self.path.clone()]);
        while let Some(folder) = waiting.pop() {
            for (path, is_folder) in listing(&folder)? {
                match is_folder {
                    true => waiting.push(path),
                    false if record_number(&path).is_some() => found.push(path),
                    false => {}
                }
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes all records, and the folders that are empty then; returns how many records there were.
    pub(in crate::commands) fn remove_all(&self) -> anyhow::Result<usize> {
        let files = self.record_files()?;
        for file in &files {
            fs::remove_file(file).with_context(|| format!("removing {}", file.display()))?;
        }
        remove_empty_folders(&self.path);
        for folder in self.path.ancestors().take(2) {
            // It stays where it holds what others put there.
            let _ = fs::remove_dir(folder);
        }
        Ok(files.len())
    }
}

/// Writes the records of a page, unless they are there; returns whether they were not.
fn write_page(folder: &Path, pack: &Pack, chunks: &[Chunk], rebuild: bool) -> anyhow::Result<bool> {
    let there = listing(folder)?.iter().filter(|(path, _)| record_number(path).is_some()).count();
    let created_at = now();
    let records: Vec<ChunkRecord> =
        chunks.iter().map(|chunk| ChunkRecord::of(pack, chunk, created_at.clone())).collect();
    let is_there = |record: &ChunkRecord| {
        let read = fs::read(folder.join(file_name(record.chunk_index))).ok();
        let known = read.and_then(|bytes| serde_json::from_slice::<ChunkRecord>(&bytes).ok());
        known.is_some_and(|known| known.says_the_same(record))
    };
    if !rebuild && there == records.len() && records.iter().all(is_there) {
        return Ok(false);
    }
    if !records.is_empty() {
        fs::create_dir_all(folder).with_context(|| format!("writing {}", folder.display()))?;
    }
    for record in &records {
        let path = folder.join(file_name(record.chunk_index));
        let text = serde_json::to_string_pretty(record)? + "\n";
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
    }
    remove_records(folder, records.len())?;
    Ok(true)
}

/// Removes the records of a page from a number on.
fn remove_records(folder: &Path, from: usize) -> anyhow::Result<()> {
    for (path, _) in listing(folder)?.into_iter().filter(|(path, _)| record_number(path).is_some_and(|at| at >= from)) {
        fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
    }
    Ok(())
}

/// Removes the folders below `folder` that hold nothing.
fn remove_empty_folders(folder: &Path) {
    for (path, is_folder) in listing(folder).unwrap_or_default() {
        if is_folder {
            remove_empty_folders(&path);
            let _ = fs::remove_dir(&path);
        }
    }
}

/// What lies in a folder, each with whether it is a folder; nothing where there is no such folder.
fn listing(folder: &Path) -> anyhow::Result<Vec<(PathBuf, bool)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.with_context(|| format!("reading {}", folder.display()))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        found.push((entry.path(), entry.file_type().is_ok_and(|kind| kind.is_dir())));
    }
    Ok(found)
}

fn file_name(number: usize) -> String {
    format!("chunk-{number:03}.json")
}

/// The number of the chunk whose record has that path; none for any other file.
fn record_number(path: &Path) -> Option<usize> {
    let name = path.file_name()?.to_str()?;
    let number = name.strip_prefix("chunk-")?.strip_suffix(".json")?.parse().ok()?;
    (file_name(number) == name).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_known_by_its_name() {
        for (name, expected) in [
            ("a/chunk-000.json", Some(0)),
            ("a/chunk-012.json", Some(12)),
            ("a/chunk-1000.json", Some(1000)),
            ("a/chunk-12.json", None),
            ("a/chunk-0012.json", None),
            ("a/chunk-+12.json", None),
            ("a/chunk-000.json.bak", None),
            ("a/notes.json", None),
        ] {
            assert_eq!(record_number(Path::new(name)), expected, "{name}");
        }
    }
}
