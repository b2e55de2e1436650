//! Copies the scripts and the engine that the element needs.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail};

/// The script that pages load.
const ELEMENT: &str = "see-also.js";

/// Copies the files of the folder `from` that holds the element, or of `seealso` in it, to `out`.
pub(super) fn copy(from: &Path, out: &Path) -> anyhow::Result<()> {
    let folders = [from.to_path_buf(), from.join("seealso")];
    let Some(folder) = folders.iter().find(|folder| folder.join(ELEMENT).is_file()) else {
        bail!("{}: there is no {ELEMENT} in it; name the folder of scripts, or a built site with one", from.display());
    };
    copy_folder(folder, out)
}

fn copy_folder(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| format!("making {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("listing {}", from.display()))?.flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        // What a packs root holds is no part of the engine.
        let is_other = entry.file_name().to_string_lossy().starts_with('.')
            || ["catalog.json", "index", "site.json"].iter().any(|name| entry.file_name() == *name)
            || source.join("manifest.yaml").is_file();
        if is_other {
            continue;
        }
        if source.is_dir() {
            copy_folder(&source, &target)?;
        } else {
            fs::copy(&source, &target).with_context(|| format!("copying {}", source.display()))?;
        }
    }
    Ok(())
}

/// Whether the element is in the folder.
pub(super) fn is_there(out: &Path) -> bool {
    out.join(ELEMENT).is_file()
}
