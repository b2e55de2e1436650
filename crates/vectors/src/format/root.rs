//! The root of a set of vectors: what every search needs.

use crate::error::Error;
use crate::format::bytes::{Cursor, put_text_after, put_varint, read_text_after};
use crate::format::leaf::Leaf;
use crate::format::node::Node;
use crate::format::places::Places;
use crate::format::{MAGIC, VERSION};
use crate::space::Space;

/// The name of the root in errors.
pub(crate) const ROOT: &str = "root";

/// The chunks of a pack, which follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackSpan {
    pub(crate) path: String,
    /// One past its last chunk. Its first chunk is the end of the pack before.
    pub(crate) end: u32,
}

/// Where the vectors are.
#[derive(Debug, Clone)]
pub(crate) enum Tree {
    /// All vectors.
    Leaf(Leaf),
    /// The leaves.
    Leaves(Node, Places),
    /// The groups of leaves.
    Groups(Node, Places),
}

/// The content of a root file.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) space: Space,
    pub(crate) packs: Vec<PackSpan>,
    pub(crate) tree: Tree,
}

/// The most bytes that the paths of packs may have together, for each byte of the root.
const MOST_PATH_BYTES: usize = 32;

impl Root {
    /// How many chunks there are.
    pub(crate) fn chunks(&self) -> u32 {
        self.packs.last().map_or(0, |pack| pack.end)
    }

    /// The bytes of a root, whose tree has been written.
    pub(crate) fn write(space: &Space, packs: &[PackSpan], tree: &[u8]) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend(VERSION.to_le_bytes());
        space.write(&mut out);
        put_varint(&mut out, packs.len() as u64);
        let (mut start, mut before) = (0, "");
        for pack in packs {
            put_text_after(&mut out, before, &pack.path);
            put_varint(&mut out, u64::from(pack.end - start));
            (start, before) = (pack.end, &pack.path);
        }
        out.extend_from_slice(tree);
        out
    }

    /// Reads a root file.
    pub(crate) fn read(file: &[u8]) -> Result<Root, Error> {
        if !file.starts_with(MAGIC) {
            let found = String::from_utf8_lossy(&file[..file.len().min(16)]).into_owned();
            return Err(Error::NotVectors { found });
        }
        let mut cursor = Cursor::new(&file[MAGIC.len()..], ROOT);
        let version = u16::from_le_bytes(cursor.array()?);
        if version != VERSION {
            return Err(Error::Version { found: version });
        }
        let space = Space::read(&mut cursor)?;
        let packs = read_packs(&mut cursor)?;
        let chunks = packs.last().map_or(0, |pack| pack.end);
        let tree = Tree::read(&mut cursor, space.dimensions, chunks)?;
        cursor.end()?;
        Ok(Root { space, packs, tree })
    }
}

fn read_packs(cursor: &mut Cursor<'_>) -> Result<Vec<PackSpan>, Error> {
    let mut left = cursor.rest().saturating_mul(MOST_PATH_BYTES);
    let mut packs = Vec::<PackSpan>::new();
    for _ in 0..cursor.count_of(3)? {
        let (before, start) = packs.last().map_or(("", 0), |pack| (pack.path.as_str(), pack.end));
        let path = read_text_after(cursor, before)?;
        left = left.checked_sub(path.len()).ok_or_else(|| cursor.corrupt("its packs' paths are absurd"))?;
        let end = start.checked_add(cursor.number()?).ok_or_else(|| cursor.corrupt("it has too many chunks"))?;
        packs.push(PackSpan { path, end });
    }
    Ok(packs)
}

impl Tree {
    /// How many leaves there are beside the root.
    pub(crate) fn leaves(&self) -> u64 {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Leaves(node, _) => node.children.len() as u64,
            Tree::Groups(node, _) => node.size(),
        }
    }

    fn read(cursor: &mut Cursor<'_>, dimensions: usize, chunks: u32) -> Result<Tree, Error> {
        let kind = cursor.byte()?;
        if kind == 0 {
            let leaf = Leaf::read(cursor, dimensions, chunks)?;
            return match leaf.chunks.len() == chunks as usize {
                true => Ok(Tree::Leaf(leaf)),
                false => Err(cursor.corrupt("it has another number of vectors than its packs have chunks")),
            };
        }
        let node = Node::read(cursor, dimensions)?;
        match kind {
            1 if node.size() == u64::from(chunks) => {
                let places = Places::read(cursor, chunks, node.children.len() as u64)?;
                Ok(Tree::Leaves(node, places))
            }
            2 if node.size() <= u64::from(chunks) => {
                let places = Places::read(cursor, chunks, node.size())?;
                Ok(Tree::Groups(node, places))
            }
            1 | 2 => Err(cursor.corrupt("its leaves have another number of vectors than its packs have chunks")),
            _ => Err(cursor.corrupt("its tree is of an unknown kind")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        Space { model: "m".into(), sha256: [1; 32], scheme: "s".into(), dimensions: 1 }
    }

    fn packs() -> Vec<PackSpan> {
        [("a/b", 2), ("a/c", 2), ("d", 3)].map(|(path, end)| PackSpan { path: path.into(), end }).into()
    }

    #[test]
    fn the_head_is_that_of_the_grammar() {
        let head =
            [b"see-vec\0\x02\x00\x01m\x01s".as_slice(), &[1; 32], b"\x01\x03\x00\x03a/b\x02\x02\x01c\x00\x00\x01d\x01"];
        assert_eq!(Root::write(&space(), &packs(), &[]), head.concat());
    }

    #[test]
    fn roots_that_contradict_themselves_are_refused() {
        let check = |tree: &[u8], message: &str| {
            let refused = Root::read(&Root::write(&space(), &packs(), tree)).unwrap_err().to_string();
            assert!(refused.contains("in the file root"), "{refused}");
            assert!(refused.contains(message), "{refused}, expected {message}");
        };
        let centroid = [0, 0, 0x80, 0x3f, 0x8f];
        check(&[], "ends inside");
        check(&[9, 0], "unknown kind");
        check(&[0, 0], "another number of vectors");
        check(&[1, 0], "another number of vectors");
        check(&[&[1, 1, 0, 0, 0, 0, 0, 0, 9, 4][..], &centroid].concat(), "another number of vectors");
        check(&[&[2, 1, 0, 0, 0, 0, 0, 0, 9, 4][..], &centroid].concat(), "another number of vectors");
        check(&[&[1, 1, 0, 0, 0, 0, 0, 0, 9, 3][..], &centroid, &[0, 0, 1, 0]].concat(), "a leaf that is not there");
        check(&[&[1, 1, 0, 0, 0, 0, 0, 0, 9, 3][..], &centroid, &[0, 0, 0, 0, 7]].concat(), "something follows");
    }

    #[test]
    fn what_is_no_root_says_so() {
        let message = |bytes: &[u8]| Root::read(bytes).unwrap_err().to_string();
        assert!(
            message(b"<!DOCTYPE html><html>").starts_with("not a file of vectors (it begins with \"<!DOCTYPE html>")
        );
        assert!(message(b"").starts_with("not a file of vectors"));
        assert!(message(b"see-vec\0").contains("ends inside"));
        let newer = Root::read(b"see-vec\0\x03\0").unwrap_err();
        assert!(newer.is_version());
        assert_eq!(
            newer.to_string(),
            "the vectors have format version 3, this reader knows version 2; make them again with `seealso setup`"
        );
    }
}
