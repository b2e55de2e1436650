//! The quality of pages that were read, for the sub-queries that they serve.

use seealso_pack::{Block, SectionKind};

use crate::retrieve::decompose::{SubQueries, SubQuery};
use crate::retrieve::fetch::FetchedPage;
use crate::stages::note::Note;
use crate::stages::quality::{overlap, quality};
use crate::trace::{Detail, counted, detail};

/// The quality of a page for those of the sub-queries that it serves.
pub(super) fn page_quality(page: &FetchedPage, sub_queries: &SubQueries) -> f64 {
    let own = page.page_text.words(&page.page, page.analysis);
    let asked = |item: &SubQuery| -> Vec<String> {
        page.analysis.tokens(&item.text).into_iter().map(|token| token.term).collect()
    };
    let served = sub_queries.items.iter().enumerate().filter(|(number, _)| page.sub_queries.contains(number));
    let overlap = served.map(|(_, item)| overlap(&asked(item), own)).fold(0.0, f64::max);
    let (sections, blocks) = page.page_text.parts(&page.page);
    let is_own = |block: &&Block| {
        let kind = sections.get(block.section).map(|section| section.kind);
        !matches!(kind, Some(SectionKind::SeeAlso | SectionKind::Sources))
    };
    let words = blocks.iter().filter(is_own).map(|block| page.analysis.all_tokens(&block.text).len()).sum();
    quality(words, overlap)
}

pub(super) fn quality_note(pages: &[FetchedPage], qualities: &[f64], kept: &[bool]) -> Note {
    let rows: Vec<Detail> = pages
        .iter()
        .zip(qualities)
        .zip(kept)
        .map(|((page, quality), kept)| detail!({ "page": page.id, "quality": *quality, "kept": *kept }))
        .collect();
    let count = kept.iter().filter(|kept| **kept).count();
    Note { note: format!("{count} of {}", counted(pages.len(), "page")), detail: detail!({ "pages": rows }) }
}
