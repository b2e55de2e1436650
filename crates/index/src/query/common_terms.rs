//! Words of the whole collection: terms on so many pages that their lists outweigh all others.
//!
//! In a million software packages "library" stands on every tenth. Its list is large, and what it says is little. In
//! large sets such a term therefore finds no page while the question has rarer ones: it orders the best that they found, read
//! from the pages' own titles and summaries, which the result list needs anyway. (Lucene's `CommonTermsQuery` draws the
//! same line.) Sets of fewer pages than [`LEAST`] have no such terms.

use crate::analysis::{Analysis, Kind};
use crate::error::Error;
use crate::field::{FIELDS, Field};
use crate::ids::PageNo;
use crate::index::Index;
use crate::postings::profile::Shape;
use crate::query::bm25::Bm25;
use crate::query::search::{Asked, Hit};
use crate::query::terms::QueryTerm;

/// No term of fewer pages is common.
const LEAST: u32 = 32_768;
/// No term on less than this share of the pages is common.
const SHARE: u32 = 20;

/// On how many of `pages` pages a term may stand without being common.
pub(crate) fn most_uncommon(pages: u32) -> u32 {
    LEAST.max(pages / SHARE)
}

impl Index {
    /// Marks the terms that only order what the others find: the common ones, unless the query's `own` first words have
    /// no rarer one. Words of its context find no pages in their stead.
    pub(crate) fn mark_common(&self, analysis: Analysis, own: usize, terms: &mut [QueryTerm]) -> Result<(), Error> {
        let mut own_is_rare = false;
        for term in terms.iter_mut() {
            let count = self.pages_with(analysis, &term.term)?;
            term.common = count > self.most_uncommon;
            own_is_rare |= term.word < own && count > 0 && !term.common;
        }
        if !own_is_rare {
            terms.iter_mut().filter(|term| term.word < own).for_each(|term| term.common = false);
        }
        Ok(())
    }

    /// Adds to each hit's score what the common terms give it, as its own words and as its pack's.
    pub(crate) fn add_common(&self, asked: &Asked, bm25: &Bm25, hits: &mut [Hit]) -> Result<(), Error> {
        if !asked.terms.iter().any(|term| term.common) {
            return Ok(());
        }
        self.foresee_pages(hits.iter().map(|hit| hit.page))?;
        for hit in hits {
            for (order, term) in asked.terms.iter().enumerate().filter(|(_, term)| term.common) {
                let shape = self.shape_in_text(asked.analysis, hit.page, &term.term)?;
                let rarity = self.rarity(asked.analysis, &term.term, bm25)?.0;
                hit.score += term.factor * rarity * shape.norm(bm25, asked.statistics.average_length);
                hit.score += asked.gain(order, hit.page, &shape);
            }
        }
        Ok(())
    }

    /// A term's shape on a page, counted in the page's texts.
    pub(crate) fn shape_in_text(&self, analysis: Analysis, page: PageNo, term: &str) -> Result<Shape, Error> {
        let entry = self.page(page)?;
        let texts =
            [(Field::Title, entry.title), (Field::Aliases, entry.aliases.join("\n")), (Field::Summary, entry.summary)];
        let (mut frequencies, mut length) = ([0; FIELDS], 0);
        for (field, text) in texts {
            // Joined forms are asked for, but no page is found by its own.
            for token in analysis.tokens_in(field, &text).into_iter().filter(|token| token.kind != Kind::Joined) {
                frequencies[field as usize] += u32::from(token.term == term);
                length += u32::from(!token.is_beside());
            }
        }
        Ok(Shape { frequencies, length })
    }
}
