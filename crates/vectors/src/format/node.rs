//! A node: files, each with its centroid, the normalised mean of the vectors below it.

use crate::error::Error;
use crate::format::bytes::{Cursor, put_varint, put_vector, vector_bytes};
use crate::format::files::{File, HASH_BYTES, Hash, WantedFile};
use crate::int8::{Int8Ref, Int8Table};

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

    /// Adds a child.
    pub(crate) fn push(&mut self, child: Child, centroid: Int8Ref<'_>) {
        self.children.push(child);
        self.centroids.push(centroid);
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
            put_vector(out, centroid);
        }
    }

    /// Reads a node.
    pub(crate) fn read(cursor: &mut Cursor<'_>, dimensions: usize) -> Result<Node, Error> {
        let mut node = Node::new(dimensions);
        for _ in 0..cursor.count(HASH_BYTES + 2 + vector_bytes(dimensions))? {
            node.children.push(Child { hash: cursor.array()?, bytes: cursor.number()?, size: cursor.number()? });
            cursor.vector(&mut node.centroids)?;
        }
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::int8::quantise;

    #[test]
    fn the_bytes_are_those_of_the_grammar_and_come_back() {
        let mut node = Node::new(2);
        node.push(Child { hash: *b"abcdef", bytes: 300, size: 5 }, quantise(&[127.0, -1.0]).unwrap().view());
        let mut bytes = Vec::new();
        node.write(&mut bytes);
        assert_eq!(bytes, b"\x01abcdef\xac\x02\x05\x00\x00\x80\x3f\x7f\xff");
        assert_eq!(Node::read(&mut Cursor::new(&bytes, "root"), 2), Ok(node.clone()));
        assert_eq!(node.size(), 5);
        bytes[0] = 2;
        let refused = Node::read(&mut Cursor::new(&bytes, "root"), 2).unwrap_err().to_string();
        assert!(refused.contains("a count is larger"), "{refused}");
    }
}
