//! The index of chunks, published as a stage.

use anyhow::Context as _;
use seealso_chunks::{CHUNKS_STAGE, CHUNKS_VERSION, chunk_ranking, index_pack};
use seealso_pack::{Layout, StageRecord, StageWriter};
use serde::Serialize;

use super::site::Site;
use crate::style::ProgressLine;

/// The index that was published.
#[derive(Debug, Serialize)]
pub(super) struct PublishedIndex {
    /// The chunks that can be found in it.
    pub(super) chunks: u32,
    /// The bytes of all its files.
    pub(super) bytes: u64,
    /// Whether it is another than before.
    pub(super) changed: bool,
}

/// Builds the index of the chunks of all packs, one pack at a time, and publishes it.
pub(super) fn publish(site: &Site, line: &ProgressLine) -> anyhow::Result<PublishedIndex> {
    let mut stage = StageWriter::begin(&site.root)?;
    let layout = Layout { scratch: Some(stage.scratch()), ranking: chunk_ranking(), ..Layout::default() };
    let mut sink = |hash: &_, file: &[u8]| stage.put(hash, file);
    let mut writer = seealso_index::Writer::new(layout, &mut sink);
    for (number, pack) in site.packs.iter().enumerate() {
        line.show(&format!("index of pack {} of {}: {}", number + 1, site.packs.len(), pack.path));
        let divided = site.read_chunks(pack)?;
        writer.whole_pack(&index_pack(&divided.pack, &divided.of_pages)).context("the index of chunks")?;
    }
    let written = writer.finish().context("the index of chunks")?;
    let record = StageRecord {
        name: CHUNKS_STAGE.to_owned(),
        version: CHUNKS_VERSION,
        root: stage.put_file(&written.root)?,
        model: None,
        threshold: None,
        packs: site.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone())).collect(),
    };
    let bytes = written.bytes + record.root.bytes;
    Ok(PublishedIndex { chunks: written.pages, bytes, changed: stage.publish(record)? })
}
