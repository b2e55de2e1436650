//! The folder that a run writes: made beside the last one, which it then replaces in one step.
//!
//! A run holds a lock on the site. It writes to `.seealso.part` in the site's folder, adds what else `seealso` holds, and
//! exchanges the two. So a run that is stopped leaves the last output as it was, and files of others are never touched. A folder
//! of one of these names is the command's where it is empty, holds the command's mark, or is the output of a run.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use seealso_import::OUTPUT_FOLDER;

use super::recognise::is_output;

/// Where the next output is made, in the site's folder.
const STAGING_FOLDER: &str = ".seealso.part";

/// Where the last output waits to be removed, on systems that can't exchange two folders.
const OLD_FOLDER: &str = ".seealso.old";

/// The file that marks a folder as the command's as long as it is no output.
const MARK: &str = ".made-by-seealso-site";

/// Fails where something stands in the place of the folder `seealso` that no run may replace.
pub(super) fn ensure_folder(dir: &Path) -> anyhow::Result<()> {
    let folder = dir.join(OUTPUT_FOLDER);
    match fs::symlink_metadata(&folder) {
        Ok(found) if found.is_symlink() => {
            bail!("{}: this is a link, which seealso site does not replace; move it away first", folder.display())
        }
        Ok(found) if !found.is_dir() => {
            bail!("{}: this is no folder, and was not written by seealso site; move it away first", folder.display())
        }
        _ => Ok(()),
    }
}

/// Whether a folder was made by the command.
fn is_own(folder: &Path) -> bool {
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir());
    let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    is_folder && (is_empty() || folder.join(MARK).is_file() || is_output(folder))
}

/// Removes a folder of the command's. Its mark goes last, so that a run that is stopped meanwhile leaves a folder that the next
/// one knows.
fn discard(folder: &Path) {
    let mark = folder.join(MARK);
    let _ = fs::write(&mark, "");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| entry.file_name() != MARK) {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = if is_folder { fs::remove_dir_all(entry.path()) } else { fs::remove_file(entry.path()) };
    }
    let _ = fs::remove_file(mark);
    let _ = fs::remove_dir(folder);
}

/// The output of a site, which no other run can write to meanwhile.
pub(super) struct Output {
    /// The folder `seealso` of the site. It may not be there yet.
    pub(super) folder: PathBuf,
    dir: PathBuf,
    /// Held until this is dropped.
    _lock: Option<File>,
}

impl Output {
    /// Claims the output of the site in `dir`, and clears away what a stopped run left.
    pub(super) fn claim(dir: &Path) -> anyhow::Result<Output> {
        let lock = lock(dir)?;
        let output = Output { folder: dir.join(OUTPUT_FOLDER), dir: dir.to_path_buf(), _lock: lock };
        ensure_folder(dir)?;
        let [old, staging] = [OLD_FOLDER, STAGING_FOLDER].map(|name| dir.join(name));
        let is_there = |folder: &Path| fs::symlink_metadata(folder).is_ok();
        for folder in [&old, &staging] {
            if is_there(folder) && !is_own(folder) {
                bail!(
                    "{}: this was not made by seealso site, which needs the name; move it away first",
                    folder.display()
                );
            }
        }
        if is_there(&old) && !is_there(&output.folder) {
            fs::rename(&old, &output.folder).with_context(|| format!("moving {} back", old.display()))?;
        }
        [old, staging].iter().filter(|folder| is_there(folder)).for_each(|folder| discard(folder));
        Ok(output)
    }

    /// An empty folder for the next output.
    pub(super) fn stage(&self) -> anyhow::Result<Staging<'_>> {
        let folder = self.dir.join(STAGING_FOLDER);
        fs::create_dir(&folder).with_context(|| format!("making {}", folder.display()))?;
        let mark = folder.join(MARK);
        fs::write(&mark, "").with_context(|| format!("writing {}", mark.display()))?;
        Ok(Staging { output: self, folder })
    }
}

/// The next output. It is removed when it is dropped before it takes the last one's place.
pub(super) struct Staging<'o> {
    output: &'o Output,
    pub(super) folder: PathBuf,
}

impl Staging<'_> {
    /// Writes a file, at its path within the output.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.folder.join(path);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, bytes))
            .with_context(|| format!("writing {}", path.display()))
    }

    /// The paths of all files in it.
    pub(super) fn files(&self) -> anyhow::Result<BTreeSet<String>> {
        let mut files = files_below(&self.folder).with_context(|| format!("listing {}", self.folder.display()))?;
        files.remove(MARK);
        Ok(files)
    }

    /// Takes the paths of `own` over from the last output: what this run does not write anew.
    pub(super) fn take_over<'p>(&self, own: impl Iterator<Item = &'p str>) -> anyhow::Result<()> {
        for path in own {
            let (from, to) = (self.output.folder.join(path), self.folder.join(path));
            if from.is_file() && !to.exists() {
                link(&from, &to).with_context(|| format!("copying {}", from.display()))?;
            }
        }
        Ok(())
    }

    /// Puts the output in the place of the last one, of which `own` are the files that the last run wrote. All other files
    /// in it are taken over.
    pub(super) fn commit(self, own: &BTreeSet<String>) -> anyhow::Result<()> {
        let last = &self.output.folder;
        if last.exists() {
            for path in files_below(last).with_context(|| format!("listing {}", last.display()))? {
                let (from, to) = (last.join(&path), self.folder.join(&path));
                let is_own = own.contains(&path) || path == MARK;
                // A file of another that is the same stays as it is.
                if is_own || same_bytes(&from, &to).unwrap_or(false) {
                    keep_unchanged(&from, &to);
                } else if fs::symlink_metadata(&to).is_ok() {
                    bail!("{}: this file was not written by seealso site; move it away first", from.display());
                } else {
                    link(&from, &to).with_context(|| format!("copying {}", from.display()))?;
                }
            }
        }
        // What is put in its place is known as an output by its state.
        let mark = self.folder.join(MARK);
        fs::remove_file(&mark).with_context(|| format!("removing {}", mark.display()))?;
        self.swap().with_context(|| format!("writing {}", last.display()))
    }

    fn swap(&self) -> io::Result<()> {
        let last = &self.output.folder;
        if !last.exists() {
            return fs::rename(&self.folder, last);
        }
        // The last output is now in the staging folder, and goes with it.
        if exchange(&self.folder, last).is_ok() {
            return Ok(());
        }
        let old = self.output.dir.join(OLD_FOLDER);
        fs::rename(last, &old)?;
        if let Err(error) = fs::rename(&self.folder, last) {
            fs::rename(&old, last)?;
            return Err(error);
        }
        discard(&old);
        Ok(())
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        if self.folder.exists() {
            discard(&self.folder);
        }
    }
}

/// Exchanges two folders in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Keeps other runs from writing to the site until the file is dropped. A file system without locks is written to without.
fn lock(dir: &Path) -> anyhow::Result<Option<File>> {
    // A folder can be locked itself where it can be opened, and then nothing is left behind.
    let file = File::open(dir).or_else(|_| File::create(dir.join(".seealso.lock")));
    let file = file.with_context(|| format!("opening {}", dir.display()))?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            bail!("{}: another run of seealso site is writing there; wait until it is done", dir.display())
        }
        Err(fs::TryLockError::Error(_)) => Ok(None),
        Ok(()) => Ok(Some(file)),
    }
}

/// The paths of all files below a folder, links to folders among them.
fn files_below(root: &Path) -> io::Result<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![String::new()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else {
                return Err(io::Error::other(format!("{}: its name is no text", entry.path().display())));
            };
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            if entry.file_type()?.is_dir() {
                waiting.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// A second name for a file, or a copy where there are none.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(drop))
}

/// Keeps the old file where the new one has the same bytes: its time tells uploads that it is unchanged.
fn keep_unchanged(old: &Path, new: &Path) {
    let part = new.with_extension("part");
    if same_bytes(old, new).unwrap_or(false) && fs::hard_link(old, &part).is_ok() && fs::rename(&part, new).is_err() {
        let _ = fs::remove_file(&part);
    }
}

fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    if fs::metadata(one)?.len() != fs::metadata(other)?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(File::open(one)?), BufReader::new(File::open(other)?));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let both = left.len().min(right.len());
        if both == 0 || left[..both] != right[..both] {
            return Ok(left.is_empty() && right.is_empty());
        }
        one.consume(both);
        other.consume(both);
    }
}
