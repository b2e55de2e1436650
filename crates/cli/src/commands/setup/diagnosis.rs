//! What of a setup is there, and whether it fits the pages: `seealso setup --check`. Nothing is written.

use std::path::Path;

use seealso::{Config, EntryFault, EntryStage};
use serde::Serialize;

use super::encode::find_encoder;
use super::prefixes::pick;
use super::records::RecordFolder;
use super::report::{encoder, prefixes, print_step};
use super::site::Site;
use crate::chunk_library::ChunkLibrary;
use crate::source::{block_on, open_library};
use crate::style::{pluralize, say};
use crate::vector_library::VectorLibrary;

/// What a check found.
#[derive(Debug, Serialize)]
struct Diagnosis {
    packs: usize,
    /// Packs whose files are not those that the index was built of.
    changed_packs: Vec<String>,
    /// The stages that the catalog names.
    stages: Vec<String>,
    chunk_records: usize,
    /// How many chunks can be searched; none where there is no index of chunks that can be.
    searchable_chunks: Option<u32>,
    /// Why they can't be searched.
    fault: Option<String>,
    /// Packs that changed since their chunks were made, or that have none.
    outdated_packs: Vec<String>,
    encoder: Option<super::encode::Encoder>,
    /// How many chunks have a vector; none where there are no vectors that can be used.
    vectors: Option<u32>,
    /// Why they can't be used.
    vectors_fault: Option<String>,
    /// Packs that changed since their vectors were made, or that have none.
    outdated_vectors: Vec<String>,
    /// How many entries can be asked; none where there are none.
    entries: Option<usize>,
    /// Why they can't be.
    entries_fault: Option<String>,
    prefix_source: &'static str,
}

/// Prints what is there.
pub(super) fn run(site: &Site, encoder: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let found = diagnose(site, encoder)?;
    match json {
        true => say!("{}", serde_json::to_string_pretty(&found)?),
        false => print(&found),
    }
    Ok(())
}

fn diagnose(site: &Site, encoder: Option<&Path>) -> anyhow::Result<Diagnosis> {
    let opened = block_on(ChunkLibrary::open(&site.root))?;
    let (searchable_chunks, fault, outdated_packs) = match opened {
        Ok(chunks) => (Some(chunks.library.index().len()), None, chunks.outdated),
        Err(error) => (None, Some(error.to_string()), Vec::new()),
    };
    let (vectors, vectors_fault, outdated_vectors) = match block_on(VectorLibrary::open(&site.root))? {
        Ok(Some(VectorLibrary { stage, .. })) => (Some(stage.vectors().len()), None, stage.outdated().to_vec()),
        Ok(None) => (None, None, Vec::new()),
        Err(error) => (None, Some(format!("{error:#}")), Vec::new()),
    };
    let (entries, entries_fault) = diagnose_entries(site)?;
    Ok(Diagnosis {
        packs: site.packs.len(),
        changed_packs: site.changed_packs()?.into_iter().map(str::to_owned).collect(),
        stages: site.catalog.stages.clone(),
        chunk_records: RecordFolder::of(&site.root).record_files()?.len(),
        searchable_chunks,
        fault,
        outdated_packs,
        encoder: find_encoder(encoder, &site.root)?,
        vectors,
        vectors_fault,
        outdated_vectors,
        entries,
        entries_fault,
        prefix_source: pick(true, std::iter::empty()).name(),
    })
}

/// How many entries can be asked, or why none can.
fn diagnose_entries(site: &Site) -> anyhow::Result<(Option<usize>, Option<String>)> {
    let opening = async {
        let library = open_library(&site.root, Config::default()).await?;
        anyhow::Ok(EntryStage::open(&library).await)
    };
    Ok(match block_on(opening)?? {
        Ok(stage) if stage.space().is_none() => (None, Some(EntryFault::NoVectors.to_string())),
        Ok(stage) => (Some(stage.len()), None),
        Err(EntryFault::NotProvided) => (None, None),
        Err(fault) => (None, Some(fault.to_string())),
    })
}

fn print(found: &Diagnosis) {
    let changed = match found.changed_packs.as_slice() {
        [] => "as the index has them".to_owned(),
        changed => format!("changed since the index was built: {}", changed.join(", ")),
    };
    print_step("packs", &format!("{}, {changed}", pluralize(found.packs, "pack")));
    let stages = if found.stages.is_empty() { "none".to_owned() } else { found.stages.join(", ") };
    print_step("stages", &stages);
    print_step("records", &pluralize(found.chunk_records, "chunk record"));
    print_step("encoder", &encoder(found.encoder.as_ref()));
    print_step("prefixes", prefixes(pick(true, std::iter::empty())));
    let chunks = match (&found.fault, found.searchable_chunks) {
        (Some(fault), _) => fault.clone(),
        (None, count) => pluralize(count.unwrap_or_default() as usize, "chunk") + " can be searched",
    };
    print_step("chunk index", &chunks);
    let vectors = match (&found.vectors_fault, found.vectors) {
        (Some(fault), _) => fault.clone(),
        (None, Some(count)) => pluralize(count as usize, "chunk") + " have one",
        (None, None) => "none".to_owned(),
    };
    print_step("vectors", &vectors);
    match (&found.entries_fault, found.entries) {
        (Some(fault), _) => print_step("entries", fault),
        (None, Some(count)) => print_step("entries", &format!("{count} can be asked")),
        (None, None) => {}
    }
    if !found.outdated_vectors.is_empty() {
        print_step("stale", &format!("{}: their vectors are of other pages", found.outdated_vectors.join(", ")));
    }
    if !found.outdated_packs.is_empty() {
        print_step("stale", &format!("{}: their chunks are of other pages", found.outdated_packs.join(", ")));
    }
}
