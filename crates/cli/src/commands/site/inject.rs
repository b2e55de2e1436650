//! Puts the element into the pages of a site, or takes it out.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::{OUTPUT_FOLDER, inject};

use super::older_version::OlderVersion;
use super::write::replace;

/// What happens to the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// The element is put in; what an earlier run put there is replaced.
    PutIn,
    /// The element is taken out.
    Remove,
}

/// What became of the pages.
#[derive(Debug, Clone, Default)]
pub(super) struct Injection {
    /// How many pages were changed, or would be.
    pub(super) changed: usize,
    /// Pages that were left as they are, as their encoding can't hold the lines, or they lie outside of the site.
    pub(super) left: Vec<String>,
}

/// Changes the pages at `addresses` in the site's folder `dir`. A page that is as it should be is not written. On a page of
/// an older version, in one of the folders `older`, the element keeps to that version.
pub(super) fn apply<'a>(
    dir: &Path,
    addresses: impl Iterator<Item = &'a str>,
    older: &BTreeMap<String, OlderVersion>,
    change: Change,
    is_dry_run: bool,
) -> anyhow::Result<Injection> {
    let site = fs::canonicalize(dir).with_context(|| format!("resolving {}", dir.display()))?;
    let mut injection = Injection::default();
    for address in addresses {
        let path = dir.join(address);
        let html = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        // A link is followed, so that it stays one.
        let path = fs::canonicalize(&path).with_context(|| format!("resolving {}", path.display()))?;
        let made = match change {
            Change::PutIn => inject::inject(&html, &root_from(address), version_of(address, older)),
            Change::Remove => Some(inject::remove(&html).into_owned()),
        };
        match made {
            Some(made) if made == html => {}
            Some(made) if path.starts_with(&site) => {
                injection.changed += 1;
                if !is_dry_run {
                    replace(&path, &made)?;
                }
            }
            _ => injection.left.push(address.to_owned()),
        }
    }
    Ok(injection)
}

/// The folder of packs of the older version that a page belongs to.
fn version_of<'o>(address: &str, older: &'o BTreeMap<String, OlderVersion>) -> Option<&'o str> {
    let is_in = |folder: &str| address.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let own = older.iter().filter(|(folder, _)| is_in(folder)).max_by_key(|(folder, _)| folder.len());
    own.map(|(_, version)| version.packs.as_str())
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
