//! `cargo xtask demo --site DIR`: a copy of a built documentation site, made to answer.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::process;

/// Copies the site in `dir` to the demo's folder, puts the element of `package` into the copy with the built `command`, and
/// gives the copy. The site itself stays as it is.
pub(super) fn prepare(dir: &Path, package: &Path, command: &Path) -> Result<PathBuf> {
    ensure!(dir.is_dir(), "{}: there is no such folder; name the one that a site generator wrote to", dir.display());
    let copy = super::demo_folder().join("own-site");
    if copy.exists() {
        fs::remove_dir_all(&copy).with_context(|| format!("cannot remove {}", copy.display()))?;
    }
    copy_folder(dir, &copy)?;
    let mut site = process::command(command);
    site.arg("site").arg(&copy).arg("--engine").arg(package).arg("--inject");
    let settings = dir.join("seealso.toml");
    if settings.is_file() {
        site.arg("--config").arg(settings);
    }
    process::run(&mut site)?;
    Ok(copy)
}

/// Copies what a server would serve: files and folders, and links as what they lead to where that is a file.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy_folder(&source, &target)?;
        } else if source.is_file() {
            fs::copy(&source, &target).with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}
