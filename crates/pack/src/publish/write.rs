//! Writing what was built: each file in one step, the catalog last; a copy beside the old one, then in its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::last::{files_below, fingerprint};
use super::{Built, INDEX_FOLDER, Plan};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog};

/// Writes the index and then the catalog under `root`; says whether anything changed.
pub(super) fn write_index(root: &Path, built: &Built, tsv: Option<&str>) -> Result<bool, Error> {
    let mut known = last_files(root);
    let mut changed = false;
    for (path, bytes) in &built.files {
        changed |= replace(&root.join(path), bytes)?;
    }
    if let Some(tsv) = tsv {
        changed |= replace(&root.join(INDEX_FOLDER).join("pages.tsv"), tsv.as_bytes())?;
    }
    let names: Vec<&str> = built.files.iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
    let list = root.join(list_path(&built.catalog));
    changed |= replace(&list, (names.join("\n") + "\n").as_bytes())?;
    changed |= replace(&root.join(CATALOG_FILE), built.catalog.to_json().as_bytes())?;
    known.extend(names.into_iter().map(str::to_owned));
    known.extend(list.file_name().map(|name| name.to_string_lossy().into_owned()));
    remove_older(&root.join(INDEX_FOLDER), &known);
    Ok(changed)
}

/// The list of a build's index files, by which a later build knows what it may remove.
fn list_path(catalog: &Catalog) -> String {
    format!("{}.files", catalog.index.root.path.trim_end_matches(".idx"))
}

/// The names of the index files of the build that lies under `root`.
fn last_files(root: &Path) -> BTreeSet<String> {
    let read = || {
        let catalog = Catalog::parse(&fs::read(root.join(CATALOG_FILE)).ok()?).ok()?;
        let list = list_path(&catalog);
        let mut names: BTreeSet<String> =
            fs::read_to_string(root.join(&list)).ok()?.lines().map(str::to_owned).collect();
        names.extend(list.rsplit('/').next().map(str::to_owned));
        Some(names)
    };
    read().unwrap_or_default()
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

/// Removes index files that neither this build nor the last one made: a reader that fetched the last catalog a moment
/// ago still finds its index.
fn remove_older(folder: &Path, known: &BTreeSet<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = [".idx", ".files", ".json", ".words"].iter().any(|ending| name.ends_with(ending)) && !name.starts_with('.');
        if ours && !known.contains(&name) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Builds the whole output folder beside the old one, and then puts it in its place.
pub(super) fn write_copy(plan: &Plan, built: &Built, tsv: Option<&str>) -> Result<bool, Error> {
    if tsv.is_none() && is_whole(&plan.out, built) {
        return Ok(false);
    }
    let name = plan.out.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let staging = plan.out.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let filled = fill(&staging, plan, built, tsv).and_then(|()| swap(&staging, &plan.out));
    if filled.is_err() {
        let _ = fs::remove_dir_all(&staging);
    }
    filled.map(|()| true)
}

/// Whether `out` holds just what would be written: the catalog, the index, and every file of every pack.
fn is_whole(out: &Path, built: &Built) -> bool {
    let catalog = &built.catalog;
    let holds = |path: &str, bytes: &[u8]| fs::read(out.join(path)).is_ok_and(|there| there == bytes);
    holds(CATALOG_FILE, catalog.to_json().as_bytes())
        && built.files.iter().all(|(path, bytes)| holds(path, bytes))
        && catalog.packs.iter().all(|pack| fingerprint(&out.join(&pack.path)).is_ok_and(|is| is == pack.fingerprint))
}

fn fill(staging: &Path, plan: &Plan, built: &Built, tsv: Option<&str>) -> Result<(), Error> {
    for (dir, path) in &plan.packs {
        for (name, from) in files_below(dir)? {
            let to = staging.join(path).join(name);
            let folder = to.parent().unwrap_or(staging);
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
            fs::copy(&from, &to).map_err(|e| Error::io(&to, "writing", e))?;
        }
    }
    write_index(staging, built, tsv).map(drop)
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
