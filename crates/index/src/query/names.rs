//! Names of pages in a text, and which of several pages of one name a text means.

use super::name_lookup::LONGEST_NAME;
use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind, Token};
use crate::error::Error;
use crate::ids::PageNo;
use crate::postings::name::name_tokens;
use crate::sort::sort_by;

/// A title or an alias in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatch {
    /// The first byte of the name in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// How many tokens it has.
    pub tokens: usize,
    /// The pages of that name.
    pub pages: Vec<PageNo>,
}

/// How many pages of one name have their names compared sign by sign, at most.
pub(super) const MOST_COMPARED: usize = 16;
/// How many names of each of these pages are compared, at most.
const MOST_NAMES: usize = 65;

/// The spelling of a name.
struct NameSpelling {
    /// Its terms without stop words.
    bare: Vec<String>,
    /// All its terms.
    terms: Vec<String>,
    /// Its identifiers, whose signs are not in its terms.
    identifiers: Vec<String>,
}

impl NameSpelling {
    fn of(analysis: Analysis, name: &str) -> NameSpelling {
        let terms = |tokens: Vec<Token>| tokens.into_iter().map(|token| token.term).collect();
        let mut identifiers = analysis.forms(name);
        identifiers.retain(|form| form.kind == Kind::Identifier);
        NameSpelling {
            bare: terms(name_tokens(analysis, name)),
            terms: terms(analysis.all_tokens(name)),
            identifiers: terms(identifiers),
        }
    }

    /// How similar the name is to the query: 0 for another name, and most for one with the same signs and stop words.
    /// If the query has signs, a name with these comes next, since "the C++" means "C++" rather than "The C". If it has
    /// none, a name with the same stop words comes next, since "no verify" means "--no-verify" rather than "Verify".
    fn similarity(&self, query: &NameSpelling) -> u8 {
        if self.bare != query.bare {
            return 0;
        }
        let has_signs = u8::from(!query.identifiers.is_empty());
        let stop_words = u8::from(self.terms == query.terms) * (2 - has_signs);
        let signs = u8::from(self.identifiers == query.identifiers) * (1 + has_signs);
        1 + stop_words + signs
    }
}

impl Searcher<'_> {
    /// The titles and aliases in `text`: at each place the longest, none inside another.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn names_in(self, text: &str) -> Result<Vec<NameMatch>, Error> {
        let mut found: Vec<NameMatch> = Vec::new();
        for (analysis, _) in self.index.analyses() {
            let mut tokens = self.query_words(*analysis, text)?;
            tokens.retain(|token| !token.stop && !token.is_beside());
            let counts = self.posting_counts(*analysis, &tokens)?;
            let mut at = 0;
            while at < tokens.len() {
                let longest = self.longest_name(*analysis, &tokens[at..], &counts[at..])?;
                at += longest.as_ref().map_or(1, |name| name.tokens);
                found.extend(longest);
            }
        }
        sort_by(&mut found, |a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
        found.dedup_by(|later, earlier| {
            let inside = later.start < earlier.end;
            if inside && (later.start, later.end) == (earlier.start, earlier.end) {
                earlier.pages.append(&mut later.pages);
            }
            inside
        });
        Ok(found)
    }

    /// The longest name that `tokens` begin with.
    fn longest_name(
        self,
        analysis: Analysis,
        tokens: &[Token],
        counts: &[Option<u32>],
    ) -> Result<Option<NameMatch>, Error> {
        // A term that the dictionary does not have is in no name.
        let most = counts.iter().take(LONGEST_NAME).take_while(|count| count.is_some()).count();
        for length in (1..=most).rev() {
            let pages = self.pages_of_name(analysis, &tokens[..length], &counts[..length])?;
            if !pages.is_empty() {
                let (start, end) = (tokens[0].start, tokens[length - 1].end);
                return Ok(Some(NameMatch { start, end, tokens: length, pages }));
            }
        }
        Ok(None)
    }

    /// Of `pages`, whose name `text` is but for stop words, those with the most similar name: "C" means neither "C++"
    /// nor "C#", and "null" does not mean "Not null". All of them where they are many, since their texts would take too
    /// long to fetch.
    pub(super) fn most_similar_named(self, text: &str, pages: Vec<PageNo>) -> Result<Vec<PageNo>, Error> {
        if !(2..=MOST_COMPARED).contains(&pages.len()) {
            return Ok(pages);
        }
        self.prefetch_pages(pages.iter().copied())?;
        let mut query: Option<(Analysis, NameSpelling)> = None;
        let mut compared = Vec::with_capacity(pages.len());
        for page in pages {
            let (analysis, _) = self.index.analysis_of_page(page)?;
            if query.as_ref().is_none_or(|(known, _)| *known != analysis) {
                query = Some((analysis, NameSpelling::of(analysis, text)));
            }
            let Some((_, query)) = &query else { continue };
            let entry = self.index.page(page)?;
            let names = entry.names().take(MOST_NAMES);
            let similarity = names.map(|name| NameSpelling::of(analysis, name).similarity(query)).max();
            compared.push((similarity.unwrap_or(0), page));
        }
        let most = compared.iter().map(|(similarity, _)| *similarity).max();
        let best = compared.into_iter().filter(|(similarity, _)| Some(*similarity) == most);
        Ok(best.map(|(_, page)| page).collect())
    }
}
