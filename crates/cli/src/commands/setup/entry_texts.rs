//! What is encoded of entries and patterns, beside the chunks of the same packs, and the way of the vectors back to them.

use std::collections::BTreeMap;

use seealso_pack::PackEntries;
use seealso_vectors::{ChunkName, NewSet};

use crate::encode_chunks::{ChunkText, PackTexts};

/// What follows a pack's path where its entries are meant and not its chunks. No pack's path has this character.
const OF_ENTRIES: char = '#';

/// What is encoded of the entries of those packs whose language the encoder `knows`.
pub(super) fn texts_of(entries: &[PackEntries], knows: impl Fn(&str) -> bool) -> Vec<PackTexts> {
    let text = |file: &String, text: String| ChunkText { name: ChunkName { file: file.clone(), number: 0 }, text };
    let texts = |of_pack: &PackEntries| {
        let entries = of_pack.entries.iter().map(|entry| text(&entry.of.file, entry.text()));
        let patterns = of_pack.patterns.iter().map(|pattern| text(&pattern.of.file, pattern.text()));
        PackTexts { path: format!("{}{OF_ENTRIES}", of_pack.path), chunks: entries.chain(patterns).collect() }
    };
    entries.iter().filter(|of_pack| knows(&of_pack.path)).map(texts).collect()
}

/// Gives the entries and patterns their vectors, of those that were encoded of [`texts_of`] them.
pub(super) fn take_vectors(entries: &mut [PackEntries], set: &NewSet) {
    let names = set.packs.iter().flat_map(|pack| pack.chunks.iter().map(|chunk| (pack.path.as_str(), &chunk.file)));
    let vectors: BTreeMap<(&str, &String), Vec<u8>> =
        names.zip(set.vectors.iter()).map(|(name, vector)| (name, vector.to_bytes())).collect();
    for of_pack in entries {
        let path = format!("{}{OF_ENTRIES}", of_pack.path);
        let vector = |file: &String| vectors.get(&(path.as_str(), file)).cloned();
        of_pack.entries.iter_mut().for_each(|entry| entry.vector = vector(&entry.of.file));
        of_pack.patterns.iter_mut().for_each(|pattern| pattern.vector = vector(&pattern.of.file));
    }
}
