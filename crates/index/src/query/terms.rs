//! The terms of a query: the terms of its words, and of words that may be meant where the dictionary lacks one.

use std::cmp::Reverse;
use std::ops::Range;
use std::rc::Rc;

use super::Query;
use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind, Token};
use crate::dictionary::shard::TermShard;
use crate::error::Error;
use crate::sort::sort_by;

/// A term of a query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: String,
    /// A factor on its score: 1, less for a word of the context and for one that only may be meant, and more for a
    /// compound.
    pub(crate) factor: f64,
    /// Whether it is [common](super::common_terms), so that it finds no page.
    pub(crate) common: bool,
    /// Whether it comes from the query's own words, not from its context.
    pub(crate) own: bool,
}

/// How many completions of the last word are searched for, at most.
const MOST_COMPLETIONS: usize = 8;
/// How many shards are searched for words like an unknown one, at most.
const MOST_SHARDS: usize = 6;
/// How many keys with one beginning are looked at in each shard, at most.
const MOST_KEYS: usize = 4096;
/// How many corrections of a misspelt word are searched for, at most.
const MOST_CORRECTIONS: usize = 3;
/// The factor of a correction that differs from the query's word in one letter, and in two.
const CORRECTION_FACTORS: [f64; 2] = [0.7, 0.5];
/// How many words of a query are corrected or cut, at most. A text with more words is no question.
const MOST_CORRECTED: usize = 64;
/// A word of so many letters or more may be corrected in one letter.
const ONE_FROM: usize = 5;
/// A word of so many letters or more may be corrected in two letters.
const TWO_FROM: usize = 8;

impl Searcher<'_> {
    /// The terms of a query, each once: a word counts no more where the query repeats it.
    pub(super) fn query_terms(self, analysis: Analysis, query: Query<'_>) -> Result<Vec<QueryTerm>, Error> {
        let mut own = self.query_words(analysis, query.text)?;
        own.retain(|token| !token.stop);
        if query.prefix && own.is_empty() {
            // A single stop word is probably the beginning of a word.
            own = analysis.all_tokens(query.text);
            own.truncate(usize::from(own.len() == 1));
        }
        let joined = self.joined(analysis, query.text);
        self.prefetch_terms(analysis, joined.iter().map(|(token, _)| token.term.as_str()))?;
        let mut context = if own.is_empty() { Vec::new() } else { self.query_words(analysis, query.context)? };
        context.retain(|token| !token.stop);
        let mut kept: Vec<QueryTerm> = Vec::new();
        let last = own.len() + joined.len();
        let incomplete = if query.prefix { incomplete_word(query.text, &own) } else { None };
        let mut all: Vec<(&Token, f64)> = own.iter().map(|token| (token, 1.0)).collect();
        all.extend(joined.iter().map(|(token, factor)| (token, *factor)));
        all.extend(context.iter().map(|token| (token, self.bm25.context)));
        let mut missing = Ok(());
        for (place, (token, factor)) in all.into_iter().enumerate() {
            let factor = if token.weak { factor * self.bm25.weak } else { factor };
            let is_incomplete = incomplete == Some(place);
            let text = if place < last { query.text } else { query.context };
            match self.alternatives(analysis, token, text, is_incomplete) {
                Ok(alternatives) => alternatives.into_iter().for_each(|(term, share)| {
                    if !kept.iter().any(|seen| seen.term == term) {
                        let (factor, own) = (factor * share, place < last);
                        kept.push(QueryTerm { term, factor, common: false, own });
                    }
                }),
                Err(Error::Missing) => missing = Err(Error::Missing),
                Err(error) => return Err(error),
            }
        }
        missing?;
        Ok(kept)
    }

    /// The terms that differ from an unknown word, as it is `written`, in one letter, and so are probably meant with it.
    /// None for a known word, nor for a word of another language.
    ///
    /// # Errors
    /// [`Error::Corrupt`] where a shard is damaged, [`Error::Missing`] where one is not there yet.
    pub fn near_spellings(self, analysis: Analysis, token: &Token, written: &str) -> Result<Vec<String>, Error> {
        let is_word = token.kind == Kind::Word && !token.stop;
        if !is_word
            || self.index.pages_with(analysis, &token.term)? > 0
            || self.is_known_elsewhere(analysis, written)?
        {
            return Ok(Vec::new());
        }
        let found = self.corrections(analysis, &token.term)?.into_iter();
        Ok(found.filter(|(_, factor)| *factor == CORRECTION_FACTORS[0]).map(|(term, _)| term).collect())
    }

    /// The term of a word, and the terms that may be meant with it, each with its factor.
    fn alternatives(
        self,
        analysis: Analysis,
        token: &Token,
        text: &str,
        is_incomplete: bool,
    ) -> Result<Vec<(String, f64)>, Error> {
        let term = token.term.as_str();
        let is_known = self.index.pages_with(analysis, term)? > 0;
        let mut found = vec![(term.to_owned(), 1.0)];
        if is_incomplete {
            found.extend(self.completions(analysis, term)?.into_iter().map(|term| (term, CORRECTION_FACTORS[0])));
        }
        let is_early = (token.position as usize) < MOST_CORRECTED;
        let is_word = token.kind == Kind::Word && !token.weak && !token.stop;
        let written = text.get(token.start..token.end).unwrap_or_default();
        if !is_known && found.len() == 1 && is_word && is_early && !self.is_known_elsewhere(analysis, written)? {
            found.extend(self.replacements(analysis, term, written)?);
        }
        Ok(found)
    }

    /// What may be meant with an unknown word: two words, or one that is spelt otherwise. Where a known word differs in
    /// one letter, it is two words only if a page has these side by side.
    fn replacements(self, analysis: Analysis, term: &str, written: &str) -> Result<Vec<(String, f64)>, Error> {
        let corrections = self.corrections(analysis, term)?;
        let is_near = corrections.first().is_some_and(|(_, factor)| *factor == CORRECTION_FACTORS[0]);
        let halves = self.halves(analysis, term, written, is_near)?;
        Ok(match halves.is_empty() {
            true => corrections,
            false => halves.into_iter().map(|half| (half, CORRECTION_FACTORS[0])).collect(),
        })
    }

    /// Whether `word` is a word of pages in another language, or a stop word there: then it is not misspelt.
    fn is_known_elsewhere(self, analysis: Analysis, word: &str) -> Result<bool, Error> {
        for (other, _) in self.index.analyses().iter().filter(|(other, _)| *other != analysis) {
            for token in other.all_tokens(word) {
                if token.stop || self.index.pages_with(*other, &token.term)? > 0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The terms that begin with `start`, the commonest first.
    fn completions(self, analysis: Analysis, start: &str) -> Result<Vec<String>, Error> {
        let key = [&[analysis.tag()], start.as_bytes()].concat();
        let mut found: Vec<(u32, String)> = Vec::new();
        for shard in self.index.shards_from(&key, MOST_SHARDS)? {
            for (key, value) in shard.dictionary.starting_with(&key, MOST_KEYS) {
                found.push((shard.count(value)?, String::from_utf8_lossy(&key[1..]).into_owned()));
            }
        }
        found.retain(|(pages, _)| *pages > 0);
        sort_by(&mut found, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(found.into_iter().map(|(_, term)| term).filter(|term| term != start).take(MOST_COMPLETIONS).collect())
    }

    /// The terms that differ from an unknown one in a letter or two: the most similar, and of these the commonest, each
    /// with its factor.
    fn corrections(self, analysis: Analysis, term: &str) -> Result<Vec<(String, f64)>, Error> {
        let letters = term.chars().count();
        if letters < ONE_FROM || !term.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        let most = if letters >= TWO_FROM { 2 } else { 1 };
        let mut found: Vec<(u32, Reverse<u32>, String)> = Vec::new();
        for shard in self.shards_like(analysis, term)? {
            for (key, value, distance) in shard.dictionary.similar_to(&[analysis.tag()], term, most) {
                let (count, like) = (shard.count(value)?, String::from_utf8_lossy(&key[1..]).into_owned());
                // Few misspellings are in a word's first letter (Pollock and Zamora, 1984), and many other words differ
                // there.
                if count > 0 && like.chars().next() == term.chars().next() {
                    found.push((distance, Reverse(count), like));
                }
            }
        }
        sort_by(&mut found, Ord::cmp);
        let nearest = found.first().map_or(0, |(distance, ..)| *distance);
        let near = found.into_iter().filter(|(distance, ..)| *distance == nearest).take(MOST_CORRECTIONS);
        Ok(near.map(|(distance, _, term)| (term, CORRECTION_FACTORS[(distance as usize).clamp(1, 2) - 1])).collect())
    }

    /// The shards whose words begin as `term` does, by as few of its letters as leave few shards. Where three letters
    /// leave many, the shards around the place where `term` would be.
    fn shards_like(self, analysis: Analysis, term: &str) -> Result<Vec<Rc<TermShard>>, Error> {
        let key = |end: usize| [&[analysis.tag()], &term.as_bytes()[..end]].concat();
        let ends = term.char_indices().map(|(at, c)| at + c.len_utf8()).take(3);
        let ranges: Vec<Range<usize>> =
            [0].into_iter().chain(ends).map(|end| self.index.shard_range(&key(end))).collect();
        let few = ranges.iter().find(|range| range.len() <= MOST_SHARDS);
        let Some(range) = few.or(ranges.last()) else { return Ok(Vec::new()) };
        let own = self.index.shard_range(&key(term.len())).start;
        let last = range.end.saturating_sub(MOST_SHARDS).max(range.start);
        let from = own.saturating_sub(MOST_SHARDS / 2).clamp(range.start, last);
        self.index.shards(from..range.end.min(from + MOST_SHARDS))
    }
}

/// The place, among the tokens, of the word that `text` ends in, which may be incomplete. None where a stop word, which
/// `tokens` lacks, or a sign follows the last token. Identifiers and compounds come after the words.
fn incomplete_word(text: &str, tokens: &[Token]) -> Option<usize> {
    let last = tokens.iter().rposition(|token| !token.is_beside())?;
    (tokens[last].end == text.len()).then_some(last)
}
