//! Writing what was built: each file in one step, the catalog last; a copy beside the old one, then in its place.
//!
//! Every build leaves a list of what it put there. A copy takes the place of a folder only where that list accounts for
//! every file in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::last::{files_below, fingerprint};
use super::{Built, INDEX_FOLDER, Plan};
use crate::Error;
use crate::catalog::{CATALOG_FILE, Catalog};

/// Writes the index and then the catalog under `root`; says whether anything changed.
pub(super) fn write_index(root: &Path, built: &Built, tsv: Option<&str>) -> Result<bool, Error> {
    write_index_beside(root, built, tsv, &[])
}

/// As [`write_index`], where the build has put the files of those paths under `root` too.
fn write_index_beside(root: &Path, built: &Built, tsv: Option<&str>, copied: &[String]) -> Result<bool, Error> {
    let mut known = last_files(root);
    let mut changed = false;
    for (path, bytes) in &built.files {
        changed |= replace(&root.join(path), bytes)?;
    }
    if let Some(tsv) = tsv {
        changed |= replace(&root.join(INDEX_FOLDER).join(TSV_FILE), tsv.as_bytes())?;
    }
    let mut names: Vec<&str> = built.files.iter().filter_map(|(path, _)| path.rsplit('/').next()).collect();
    names.extend(tsv.map(|_| TSV_FILE));
    names.extend(copied.iter().map(String::as_str));
    changed |= write_catalog(root, &built.catalog, &names)?;
    known.extend(names.into_iter().map(str::to_owned));
    known.extend(list_path(&built.catalog).rsplit('/').next().map(str::to_owned));
    if changed {
        remove_older(&root.join(INDEX_FOLDER), &known);
    }
    Ok(changed)
}

/// The rows that a build may write for other programs, in the folder of index files.
const TSV_FILE: &str = "pages.tsv";

/// Writes the list of the files of those `names`, and then the catalog; says whether anything changed. A name without
/// a slash is an index file's; one with a slash is the path of a file that the build copied.
fn write_catalog(root: &Path, catalog: &Catalog, names: &[&str]) -> Result<bool, Error> {
    let listed = replace(&root.join(list_path(catalog)), (names.join("\n") + "\n").as_bytes())?;
    Ok(replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())? || listed)
}

/// A folder beside `out` that is filled and then put in its place.
pub(super) struct Staging<'o> {
    out: &'o Path,
    /// The folder.
    pub(super) folder: PathBuf,
}

impl<'o> Staging<'o> {
    /// The folder for `out`, where a build may replace that.
    pub(super) fn of(out: &'o Path) -> Result<Self, Error> {
        check_replaceable(out)?;
        let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Staging { out, folder: out.with_file_name(format!(".{name}.{}.part", std::process::id())) })
    }

    /// Runs `fill`, and puts the folder in its place; or removes it, where anything fails.
    pub(super) fn fill<T>(&self, fill: impl FnOnce(&Path) -> Result<T, Error>) -> Result<T, Error> {
        let filled = fill(&self.folder).and_then(|value| swap(&self.folder, self.out).map(|()| value));
        if filled.is_err() {
            let _ = fs::remove_dir_all(&self.folder);
        }
        filled
    }
}

/// Writes what is left of a build whose other index files, of those `names`, lie under `root` already: the root, the
/// list of packs, the catalog.
pub(super) fn write_rest(root: &Path, built: &Built, mut names: BTreeSet<String>) -> Result<(), Error> {
    for (path, bytes) in &built.files {
        replace(&root.join(path), bytes)?;
        names.extend(path.rsplit('/').next().map(str::to_owned));
    }
    write_catalog(root, &built.catalog, &names.iter().map(String::as_str).collect::<Vec<_>>()).map(drop)
}

/// The list of a build's files, by which a later build knows what it may remove.
fn list_path(catalog: &Catalog) -> String {
    format!("{}.files", catalog.index.root.path.trim_end_matches(".idx"))
}

/// The names of the files of the build that lies under `root`, as its list has them.
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
        let ours =
            [".idx", ".files", ".json", ".words"].iter().any(|ending| name.ends_with(ending)) && !name.starts_with('.');
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
    Staging::of(&plan.out)?.fill(|folder| fill(folder, plan, built, tsv))?;
    Ok(true)
}

/// Whether `out` holds just what would be written: the catalog, the index, and every file of every pack.
fn is_whole(out: &Path, built: &Built) -> bool {
    let (catalog, list) = (&built.catalog, built.catalog.packs_file.as_ref());
    let listed = list.and_then(|list| built.files.iter().find(|(path, _)| *path == list.path));
    let packs = match listed {
        Some((_, bytes)) => Catalog::parse_packs(bytes).unwrap_or_default(),
        None => catalog.packs.clone(),
    };
    let holds = |path: &str, bytes: &[u8]| fs::read(out.join(path)).is_ok_and(|there| there == bytes);
    holds(CATALOG_FILE, catalog.to_json().as_bytes())
        && built.files.iter().all(|(path, bytes)| holds(path, bytes))
        && packs.len() == catalog.pack_count
        && packs.iter().all(|pack| fingerprint(&out.join(&pack.path)).is_ok_and(|is| is == pack.fingerprint))
}

fn fill(staging: &Path, plan: &Plan, built: &Built, tsv: Option<&str>) -> Result<(), Error> {
    let mut copied = Vec::new();
    for (dir, path) in &plan.packs {
        for (name, from) in files_below(dir)? {
            let name = format!("{path}/{name}");
            let to = staging.join(&name);
            let folder = to.parent().unwrap_or(staging);
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
            fs::copy(&from, &to).map_err(|e| Error::io(&to, "writing", e))?;
            copied.push(name);
        }
    }
    write_index_beside(staging, built, tsv, &copied).map(drop)
}

/// A folder that a build replaces holds nothing but what an earlier build put there: replacing takes all of it away. A
/// build in place lists no file of its packs, so packs that lie where they were written are never replaced.
fn check_replaceable(out: &Path) -> Result<(), Error> {
    if !out.exists() {
        return Ok(());
    }
    match foreign_file(out)? {
        None => Ok(()),
        Some(name) => {
            let cause = format!("it holds files that no build made, such as {name}");
            Err(Error::Invalid { path: out.to_path_buf(), cause, hint: "Name an empty or a new folder." })
        }
    }
}

/// A file under `out` that the build which lies there does not list; hidden ones count.
fn foreign_file(out: &Path) -> Result<Option<String>, Error> {
    let listed: BTreeSet<String> = last_files(out)
        .into_iter()
        .map(|name| if name.contains('/') { name } else { format!("{INDEX_FOLDER}/{name}") })
        .chain([CATALOG_FILE.to_owned()])
        .collect();
    let mut waiting = vec![(out.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let name = entry.file_name();
            // What is no Unicode stands in no list.
            let name = format!("{prefix}{}", name.to_str().unwrap_or("\u{fffd}"));
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            if kind.is_dir() {
                waiting.push((entry.path(), name + "/"));
            } else if !listed.contains(&name) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

/// Puts `staging` where `out` is.
fn swap(staging: &Path, out: &Path) -> Result<(), Error> {
    check_replaceable(out)?;
    if !out.exists() {
        return fs::rename(staging, out).map_err(|e| Error::io(out, "writing", e));
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
