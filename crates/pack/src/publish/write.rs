//! Writing what was built: each file in one step, the catalog last; a copy beside the old one, then in its place.

use std::fs;
use std::path::Path;

use super::last::{files_below, fingerprint};
use super::{INDEX_FOLDER, Plan};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog, IndexFile};

/// Writes the index and then the catalog under `root`; says whether anything changed.
pub(super) fn write_index(root: &Path, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<bool, Error> {
    let before = fs::read(root.join(CATALOG_FILE)).ok();
    let kept = before.as_deref().and_then(|bytes| Catalog::parse(bytes).ok());
    let mut changed = false;
    for file in &catalog.index {
        changed |= replace(&root.join(&file.path), index)?;
    }
    if let Some(tsv) = tsv {
        changed |= replace(&root.join(INDEX_FOLDER).join("pages.tsv"), tsv.as_bytes())?;
    }
    changed |= replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())?;
    let known: Vec<&IndexFile> = kept.iter().chain([catalog]).flat_map(|catalog| &catalog.index).collect();
    remove_older(&root.join(INDEX_FOLDER), &known);
    Ok(changed)
}

/// Writes `bytes` to `path` in one step, unless they are there already.
fn replace(path: &Path, bytes: &[u8]) -> Result<bool, Error> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let part = folder.join(format!(".{name}.{}.part", std::process::id()));
    fs::write(&part, bytes).and_then(|()| fs::rename(&part, path)).map_err(|e| {
        let _ = fs::remove_file(&part);
        Error::io(path, "writing", e)
    })?;
    Ok(true)
}

/// Removes index files that neither this catalog nor the last one names: a reader that fetched the last catalog a
/// moment ago still finds its index.
fn remove_older(folder: &Path, known: &[&IndexFile]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let stale = name.ends_with(".idx") && !known.iter().any(|file| file.path.ends_with(&name));
        if stale {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Builds the whole output folder beside the old one, and then puts it in its place.
pub(super) fn write_copy(plan: &Plan, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<bool, Error> {
    if tsv.is_none() && is_whole(&plan.out, catalog, index) {
        return Ok(false);
    }
    let name = plan.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let staging = plan.out.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let filled = fill(&staging, plan, catalog, index, tsv).and_then(|()| swap(&staging, &plan.out));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&staging);
    }
    filled.map(|()| true)
}

/// Whether `out` holds just what would be written: the catalog, the index, and every file of every pack.
fn is_whole(out: &Path, catalog: &Catalog, index: &[u8]) -> bool {
    let holds = |path: &str, bytes: &[u8]| fs::read(out.join(path)).is_ok_and(|there| there == bytes);
    holds(CATALOG_FILE, catalog.to_json().as_bytes())
        && catalog.index.iter().all(|file| holds(&file.path, index))
        && catalog.packs.iter().all(|pack| fingerprint(&out.join(&pack.path)).is_ok_and(|is| is == pack.fingerprint))
}

fn fill(staging: &Path, plan: &Plan, catalog: &Catalog, index: &[u8], tsv: Option<&str>) -> Result<(), Error> {
    for (dir, path) in &plan.packs {
        for (name, from) in files_below(dir)? {
            let to = staging.join(path).join(name);
            let folder = to.parent().unwrap_or(staging);
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
            fs::copy(&from, &to).map_err(|e| Error::io(&to, "writing", e))?;
        }
    }
    write_index(staging, catalog, index, tsv).map(drop)
}

/// Puts `staging` where `out` is. The folder it replaces is one that an earlier build made: it has a catalog.
fn swap(staging: &Path, out: &Path) -> Result<(), Error> {
    if !out.exists() {
        return fs::rename(staging, out).map_err(|e| Error::io(out, "writing", e));
    }
    let is_empty = fs::read_dir(out).map_err(|e| Error::io(out, "writing", e))?.next().is_none();
    if !is_empty && !out.join(CATALOG_FILE).is_file() {
        let cause = "it holds files that no build made".to_owned();
        return Err(Error::Invalid { path: out.to_path_buf(), cause, hint: "Name an empty or a new folder." });
    }
    let old = staging.with_extension("old");
    fs::rename(out, &old).map_err(|e| Error::io(out, "writing", e))?;
    if let Err(e) = fs::rename(staging, out) {
        let _ = fs::rename(&old, out);
        return Err(Error::io(out, "writing", e));
    }
    let _ = fs::remove_dir_all(&old);
    Ok(())
}
