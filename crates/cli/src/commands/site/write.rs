//! Writes the packs of a site: each beside the old one, then in its place.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context as _, bail};
use seealso_import::SitePack;

/// A file that is locked while a run writes.
const LOCK_FILE: &str = ".lock";

/// Keeps other runs from writing to `out` until it is dropped.
pub(super) fn lock(out: &Path) -> anyhow::Result<File> {
    fs::create_dir_all(out).with_context(|| format!("making {}", out.display()))?;
    let path = out.join(LOCK_FILE);
    let file = File::create(&path).with_context(|| format!("writing {}", path.display()))?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            bail!("{}: another run is writing there; wait until it is done", out.display())
        }
        // A file system without locks is written to without.
        _ => Ok(file),
    }
}

/// Puts the packs in their places; packs of languages that the site has no more go.
pub(super) fn write_packs(out: &Path, packs: &[SitePack]) -> anyhow::Result<()> {
    let staging = out.join(".new.part");
    let _ = fs::remove_dir_all(&staging);
    for pack in packs {
        let folder = staging.join(&pack.path);
        write(&folder.join("manifest.yaml"), pack.manifest.as_bytes())?;
        for (file, text) in &pack.pages {
            write(&folder.join("wiki").join(file), text.as_bytes())?;
        }
    }
    let old = out.join(".old.part");
    let _ = fs::remove_dir_all(&old);
    fs::create_dir_all(&old).with_context(|| format!("making {}", old.display()))?;
    for path in packs_in(out) {
        fs::rename(out.join(&path), old.join(&path)).with_context(|| format!("moving {path} in {}", out.display()))?;
    }
    for pack in packs {
        let to = out.join(&pack.path);
        fs::rename(staging.join(&pack.path), &to).with_context(|| format!("writing {}", to.display()))?;
    }
    let _ = fs::remove_dir_all(&old);
    let _ = fs::remove_dir_all(&staging);
    Ok(())
}

/// The folders in `out` that are packs of a site.
fn packs_in(out: &Path) -> Vec<String> {
    let entries = fs::read_dir(out).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| !name.starts_with('.'));
    let mut names: Vec<String> = names.filter(|name| out.join(name).join("manifest.yaml").is_file()).collect();
    names.sort();
    names
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .with_context(|| format!("writing {}", path.display()))
}

/// Writes a file in one step.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_file_name(format!(
        ".{}.{}.part",
        path.file_name().unwrap_or_default().to_string_lossy(),
        std::process::id()
    ));
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("writing {}", path.display()))
}
