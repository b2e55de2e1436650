//! Chunks to vectors: what was encoded before comes from the pack's file of embeddings, the rest from the encoder, on several
//! threads and in batches of texts of like length.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Mutex, PoisonError, mpsc};

use anyhow::{Context as _, ensure};
use seealso_pack::hex;
use seealso_vectors::{ChunkName, Int8Table, NewPack, NewSet, Space, TextHash};
use sha2::{Digest as _, Sha256};

use crate::embedding_file::EmbeddingFile;

/// Texts that a thread encodes at a time. When they are done they are on disk.
const BATCH: usize = 32;

/// The folder of files of embeddings, in the work folder.
pub(crate) const EMBEDDINGS_FOLDER: &str = "embeddings";
/// The ending of a file of embeddings; its name is hexadecimal digits.
pub(crate) const EMBEDDINGS_ENDING: &str = ".emb";

/// A function that gives the vectors of some texts, in their order.
pub(crate) type EmbedTexts<'e> = dyn Fn(&[&str]) -> anyhow::Result<Vec<Vec<f32>>> + Sync + 'e;

/// What turns texts into vectors.
pub(crate) struct TextEncoder<'e> {
    /// The space of the vectors.
    pub(crate) space: &'e Space,
    /// What is called with some texts at a time.
    pub(crate) embed: &'e EmbedTexts<'e>,
    /// On how many threads it is called.
    pub(crate) threads: usize,
}

/// A chunk that gets a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkText {
    /// Its page's file, and its number there.
    pub(crate) name: ChunkName,
    /// What is encoded.
    pub(crate) text: String,
}

/// The chunks of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackTexts {
    /// The pack's path.
    pub(crate) path: String,
    /// Its chunks, in the order of the index of chunks.
    pub(crate) chunks: Vec<ChunkText>,
}

/// How far encoding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct EncodingProgress {
    /// Texts that were encoded in this run.
    pub(crate) encoded: usize,
    /// Chunks whose vector was there already, or is that of another chunk with the same text.
    pub(crate) reused: usize,
    /// All chunks.
    pub(crate) of: usize,
}

/// The vectors of all chunks, and how many were encoded for them. The files of embeddings are in `folder`.
///
/// # Errors
/// An encoder that fails, and files that can't be read or written. What was encoded until then is on disk.
pub(crate) fn encode_chunks(
    packs: &[PackTexts],
    encoder: &TextEncoder<'_>,
    folder: &Path,
    on_progress: &mut dyn FnMut(EncodingProgress),
) -> anyhow::Result<(NewSet, EncodingProgress)> {
    let of = packs.iter().map(|pack| pack.chunks.len()).sum();
    let mut progress = EncodingProgress { of, ..EncodingProgress::default() };
    let mut vectors = Int8Table::new(encoder.space.dimensions);
    let mut written = Vec::new();
    for pack in packs {
        let hashes: Vec<TextHash> = pack.chunks.iter().map(|chunk| hash(&chunk.text)).collect();
        let path = folder.join(embedding_file_name(&pack.path));
        let mut file = EmbeddingFile::open(&path, encoder.space.clone())?;
        let missing = missing_texts(&pack.chunks, &hashes, &file);
        progress.reused += hashes.len() - missing.len();
        on_progress(progress);
        encode_missing(&missing, encoder, &mut file, &mut |count| {
            progress.encoded += count;
            on_progress(progress);
        })
        .with_context(|| format!("encoding the chunks of {}", pack.path))?;
        for hash in &hashes {
            vectors.push(file.get(hash).context("a chunk has no vector")?);
        }
        file.drop_all_but(&hashes.iter().copied().collect::<BTreeSet<_>>())?;
        let chunks = pack.chunks.iter().map(|chunk| chunk.name.clone()).collect();
        written.push(NewPack { path: pack.path.clone(), chunks });
    }
    Ok((NewSet { space: encoder.space.clone(), packs: written, vectors }, progress))
}

/// The name of a pack's file of embeddings: a pack's path may hold what no file's name can.
fn embedding_file_name(pack: &str) -> String {
    format!("{}{EMBEDDINGS_ENDING}", &hex(&hash(pack))[..16])
}

fn hash(text: &str) -> TextHash {
    Sha256::digest(text).into()
}

/// The texts that have no vector yet, each once, the shortest first: texts of like length fill a batch best.
fn missing_texts<'c>(chunks: &'c [ChunkText], hashes: &[TextHash], file: &EmbeddingFile) -> Vec<(TextHash, &'c str)> {
    let missing: BTreeMap<TextHash, &str> = hashes
        .iter()
        .zip(chunks)
        .filter(|(hash, _)| file.get(hash).is_none())
        .map(|(hash, chunk)| (*hash, chunk.text.as_str()))
        .collect();
    let mut missing: Vec<(TextHash, &str)> = missing.into_iter().collect();
    missing.sort_by_key(|(hash, text)| (text.len(), *hash));
    missing
}

/// Encodes texts on several threads, and keeps each batch as soon as it is there. `on_batch` is told its size.
fn encode_missing(
    texts: &[(TextHash, &str)],
    encoder: &TextEncoder<'_>,
    file: &mut EmbeddingFile,
    on_batch: &mut dyn FnMut(usize),
) -> anyhow::Result<()> {
    let batches = Mutex::new(texts.chunks(BATCH));
    std::thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..encoder.threads.max(1) {
            let (done, batches) = (done.clone(), &batches);
            scope.spawn(move || {
                loop {
                    let next = batches.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(batch) = next else { return };
                    // The receiver is gone where another batch failed.
                    if done.send((batch, embed(batch, encoder))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(done);
        for (batch, vectors) in results {
            for ((hash, _), vector) in batch.iter().zip(vectors?) {
                file.insert(*hash, &vector)?;
            }
            on_batch(batch.len());
        }
        Ok(())
    })
}

fn embed(batch: &[(TextHash, &str)], encoder: &TextEncoder<'_>) -> anyhow::Result<Vec<Vec<f32>>> {
    let texts: Vec<&str> = batch.iter().map(|(_, text)| *text).collect();
    let vectors = (encoder.embed)(&texts)?;
    ensure!(vectors.len() == texts.len(), "the encoder gave {} vectors for {} texts", vectors.len(), texts.len());
    Ok(vectors)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn space() -> Space {
        Space { model: "letters".into(), sha256: [1; 32], scheme: "s".into(), dimensions: 2 }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seealso-encode-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn pack(path: &str, texts: &[&str]) -> PackTexts {
        let chunk = |(number, text): (u32, &&str)| ChunkText {
            name: ChunkName { file: "p.md".into(), number },
            text: (*text).to_owned(),
        };
        PackTexts { path: path.into(), chunks: (0..).zip(texts).map(chunk).collect() }
    }

    /// The length of a text, and 1.
    fn by_length(texts: &[&str]) -> anyhow::Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| vec![text.len() as f32, 1.0]).collect())
    }

    fn run(packs: &[PackTexts], folder: &Path, embed: &EmbedTexts<'_>) -> anyhow::Result<(NewSet, EncodingProgress)> {
        let space = space();
        encode_chunks(packs, &TextEncoder { space: &space, embed, threads: 2 }, folder, &mut |_| ())
    }

    #[test]
    fn chunks_get_the_vectors_of_their_texts_in_their_order() {
        let folder = folder("order");
        let long = "z".repeat(127);
        let packs = [pack("a/one", &["zzz", "z", "zz", "z"]), pack("none", &[]), pack("two", &[&long])];
        let (set, progress) = run(&packs, &folder, &by_length).unwrap();
        assert_eq!(progress, EncodingProgress { encoded: 4, reused: 1, of: 5 });
        let values: Vec<&[i8]> = set.vectors.iter().map(|vector| vector.values).collect();
        assert_eq!(values, [&[127, 42][..], &[127, 127], &[127, 64], &[127, 127], &[127, 1]]);
        let paths: Vec<(&str, usize)> = set.packs.iter().map(|pack| (pack.path.as_str(), pack.chunks.len())).collect();
        assert_eq!(paths, [("a/one", 4), ("none", 0), ("two", 1)]);
        assert_eq!(set.packs[0].chunks[2], ChunkName { file: "p.md".into(), number: 2 });
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn each_pack_has_a_file_of_its_own() {
        let folder = folder("files");
        run(&[pack("a/b", &["x"]), pack("a", &["x"])], &folder, &by_length).unwrap();
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        // The SHA-256 of "a/b" and of "a" begin so.
        assert_eq!(names, ["c14cddc033f64b9d.emb", "ca978112ca1bbdca.emb"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_second_run_encodes_what_is_new() {
        let folder = folder("again");
        run(&[pack("p", &["a", "bb"])], &folder, &by_length).unwrap();
        let asked = Mutex::new(Vec::new());
        let note = |texts: &[&str]| {
            asked.lock().unwrap().extend(texts.iter().map(|text| (*text).to_owned()));
            by_length(texts)
        };
        let (_, progress) = run(&[pack("p", &["bb", "ccc", "a"])], &folder, &note).unwrap();
        assert_eq!(progress, EncodingProgress { encoded: 1, reused: 2, of: 3 });
        assert_eq!(asked.into_inner().unwrap(), ["ccc"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_encoder_under_another_name_encodes_nothing_again() {
        let folder = folder("renamed");
        run(&[pack("p", &["a", "bb"])], &folder, &by_length).unwrap();
        let space = Space { model: "renamed".into(), ..space() };
        let encoder = TextEncoder { space: &space, embed: &by_length, threads: 1 };
        let (set, progress) = encode_chunks(&[pack("p", &["bb", "a"])], &encoder, &folder, &mut |_| ()).unwrap();
        assert_eq!(progress, EncodingProgress { encoded: 0, reused: 2, of: 2 });
        assert_eq!(set.space.model, "renamed");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_encoder_that_fails_midway_loses_nothing() {
        let folder = folder("midway");
        let texts: Vec<String> = (1..=100).map(|length| "x".repeat(length)).collect();
        let packs = [pack("p", &texts.iter().map(String::as_str).collect::<Vec<_>>())];
        let calls = AtomicUsize::new(0);
        let fails = |texts: &[&str]| match calls.fetch_add(1, Ordering::Relaxed) {
            0 | 1 => by_length(texts),
            _ => anyhow::bail!("the device is gone"),
        };
        let error = run(&packs, &folder, &fails).unwrap_err();
        assert_eq!(format!("{error:#}"), "encoding the chunks of p: the device is gone");
        let (_, progress) = run(&packs, &folder, &by_length).unwrap();
        assert_eq!(progress.encoded + progress.reused, 100);
        // Two batches were encoded; at least one of them came before the failure was noticed.
        assert!(progress.reused == BATCH || progress.reused == 2 * BATCH, "{progress:?}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn too_few_vectors_and_none_with_a_direction_are_errors() {
        let folder = folder("few");
        let check = |embed: fn(&[&str]) -> anyhow::Result<Vec<Vec<f32>>>, message: &str| {
            let error = format!("{:#}", run(&[pack("p", &["a"])], &folder, &embed).unwrap_err());
            assert!(error.contains(message), "{error}");
        };
        check(|_| Ok(Vec::new()), "the encoder gave 0 vectors for 1 texts");
        check(|_| Ok(vec![vec![f32::NAN, 1.0]]), "a number that is not finite");
        check(|_| Ok(vec![vec![1.0]]), "has 1 dimensions, the set has 2");
        let _ = fs::remove_dir_all(folder);
    }
}
