//! The vectors of texts that were encoded before, as a file that grows by one record a text.
//!
//! ```text
//! file    := magic version:u16 head record*
//! magic   := "see-emb" 0x00
//! head    := space check                             whose vectors they are, as in a root of vectors
//! record  := text:byte[32] vector check              the SHA-256 of the text, and its vector, as in a root of vectors
//! check   := byte[4]                                 the first bytes of the SHA-256 of what stands before it in its head
//!                                                    or record
//! ```
//!
//! A build that was interrupted leaves a record that is cut short. What follows the last sound record is redone, and so
//! is everything where the head names another space. The model's name is for people: a file with another one is the same.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::format::bytes::{Cursor, put_vector, read_vector, vector_bytes};
use crate::int8::{Int8Ref, Int8Table};
use crate::space::Space;

/// The first bytes of a file of embeddings.
const MAGIC: &[u8; 8] = b"see-emb\0";
/// The version of the format.
const VERSION: u16 = 1;
/// Bytes of a check.
const CHECK_BYTES: usize = 4;
/// How many bytes the hash of a text has.
pub const TEXT_HASH_BYTES: usize = 32;
/// The SHA-256 of a text that was encoded.
pub type TextHash = [u8; TEXT_HASH_BYTES];

/// The vectors of texts, by their hashes.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddingCache {
    space: Space,
    places: BTreeMap<TextHash, usize>,
    vectors: Int8Table,
    sound_bytes: usize,
}

impl EmbeddingCache {
    /// A cache without vectors, whose file has no byte yet.
    #[must_use]
    pub fn new(space: Space) -> EmbeddingCache {
        let vectors = Int8Table::new(space.dimensions);
        EmbeddingCache { space, places: BTreeMap::new(), vectors, sound_bytes: 0 }
    }

    /// Reads a file: all records before the first that is damaged, none where the head is not of this space. The cache has the
    /// file's own name of the model.
    #[must_use]
    pub fn read(file: &[u8], space: Space) -> EmbeddingCache {
        let stored = EmbeddingCache::space_of(file).filter(|stored| stored.has_same_vectors(&space));
        let Some(stored) = stored else { return EmbeddingCache::new(space) };
        let mut cache = EmbeddingCache::new(stored);
        let head = cache.head().len();
        cache.sound_bytes = head;
        let record_bytes = TEXT_HASH_BYTES + vector_bytes(cache.space.dimensions) + CHECK_BYTES;
        for record in file[head..].chunks_exact(record_bytes) {
            if cache.add_record(record).is_err() {
                break;
            }
            cache.sound_bytes += record_bytes;
        }
        cache
    }

    fn add_record(&mut self, record: &[u8]) -> Result<(), Error> {
        let (content, check) = record.split_at(record.len() - CHECK_BYTES);
        let mut cursor = Cursor::new(content, "embeddings");
        if check_of(content) != *check {
            return Err(cursor.corrupt("a record's check does not fit"));
        }
        let text = cursor.array()?;
        read_vector(&mut cursor, &mut self.vectors)?;
        self.places.insert(text, self.vectors.len() - 1);
        Ok(())
    }

    /// The beginning of a file of this space.
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        let mut head = MAGIC.to_vec();
        head.extend(VERSION.to_le_bytes());
        self.space.write(&mut head);
        head.extend(check_of(&head));
        head
    }

    /// How many bytes of the file that was read are sound: new records go behind them. 0 where the head is to be written
    /// too.
    #[must_use]
    pub fn sound_bytes(&self) -> usize {
        self.sound_bytes
    }

    /// The space that a file of embeddings names; none where its head is damaged.
    #[must_use]
    pub fn space_of(file: &[u8]) -> Option<Space> {
        let mut cursor = Cursor::new(file, "embeddings");
        let is_sound = cursor.array() == Ok(*MAGIC) && cursor.array() == Ok(VERSION.to_le_bytes());
        let space = is_sound.then(|| Space::read(&mut cursor).ok()).flatten()?;
        file.starts_with(&EmbeddingCache::new(space.clone()).head()).then_some(space)
    }

    /// The space of the vectors.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// All vectors, in the order in which they were added.
    #[must_use]
    pub fn vectors(&self) -> &Int8Table {
        &self.vectors
    }

    /// How many texts have a vector.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no text has a vector.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The vector of the text of that hash.
    #[must_use]
    pub fn get(&self, text: &TextHash) -> Option<Int8Ref<'_>> {
        self.vectors.get(*self.places.get(text)?)
    }

    /// Adds a text's vector, and gives the record to append to the file.
    ///
    /// # Errors
    /// [`Error::Dimensions`] where the vector is not of the cache's space.
    pub fn insert(&mut self, text: TextHash, vector: Int8Ref<'_>) -> Result<Vec<u8>, Error> {
        if vector.values.len() != self.space.dimensions {
            return Err(Error::Dimensions { expected: self.space.dimensions, got: vector.values.len() });
        }
        self.vectors.push(vector);
        self.places.insert(text, self.vectors.len() - 1);
        let mut record = text.to_vec();
        put_vector(&mut record, vector);
        record.extend(check_of(&record));
        Ok(record)
    }
}

fn check_of(bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let mut check = [0; CHECK_BYTES];
    check.copy_from_slice(&Sha256::digest(bytes)[..CHECK_BYTES]);
    check
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::{Int8Vector, quantise};

    fn space() -> Space {
        Space { model: "m".into(), sha256: [1; 32], scheme: "s".into(), dimensions: 2 }
    }

    fn vectors() -> Vec<(TextHash, Int8Vector)> {
        [[1.0, 0.0], [0.6, -0.8], [0.0, 1.0]]
            .iter()
            .zip(0u8..)
            .map(|(v, at)| ([at; 32], quantise(v).unwrap()))
            .collect()
    }

    fn file() -> Vec<u8> {
        let mut cache = EmbeddingCache::new(space());
        let mut file = cache.head();
        for (text, vector) in vectors() {
            file.extend(cache.insert(text, vector.view()).unwrap());
        }
        file
    }

    const HEAD: usize = 8 + 2 + 2 + 2 + 32 + 1 + 4;
    const RECORD: usize = 32 + 4 + 2 + 4;

    #[test]
    fn a_file_comes_back() {
        let cache = EmbeddingCache::read(&file(), space());
        assert_eq!((cache.len(), cache.sound_bytes()), (3, HEAD + 3 * RECORD));
        for (text, vector) in vectors() {
            assert_eq!(cache.get(&text), Some(vector.view()));
        }
        assert_eq!(cache.get(&[9; 32]), None);
        assert_eq!(cache.vectors().len(), 3);
        assert_eq!(EmbeddingCache::space_of(&file()), Some(space()));
        assert_eq!(EmbeddingCache::space_of(&file()[1..]), None);
    }

    #[test]
    fn what_was_cut_or_damaged_is_redone_and_no_more() {
        let check = |file: &[u8], sound: usize| {
            let cache = EmbeddingCache::read(file, space());
            let bytes = if sound == 0 && cache.sound_bytes() == 0 { 0 } else { HEAD + sound * RECORD };
            assert_eq!((cache.len(), cache.sound_bytes()), (sound, bytes));
        };
        for cut in 0..file().len() {
            check(&file()[..cut], cut.saturating_sub(HEAD) / RECORD);
        }
        for at in 0..file().len() {
            let mut damaged = file();
            damaged[at] ^= 1;
            check(&damaged, at.saturating_sub(HEAD) / RECORD);
        }
        check(b"", 0);
    }

    #[test]
    fn the_name_of_the_model_does_not_matter() {
        let mut cache = EmbeddingCache::read(&file(), Space { model: "renamed".into(), ..space() });
        assert_eq!((cache.len(), cache.sound_bytes(), cache.space()), (3, HEAD + 3 * RECORD, &space()));
        // What is appended to the file fits its head.
        let grown = [file(), cache.insert([9; 32], quantise(&[0.8, 0.6]).unwrap().view()).unwrap()].concat();
        assert_eq!(EmbeddingCache::read(&grown, space()).len(), 4);
    }

    #[test]
    fn vectors_of_another_space_are_not_used() {
        for other in [
            Space { sha256: [2; 32], ..space() },
            Space { scheme: "t".into(), ..space() },
            Space { dimensions: 3, ..space() },
        ] {
            let cache = EmbeddingCache::read(&file(), other);
            assert!(cache.is_empty() && cache.sound_bytes() == 0);
        }
        let refused = EmbeddingCache::new(space()).insert([0; 32], quantise(&[1.0]).unwrap().view());
        assert_eq!(refused, Err(Error::Dimensions { expected: 2, got: 1 }));
    }
}
