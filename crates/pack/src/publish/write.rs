//! Writing a build to its place: each file in one step, and the catalog last. A copy is written beside the old folder,
//! and then replaces it.
//!
//! Every build leaves a list of its files. A copy replaces a folder only if that list names every file in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::build::StagedBuild;
use super::file_list::{check_replaceable, list_of_names, list_path, previous_files, remove_older};
use super::litter::is_kept;
use super::previous_build::{files_below, fingerprint};
use super::replace::{move_file, replace, same_bytes};
use super::stage_list::StageFiles;
use super::{INDEX_FOLDER, Plan};
use crate::Error;
use crate::catalog::CATALOG_FILE;

/// A folder that a build is written to before it is moved to its place. It is removed when this is dropped.
pub(super) struct Staging {
    out: PathBuf,
    /// The folder.
    pub(super) folder: PathBuf,
}

impl Staging {
    /// A folder beside `out`, which it is to replace.
    pub(super) fn beside(out: &Path) -> Self {
        let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Staging::new(out, out.with_file_name(format!(".{name}.{}.part", std::process::id())))
    }

    /// A folder within `out`, whose index files are to be moved to `out` one by one.
    pub(super) fn within(out: &Path) -> Self {
        remove_abandoned(&out.join(INDEX_FOLDER));
        Staging::new(out, out.join(INDEX_FOLDER).join(format!(".{}{STAGING_ENDING}", std::process::id())))
    }

    fn new(out: &Path, folder: PathBuf) -> Self {
        // An earlier process of the same number may have been stopped.
        let _ = fs::remove_dir_all(&folder);
        Staging { out: out.to_path_buf(), folder }
    }

    /// Replaces `out` by the folder, if a build may replace it. What a version control or `setup` keeps
    /// directly in `out` stays.
    pub(super) fn replace_output(&self) -> Result<(), Error> {
        let out = self.out.as_path();
        check_replaceable(out)?;
        if !out.exists() {
            return fs::rename(&self.folder, out).map_err(|e| Error::io(out, "writing", e));
        }
        let old = self.folder.with_extension("old");
        fs::rename(out, &old).map_err(|e| Error::io(out, "writing", e))?;
        if let Err(e) = fs::rename(&self.folder, out) {
            let _ = fs::rename(&old, out);
            return Err(Error::io(out, "writing", e));
        }
        keep_own_folders(&old, out)?;
        let _ = fs::remove_dir_all(&old);
        Ok(())
    }
}

/// Moves what version controls and `setup` keep from the old folder to the new one.
fn keep_own_folders(old: &Path, new: &Path) -> Result<(), Error> {
    for entry in fs::read_dir(old).map_err(|e| Error::io(old, "reading", e))?.flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(is_kept) {
            fs::rename(entry.path(), new.join(&name)).map_err(|e| Error::io(&entry.path(), "moving", e))?;
        }
    }
    Ok(())
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Moves an index that was staged within the packs root to the root, beside the `stages` that are there, the catalog last;
/// returns whether anything changed. The files of the build before are kept for readers who are underway, but not those that
/// are `dropped`.
pub(super) fn write_in_place(
    staging: &Staging,
    staged: &StagedBuild,
    stages: &StageFiles,
    dropped: &BTreeSet<String>,
) -> Result<bool, Error> {
    let root = staging.out.as_path();
    let mut known = previous_files(root).unwrap_or_default();
    known.retain(|name| !dropped.contains(name));
    let mut changed = false;
    for name in staged.staged() {
        let [from, to] = [&staging.folder, root].map(|folder| folder.join(INDEX_FOLDER).join(name));
        changed |= move_file(&from, &to)?;
    }
    changed |= stages.write(root)?;
    let names: Vec<&str> = staged.names().collect();
    changed |= write_rest(root, staged, &names)?;
    known.extend(names.into_iter().map(str::to_owned).chain(stages.all_names()));
    known.extend(list_path(&staged.output.catalog).rsplit('/').next().map(str::to_owned));
    if changed {
        remove_older(root, &known);
    }
    Ok(changed)
}

/// Writes the rest of a build whose other files are under `root` already: the index's root, the list of packs, the list
/// of the files of these `names`, and then the catalog; returns whether anything changed. A name without a slash is
/// that of an index file, and one with a slash is the path of a file that the build copied.
pub(super) fn write_rest(root: &Path, staged: &StagedBuild, names: &[&str]) -> Result<bool, Error> {
    let mut changed = false;
    for (path, bytes) in &staged.output.files {
        changed |= replace(&root.join(path), bytes)?;
    }
    let catalog = &staged.output.catalog;
    changed |= replace(&root.join(list_path(catalog)), list_of_names(names).as_bytes())?;
    Ok(replace(&root.join(CATALOG_FILE), catalog.to_json().as_bytes())? || changed)
}

/// Copies the packs, and the stages of the output folder, to an index that was staged beside it, and replaces the output
/// folder by all of them; returns whether anything changed.
pub(super) fn write_copy(
    plan: &Plan,
    staging: &Staging,
    staged: &StagedBuild,
    stages: &StageFiles,
) -> Result<bool, Error> {
    if !plan.tsv && is_whole(staging, staged) {
        return Ok(false);
    }
    check_replaceable(&plan.out)?;
    let copied = copy_packs(plan, &staging.folder)?;
    stages.copy(&plan.out, &staging.folder)?;
    let names: Vec<&str> = staged.names().chain(copied.iter().map(String::as_str)).collect();
    write_rest(&staging.folder, staged, &names)?;
    staging.replace_output()?;
    Ok(true)
}

/// Whether the output folder holds exactly what would be written: the catalog, the index, and every file of every pack.
fn is_whole(staging: &Staging, staged: &StagedBuild) -> bool {
    let (out, output) = (staging.out.as_path(), &staged.output);
    let (catalog, packs) = (&output.catalog, output.packs());
    let holds = |path: &str, bytes: &[u8]| fs::read(out.join(path)).is_ok_and(|there| there == bytes);
    let holds_staged = |name: &str| {
        let [one, other] = [&staging.folder, out].map(|folder| folder.join(INDEX_FOLDER).join(name));
        same_bytes(&one, &other).unwrap_or(false)
    };
    holds(CATALOG_FILE, catalog.to_json().as_bytes())
        && output.files.iter().all(|(path, bytes)| holds(path, bytes))
        && staged.staged().into_iter().all(holds_staged)
        && packs.len() == catalog.pack_count
        && packs.iter().all(|pack| fingerprint(&out.join(&pack.path)).is_ok_and(|is| is == pack.fingerprint))
}

/// Copies the packs to the folder `into`; returns the paths of their files.
fn copy_packs(plan: &Plan, into: &Path) -> Result<Vec<String>, Error> {
    let mut copied = Vec::new();
    for (dir, path) in &plan.packs {
        for (name, from) in files_below(dir)? {
            let name = format!("{path}/{name}");
            let to = into.join(&name);
            let folder = to.parent().unwrap_or(into);
            fs::create_dir_all(folder).map_err(|e| Error::io(folder, "writing", e))?;
            fs::copy(&from, &to).map_err(|e| Error::io(&to, "writing", e))?;
            copied.push(name);
        }
    }
    Ok(copied)
}

/// The ending of a staging folder's name.
const STAGING_ENDING: &str = ".part";
/// No build takes so long.
const LONGEST_BUILD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the staging folders of builds that were killed from the folder of index files: those of processes that
/// ended, where the system tells, and those that are a day old.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(STAGING_ENDING)?.parse::<u32>().ok());
        let Some(number) = number else { continue };
        let processes = Path::new("/proc");
        let is_gone = processes.join("self").exists() && !processes.join(number.to_string()).exists();
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if is_gone || age.is_some_and(|age| age > LONGEST_BUILD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
