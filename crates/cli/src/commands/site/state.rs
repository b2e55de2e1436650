//! What a run leaves for the next one: what it read, and which files are its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::{INVENTORY_FILE, Listing, PageCache, Settings};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::markdown::Written;
use super::output::Staging;
use super::report::Report;
use super::write::replace;

/// The file's name, in the folder of the packs.
const STATE_FILE: &str = "site.json";

/// The file that keeps what each page was read as.
pub(super) const CACHE_FILE: &str = ".pages.cache";

/// Raised with each change of what the pages of a site become once they are read.
const REVISION: u32 = 3;

/// The last run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SiteState {
    /// SHA-256, in hex, of what was read.
    pub(super) fingerprint: String,
    pub(super) report: Report,
    /// The bytes of each file that the run wrote to the folder of the packs, this one aside.
    files: BTreeMap<String, u64>,
    /// Those of them that are the element's and the engine's.
    pub(super) engine: BTreeSet<String>,
    /// The Markdown that the command wrote beside the site's pages.
    pub(super) markdown: Written,
}

impl SiteState {
    /// What the last run left; none where there was none, or an older program's.
    pub(super) fn read(out: &Path) -> Option<SiteState> {
        serde_json::from_slice(&fs::read(out.join(STATE_FILE)).ok()?).ok()
    }

    /// The state of all files in `staging`, written there too. The run read what has this fingerprint.
    pub(super) fn write(
        staging: &Staging<'_>,
        fingerprint: String,
        report: Report,
        engine: BTreeSet<String>,
        markdown: Written,
    ) -> anyhow::Result<SiteState> {
        let mut state = SiteState { fingerprint, report, files: BTreeMap::new(), engine, markdown };
        for path in staging.files()? {
            let file = staging.folder.join(&path);
            let length = fs::metadata(&file).with_context(|| format!("reading {}", file.display()))?.len();
            state.files.insert(path, length);
        }
        staging.write(STATE_FILE, state.to_json()?.as_bytes())?;
        Ok(state)
    }

    /// Writes the state in the place of the one in `out`, with these files of Markdown.
    pub(super) fn set_markdown(mut self, out: &Path, markdown: Written) -> anyhow::Result<()> {
        if self.markdown == markdown {
            return Ok(());
        }
        self.markdown = markdown;
        replace(&out.join(STATE_FILE), self.to_json()?.as_bytes())
    }

    fn to_json(&self) -> anyhow::Result<String> {
        serde_json::to_string_pretty(self).context("writing JSON")
    }

    /// Whether the files that the run wrote are there, each as long as it was.
    pub(super) fn is_whole(&self, out: &Path) -> bool {
        let is_there = |(path, length): (&String, &u64)| {
            fs::metadata(out.join(path)).is_ok_and(|file| file.is_file() && file.len() == *length)
        };
        !self.files.is_empty() && self.files.iter().all(is_there)
    }

    /// The paths of all files that the run wrote.
    pub(super) fn own_files(&self) -> BTreeSet<String> {
        self.files.keys().cloned().chain([STATE_FILE.to_owned()]).collect()
    }
}

/// What the pages of a site were read as by the last run.
pub(super) fn cache(out: &Path, settings: &Settings) -> PageCache {
    fs::read(out.join(CACHE_FILE)).map(|bytes| PageCache::parse(&bytes, settings)).unwrap_or_default()
}

/// A fingerprint of all that a run reads: the pages, the inventory, and the settings.
pub(super) fn fingerprint(dir: &Path, listing: &Listing, settings: &Settings) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{REVISION} {} {settings:?}", env!("CARGO_PKG_VERSION")));
    hash.update(listing.fingerprint());
    hash.update(fs::read(dir.join(INVENTORY_FILE)).unwrap_or_default());
    seealso_pack::hex(&hash.finalize())
}
