//! Places: which leaf each chunk is in.

use seealso_bytes::{HASH_BYTES, Hash};

use crate::error::Error;
use crate::format::PLACES_BLOCK;
use crate::format::bytes::{Cursor, put_varint};
use crate::format::files::{File, WantedFile};

/// The places of all chunks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Places {
    /// The leaf of each chunk.
    Inline(Vec<u32>),
    /// The hash and the bytes of each file of places.
    Files(Vec<(Hash, u32)>),
}

/// Appends the leaf of each chunk.
pub(crate) fn put_places(out: &mut Vec<u8>, leaves: &[u32]) {
    leaves.iter().for_each(|&leaf| put_varint(out, u64::from(leaf)));
}

/// Reads the leaves of so many chunks, each of them below `leaves`.
pub(crate) fn read_places(cursor: &mut Cursor<'_>, chunks: u32, leaves: u64) -> Result<Vec<u32>, Error> {
    if chunks as usize > cursor.rest() {
        return Err(cursor.corrupt("it has too few places"));
    }
    let place = |_| match cursor.number()? {
        leaf if u64::from(leaf) < leaves => Ok(leaf),
        _ => Err(cursor.corrupt("a chunk is in a leaf that is not there")),
    };
    (0..chunks).map(place).collect()
}

impl Places {
    /// Appends the bytes of the places.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Places::Inline(leaves) => {
                out.push(0);
                put_places(out, leaves);
            }
            Places::Files(files) => {
                out.push(1);
                put_varint(out, files.len() as u64);
                for (hash, bytes) in files {
                    out.extend(hash);
                    put_varint(out, u64::from(*bytes));
                }
            }
        }
    }

    /// Reads the places of so many chunks in so many leaves.
    pub(crate) fn read(cursor: &mut Cursor<'_>, chunks: u32, leaves: u64) -> Result<Places, Error> {
        match cursor.byte()? {
            0 => Ok(Places::Inline(read_places(cursor, chunks, leaves)?)),
            1 => {
                let count = cursor.count_of(HASH_BYTES + 1)?;
                if count != chunks.div_ceil(PLACES_BLOCK) as usize {
                    return Err(cursor.corrupt("it has another number of files of places than its chunks need"));
                }
                let files = (0..count).map(|_| Ok((cursor.array()?, cursor.number()?)));
                Ok(Places::Files(files.collect::<Result<_, Error>>()?))
            }
            _ => Err(cursor.corrupt("its places are of an unknown kind")),
        }
    }

    /// The file that holds the place of a chunk, of `chunks`; none where the places are inline, or it is not there.
    pub(crate) fn file_of(&self, chunk: u32, chunks: u32) -> Option<WantedFile> {
        let Places::Files(files) = self else { return None };
        let block = chunk / PLACES_BLOCK;
        let (hash, bytes) = *files.get(block as usize)?;
        let entries = PLACES_BLOCK.min(chunks - block * PLACES_BLOCK);
        Some(WantedFile { file: File::Places, hash, bytes, entries })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], chunks: u32) -> Result<Places, String> {
        Places::read(&mut Cursor::new(bytes, "root"), chunks, 3).map_err(|error| error.to_string())
    }

    #[test]
    fn both_kinds_come_back() {
        for (places, chunks, expected) in [
            (Places::Inline(vec![2, 0, 1]), 3, &[0, 2, 0, 1][..]),
            (Places::Files(vec![(*b"abcdef", 300), (*b"ghijkl", 4)]), 2049, b"\x01\x02abcdef\xac\x02ghijkl\x04"),
        ] {
            let mut bytes = Vec::new();
            places.write(&mut bytes);
            assert_eq!(bytes, expected);
            assert_eq!(read(&bytes, chunks), Ok(places));
        }
    }

    #[test]
    fn a_chunk_has_one_file() {
        let places = Places::Files(vec![(*b"abcdef", 300), (*b"ghijkl", 4)]);
        let of = |chunk| places.file_of(chunk, 2050).map(|file| (file.hash, file.entries));
        assert_eq!(of(2047), Some((*b"abcdef", 2048)));
        assert_eq!(of(2048), Some((*b"ghijkl", 2)));
        assert_eq!(of(4096), None);
    }

    #[test]
    fn contradictions_are_refused() {
        for (bytes, chunks, message) in [
            (&[0, 3][..], 1, "a leaf that is not there"),
            (&[0, 1], 2, "too few places"),
            (&[1, 1, 0, 0, 0, 0, 0, 0, 9], 2049, "another number of files"),
            (&[7], 0, "unknown kind"),
        ] {
            let refused = read(bytes, chunks).unwrap_err();
            assert!(refused.contains(message), "{refused}");
        }
    }
}
