//! Pages by name: titles and aliases, whole or standing in a text.
//!
//! A name stands with the rarest of its terms, as a hash of them all (24 bits of FNV-1a), so that no question needs
//! other shards for names than for words. Two names of one rarest term are confused once in sixteen million.

use crate::analysis::{Analysis, Kind, Token};
use crate::error::Error;
use crate::ids::PageNo;
use crate::index::Index;
use crate::sort::sort_by;

/// A title or alias found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatch {
    /// First byte of the name in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// How many tokens it has.
    pub tokens: usize,
    /// The pages of that name.
    pub pages: Vec<PageNo>,
}

/// Names of more tokens are not looked for inside a text.
pub(crate) const LONGEST: usize = 8;

/// The names of so many pages are compared sign by sign, at most.
pub(crate) const MOST_COMPARED: usize = 16;
/// So many aliases of each, at most.
const MOST_NAMES: usize = 64;

/// The identifiers in a name, whose signs its words lack.
fn signs_of(analysis: Analysis, name: &str) -> Vec<String> {
    let mut forms = analysis.forms(name);
    forms.retain(|form| form.kind == Kind::Identifier);
    forms.into_iter().map(|form| form.term).collect()
}

/// The hash of a name's terms.
pub(crate) fn name_hash<'t>(terms: impl Iterator<Item = &'t str>) -> u32 {
    let mut hash = 0x811c_9dc5u32;
    for term in terms {
        for &byte in term.as_bytes().iter().chain(&[0]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    (hash >> 24 ^ hash) & 0x00ff_ffff
}

/// The terms of a title or alias: without stop words, or with them where it has no others.
pub(crate) fn name_terms(analysis: Analysis, name: &str) -> Vec<Token> {
    let all = analysis.all_tokens(name);
    match all.iter().all(|token| token.stop) {
        true => all,
        false => all.into_iter().filter(|token| !token.stop).collect(),
    }
}

/// A name as it is written.
struct Written {
    /// Its terms without stop words.
    bare: Vec<String>,
    /// All its terms.
    terms: Vec<String>,
    signs: Vec<String>,
}

impl Written {
    fn of(analysis: Analysis, name: &str) -> Written {
        let terms = |tokens: Vec<Token>| tokens.into_iter().map(|token| token.term).collect();
        Written {
            bare: terms(name_terms(analysis, name)),
            terms: terms(analysis.all_tokens(name)),
            signs: signs_of(analysis, name),
        }
    }

    /// How much it is written like what is `asked`: best with the same signs and stop words; then, where the question
    /// has signs, with the same signs, since "the C++" is "C++" rather than "The C"; where it has none, with the same
    /// stop words, since "no verify" is "--no-verify" rather than "Verify". 0 for another name.
    fn likeness(&self, asked: &Written) -> u8 {
        if self.bare != asked.bare {
            return 0;
        }
        let has_signs = u8::from(!asked.signs.is_empty());
        let stop_words = u8::from(self.terms == asked.terms) * (2 - has_signs);
        let signs = u8::from(self.signs == asked.signs) * (1 + has_signs);
        1 + stop_words + signs
    }
}

impl Index {
    /// The pages whose title or alias is `text`, stop words aside, by rising number.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn named(&self, text: &str) -> Result<Vec<PageNo>, Error> {
        let mut found = Vec::new();
        for (analysis, _) in self.analyses() {
            let terms = name_terms(*analysis, text);
            let rarest = self.with_counts(*analysis, &terms)?;
            found.extend(self.pages_named(*analysis, &terms, &rarest)?);
        }
        sort_by(&mut found, PageNo::cmp);
        found.dedup();
        Ok(found)
    }

    /// Of `pages`, whose name `text` is but for stop words, those whose name is written most like it
    /// ([`Written::likeness`]): "C" means neither "C++" nor "C#", and "null" not "Not null". Where they are many, all:
    /// their texts would take too long.
    pub(crate) fn named_as_written(&self, text: &str, pages: Vec<PageNo>) -> Result<Vec<PageNo>, Error> {
        if !(2..=MOST_COMPARED).contains(&pages.len()) {
            return Ok(pages);
        }
        self.foresee_pages(pages.iter().copied())?;
        let mut asked: Option<(Analysis, Written)> = None;
        let mut alike = Vec::with_capacity(pages.len());
        for page in pages {
            let (analysis, _) = self.analysed_as(page)?;
            if asked.as_ref().is_none_or(|(known, _)| *known != analysis) {
                asked = Some((analysis, Written::of(analysis, text)));
            }
            let Some((_, asked)) = &asked else { continue };
            let entry = self.page(page)?;
            let names = [&entry.title].into_iter().chain(entry.aliases.iter().take(MOST_NAMES));
            let likeness = names.map(|name| Written::of(analysis, name).likeness(asked)).max();
            alike.push((likeness.unwrap_or(0), page));
        }
        let most = alike.iter().map(|(likeness, _)| *likeness).max();
        Ok(alike.into_iter().filter(|(likeness, _)| Some(*likeness) == most).map(|(_, page)| page).collect())
    }

    /// The titles and aliases that stand in `text`: at each place the longest, none inside another.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn names_in(&self, text: &str) -> Result<Vec<NameMatch>, Error> {
        let mut found: Vec<NameMatch> = Vec::new();
        for (analysis, _) in self.analyses() {
            let mut tokens = self.query_words(*analysis, text)?;
            tokens.retain(|token| !token.stop && !token.is_beside());
            let counts = self.with_counts(*analysis, &tokens)?;
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

    /// How many pages hold each token's term; none where the dictionary doesn't know it.
    pub(crate) fn with_counts(&self, analysis: Analysis, tokens: &[Token]) -> Result<Vec<Option<u32>>, Error> {
        self.ready(tokens.iter().map(|token| (analysis, token.term.as_str())))?;
        tokens.iter().map(|token| Ok(self.list(analysis, &token.term)?.map(|list| list.count))).collect()
    }

    fn longest_name(
        &self,
        analysis: Analysis,
        tokens: &[Token],
        counts: &[Option<u32>],
    ) -> Result<Option<NameMatch>, Error> {
        // A term that the dictionary doesn't know is in no name.
        let most = counts.iter().take(LONGEST).take_while(|count| count.is_some()).count();
        for length in (1..=most).rev() {
            let pages = self.pages_named(analysis, &tokens[..length], &counts[..length])?;
            if !pages.is_empty() {
                let (start, end) = (tokens[0].start, tokens[length - 1].end);
                return Ok(Some(NameMatch { start, end, tokens: length, pages }));
            }
        }
        Ok(None)
    }

    pub(crate) fn pages_named(
        &self,
        analysis: Analysis,
        terms: &[Token],
        counts: &[Option<u32>],
    ) -> Result<Vec<PageNo>, Error> {
        let rarest = (0..terms.len()).min_by_key(|&at| counts[at].unwrap_or(0));
        let Some(list) = rarest.map(|at| self.list(analysis, &terms[at].term)).transpose()?.flatten() else {
            return Ok(Vec::new());
        };
        let hash = name_hash(terms.iter().map(|token| token.term.as_str()));
        Ok(list.names.iter().filter(|(_, known)| *known == hash).map(|&(page, _)| PageNo(page)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_format() {
        assert_eq!(name_hash([].into_iter()), 0x811c_9dc5 & 0x00ff_ffff ^ 0x81);
        // FNV-1a of "a" and a zero byte, folded to 24 bits.
        let fnv = (0x811c_9dc5u32 ^ 0x61).wrapping_mul(0x0100_0193).wrapping_mul(0x0100_0193);
        assert_eq!(name_hash(["a"].into_iter()), (fnv >> 24 ^ fnv) & 0x00ff_ffff);
        assert_ne!(name_hash(["ab", "c"].into_iter()), name_hash(["a", "bc"].into_iter()));
    }

    #[test]
    fn names_of_stop_words_alone_keep_them() {
        let terms =
            |name: &str| name_terms(Analysis::English, name).into_iter().map(|token| token.term).collect::<Vec<_>>();
        assert_eq!(terms("The Who"), ["the", "who"]);
        assert_eq!(terms("the who box"), ["box"]);
        assert_eq!(terms("…"), [""; 0]);
    }
}
