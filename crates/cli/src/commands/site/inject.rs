//! Puts the element into the pages of a site, or takes it out.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::{OUTPUT_FOLDER, html_files, inject};

use super::write::replace;

/// Changes the pages, and gives the number of those that were changed. A page that is as it should be is not written.
pub(super) fn apply(dir: &Path, puts_in: bool, takes_out: bool) -> anyhow::Result<usize> {
    if !(puts_in || takes_out) {
        return Ok(0);
    }
    let mut changed = 0;
    for address in html_files(dir).with_context(|| format!("listing {}", dir.display()))? {
        let path = dir.join(&address);
        let html = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let made = if puts_in { inject::inject(&html, &root_from(&address)) } else { Some(inject::remove(&html)) };
        if let Some(made) = made.filter(|made| *made != html) {
            // A link is followed, so that it stays one.
            let path = fs::canonicalize(&path).with_context(|| format!("resolving {}", path.display()))?;
            replace(&path, &made)?;
            changed += 1;
        }
    }
    Ok(changed)
}

/// The packs root, as seen from the page at `address`.
fn root_from(address: &str) -> String {
    format!("{}{OUTPUT_FOLDER}/", "../".repeat(address.matches('/').count()))
}

#[cfg(test)]
mod tests {
    use super::root_from;

    #[test]
    fn the_packs_root_is_found_from_every_folder() {
        for (address, expected) in [("a.html", "seealso/"), ("b/c/a.html", "../../seealso/")] {
            assert_eq!(root_from(address), expected);
        }
    }
}
