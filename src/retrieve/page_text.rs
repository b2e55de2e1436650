//! The text of a page that was fetched, taken apart once for all stages and sub-queries: what its sections and blocks are,
//! and which words it has.

use std::cell::OnceCell;

use seealso_index::Analysis;
use seealso_pack::{Block, BlockKind, Page, Section, SectionKind};

/// A page counts by its first so many words, and a paragraph by its first so many bytes: more is no page for readers.
const MOST_WORDS: usize = 50_000;
const MOST_BYTES: usize = 1 << 18;

/// A page's text as read, each part when a stage first asks for it. Two are always equal: which parts were read is no
/// difference between pages.
#[derive(Debug, Clone, Default)]
pub struct PageText {
    parts: OnceCell<(Vec<Section>, Vec<Block>)>,
    words: OnceCell<Vec<String>>,
}

impl PartialEq for PageText {
    fn eq(&self, _: &PageText) -> bool {
        true
    }
}

impl PageText {
    /// The sections and blocks of `page`, whose text this is.
    pub(crate) fn parts(&self, page: &Page) -> (&[Section], &[Block]) {
        let (sections, blocks) = self.parts.get_or_init(|| page.sections_and_blocks());
        (sections, blocks)
    }

    /// The words of `page`, of its names and of its own blocks, as `analysis` has them, stop words left out. Code says
    /// nothing of the topic itself, and what stands below See Also or Sources speaks of others.
    pub(crate) fn words(&self, page: &Page, analysis: Analysis) -> &[String] {
        self.words.get_or_init(|| {
            let (sections, blocks) = self.parts(page);
            let is_own = |block: &&Block| {
                let kind = sections.get(block.section).map(|section| section.kind);
                block.kind != BlockKind::Code && !matches!(kind, Some(SectionKind::SeeAlso | SectionKind::Sources))
            };
            let names = [&page.title, &page.summary].into_iter().chain(&page.aliases);
            let mut words = Vec::new();
            for text in names.chain(blocks.iter().filter(is_own).map(|block| &block.text)) {
                if words.len() < MOST_WORDS {
                    let tokens = analysis.tokens(&text[..text.floor_char_boundary(MOST_BYTES)]);
                    words.extend(tokens.into_iter().map(|token| token.term));
                }
            }
            words.truncate(MOST_WORDS);
            words
        })
    }
}
