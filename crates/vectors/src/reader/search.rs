//! The chunks that are nearest to a query, and the similarities of given chunks.

use std::rc::Rc;

use super::{ChunkNo, Vectors};
use crate::error::Error;
use crate::format::files::{File, WantedFile};
use crate::format::leaf::Leaf;
use crate::format::node::Node;
use crate::format::places::Places;
use crate::format::root::Tree;
use crate::int8::Int8Ref;

/// A chunk that is near a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The chunk.
    pub chunk: ChunkNo,
    /// The cosine of its vector and the query's, 0 where that is negative and 1 at most.
    pub similarity: f32,
}

/// How much a search may read from an empty cache. The nearest file of each kind is read in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of groups of leaves.
    pub group_bytes: u64,
    /// Bytes of leaves.
    pub leaf_bytes: u64,
    /// Files of each kind. Files of the usual sizes use up the bytes first; those of a hostile set may be tiny and many.
    pub files: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { group_bytes: 128 << 10, leaf_bytes: 512 << 10, files: 256 }
    }
}

impl Budget {
    /// A budget that reads all files, so that a search compares its query with all vectors.
    pub const ALL: Budget = Budget { group_bytes: u64::MAX, leaf_bytes: u64::MAX, files: usize::MAX };
}

/// A score and a number, which order hits: the larger score first, then the smaller number.
type Scored = (f32, u32);

impl Vectors {
    /// The `count` chunks nearest to `query` of those that `accept` accepts, the nearest first, and of equally near ones
    /// the first. Only the leaves that the budget allows are searched.
    ///
    /// # Errors
    /// [`Error::Missing`] where a file is not there yet; [`Error::Dimensions`] and [`Error::NoDirection`] where the query
    /// is none; [`Error::Corrupt`].
    pub fn search(
        &self,
        query: &[f32],
        count: usize,
        budget: Budget,
        accept: &dyn Fn(ChunkNo) -> bool,
    ) -> Result<Vec<Near>, Error> {
        let query = self.query(query)?;
        let mut best = Best { count, scored: Vec::new() };
        match &self.root.tree {
            Tree::Leaf(leaf) => best.add(leaf, query.view(), accept),
            Tree::Leaves(node, _) => {
                let leaves = nearest(&[node], query.view(), File::Leaf, budget.leaf_bytes, budget.files);
                self.leaves(&leaves)?.iter().for_each(|leaf| best.add(leaf, query.view(), accept));
            }
            Tree::Groups(node, _) => {
                let groups = nearest(&[node], query.view(), File::Group, budget.group_bytes, budget.files);
                let groups = all(groups.into_iter().map(|group| self.cache.group(group)))?;
                let groups: Vec<&Node> = groups.iter().map(Rc::as_ref).collect();
                let leaves = nearest(&groups, query.view(), File::Leaf, budget.leaf_bytes, budget.files);
                self.leaves(&leaves)?.iter().for_each(|leaf| best.add(leaf, query.view(), accept));
            }
        }
        Ok(best.take())
    }

    /// The similarity of each of these chunks to `query`, as [`Near::similarity`].
    ///
    /// # Errors
    /// As [`Vectors::search`], and [`Error::NoChunk`]. One chunk without a similarity fails the call, since a set that is
    /// ranked in part by similarities is ranked by two scales.
    pub fn similarities(&self, query: &[f32], chunks: &[ChunkNo]) -> Result<Vec<f32>, Error> {
        let query = self.query(query)?;
        let similarity_of = |chunk: &ChunkNo| {
            self.with_chunk(*chunk, |leaf, at| leaf.vectors.get(at).map_or(0.0, |vector| vector.dot(query.view())))
        };
        Ok(all(chunks.iter().map(similarity_of))?.into_iter().map(similarity).collect())
    }

    /// Records the files that the names and similarities of these chunks need.
    ///
    /// # Errors
    /// [`Error::Missing`] where any is not there yet; [`Error::NoChunk`]; [`Error::Corrupt`].
    pub fn prefetch(&self, chunks: &[ChunkNo]) -> Result<(), Error> {
        all(chunks.iter().map(|chunk| self.with_chunk(*chunk, |_, _| ()))).map(drop)
    }

    /// Reads what a leaf has of a chunk: `read` is given the leaf and the chunk's place in it.
    pub(super) fn with_chunk<T>(&self, chunk: ChunkNo, read: impl Fn(&Leaf, usize) -> T) -> Result<T, Error> {
        let count = self.len();
        if chunk.0 >= count {
            return Err(Error::NoChunk { chunk: chunk.0, count });
        }
        let file = match &self.root.tree {
            Tree::Leaf(leaf) => return find(leaf, chunk, "root").map(|at| read(leaf, at)),
            Tree::Leaves(node, places) => {
                let place = self.place(places, chunk)?;
                node.children.get(place as usize).map(|child| child.file(File::Leaf))
            }
            Tree::Groups(node, places) => self.leaf_in_groups(node, self.place(places, chunk)?)?,
        };
        let file = file.ok_or_else(|| Error::corrupt("root", "a chunk is in a leaf that is not there"))?;
        let leaf = self.cache.leaf(file)?;
        find(&leaf, chunk, &file.name()).map(|at| read(&leaf, at))
    }

    /// The number of a chunk's leaf.
    fn place(&self, places: &Places, chunk: ChunkNo) -> Result<u32, Error> {
        let missing = || Error::corrupt("root", "a chunk has no place");
        if let Places::Inline(leaves) = places {
            return leaves.get(chunk.0 as usize).copied().ok_or_else(missing);
        }
        let file = places.file_of(chunk.0, self.len()).ok_or_else(missing)?;
        let leaves = self.cache.places(file)?;
        leaves.get(chunk.0 as usize % crate::format::PLACES_BLOCK as usize).copied().ok_or_else(missing)
    }

    /// The file of the leaf of that number; none where there is no such leaf.
    fn leaf_in_groups(&self, node: &Node, number: u32) -> Result<Option<WantedFile>, Error> {
        let mut left = number;
        for child in &node.children {
            if left < child.size {
                let group = self.cache.group(child.file(File::Group))?;
                return Ok(group.children.get(left as usize).map(|leaf| leaf.file(File::Leaf)));
            }
            left -= child.size;
        }
        Ok(None)
    }

    fn leaves(&self, files: &[WantedFile]) -> Result<Vec<Rc<Leaf>>, Error> {
        all(files.iter().map(|file| self.cache.leaf(*file)))
    }
}

/// The place of a chunk in its leaf.
fn find(leaf: &Leaf, chunk: ChunkNo, file: &str) -> Result<usize, Error> {
    leaf.find(chunk.0).ok_or_else(|| Error::corrupt(file, format!("it lacks chunk {}", chunk.0)))
}

/// All results; [`Error::Missing`] only after all of them were asked for, so that one round fetches all files.
fn all<T>(results: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let (mut found, mut missing) = (Vec::new(), false);
    for result in results {
        match result {
            Ok(value) => found.push(value),
            Err(Error::Missing) => missing = true,
            Err(error) => return Err(error),
        }
    }
    if missing { Err(Error::Missing) } else { Ok(found) }
}

/// The children of these nodes whose centroids are nearest to `query`, the nearest first: as many as have no more than
/// `bytes` together, at most `most`, and one at least.
fn nearest(nodes: &[&Node], query: Int8Ref<'_>, kind: File, bytes: u64, most: usize) -> Vec<WantedFile> {
    let children = nodes.iter().flat_map(|node| node.children.iter().zip(node.centroids.iter()));
    let mut scored: Vec<(f32, WantedFile)> =
        children.map(|(child, centroid)| (centroid.dot(query), child.file(kind))).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut left = bytes;
    let mut files = Vec::new();
    for (_, file) in scored.into_iter().take(most.max(1)) {
        let rest = left.checked_sub(u64::from(file.bytes));
        if rest.is_none() && !files.is_empty() {
            break;
        }
        left = rest.unwrap_or(0);
        files.push(file);
    }
    files
}

/// The best scored chunks so far.
struct Best {
    count: usize,
    /// In the order of hits; at most `count`.
    scored: Vec<Scored>,
}

impl Best {
    fn add(&mut self, leaf: &Leaf, query: Int8Ref<'_>, accept: &dyn Fn(ChunkNo) -> bool) {
        for (&chunk, vector) in leaf.chunks.iter().zip(leaf.vectors.iter()) {
            let scored = (vector.dot(query), chunk);
            let is_better =
                self.scored.len() < self.count || self.scored.last().is_some_and(|last| order(&scored, last).is_lt());
            if is_better && accept(ChunkNo(chunk)) {
                let at = self.scored.partition_point(|other| order(other, &scored).is_lt());
                // Two leaves of a hostile set may have the same chunk.
                if self.scored.get(at) != Some(&scored) {
                    self.scored.insert(at, scored);
                    self.scored.truncate(self.count);
                }
            }
        }
    }

    fn take(self) -> Vec<Near> {
        let near = |(score, chunk)| Near { chunk: ChunkNo(chunk), similarity: similarity(score) };
        self.scored.into_iter().map(near).collect()
    }
}

fn order(a: &Scored, b: &Scored) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

/// A product of two vectors of length 1 as a similarity.
fn similarity(product: f32) -> f32 {
    product.clamp(0.0, 1.0)
}
