//! The entries of packs, published as a stage: with vectors where an encoder is there, and else without, so that a later setup
//! adds them.

use anyhow::ensure;
use seealso_pack::{
    CatalogPack, Coverage, ENTRIES_STAGE, ENTRIES_VERSION, EntriesFile, PackEntries, StageRecord, StageWriter,
};
use seealso_vectors::NewSet;
use serde::Serialize;

use super::encode::{last_record, stage_model};
use super::site::Site;

/// The entries that were published.
#[derive(Debug, Serialize)]
pub(super) struct PublishedEntries {
    pub(super) entries: usize,
    pub(super) patterns: usize,
    /// How many of both have a vector.
    pub(super) vectors: usize,
    /// The least relevance of a strong match; without one, no match is strong.
    pub(super) strong_match: Option<f64>,
    pub(super) bytes: u64,
    /// Whether anything of it is other than before.
    pub(super) changed: bool,
}

/// The entries of all packs that have any, in the order of the catalog.
pub(super) fn read_entries(site: &Site) -> anyhow::Result<Vec<PackEntries>> {
    let mut found = Vec::new();
    for pack in site.packs.iter().filter(|pack| may_have_entries(site, pack)) {
        found.push(PackEntries::of(&site.read_pack(pack)?));
    }
    found.retain(|of_pack| !of_pack.is_empty());
    Ok(found)
}

/// Whether a pack has a folder that entries or patterns can be in. Other packs need not be read for them.
fn may_have_entries(site: &Site, pack: &CatalogPack) -> bool {
    let folder = site.root.join(&pack.path).join(&pack.page_root);
    ["entries", "patterns"].iter().any(|name| folder.join(name).is_dir())
}

/// Publishes the entries, whose vectors are those of `encoded` where there is an encoder. `None` where there are no entries, and
/// never were any.
///
/// # Errors
/// A threshold for no encoder, and files that can't be written.
pub(super) fn publish(
    site: &Site,
    entries: Vec<PackEntries>,
    encoded: Option<&NewSet>,
    strong_match: Option<f64>,
) -> anyhow::Result<Option<PublishedEntries>> {
    let known = known_record(site)?;
    if entries.is_empty() && known.is_none() {
        ensure!(
            strong_match.is_none(),
            "these packs have no entries, so there is no strong match; leave --strong-match out"
        );
        return Ok(None);
    }
    let Some(set) = encoded else {
        ensure!(
            strong_match.is_none(),
            "there is no encoder that the threshold could be of; name its folder with --encoder"
        );
        // What an encoder made of the same pages is worth more than what is made without.
        let is_current = |record: &StageRecord| record.model.is_some() && is_current(record, site);
        return match known.is_some_and(|record| is_current(&record)) {
            true => Ok(None),
            false => write(site, entries, None, None).map(Some),
        };
    };
    let last = last_record(site, ENTRIES_STAGE, &set.space)?;
    let threshold = strong_match.or(last.and_then(|last| last.threshold));
    write(site, entries, Some(set), threshold).map(Some)
}

fn known_record(site: &Site) -> anyhow::Result<Option<StageRecord>> {
    let stages = seealso_pack::read_stages(&site.root)?;
    Ok(stages.and_then(|stages| stages.stage(ENTRIES_STAGE).cloned()))
}

fn is_current(record: &StageRecord, site: &Site) -> bool {
    site.packs.iter().all(|pack| record.coverage(&pack.path, &pack.fingerprint) == Coverage::Current)
}

fn write(
    site: &Site,
    entries: Vec<PackEntries>,
    set: Option<&NewSet>,
    threshold: Option<f64>,
) -> anyhow::Result<PublishedEntries> {
    let count = |of: fn(&PackEntries) -> usize| entries.iter().map(of).sum();
    let (number, patterns) = (count(|pack| pack.entries.len()), count(|pack| pack.patterns.len()));
    let vectors = set.map_or(0, |set| set.vectors.len());
    let mut stage = StageWriter::begin(&site.root)?;
    let record = StageRecord {
        name: ENTRIES_STAGE.to_owned(),
        version: ENTRIES_VERSION,
        root: stage.put_json_file(EntriesFile::new(entries).to_json().as_bytes())?,
        model: set.map(|set| stage_model(&set.space, Vec::new())).transpose()?,
        threshold,
        packs: site.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone())).collect(),
    };
    let bytes = record.root.bytes;
    let changed = stage.publish(record)?;
    Ok(PublishedEntries { entries: number, patterns, vectors, strong_match: threshold, bytes, changed })
}
