//! Writes the packs of a site to the next output, and single files in one step each.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::SitePack;

use super::output::Staging;

/// Writes the packs.
pub(super) fn write_packs(staging: &Staging<'_>, packs: &[SitePack]) -> anyhow::Result<()> {
    for pack in packs {
        staging.write(&format!("{}/manifest.yaml", pack.path), pack.manifest.as_bytes())?;
        for (file, text) in &pack.pages {
            staging.write(&format!("{}/wiki/{file}", pack.path), text.as_bytes())?;
        }
    }
    Ok(())
}

/// Writes a file in one step. A file that is there keeps who may read it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    // The file's own name may be as long as names can be.
    let part = path.with_file_name(format!(".seealso.{}.part", std::process::id()));
    let written = fs::write(&part, bytes)
        .and_then(|()| match fs::metadata(path) {
            Ok(file) => fs::set_permissions(&part, file.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("writing {}", path.display()))
}
