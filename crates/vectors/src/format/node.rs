//! A node: files, each with its centroid, the normalised mean of the vectors below it.
//!
//! A centroid only says in which order files are read, so it has half a byte a number, and a search reads the centroids of
//! twice as many files for its bytes. What is found is ranked by whole vectors.

use seealso_bytes::{HASH_BYTES, Hash};

use crate::error::Error;
use crate::format::bytes::{Cursor, MAX_SCALE, put_varint};
use crate::format::files::{File, WantedFile};
use crate::int8::{Int8Ref, Int8Table, Int8Vector};

/// What a node knows of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Child {
    pub(crate) hash: Hash,
    /// The bytes of its file.
    pub(crate) bytes: u32,
    /// How many vectors a leaf has, or how many leaves a group.
    pub(crate) size: u32,
}

/// A node that was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) children: Vec<Child>,
    /// As many centroids.
    pub(crate) centroids: Int8Table,
}

impl Child {
    /// The child's file, which is of that kind.
    pub(crate) fn file(&self, file: File) -> WantedFile {
        WantedFile { file, hash: self.hash, bytes: self.bytes, entries: self.size }
    }
}

impl Node {
    /// A node without children.
    pub(crate) fn new(dimensions: usize) -> Node {
        Node { children: Vec::new(), centroids: Int8Table::new(dimensions) }
    }

    /// Adds a child. Its centroid is rounded to numbers of half a byte.
    pub(crate) fn push(&mut self, child: Child, centroid: Int8Ref<'_>) {
        self.children.push(child);
        self.centroids.push(halve(centroid).view());
    }

    /// The sizes of all children together.
    pub(crate) fn size(&self) -> u64 {
        self.children.iter().map(|child| u64::from(child.size)).sum()
    }

    /// Appends the node's bytes.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_varint(out, self.children.len() as u64);
        for (child, centroid) in self.children.iter().zip(self.centroids.iter()) {
            out.extend(child.hash);
            put_varint(out, u64::from(child.bytes));
            put_varint(out, u64::from(child.size));
            put_centroid(out, centroid);
        }
    }

    /// Reads a node.
    pub(crate) fn read(cursor: &mut Cursor<'_>, dimensions: usize) -> Result<Node, Error> {
        let mut node = Node::new(dimensions);
        let centroid_bytes = size_of::<f32>() + dimensions.div_ceil(2);
        for _ in 0..cursor.count_of(HASH_BYTES + 2 + centroid_bytes)? {
            let child = Child { hash: cursor.array()?, bytes: cursor.number()?, size: cursor.number()? };
            if child.bytes == 0 || child.size == 0 {
                return Err(cursor.corrupt("a child of a node is empty"));
            }
            node.children.push(child);
            read_centroid(cursor, &mut node.centroids)?;
        }
        Ok(node)
    }
}

/// The largest number of half a byte.
const LARGEST: i32 = 7;
/// The half byte that stands for 0.
const ZERO: i8 = 8;

/// The vector with numbers from -7 to 7.
fn halve(vector: Int8Ref<'_>) -> Int8Vector {
    let largest = vector.values.iter().map(|value| i32::from(*value).abs()).max().unwrap_or(0).max(1);
    let round = |value: &i8| {
        let times = i32::from(*value) * LARGEST;
        // Half of the divisor, away from zero: the quotient is rounded.
        ((times + times.signum() * largest / 2) / largest) as i8
    };
    Int8Vector::new(vector.scale * largest as f32 / LARGEST as f32, vector.values.iter().map(round).collect())
}

fn put_centroid(out: &mut Vec<u8>, centroid: Int8Ref<'_>) {
    out.extend(centroid.scale.to_le_bytes());
    let half = |value: i8| (value + ZERO) as u8;
    let pairs = centroid.values.chunks(2);
    out.extend(pairs.map(|pair| half(pair[0]) | half(pair.get(1).copied().unwrap_or(0)) << 4));
}

/// Reads a centroid, and appends it to `table`.
fn read_centroid(cursor: &mut Cursor<'_>, table: &mut Int8Table) -> Result<(), Error> {
    let scale = f32::from_le_bytes(cursor.array()?);
    let halves = cursor.take(table.dimensions().div_ceil(2))?.iter().flat_map(|byte| [byte & 0x0f, byte >> 4]);
    let mut values: Vec<i8> = halves.map(|half| half as i8 - ZERO).collect();
    let is_padded = values.split_off(table.dimensions()).iter().all(|rest| *rest == 0);
    if !(scale > 0.0 && scale <= MAX_SCALE) || values.contains(&-ZERO) || !is_padded {
        return Err(cursor.corrupt("a centroid's scale or a number of it is out of bounds"));
    }
    table.push(Int8Ref { scale, values: &values });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::quantise;

    #[test]
    fn the_bytes_are_those_of_the_grammar_and_come_back() {
        let scale = (1.0f32 / 127.0 * 127.0 / 7.0).to_le_bytes();
        for (vector, halves) in
            [(&[1.0, -1.0][..], b"\x1f".as_slice()), (&[1.0, -0.5], b"\x4f"), (&[0.07, -1.0, 0.08], b"\x18\x89")]
        {
            let mut node = Node::new(vector.len());
            node.push(Child { hash: *b"abcdef", bytes: 300, size: 5 }, quantise(vector).unwrap().view());
            let mut bytes = Vec::new();
            node.write(&mut bytes);
            assert_eq!(bytes, [b"\x01abcdef\xac\x02\x05", &scale[..], halves].concat(), "{vector:?}");
            assert_eq!(Node::read(&mut Cursor::new(&bytes, "root"), vector.len()), Ok(node.clone()));
            assert_eq!(node.size(), 5);
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let check = |count: u8, scale: f32, halves: &[u8], dimensions: usize, message: &str| {
            let bytes = [&[count, 0, 0, 0, 0, 0, 0, 9, 5][..], &scale.to_le_bytes(), halves].concat();
            let refused = Node::read(&mut Cursor::new(&bytes, "root"), dimensions).unwrap_err().to_string();
            assert!(refused.contains(message), "{refused}");
        };
        check(2, 0.1, &[0x88], 2, "a count is larger");
        check(1, 0.1, &[0x08], 2, "a centroid's scale or a number of it is out of bounds");
        check(1, 0.1, &[0x80], 2, "a number of it is out of bounds");
        check(1, 0.1, &[0x98], 1, "a number of it is out of bounds");
        check(1, f32::NAN, &[0x88], 2, "a centroid's scale");
        check(1, 1.1, &[0x88], 2, "a centroid's scale");
    }

    #[test]
    fn an_empty_child_is_refused() {
        let check = |bytes: u8, size: u8, is_sound: bool| {
            let node = [&[1, 0, 0, 0, 0, 0, 0, bytes, size][..], &0.1f32.to_le_bytes(), &[0x99]].concat();
            let read = Node::read(&mut Cursor::new(&node, "root"), 2);
            assert_eq!(read.is_ok(), is_sound, "{bytes} {size}: {read:?}");
        };
        check(9, 5, true);
        check(0, 5, false);
        check(9, 0, false);
    }

    #[test]
    fn a_halved_centroid_is_off_by_half_a_scale_at_most() {
        let whole = quantise(&[0.9, -0.31, 0.02, 0.3, -0.09]).unwrap();
        let halved = halve(whole.view());
        for (number, half) in whole.view().floats().zip(halved.view().floats()) {
            assert!((number - half).abs() <= halved.view().scale * 0.5001, "{number} {half}");
        }
    }
}
