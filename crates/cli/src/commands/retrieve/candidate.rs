//! A passage that may be listed.

use std::path::PathBuf;

use seealso::ChunkPlace;
use seealso_chunks::{Chunk, section_path, shorten};
use seealso_index::TermScore;
use seealso_pack::{BlockKind, Page};
use serde::Serialize;

/// The characters of a snippet, at most.
const SNIPPET_CHARS: usize = 200;

/// A chunk that was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Candidate {
    /// The page's id and the chunk's number: `tea/concepts/green-tea:1`.
    pub(super) chunk_id: String,
    /// The page's id.
    pub(super) page_address: String,
    /// The page's file, below the packs root.
    pub(super) page_path: String,
    /// The page's file on this machine.
    pub(super) absolute_path: PathBuf,
    pub(super) chunk_index: usize,
    /// The page's title.
    pub(super) title: String,
    /// The headings above the passage, outermost first.
    pub(super) headings: Vec<String>,
    /// The anchor of the section that the passage begins in; empty at the start of the page.
    pub(super) section_id: String,
    /// The page's id, and the section's anchor where there is one: `tea/concepts/green-tea#brewing`.
    pub(super) citation: String,
    pub(super) bm25_score: f64,
    /// The score by which the passages were ordered again; none where they were not.
    pub(super) rerank_score: Option<f64>,
    /// What gave that score.
    pub(super) rerank_source: Option<&'static str>,
    /// The beginning of the passage, as plain text.
    pub(super) snippet: String,
    /// Whether the page changed since its chunks were made: the passage is what stands there now.
    pub(super) stale: bool,
    /// What each word of the question adds to the score by words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terms: Option<Vec<TermRow>>,
    /// Where its vector is.
    #[serde(skip)]
    pub(super) place: ChunkPlace,
}

/// One word's part of a score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct TermRow {
    pub(super) term: String,
    /// How many chunks hold it.
    pub(super) chunks_with: u32,
    pub(super) idf: f64,
    /// Its count, those in titles counted more.
    pub(super) weighted: f64,
    pub(super) score: f64,
}

impl From<TermScore> for TermRow {
    fn from(of: TermScore) -> TermRow {
        TermRow { term: of.term, chunks_with: of.pages_with, idf: of.idf, weighted: of.weighted, score: of.score }
    }
}

impl Candidate {
    /// Its number on its page, as the engine counts chunks.
    pub(super) fn number(&self) -> u32 {
        self.place.name.number
    }

    /// The titles that a reader sees: the page's, and the headings above the passage.
    pub(super) fn titles(&self) -> String {
        section_path(&self.title, &self.headings)
    }
}

/// The page's id, with the anchor of a section.
pub(super) fn citation(page_address: &str, section_id: &str) -> String {
    if section_id.is_empty() { page_address.to_owned() } else { format!("{page_address}#{section_id}") }
}

/// The beginning of a chunk as plain text, without headings where it has other text.
pub(super) fn snippet(chunk: &Chunk) -> String {
    let blocks = Page { body: chunk.raw_text.clone(), ..Page::default() }.blocks();
    let is_prose = blocks.iter().any(|block| block.kind != BlockKind::Heading);
    let texts = blocks.iter().filter(|block| !is_prose || block.kind != BlockKind::Heading);
    let words: Vec<&str> = texts.flat_map(|block| block.text.split_whitespace()).collect();
    shorten(&words.join(" "), SNIPPET_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use seealso_chunks::{ChunkSizes, chunks};

    #[test]
    fn a_snippet_is_plain_and_short() {
        let of = |body: &str| {
            let page = Page { title: "T".into(), body: body.into(), ..Page::default() };
            snippet(&chunks(&page, &ChunkSizes::default())[0])
        };
        assert_eq!(of("## Brewing\n\nPour [water](w.md)\non **it**.\n\n- Wait.\n"), "Pour water on it. Wait.");
        assert_eq!(of("## Brewing\n"), "Brewing");
        let long = of(&"word ".repeat(99));
        assert_eq!((long.chars().count(), long.ends_with("word…")), (195, true), "{long}");
        assert_eq!(of(&"字".repeat(999)).chars().count(), 200);
    }

    #[test]
    fn a_citation_names_the_section() {
        assert_eq!(citation("tea/green", "brewing"), "tea/green#brewing");
        assert_eq!(citation("tea/green", ""), "tea/green");
    }
}
