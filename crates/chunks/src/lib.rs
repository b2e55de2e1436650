//! Chunks: pieces of a page's text, so that a question can be compared with a passage rather than with a whole page.
//!
//! [`chunks`] divides a page at its paragraphs. Each chunk has a prefix of the page's title and first sentence, which
//! says what the chunk is about where its own words do not. [`index_pack()`] makes a pack of chunks for the index writer,
//! so that chunks are searched as pages are.
//!
//! ```
//! use seealso_chunks::{ChunkSizes, chunks};
//! use seealso_pack::Page;
//!
//! let text = "---\ntitle: Tea\n---\n\nTea is a drink. It is hot.\n\n## Brewing\n\nPour water on it.\n";
//! let (page, _) = Page::parse("concepts/tea.md", text);
//! let small = ChunkSizes { target: 20, overlap: 0, ..ChunkSizes::default() };
//! let made = chunks(&page, &small);
//! assert_eq!(made[1].raw_text, "## Brewing\n\nPour water on it.");
//! assert_eq!(made[1].contextualized_text, "Tea: Tea is a drink.\n\n## Brewing\n\nPour water on it.");
//! assert_eq!((made[1].headings.as_slice(), made[1].section_id.as_str()), (&["Brewing".to_owned()][..], "brewing"));
//! ```
//!
//! Nothing here reads a file or a clock: the same page gives the same chunks. Lengths are in characters (Unicode scalar
//! values), never in bytes.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod chunk;
mod outline;
mod units;
mod group;
mod shorten;
mod prefix;
mod divide;
mod index_pack;
mod ranking;
#[cfg(test)]
mod tests;

pub use chunk::{CHUNKS_STAGE, CHUNKS_VERSION, Chunk, ChunkKind, ChunkSizes, PrefixSource, page_hash};
pub use divide::chunks;
pub use index_pack::{chunk_place, index_pack, section_path};
pub use ranking::{chunk_ranking, okapi_ranking};
pub use shorten::shorten;
