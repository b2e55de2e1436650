//! Vectors of chunks as static files: which chunks of a set of packs are nearest in meaning to a question.
//!
//! [`write()`] makes a root file and further files from the vectors of all chunks. A vector is stored as one byte a
//! number and a scale ([`quantise`]). Vectors that are near each other stand in one file, a *leaf*, and the root lists
//! the mean of each leaf, so that a search reads only the leaves that are nearest to its query: an inverted file. A
//! small set has no leaves beside its root, and is searched whole.
//!
//! [`Vectors::open`] reads the root; no bytes make it panic. A call that needs another file records it and fails with
//! [`Error::Missing`]. The owner of the vectors fetches the files that [`Vectors::wanted`] lists, supplies them with
//! [`Vectors::supply`], and repeats the call.
//!
//! ```
//! use seealso_vectors::{Budget, ChunkName, Int8Table, Layout, NewPack, NewSet, Space, Vectors, quantise, write};
//!
//! let space = Space { model: "tiny".into(), sha256: [7; 32], scheme: "plain".into(), dimensions: 2 };
//! let mut vectors = Int8Table::new(2);
//! for vector in [[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]] {
//!     vectors.push(quantise(&vector)?.view());
//! }
//! let chunk = |file: &str, number| ChunkName { file: file.into(), number };
//! let chunks = vec![chunk("tea.md", 0), chunk("tea.md", 1), chunk("bread.md", 0)];
//! let packs = vec![NewPack { path: "kitchen".into(), chunks }];
//! let written = write(&NewSet { space, packs, vectors }, Layout::default(), &mut |_, _| Ok(()))?;
//!
//! let vectors = Vectors::open(&written.root)?;
//! let near = vectors.search(&[0.8, 0.6], 1, Budget::default(), &|_| true)?;
//! assert_eq!(vectors.name(near[0].chunk)?, chunk("tea.md", 1));
//! assert!((near[0].similarity - 0.96).abs() < 0.01);
//! # Ok::<(), seealso_vectors::Error>(())
//! ```
//!
//! # What it does not do
//!
//! It knows no model, no pages and no network: vectors come from whoever has an encoder. It does no input or output.
//!
//! # Quirks
//!
//! * A search that reads a few leaves can miss a near chunk of another leaf. [`Vectors::is_exact`] tells whether a set
//!   is searched whole. `docs/decisions/vector-index.md` has the measured recall.
//! * `accept` does not lead a search to the leaves whose chunks it accepts: where it accepts few chunks, fewer than the
//!   number asked for may be found.
//! * A call that failed with [`Error::Missing`] is repeated from its beginning, so its closures run several times.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod int8;
mod space;
mod format;
mod cluster;
mod writer;
mod reader;
mod embeddings;
mod vector_bytes;
#[cfg(test)]
mod tests;

pub use embeddings::{EmbeddingCache, TEXT_HASH_BYTES, TextHash};
pub use error::Error;
pub use format::files::{File, WantedFile};
pub use format::leaf::ChunkName;
pub use format::{MAGIC, VERSION};
pub use int8::{Int8Ref, Int8Table, Int8Vector, quantise};
pub use reader::{Budget, ChunkNo, Near, PackChunks, Vectors};
pub use seealso_bytes::{HASH_BYTES, Hash, file_name};
pub use space::{MAX_DIMENSIONS, Space};
pub use writer::{Layout, NewPack, NewSet, Sink, WrittenVectors, write};
