//! What a run leaves for the next one: what it read, and which files are its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::{Listing, PageCache, Settings};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::engine;
use super::output::Staging;
use super::recognise::{self, AnyState, CACHE_FILE, STATE_FILE};
use super::report::Report;
use super::write::replace;
use super::written::Written;

/// Raised with each change of what the pages of a site become once they are read.
const REVISION: u32 = 4;

/// What wrote the file, and in which shape: raised where an older program can't read it.
const MADE_BY: &str = "seealso site";
const VERSION: u32 = 2;

/// The last run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SiteState {
    made_by: String,
    version: u32,
    /// SHA-256, in hex, of what was read.
    pub(super) fingerprint: String,
    pub(super) report: Report,
    /// The bytes of each file that the run wrote to the folder of the packs, this one aside.
    files: BTreeMap<String, u64>,
    /// Those of them that are the element's and the engine's.
    pub(super) engine: BTreeSet<String>,
    /// The Markdown that the command wrote beside the site's pages.
    pub(super) markdown: Written,
    /// Where the list was lost, files that are the engine's by their endings alone: somebody else's too, maybe.
    #[serde(skip)]
    scripts: BTreeSet<String>,
}

impl SiteState {
    /// What the last run left; none where there was none. Where its file is lost or of another version, what it wrote is
    /// recognised, so that it can be replaced.
    pub(super) fn read(out: &Path) -> Option<SiteState> {
        let bytes = fs::read(out.join(STATE_FILE)).unwrap_or_default();
        let state = serde_json::from_slice(&bytes).ok();
        let is_known = |state: &SiteState| state.made_by == MADE_BY && state.version == VERSION;
        state.filter(is_known).or_else(|| SiteState::recovered(out, &bytes))
    }

    /// What can be told of the last run without its file, or with that of another version.
    fn recovered(out: &Path, bytes: &[u8]) -> Option<SiteState> {
        let listed = AnyState::read(bytes).unwrap_or_default();
        let AnyState { files, engine, markdown } = listed;
        if !files.is_empty() {
            return Some(SiteState { files, engine, markdown, ..SiteState::default() });
        }
        let known = recognise::files(out);
        if !known.contains(seealso_pack::CATALOG_FILE) {
            return None;
        }
        let (engine, scripts) = (engine::loaded(out), engine::files(out).unwrap_or_default());
        let files = known.into_iter().chain(engine.iter().cloned()).map(|path| (path, 0)).collect();
        Some(SiteState { files, engine, scripts, ..SiteState::default() })
    }

    /// The state of all files in `staging`, written there too. The run read what has this fingerprint.
    pub(super) fn write(
        staging: &Staging<'_>,
        fingerprint: String,
        report: Report,
        engine: BTreeSet<String>,
        markdown: Written,
    ) -> anyhow::Result<SiteState> {
        let (made_by, files) = (MADE_BY.to_owned(), BTreeMap::new());
        let mut state = SiteState {
            made_by,
            version: VERSION,
            fingerprint,
            report,
            files,
            engine,
            markdown,
            scripts: BTreeSet::new(),
        };
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

    /// The paths of all files that the run wrote, where the next run writes the files `next`.
    pub(super) fn own_files(&self, next: &BTreeSet<String>) -> BTreeSet<String> {
        let scripts = self.scripts.intersection(next).cloned();
        self.files.keys().cloned().chain(scripts).chain([STATE_FILE.to_owned()]).collect()
    }
}

/// What the pages of a site were read as by the last run.
pub(super) fn cache(out: &Path, settings: &Settings) -> PageCache {
    fs::read(out.join(CACHE_FILE)).map(|bytes| PageCache::parse(&bytes, settings)).unwrap_or_default()
}

/// A fingerprint of all that a run reads: the pages, the inventories, and the settings.
pub(super) fn fingerprint(dir: &Path, listing: &Listing, settings: &Settings) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{REVISION} {} {settings:?}", env!("CARGO_PKG_VERSION")));
    hash.update(listing.fingerprint());
    for inventory in listing.inventories() {
        hash.update(inventory);
        hash.update(fs::read(dir.join(inventory)).unwrap_or_default());
    }
    seealso_pack::hex(&hash.finalize())
}
