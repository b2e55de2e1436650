//! What a run leaves for the next one, so that an unchanged site is not read again.

use std::fs;
use std::path::Path;

use anyhow::Context as _;
use seealso_import::{INVENTORY_FILE, Settings, html_files, inject};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::report::Report;
use super::write::replace;

/// The file's name, in the folder of the packs.
const STATE_FILE: &str = "site.json";

/// Raised with each change of what pages of a site become.
const REVISION: u32 = 1;

/// The last run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SiteState {
    /// SHA-256, in hex, of what was read.
    pub(super) fingerprint: String,
    pub(super) report: Report,
}

impl SiteState {
    /// What the last run left; none where there was none, or an older program's.
    pub(super) fn read(out: &Path) -> Option<SiteState> {
        serde_json::from_slice(&fs::read(out.join(STATE_FILE)).ok()?).ok()
    }

    pub(super) fn write(&self, out: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self).context("writing JSON")?;
        replace(&out.join(STATE_FILE), text.as_bytes())
    }

    /// Whether the packs that the run wrote are there.
    pub(super) fn is_whole(&self, out: &Path) -> bool {
        !self.report.packs.is_empty()
            && self.report.packs.iter().all(|path| out.join(path).join("manifest.yaml").is_file())
    }
}

/// A fingerprint of all that is read: the pages without what was put into them, the inventory, and the settings.
pub(super) fn fingerprint(dir: &Path, settings: &Settings) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    hash.update(format!("{REVISION} {} {settings:?}", env!("CARGO_PKG_VERSION")));
    let files = html_files(dir).with_context(|| format!("listing {}", dir.display()))?;
    for address in files.iter().map(String::as_str).chain([INVENTORY_FILE]) {
        // A file that can't be read is reported when the site is read.
        let bytes = fs::read(dir.join(address)).unwrap_or_default();
        let bytes = inject::remove(&bytes);
        hash.update((address.len() as u64).to_le_bytes());
        hash.update(address);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(seealso_pack::hex(&hash.finalize()))
}
