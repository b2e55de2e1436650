//! A chunk, and how large chunks are.

use seealso_pack::Page;
use sha2::{Digest, Sha256};

/// The name of the stage that chunks and their index are.
pub const CHUNKS_STAGE: &str = "chunks";

/// The version of how pages are divided, and of the stage. It is raised with each change after which the same page has other chunks.
pub const CHUNKS_VERSION: u32 = 1;

/// How large chunks are, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSizes {
    /// The length that a chunk comes as near to as whole paragraphs allow.
    pub target: usize,
    /// How much of a chunk's end the next one begins with, at most.
    pub overlap: usize,
    /// The length that no chunk exceeds, its prefix aside; a longer paragraph is cut.
    pub bound: usize,
    /// The length that no prefix exceeds.
    pub prefix: usize,
}

impl Default for ChunkSizes {
    /// About 500 tokens of four characters.
    fn default() -> ChunkSizes {
        ChunkSizes { target: 2000, overlap: 200, bound: 4000, prefix: 300 }
    }
}

/// A piece of a page's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The file of its page, below the pack's page root.
    pub page_file: String,
    /// Its number on the page, from 0.
    pub number: usize,
    /// What it holds.
    pub kind: ChunkKind,
    /// The headings above its text, outermost first, without that of the page's title.
    pub headings: Vec<String>,
    /// The anchor of the section that its own text begins in; empty before the first heading below the title.
    pub section_id: String,
    /// The Markdown, as authored but for what no reader is to see. It may begin with the end of the chunk before.
    pub raw_text: String,
    /// Title and first sentence of the page.
    pub prefix: String,
    /// What wrote the prefix.
    pub prefix_source: PrefixSource,
    /// The prefix, a blank line and the raw text: what is searched and encoded.
    pub contextualized_text: String,
    /// The characters of the raw text.
    pub char_count: usize,
    /// SHA-256 of the raw text.
    pub body_hash: [u8; 32],
    /// What [`page_hash`] says of its page.
    pub page_hash: [u8; 32],
}

/// What a chunk holds. No chunk holds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChunkKind {
    /// Text that speaks of the page's topic.
    Text,
    /// Links to other pages, or sources. They speak of other topics, so they are neither searched nor encoded.
    References,
}

/// What wrote a chunk's prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PrefixSource {
    /// A rule: the page's title and first sentence.
    Synthetic,
}

impl PrefixSource {
    /// Its name in chunk records.
    pub fn name(self) -> &'static str {
        match self {
            PrefixSource::Synthetic => "synthetic",
        }
    }
}

/// SHA-256 over all that a page's chunks are made of: its title, its summary and its body. Neither the form of its line
/// ends nor any other field of its front matter counts.
pub fn page_hash(page: &Page) -> [u8; 32] {
    let mut hash = Sha256::new();
    for text in [&page.title, &page.summary, &page.body] {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().into()
}
