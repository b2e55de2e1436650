//! The planner: it records files before they are used, so that a query's files are fetched together in few rounds.

use super::searcher::Searcher;
use crate::analysis::Analysis;
use crate::error::{Error, try_all, unless_missing};
use crate::ids::PageNo;
use crate::postings::list::Postings;
use crate::postings::name::name_tokens;

impl Searcher<'_> {
    /// Records what the words of a question need to be looked up, and the list of text blocks: the first files that are
    /// fetched.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a file is damaged, [`Error::Missing`] where one is not there yet.
    pub fn prefetch(self, text: &str) -> Result<(), Error> {
        let words = self.index.analyses().iter().map(|(analysis, _)| {
            let tokens = name_tokens(*analysis, text);
            self.prefetch_terms(*analysis, tokens.iter().map(|token| token.term.as_str()))
        });
        try_all(words.chain([self.index.text_directory().map(drop)]))
    }

    /// Records the shards of `terms`.
    pub(super) fn prefetch_terms<'t>(
        self,
        analysis: Analysis,
        terms: impl Iterator<Item = &'t str>,
    ) -> Result<(), Error> {
        self.index.prefetch_terms(analysis, terms)
    }

    /// Records the text blocks of `pages`.
    pub(super) fn prefetch_pages(self, pages: impl Iterator<Item = PageNo>) -> Result<(), Error> {
        self.index.prefetch_pages(pages)
    }

    /// Records the text blocks of pages that will probably be among the best. That they are missing is no failure.
    pub(super) fn prefetch_likely(self, pages: impl Iterator<Item = PageNo>) -> Result<(), Error> {
        self.index.prefetch_pages(pages).or_else(unless_missing)
    }

    /// Records a block of the list of `term`. That it is missing is no failure.
    pub(super) fn prefetch_block(self, analysis: Analysis, term: &str, block: usize) -> Result<(), Error> {
        if let Some(list) = self.index.list(analysis, term)?
            && let Postings::Blocks(blocks) = &list.postings
        {
            self.index.run(&list, &blocks[block]).map(drop).or_else(unless_missing)?;
        }
        Ok(())
    }
}
