//! The files of a set of vectors, version 2.
//!
//! A set is a root file and, where it is large, further files, each named by the hash of its bytes. The root is read
//! first. A search then needs the leaves whose centroids are nearest to its query, and in a very large set the groups
//! of leaves before them. The similarities of given chunks need the leaves that hold these chunks, which *places* tell.
//!
//! ```text
//! root    := magic version:u16 space packs tree
//! magic   := "see-vec" 0x00
//! space   := model:str scheme:str sha256:byte[32] dimensions:varint    which vectors can be compared; the SHA-256 is of
//!                                                    the model's weights
//! packs   := count:varint (shared:varint rest:str chunks:varint)*      paths, each less the bytes that it shares with the
//!                                                    one before; chunks are numbered 0.. in this order
//! tree    := 0 leaf                                  all vectors; they are searched whole
//!          | 1 node places                           the node lists leaves
//!          | 2 node places                           the node lists groups; each file of a group is a node of leaves
//! node    := count:varint child*
//! child   := hash bytes:varint size:varint centroid  a file, its bytes, how many vectors (leaf) or leaves (group) it
//!                                                    has, and its centroid
//! centroid := scale:f32 byte[dimensions / 2]         half a byte a number, the first in the low half; the last byte of an
//!                                                    odd number of dimensions has 8 in its high half. A number is
//!                                                    scale · (value - 8), the value from 1 to 15
//! leaf    := count:varint entry* vector*             of chunks in ascending order
//! entry   := gap:varint number:varint shared:varint rest:str           the chunk's number less that of the one before
//!                                                    and 1; its number on its page; the page's file, as packs' paths
//! vector  := scale:f32 value:byte[dimensions]        a number of it is scale · value, the value from -127 to 127
//! places  := 0 place*                                for each chunk the number of its leaf; leaves are numbered in the
//!                                                    order of the tree
//!          | 1 count:varint (hash bytes:varint)*     files of places, each of PLACES_BLOCK chunks, the last of the rest
//! place   := varint
//!
//! str     := length:varint utf8*
//! varint  := LEB128, at most 64 bits; numbers of fixed size are little endian
//! ```
//!
//! Bytes are not deflated: embeddings as whole numbers have little that repeats.

/// The first bytes of a root of vectors.
pub const MAGIC: &[u8; 8] = b"see-vec\0";
/// The format version that this crate writes and reads.
pub const VERSION: u16 = 2;
/// Chunks of a file of places.
pub(crate) const PLACES_BLOCK: u32 = 2048;

pub(crate) mod bytes;
pub(crate) mod files;
pub(crate) mod leaf;
pub(crate) mod node;
pub(crate) mod places;
pub(crate) mod root;
