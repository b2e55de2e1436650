//! A leaf: vectors that are near each other, and the chunks that they are of.

use crate::error::Error;
use crate::format::bytes::{
    Cursor, put_text_after, put_varint, put_vector, read_text_after, read_vector, vector_bytes,
};
use crate::int8::{Int8Ref, Int8Table};

/// A chunk as its page knows it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChunkName {
    /// The file of its page, in its pack.
    pub file: String,
    /// Its number on that page.
    pub number: u32,
}

/// A leaf that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Leaf {
    /// The chunks, in ascending order.
    pub(crate) chunks: Vec<u32>,
    /// As many names.
    pub(crate) names: Vec<ChunkName>,
    /// As many vectors.
    pub(crate) vectors: Int8Table,
}

/// The most bytes that the names of a leaf may have together, for each byte of the leaf: names share their beginnings.
const MOST_NAME_BYTES: usize = 32;
/// The least bytes of an entry, beside its vector.
const ENTRY_BYTES: usize = 4;

impl Leaf {
    /// The bytes of a leaf of these chunks, which are in ascending order.
    pub(crate) fn write<'v>(
        chunks: &[u32],
        name_of: impl Fn(u32) -> &'v ChunkName,
        vector_of: impl Fn(u32) -> Int8Ref<'v>,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, chunks.len() as u64);
        let (mut next, mut before) = (0, "");
        for &chunk in chunks {
            let name = name_of(chunk);
            put_varint(&mut out, u64::from(chunk - next));
            put_varint(&mut out, u64::from(name.number));
            put_text_after(&mut out, before, &name.file);
            (next, before) = (chunk + 1, &name.file);
        }
        chunks.iter().for_each(|&chunk| put_vector(&mut out, vector_of(chunk)));
        out
    }

    /// Reads a leaf of vectors of so many dimensions, whose chunks are below `end`.
    pub(crate) fn read(cursor: &mut Cursor<'_>, dimensions: usize, end: u32) -> Result<Leaf, Error> {
        let mut left = cursor.rest().saturating_mul(MOST_NAME_BYTES);
        let count = cursor.count_of(ENTRY_BYTES + vector_bytes(dimensions))?;
        let (mut chunks, mut names) = (Vec::with_capacity(count), Vec::<ChunkName>::with_capacity(count));
        let mut next = 0u32;
        for _ in 0..count {
            let chunk = next.checked_add(cursor.number()?).filter(|chunk| *chunk < end);
            let chunk = chunk.ok_or_else(|| cursor.corrupt("it has a chunk that no pack has"))?;
            let number = cursor.number()?;
            let file = read_text_after(cursor, names.last().map_or("", |name| &name.file))?;
            left = left.checked_sub(file.len()).ok_or_else(|| cursor.corrupt("its pages' files are absurd"))?;
            chunks.push(chunk);
            names.push(ChunkName { file, number });
            next = chunk + 1;
        }
        let mut vectors = Int8Table::new(dimensions);
        (0..count).try_for_each(|_| read_vector(cursor, &mut vectors))?;
        Ok(Leaf { chunks, names, vectors })
    }

    /// The place of a chunk in the leaf.
    pub(crate) fn find(&self, chunk: u32) -> Option<usize> {
        self.chunks.binary_search(&chunk).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::quantise;

    fn sample() -> Vec<u8> {
        let names = [("a/tea.md", 0), ("a/tea.md", 1), ("a/top.md", 0)];
        let names = names.map(|(file, number)| ChunkName { file: file.into(), number });
        let vectors = [[1.0, 0.0], [0.6, -0.8], [0.0, 1.0]].map(|vector| quantise(&vector).unwrap());
        let at = |chunk: u32| [3, 4, 9].iter().position(|known| *known == chunk).unwrap();
        Leaf::write(&[3, 4, 9], |chunk| &names[at(chunk)], |chunk| vectors[at(chunk)].view())
    }

    #[test]
    fn the_bytes_are_those_of_the_grammar() {
        let scales = [1.0f32, 0.8, 1.0].map(|largest| (largest / 127.0).to_le_bytes());
        let mut bytes = b"\x03\x03\x00\x00\x08a/tea.md\x00\x01\x08\x00\x04\x00\x03\x05op.md".to_vec();
        for (scale, values) in scales.iter().zip([[127, 0], [95, 0x81], [0, 127]]) {
            bytes.extend(scale);
            bytes.extend(values);
        }
        assert_eq!(sample(), bytes);
    }

    #[test]
    fn a_leaf_comes_back() {
        let leaf = Leaf::read(&mut Cursor::new(&sample(), "leaf"), 2, 10).unwrap();
        assert_eq!(leaf.chunks, [3, 4, 9]);
        assert_eq!(leaf.names[2], ChunkName { file: "a/top.md".into(), number: 0 });
        assert_eq!(leaf.vectors.get(1).unwrap().values, [95, -127]);
        assert_eq!((leaf.find(4), leaf.find(5)), (Some(1), None));
    }

    #[test]
    fn contradictions_are_refused() {
        let check = |bytes: &[u8], end: u32, message: &str| {
            let refused = Leaf::read(&mut Cursor::new(bytes, "leaf"), 2, end).unwrap_err().to_string();
            assert!(refused.contains(message), "{refused}");
        };
        check(&sample(), 9, "a chunk that no pack has");
        check(&[100, 0], 9, "a count is larger");
        let far = [&[2, 0, 0, 0, 0][..], &[255, 255, 255, 255, 15, 0, 0, 0], &[0; 12]].concat();
        check(&far, u32::MAX, "a chunk that no pack has");
        // One file of 3,000 bytes, which 400 chunks have.
        let mut shared = vec![0x91, 3, 0, 0, 0, 0xb8, 23];
        shared.extend([b'a'; 3000]);
        shared.extend([0, 0, 0xb8, 23, 0].repeat(400));
        shared.extend([0; 401 * 6]);
        check(&shared, 500, "absurd");
    }
}
