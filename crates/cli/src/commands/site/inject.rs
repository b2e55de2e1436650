//! Puts the element into the pages of a site, or takes it out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use seealso_import::OUTPUT_FOLDER;
use seealso_import::inject::{self, NoPlace};

use super::older_version::OlderVersion;
use super::write::replace;

/// What happens to the pages.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change<'r> {
    /// The element is put in; what an earlier run put there is replaced.
    PutIn {
        /// The folders of older versions: on a page in one of them the element keeps to that version.
        older: &'r BTreeMap<String, OlderVersion>,
        /// The folder of its host that the site lies in.
        prefix: &'r str,
    },
    /// The element is taken out.
    Remove,
}

/// What became of the pages.
#[derive(Debug, Clone, Default)]
pub(super) struct Injection {
    /// How many pages were changed, or would be.
    pub(super) changed: usize,
    /// Pages that can't have the element, each with the reason.
    pub(super) left: BTreeMap<String, &'static str>,
    /// Pages that could not be read or written, each with the error.
    pub(super) failed: BTreeMap<String, String>,
}

/// Changes the pages at `addresses` in the site's folder `dir`. A page that is as it should be is not written, and one that
/// can't be changed does not keep the others from it.
pub(super) fn apply<'a>(
    dir: &Path,
    addresses: impl Iterator<Item = &'a str>,
    change: Change<'_>,
    is_dry_run: bool,
) -> anyhow::Result<Injection> {
    let site = fs::canonicalize(dir).with_context(|| format!("resolving {}", dir.display()))?;
    let mut injection = Injection::default();
    for address in addresses {
        match next_page(&site, address, change) {
            Ok(NextPage::Same) => {}
            Ok(NextPage::Left(reason)) => drop(injection.left.insert(address.to_owned(), reason)),
            Ok(NextPage::Changed(path, html)) => match if is_dry_run { Ok(()) } else { replace(&path, &html) } {
                Ok(()) => injection.changed += 1,
                Err(error) => drop(injection.failed.insert(address.to_owned(), format!("{error:#}"))),
            },
            Err(error) => drop(injection.failed.insert(address.to_owned(), format!("{error:#}"))),
        }
    }
    Ok(injection)
}

/// What a page is to become.
enum NextPage {
    /// It is as it should be.
    Same,
    /// These bytes in that file.
    Changed(PathBuf, Vec<u8>),
    /// It can't be changed, for that reason.
    Left(&'static str),
}

fn next_page(site: &Path, address: &str, change: Change<'_>) -> anyhow::Result<NextPage> {
    let path = site.join(address);
    let html = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    let made = match change {
        Change::PutIn { older, prefix } => {
            inject::inject(&html, address, prefix, OUTPUT_FOLDER, version_of(address, older))
        }
        Change::Remove => Ok(inject::remove(&html).into_owned()),
    };
    // A link is followed, so that it stays one.
    let file = fs::canonicalize(&path).with_context(|| format!("resolving {}", path.display()))?;
    Ok(match made {
        Ok(made) if made == html => NextPage::Same,
        Ok(_) if !file.starts_with(site) => NextPage::Left("links that lead out of the site"),
        Ok(made) => NextPage::Changed(writable(file)?, made),
        Err(NoPlace::Encoding) => NextPage::Left("encoded in a way that can't hold the element"),
        Err(NoPlace::Body) => {
            NextPage::Left("without a place for the element: frames, or an end within a script or comment")
        }
        Err(NoPlace::Base) => NextPage::Left("with a base address outside of the site"),
    })
}

/// A file that may be written. A folder lets its files be replaced whatever they say of themselves.
fn writable(file: PathBuf) -> anyhow::Result<PathBuf> {
    let metadata = fs::metadata(&file).with_context(|| format!("reading {}", file.display()))?;
    if metadata.permissions().readonly() {
        bail!("{}: the file is read-only", file.display());
    }
    Ok(file)
}

/// The folder of packs of the older version that a page belongs to.
fn version_of<'o>(address: &str, older: &'o BTreeMap<String, OlderVersion>) -> Option<&'o str> {
    let is_in = |folder: &str| address.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    let own = older.iter().filter(|(folder, _)| is_in(folder)).max_by_key(|(folder, _)| folder.len());
    own.map(|(_, version)| version.packs.as_str())
}
