//! The report of a setup: a line for each step, or one JSON object.

use seealso_chunks::PrefixSource;
use serde::Serialize;

use super::chunk_index::PublishedIndex;
use super::encode::PublishedVectors;
use super::records::ChunkCounts;
use super::site::Site;
use crate::style::{STRONG, pluralize, printable, say};

/// What a setup found and made.
#[derive(Debug, Serialize)]
pub(super) struct SetupReport {
    pub(super) packs: usize,
    pub(super) pages: u32,
    /// The name of the encoder, where one is there.
    pub(super) encoder: Option<String>,
    pub(super) prefix_source: &'static str,
    pub(super) chunks: ChunkCounts,
    pub(super) index: PublishedIndex,
    pub(super) vectors: Option<PublishedVectors>,
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

pub(super) fn encoder(name: Option<&str>) -> &str {
    name.unwrap_or("none; chunks are ordered by their words")
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

pub(super) fn smoke(test: &SmokeTest) -> String {
    format!("the index answers: {} for \"{}\"", pluralize(test.found, "chunk"), test.query)
}
