//! Opened vectors: the root, and the files that were supplied so far.
//!
//! Reading is synchronous and knows no network. A call that needs a file that is not there records the file and fails
//! with [`Error::Missing`]. The owner fetches the files that [`Vectors::wanted`] lists in parallel, supplies them with
//! [`Vectors::supply`], and repeats the call. A search takes one such round, or two in a set with groups of leaves; the
//! similarities of given chunks take up to three.

mod cache;
mod search;

use std::ops::Range;

use crate::error::Error;
use crate::format::files::WantedFile;
use crate::format::leaf::ChunkName;
use crate::format::root::{Root, Tree};
use crate::int8::{Int8Vector, quantise};
use crate::space::Space;
use cache::Cache;

pub use search::{Budget, Near};

/// The number of a chunk among all chunks of the set: packs follow each other, and the chunks of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkNo(pub u32);

/// The chunks of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackChunks<'v> {
    /// The pack's path.
    pub path: &'v str,
    /// The numbers of its chunks.
    pub chunks: Range<u32>,
}

/// Opened vectors.
#[derive(Debug)]
pub struct Vectors {
    root: Root,
    cache: Cache,
}

impl Vectors {
    /// Opens a root file, and checks all that can be checked without the other files.
    ///
    /// # Errors
    /// [`Error::NotVectors`], [`Error::Version`] or [`Error::Corrupt`].
    pub fn open(file: &[u8]) -> Result<Vectors, Error> {
        Ok(Vectors { root: Root::read(file)?, cache: Cache::default() })
    }

    /// The space of the vectors. [`Space::check`] compares it with an encoder's.
    pub fn space(&self) -> &Space {
        &self.root.space
    }

    /// How many chunks have a vector.
    pub fn len(&self) -> u32 {
        self.root.chunks()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether every search compares its query with all vectors.
    pub fn is_exact(&self) -> bool {
        matches!(self.root.tree, Tree::Leaf(_))
    }

    /// The packs, in their order.
    pub fn packs(&self) -> impl Iterator<Item = PackChunks<'_>> {
        let starts = std::iter::once(0).chain(self.root.packs.iter().map(|pack| pack.end));
        starts.zip(&self.root.packs).map(|(start, pack)| PackChunks { path: &pack.path, chunks: start..pack.end })
    }

    /// The pack of a chunk, by its place among [`Vectors::packs`]; none where there is no such chunk.
    pub fn pack_of(&self, chunk: ChunkNo) -> Option<usize> {
        let at = self.root.packs.partition_point(|pack| pack.end <= chunk.0);
        (at < self.root.packs.len()).then_some(at)
    }

    /// The name of a chunk: its page's file and its number there.
    ///
    /// # Errors
    /// [`Error::NoChunk`]; [`Error::Missing`] where the chunk's leaf is not there yet, as it is after a search that found
    /// the chunk; [`Error::Corrupt`].
    pub fn name(&self, chunk: ChunkNo) -> Result<ChunkName, Error> {
        self.with_chunk(chunk, |leaf, at| leaf.names[at].clone())
    }

    /// Takes the list of the files that calls have missed since it was taken last.
    pub fn wanted(&self) -> Vec<WantedFile> {
        self.cache.take_missing()
    }

    /// Supplies a file's bytes, whose hash the owner has compared with [`WantedFile::hash`].
    ///
    /// # Errors
    /// [`Error::Corrupt`] where they are damaged; it names the file.
    pub fn supply(&self, file: WantedFile, bytes: &[u8]) -> Result<(), Error> {
        self.cache.supply(file, bytes, &self.root)
    }

    /// Drops the files that were supplied.
    pub fn clear_cache(&self) {
        self.cache.clear();
    }

    /// A query as bytes.
    fn query(&self, query: &[f32]) -> Result<Int8Vector, Error> {
        let expected = self.root.space.dimensions;
        if query.len() != expected {
            return Err(Error::Dimensions { expected, got: query.len() });
        }
        quantise(query)
    }
}
