//! Looking up pages by the terms of a name.

use super::searcher::Searcher;
use crate::analysis::{Analysis, Token};
use crate::error::Error;
use crate::ids::PageNo;
use crate::postings::name::{name_hash, name_tokens};
use crate::sort::sort_by;

/// The longest name that is looked for inside a text, in tokens.
pub(super) const LONGEST_NAME: usize = 8;

impl Searcher<'_> {
    /// The pages whose title or alias is `text`, stop words aside, by rising number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn pages_named(self, text: &str) -> Result<Vec<PageNo>, Error> {
        let mut found = Vec::new();
        for (analysis, _) in self.index.analyses() {
            let name = name_tokens(*analysis, text);
            let counts = self.posting_counts(*analysis, &name)?;
            found.extend(self.pages_of_name(*analysis, &name, &counts)?);
        }
        sort_by(&mut found, PageNo::cmp);
        found.dedup();
        Ok(found)
    }

    /// How many postings the term of each token has; none where the dictionary does not have the term.
    pub(super) fn posting_counts(self, analysis: Analysis, tokens: &[Token]) -> Result<Vec<Option<u32>>, Error> {
        self.prefetch_terms(analysis, tokens.iter().map(|token| token.term.as_str()))?;
        tokens.iter().map(|token| Ok(self.index.list(analysis, &token.term)?.map(|list| list.count))).collect()
    }

    /// The pages with a name of these tokens, whose [`posting_counts`](Searcher::posting_counts) are `counts`.
    pub(super) fn pages_of_name(
        self,
        analysis: Analysis,
        name: &[Token],
        counts: &[Option<u32>],
    ) -> Result<Vec<PageNo>, Error> {
        let rarest = (0..name.len()).min_by_key(|&at| counts[at].unwrap_or(0));
        let Some(list) = rarest.map(|at| self.index.list(analysis, &name[at].term)).transpose()?.flatten() else {
            return Ok(Vec::new());
        };
        let hash = name_hash(name.iter().map(|token| token.term.as_str()));
        Ok(list.names.iter().filter(|(_, known)| *known == hash).map(|&(page, _)| PageNo(page)).collect())
    }
}
