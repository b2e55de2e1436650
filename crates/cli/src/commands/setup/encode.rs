//! The vectors of chunks, published as a stage, where an encoder is there.

use std::path::Path;

use anyhow::{Context as _, ensure};
use seealso_chunks::ChunkKind;
use seealso_pack::{CatalogPack, FileRef, PackEntries, StageModel, StageRecord, StageWriter, WORK_FOLDER, hex};
use seealso_vectors::{ChunkName, Error, Int8Table, Layout, NewSet, Space, write};
use serde::Serialize;

use super::entry_texts::texts_of;
use super::site::Site;
use crate::encode_chunks::{ChunkText, EMBEDDINGS_FOLDER, EncodingProgress, PackTexts};
#[cfg(feature = "model")]
use crate::encode_chunks::{TextEncoder, encode_chunks};
use crate::encoder::{EncoderFiles, find_encoder_files, note_encoder};
use crate::style::ProgressLine;
use crate::vector_library::VECTORS_STAGE;

/// An encoder of texts.
#[derive(Debug, Serialize)]
pub(super) struct Encoder {
    /// Its name.
    pub(super) id: String,
    #[serde(skip)]
    files: EncoderFiles,
}

/// The vectors that were published.
#[derive(Debug, Serialize)]
pub(super) struct PublishedVectors {
    /// How many there are.
    pub(super) vectors: usize,
    /// How many texts were encoded for them, and for the entries.
    pub(super) encoded: usize,
    /// How many had been encoded before.
    pub(super) reused: usize,
    /// How many files there are beside the root.
    pub(super) files: u64,
    /// The bytes of all files.
    pub(super) bytes: u64,
    /// The paths of packs without vectors, since the encoder does not know their language.
    pub(super) unknown_languages: Vec<String>,
    /// The bytes of the encoder's files for browsers; none where they are not published.
    pub(super) published_encoder_bytes: Option<u64>,
    /// The least similarity of a page that has to do with a question; without one, the gate is open.
    pub(super) threshold: Option<f64>,
    /// Whether anything of it is other than before.
    pub(super) changed: bool,
}

/// The encoder that can be used on this machine: the one that is named, or that the packs were set up with. It is never
/// fetched.
///
/// # Errors
/// An encoder that is named and can't be used.
pub(super) fn find_encoder(named: Option<&Path>, root: &Path) -> anyhow::Result<Option<Encoder>> {
    let files = find_encoder_files(named, root)?;
    Ok(files.map(|files| Encoder { id: files.name.clone(), files }))
}

/// What an encoder made of a site.
pub(super) struct EncodedSite {
    /// The vectors of the chunks, which are published.
    pub(super) published: PublishedVectors,
    /// The vectors of the entries, which are not published yet.
    pub(super) entries: NewSet,
}

/// What is published with the vectors. What is not named stays as the last setup with the same encoder had it.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorOptions {
    /// Whether the encoder is published for browsers.
    pub(super) publishes_encoder: bool,
    /// The least similarity of a page that has to do with a question.
    pub(super) threshold: Option<f64>,
}

/// Encodes the chunks and the entries of all packs, and publishes the vectors of the chunks; none without an encoder.
///
/// # Errors
/// An encoder that can't be loaded or fails, and files that can't be written. What was encoded until then is kept.
pub(super) fn encode_stage(
    site: &Site,
    encoder: Option<&Encoder>,
    options: VectorOptions,
    entries: &[PackEntries],
    line: &ProgressLine,
) -> anyhow::Result<Option<EncodedSite>> {
    let Some(encoder) = encoder else {
        ensure!(!options.publishes_encoder, "there is no encoder to publish; name its folder with --encoder");
        return Ok(None);
    };
    let is_known = |pack: &&CatalogPack| encoder.files.knows(&pack.language);
    let unknown = site.packs.iter().filter(|pack| !is_known(pack)).map(|pack| pack.path.clone()).collect();
    let texts = |pack: &CatalogPack| match is_known(&pack) {
        true => pack_texts(site, pack),
        false => Ok(PackTexts { path: pack.path.clone(), chunks: Vec::new() }),
    };
    let mut packs = site.packs.iter().map(texts).collect::<anyhow::Result<Vec<PackTexts>>>()?;
    packs.extend(texts_of(entries, |path| site.packs.iter().any(|pack| pack.path == path && is_known(&pack))));
    let (set, progress) = encode(&packs, encoder, &site.root.join(WORK_FOLDER).join(EMBEDDINGS_FOLDER), line)?;
    let (set, entries) = split_set(set, site.packs.len());
    note_encoder(&encoder.files, &site.root)?;
    let last = last_record(site, VECTORS_STAGE, &set.space)?;
    let was_published = last.as_ref().and_then(|last| last.model.as_ref()).is_some_and(|model| !model.files.is_empty());
    let published = (options.publishes_encoder || was_published).then_some(&encoder.files);
    let threshold = options.threshold.or(last.and_then(|last| last.threshold));
    let vectors = publish(site, &set, progress, published, threshold)?;
    let published = PublishedVectors { unknown_languages: unknown, ..vectors };
    Ok(Some(EncodedSite { published, entries }))
}

/// The first `count` packs of a set, and the others.
fn split_set(set: NewSet, count: usize) -> (NewSet, NewSet) {
    let NewSet { space, mut packs, vectors } = set;
    let others = packs.split_off(count);
    let chunks = packs.iter().map(|pack| pack.chunks.len()).sum();
    let [mut own, mut of_others] = [0, 1].map(|_| Int8Table::new(space.dimensions));
    for (number, vector) in vectors.iter().enumerate() {
        if number < chunks { &mut own } else { &mut of_others }.push(vector);
    }
    let others = NewSet { space: space.clone(), packs: others, vectors: of_others };
    (NewSet { space, packs, vectors: own }, others)
}

/// The stage of that name that the site has, where the same encoder made it.
pub(super) fn last_record(site: &Site, name: &str, space: &Space) -> anyhow::Result<Option<StageRecord>> {
    let stages = seealso_pack::read_stages(&site.root)?;
    let record = stages.as_ref().and_then(|stages| stages.stage(name)).cloned();
    let is_same = |record: &StageRecord| record.model.as_ref().is_some_and(|model| model.sha256 == hex(&space.sha256));
    Ok(record.filter(is_same))
}

/// The searched chunks of a pack, in the order of the index of chunks.
fn pack_texts(site: &Site, pack: &CatalogPack) -> anyhow::Result<PackTexts> {
    let divided = site.read_chunks(pack)?;
    let searched = divided.of_pages.into_iter().flatten().filter(|chunk| chunk.kind == ChunkKind::Text);
    let chunks = searched.map(|chunk| {
        let number = u32::try_from(chunk.number).context("a page has too many chunks")?;
        let name = ChunkName { file: chunk.page_file, number };
        Ok(ChunkText { name, text: chunk.contextualized_text })
    });
    Ok(PackTexts { path: pack.path.clone(), chunks: chunks.collect::<anyhow::Result<_>>()? })
}

#[cfg(feature = "model")]
fn encode(
    packs: &[PackTexts],
    encoder: &Encoder,
    folder: &Path,
    line: &ProgressLine,
) -> anyhow::Result<(NewSet, EncodingProgress)> {
    use std::time::Instant;

    line.show(&format!("loading {}", encoder.id));
    let loaded = crate::local_encoder::LocalEncoder::load(&encoder.files)?;
    let threads = crate::model_file::thread_count(None);
    let (start, embed) = (Instant::now(), |texts: &[&str]| loaded.embed(texts));
    let encoder = TextEncoder { space: loaded.space(), embed: &embed, threads };
    encode_chunks(packs, &encoder, folder, &mut |progress| {
        let a_second = progress.encoded as f64 / start.elapsed().as_secs_f64().max(0.001);
        let done = progress.encoded + progress.reused;
        line.show(&format!("chunk {done} of {} encoded, {a_second:.1} a second", progress.of));
    })
}

#[cfg(not(feature = "model"))]
fn encode(
    _: &[PackTexts],
    encoder: &Encoder,
    _: &Path,
    _: &ProgressLine,
) -> anyhow::Result<(NewSet, EncodingProgress)> {
    Err(crate::unusable_model::UnusableModel::new(&encoder.files.weights, crate::encoder::WITHOUT_MODELS).into())
}

#[cfg(feature = "model")]
use crate::published_encoder::put_encoder;

#[cfg(not(feature = "model"))]
fn put_encoder(_: &mut StageWriter, files: &EncoderFiles) -> anyhow::Result<Vec<FileRef>> {
    Err(crate::unusable_model::UnusableModel::new(&files.weights, crate::encoder::WITHOUT_MODELS).into())
}

/// The encoder of a space as stages name it, with its files for browsers.
pub(super) fn stage_model(space: &Space, files: Vec<FileRef>) -> anyhow::Result<StageModel> {
    Ok(StageModel {
        id: space.model.clone(),
        sha256: hex(&space.sha256),
        dimensions: u32::try_from(space.dimensions).context("a vector has too many numbers")?,
        scheme: space.scheme.clone(),
        files,
    })
}

/// Writes the files of the vectors and of the encoder that is to be published with them, and names them in the catalog.
fn publish(
    site: &Site,
    set: &NewSet,
    progress: EncodingProgress,
    encoder: Option<&EncoderFiles>,
    threshold: Option<f64>,
) -> anyhow::Result<PublishedVectors> {
    let mut stage = StageWriter::begin(&site.root)?;
    let mut sink = |hash: &_, bytes: &[u8]| {
        stage.put(hash, bytes).map_err(|error| Error::Unwritable { reason: error.to_string() })
    };
    let written = write(set, Layout::default(), &mut sink)?;
    let files = encoder.map(|files| put_encoder(&mut stage, files)).transpose()?.unwrap_or_default();
    let encoder_bytes = files.iter().map(|file| file.bytes).sum();
    let record = StageRecord {
        name: VECTORS_STAGE.to_owned(),
        version: seealso_vectors::VERSION.into(),
        root: stage.put_file(&written.root)?,
        model: Some(stage_model(&set.space, files)?),
        threshold,
        packs: site.packs.iter().map(|pack| (pack.path.clone(), pack.fingerprint.clone())).collect(),
    };
    let bytes = written.bytes + record.root.bytes;
    Ok(PublishedVectors {
        vectors: set.vectors.len(),
        encoded: progress.encoded,
        reused: progress.reused,
        files: written.files,
        bytes,
        unknown_languages: Vec::new(),
        published_encoder_bytes: encoder.map(|_| encoder_bytes),
        threshold,
        changed: stage.publish(record)?,
    })
}
