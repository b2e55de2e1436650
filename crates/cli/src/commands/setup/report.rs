//! The report of a setup: a line for each step, or one JSON object.

use seealso_chunks::PrefixSource;
use serde::Serialize;

use super::chunk_index::PublishedIndex;
use super::encode::{Encoder, PublishedVectors};
use super::entries::PublishedEntries;
use super::records::ChunkCounts;
use super::site::Site;
use crate::style::{STRONG, pluralize, printable, say};

/// What is said where there is no encoder.
const NO_ENCODER: &str = "none, so chunks get no vectors; --encoder names a folder with config.json, tokenizer.json and \
     model.safetensors of a sentence encoder such as all-MiniLM-L6-v2";

/// What a setup found and made.
#[derive(Debug, Serialize)]
pub(super) struct SetupReport {
    pub(super) packs: usize,
    pub(super) pages: u32,
    pub(super) encoder: Option<Encoder>,
    pub(super) prefix_source: &'static str,
    pub(super) chunks: ChunkCounts,
    pub(super) index: PublishedIndex,
    pub(super) vectors: Option<PublishedVectors>,
    pub(super) entries: Option<PublishedEntries>,
    pub(super) smoke_test: SmokeTest,
    /// Whether anything was written that was not there.
    pub(super) changed: bool,
}

/// A query whose answer shows that the index can be searched.
#[derive(Debug, Serialize)]
pub(super) struct SmokeTest {
    pub(super) query: &'static str,
    /// How many chunks it found; none is no fault, as not every site has the word.
    pub(super) found: usize,
}

/// Prints the line of a step.
pub(super) fn print_step(name: &str, text: &str) {
    say!("{STRONG}{name:<12}{STRONG:#} {}", printable(text));
}

pub(super) fn packs(site: &Site) -> String {
    let (packs, pages) = (pluralize(site.packs.len(), "pack"), pluralize(site.pages() as usize, "page"));
    format!("{packs}, {pages}, as the index has them")
}

pub(super) fn encoder(encoder: Option<&Encoder>) -> String {
    encoder.map_or_else(|| NO_ENCODER.to_owned(), |encoder| encoder.id.clone())
}

pub(super) fn prefixes(source: PrefixSource) -> &'static str {
    match source {
        PrefixSource::Synthetic => "synthetic: each page's title and first sentence; no page leaves this machine",
        _ => source.name(),
    }
}

pub(super) fn chunks(counts: &ChunkCounts) -> String {
    format!(
        "{}, of which {} searched; pages: {} written, {} unchanged, {} removed",
        pluralize(counts.total, "chunk"),
        counts.text,
        counts.pages_written,
        counts.pages_unchanged,
        counts.pages_removed
    )
}

pub(super) fn index(index: &PublishedIndex) -> String {
    let state = if index.changed { "written" } else { "up to date" };
    format!("{}, {:.1} KB, {state}", pluralize(index.chunks as usize, "chunk"), index.bytes as f64 / 1000.0)
}

pub(super) fn vectors(vectors: &PublishedVectors) -> String {
    let state = if vectors.changed { "written" } else { "up to date" };
    let unknown = match vectors.unknown_languages.as_slice() {
        [] => String::new(),
        packs => format!("; none for {}, whose language the encoder's model card does not name", packs.join(", ")),
    };
    let threshold = vectors.threshold.map_or(String::new(), |least| format!(", threshold {least}"));
    format!(
        "{} ({} encoded, {} known), {:.1} KB in {}, {state}{threshold}{unknown}",
        pluralize(vectors.vectors, "vector"),
        vectors.encoded,
        vectors.reused,
        vectors.bytes as f64 / 1000.0,
        pluralize(vectors.files as usize + 1, "file")
    )
}

pub(super) fn entries(entries: &PublishedEntries) -> String {
    let state = if entries.changed { "written" } else { "up to date" };
    let threshold = match (entries.vectors, entries.strong_match) {
        (0, _) => "; without an encoder, no question finds them".to_owned(),
        (_, Some(least)) => format!(", a strong match from {least} on"),
        (_, None) => ", no match is strong: `seealso eval threshold` measures from where on".to_owned(),
    };
    format!(
        "{} and {} ({}), {:.1} KB, {state}{threshold}",
        match entries.entries {
            1 => "1 entry".to_owned(),
            count => format!("{count} entries"),
        },
        pluralize(entries.patterns, "pattern"),
        pluralize(entries.vectors, "vector"),
        entries.bytes as f64 / 1000.0
    )
}

pub(super) fn published_encoder(bytes: u64) -> String {
    format!("the encoder, {:.1} MB, which a browser loads once its reader agrees", bytes as f64 / 1e6)
}

pub(super) fn smoke(test: &SmokeTest) -> String {
    format!("the index answers: {} for \"{}\"", pluralize(test.found, "chunk"), test.query)
}
