//! Writing the files of a set of vectors.

use seealso_bytes::{Hash, hash_of};

use crate::cluster::{Cluster, kmeans, leaves};
use crate::error::Error;
use crate::format::PLACES_BLOCK;
use crate::format::bytes::MAX_SCALE;
use crate::format::leaf::{ChunkName, Leaf};
use crate::format::node::{Child, Node};
use crate::format::places::{Places, put_places};
use crate::format::root::{PackSpan, Root};
use crate::int8::{Int8Table, Int8Vector};
use crate::space::{MAX_DIMENSIONS, Space};

/// The chunks of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewPack {
    /// The pack's path.
    pub path: String,
    /// Its chunks, in the order of their numbers.
    pub chunks: Vec<ChunkName>,
}

/// Everything that is written.
#[derive(Debug, Clone, PartialEq)]
pub struct NewSet {
    /// The space of the vectors.
    pub space: Space,
    /// The packs. Chunks are numbered from 0 in the order of the packs.
    pub packs: Vec<NewPack>,
    /// A vector for each chunk.
    pub vectors: Int8Table,
}

/// How a set is divided into files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// A set is one file where its vectors take no more bytes. A search from an empty cache then reads up to so many
    /// bytes in one request, which takes as long as two rounds of requests for a part of them.
    pub single_file_bytes: usize,
    /// How many vectors a leaf should have.
    pub leaf_vectors: usize,
    /// A set of more leaves has groups of leaves.
    pub most_leaves: usize,
    /// The places of a set of more chunks are files.
    pub inline_places: usize,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { single_file_bytes: 256 << 10, leaf_vectors: 64, most_leaves: 256, inline_places: 4096 }
    }
}

/// Takes the files beside the root: a file's hash, which names it, and its bytes.
pub type Sink<'s> = dyn FnMut(&Hash, &[u8]) -> Result<(), Error> + 's;

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenVectors {
    /// The bytes of the root.
    pub root: Vec<u8>,
    /// How many other files there are.
    pub files: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// How many leaves there are; 0 where all vectors are in the root.
    pub leaves: u64,
}

/// Writes a set: the files beside the root go to `sink`, the root is returned.
///
/// # Errors
/// [`Error::Unwritable`] where the set contradicts itself, or is too large; and the errors of `sink`.
pub fn write(set: &NewSet, layout: Layout, sink: &mut Sink<'_>) -> Result<WrittenVectors, Error> {
    check(set)?;
    let mut writer = Writer {
        names: set.packs.iter().flat_map(|pack| &pack.chunks).collect(),
        set,
        layout,
        places: Vec::new(),
        written: WrittenVectors { root: Vec::new(), files: 0, bytes: 0, leaves: 0 },
        sink,
    };
    let tree = writer.write_tree()?;
    let mut end = 0;
    let spans = set.packs.iter().map(|pack| {
        end += pack.chunks.len() as u32;
        PackSpan { path: pack.path.clone(), end }
    });
    Ok(WrittenVectors { root: Root::write(&set.space, &spans.collect::<Vec<_>>(), &tree), ..writer.written })
}

fn check(set: &NewSet) -> Result<(), Error> {
    let (chunks, vectors) = (set.packs.iter().map(|pack| pack.chunks.len()).sum::<usize>(), set.vectors.len());
    if chunks != vectors {
        return Err(Error::unwritable(format!("there are {vectors} vectors for {chunks} chunks")));
    }
    if u32::try_from(chunks).is_err() {
        return Err(Error::unwritable(format!("there are {chunks} chunks, more than {} fit", u32::MAX)));
    }
    let dimensions = set.space.dimensions;
    if dimensions == 0 || dimensions > MAX_DIMENSIONS || set.vectors.dimensions() != dimensions {
        let reason = format!(
            "the vectors have {} dimensions, the space has {dimensions}, and {MAX_DIMENSIONS} are the most",
            set.vectors.dimensions()
        );
        return Err(Error::unwritable(reason));
    }
    match set.vectors.iter().any(|vector| vector.scale > MAX_SCALE) {
        true => Err(Error::unwritable("a vector is longer than 1")),
        false => Ok(()),
    }
}

struct Writer<'w, 's> {
    set: &'w NewSet,
    layout: Layout,
    /// The name of each chunk.
    names: Vec<&'w ChunkName>,
    /// The leaf of each chunk.
    places: Vec<u32>,
    written: WrittenVectors,
    sink: &'w mut Sink<'s>,
}

impl Writer<'_, '_> {
    /// Writes the files of leaves, groups and places, and gives the tree's bytes.
    fn write_tree(&mut self) -> Result<Vec<u8>, Error> {
        let all: Vec<u32> = (0..self.names.len() as u32).collect();
        let whole = self.leaf(&all);
        if whole.len() <= self.layout.single_file_bytes || all.is_empty() {
            return Ok([&[0], &whole[..]].concat());
        }
        drop(whole);
        self.places = vec![0; all.len()];
        let size = self.layout.leaf_vectors.max(1);
        let count = all.len().div_ceil(size);
        let mut tree = Vec::new();
        match count > self.layout.most_leaves {
            true => {
                tree.push(2);
                // As many groups as each has leaves, so that the root and the groups that are read are smallest.
                let groups = (count as f64).sqrt().ceil() as usize;
                let groups = kmeans(&self.set.vectors, &all, groups);
                self.write_groups(groups)?.write(&mut tree);
            }
            false => {
                tree.push(1);
                self.write_leaves(leaves(&self.set.vectors, all, size))?.write(&mut tree);
            }
        }
        self.write_places()?.write(&mut tree);
        Ok(tree)
    }

    fn leaf(&self, chunks: &[u32]) -> Vec<u8> {
        let vector = |chunk: u32| self.set.vectors.get(chunk as usize).expect("each chunk has a vector");
        Leaf::write(chunks, |chunk| self.names[chunk as usize], vector)
    }

    fn write_leaves(&mut self, leaves: Vec<Cluster>) -> Result<Node, Error> {
        let mut node = Node::new(self.set.space.dimensions);
        for leaf in leaves {
            for &chunk in &leaf.members {
                self.places[chunk as usize] = self.written.leaves as u32;
            }
            self.written.leaves += 1;
            let bytes = self.leaf(&leaf.members);
            self.push(&mut node, &bytes, leaf.members.len(), &leaf.centre)?;
        }
        Ok(node)
    }

    fn write_groups(&mut self, groups: Vec<Cluster>) -> Result<Node, Error> {
        let mut node = Node::new(self.set.space.dimensions);
        for group in groups {
            let leaves = leaves(&self.set.vectors, group.members, self.layout.leaf_vectors.max(1));
            let inner = self.write_leaves(leaves)?;
            let mut bytes = Vec::new();
            inner.write(&mut bytes);
            self.push(&mut node, &bytes, inner.children.len(), &group.centre)?;
        }
        Ok(node)
    }

    /// Writes a file, and adds it to its node.
    fn push(&mut self, node: &mut Node, bytes: &[u8], size: usize, centre: &Int8Vector) -> Result<(), Error> {
        let (hash, length) = self.write_file(bytes)?;
        node.push(Child { hash, bytes: length, size: size as u32 }, centre.view());
        Ok(())
    }

    fn write_places(&mut self) -> Result<Places, Error> {
        let places = std::mem::take(&mut self.places);
        if places.len() <= self.layout.inline_places {
            return Ok(Places::Inline(places));
        }
        let blocks = places.chunks(PLACES_BLOCK as usize).map(|leaves| {
            let mut bytes = Vec::new();
            put_places(&mut bytes, leaves);
            self.write_file(&bytes)
        });
        Ok(Places::Files(blocks.collect::<Result<_, Error>>()?))
    }

    /// Hands a file on; gives its hash and its bytes.
    fn write_file(&mut self, bytes: &[u8]) -> Result<(Hash, u32), Error> {
        let length = u32::try_from(bytes.len()).map_err(|_| Error::unwritable("a file of 4 GiB or more"))?;
        let hash = hash_of(bytes);
        (self.sink)(&hash, bytes)?;
        self.written.files += 1;
        self.written.bytes += u64::from(length);
        Ok((hash, length))
    }
}
