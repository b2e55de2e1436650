//! Words of the whole collection: terms on so many pages that their lists outweigh all others.
//!
//! In a million software packages "library" stands on every tenth. Its list is large, and what it says is little. In
//! large sets such a term therefore finds no page while the question has rarer ones: it orders what they found, read
//! from the pages' own titles and summaries, which the result list needs anyway. (Lucene's `CommonTermsQuery` draws the
//! same line.) Sets of fewer pages than [`LEAST`] have no such terms.

use crate::analysis::{Analysis, Kind};
use crate::bm25::{Bm25, FIELDS, Field};
use crate::error::Error;
use crate::index::{Index, PageNo};
use crate::search::Hit;
use crate::shape::Shape;
use crate::terms::QueryTerm;

/// No term of fewer pages is common.
const LEAST: u32 = 32_768;
/// No term on less than this share of the pages is common.
const SHARE: u32 = 20;

impl Index {
    /// Marks the terms that only order what the others find.
    pub(crate) fn mark_common(&self, analysis: Analysis, terms: &mut [QueryTerm]) -> Result<(), Error> {
        let counts =
            terms.iter().map(|term| self.pages_with(analysis, &term.term)).collect::<Result<Vec<_>, Error>>()?;
        let most = LEAST.max(self.len() / SHARE);
        if counts.iter().any(|&count| count > 0 && count <= most) {
            terms.iter_mut().zip(counts).for_each(|(term, count)| term.common = count > most);
        }
        Ok(())
    }

    /// Adds to each hit's score what the common terms give it.
    pub(crate) fn add_common(
        &self,
        analysis: Analysis,
        terms: &[QueryTerm],
        bm25: &Bm25,
        hits: &mut [Hit],
    ) -> Result<(), Error> {
        if !terms.iter().any(|term| term.common) {
            return Ok(());
        }
        self.foresee_pages(hits.iter().map(|hit| hit.page))?;
        for hit in hits {
            for term in terms.iter().filter(|term| term.common) {
                let shape = self.shape_in_text(analysis, hit.page, &term.term)?;
                hit.score += self.common_score(analysis, term, &shape, bm25)?;
            }
        }
        Ok(())
    }

    /// What a common term gives a page where it has that shape.
    pub(crate) fn common_score(
        &self,
        analysis: Analysis,
        term: &QueryTerm,
        shape: &Shape,
        bm25: &Bm25,
    ) -> Result<f64, Error> {
        let statistics = self.analyses().iter().find(|(known, _)| *known == analysis);
        let average = statistics.map_or(1.0, |(_, statistics)| statistics.average_length);
        Ok(term.factor * self.rarity(analysis, &term.term, bm25)?.0 * shape.norm(bm25, average))
    }

    /// A term's shape on a page, counted in the page's texts.
    pub(crate) fn shape_in_text(&self, analysis: Analysis, page: PageNo, term: &str) -> Result<Shape, Error> {
        let entry = self.page(page)?;
        let texts =
            [(Field::Title, entry.title), (Field::Aliases, entry.aliases.join("\n")), (Field::Summary, entry.summary)];
        let (mut frequencies, mut length) = ([0; FIELDS], 0);
        for (field, text) in texts {
            // Joined forms are asked for, but no page is found by its own.
            for token in analysis.tokens_and_forms(&text).into_iter().filter(|token| token.kind != Kind::Joined) {
                frequencies[field as usize] += u32::from(token.term == term);
                length += u32::from(!token.is_beside());
            }
        }
        Ok(Shape { frequencies, length })
    }
}
