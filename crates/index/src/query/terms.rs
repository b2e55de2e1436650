//! The terms of a query: its words as the dictionary knows them, and what stands in for those that it doesn't.

use std::ops::Range;
use std::rc::Rc;

use crate::analysis::{Analysis, Kind, Token};
use crate::dictionary::shard::TermFile;
use crate::error::Error;
use crate::index::Index;
use crate::query::bm25::Bm25;
use crate::query::search::Query;

/// A dictionary term that a query asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QueryTerm {
    pub(crate) term: String,
    /// What it counts: 1, or less for a word of the context and for one that is only like the query's.
    pub(crate) factor: f64,
    /// Whether it is a word of the whole collection, which finds no page.
    pub(crate) common: bool,
    /// The place of the word that it stands for.
    pub(crate) word: usize,
    /// Whether that is one of the query's own words, not of its context.
    pub(crate) own: bool,
}

/// Words that begin like the last one, at most.
const MOST_ENDINGS: usize = 8;
/// Shards that are looked through for words like an unknown one, at most.
const MOST_SHARDS: usize = 6;
/// Words that may stand in for a misspelt one, at most.
const MOST_GUESSES: usize = 3;
/// What a word counts that differs from the query's in one letter, or in two.
const GUESS_FACTORS: [f64; 2] = [0.7, 0.5];
/// Words of a query behind so many are neither corrected nor cut: a text is no question.
const MOST_CORRECTED: usize = 64;
/// Shorter words are not corrected; from here on one letter may differ, from `TWO_FROM` on two.
const ONE_FROM: usize = 5;
const TWO_FROM: usize = 8;

impl Index {
    /// The query's terms, each once (a word said twice asks no more than once), with what it counts.
    pub(crate) fn query_terms(
        &self,
        analysis: Analysis,
        query: Query<'_>,
        bm25: &Bm25,
    ) -> Result<Vec<QueryTerm>, Error> {
        let mut own = self.query_words(analysis, query.text)?;
        own.retain(|token| !token.stop);
        if query.prefix && own.is_empty() {
            // A stop word that stands alone is begun rather than meant.
            own = analysis.all_tokens(query.text);
            own.truncate(usize::from(own.len() == 1));
        }
        let joined = self.joined(analysis, query.text);
        self.ready(joined.iter().map(|(token, _)| (analysis, token.term.as_str())))?;
        let mut context = if own.is_empty() { Vec::new() } else { self.query_words(analysis, query.context)? };
        context.retain(|token| !token.stop);
        let mut kept: Vec<QueryTerm> = Vec::new();
        let last = own.len() + joined.len();
        let begun = if query.prefix { begun_word(query.text, &own) } else { None };
        let mut all: Vec<(&Token, f64)> = own.iter().map(|token| (token, 1.0)).collect();
        all.extend(joined.iter().map(|(token, counts)| (token, *counts)));
        all.extend(context.iter().map(|token| (token, bm25.context)));
        let mut missing = Ok(());
        for (place, (token, factor)) in all.into_iter().enumerate() {
            let factor = if token.weak { factor * bm25.weak } else { factor };
            let typing = begun == Some(place);
            let text = if place < last { query.text } else { query.context };
            match self.forms(analysis, token, text, typing) {
                Ok(forms) => forms.into_iter().for_each(|(term, share)| {
                    if !kept.iter().any(|seen| seen.term == term) {
                        let (factor, own) = (factor * share, place < last);
                        kept.push(QueryTerm { term, factor, common: false, word: place, own });
                    }
                }),
                Err(Error::Missing) => missing = Err(Error::Missing),
                Err(error) => return Err(error),
            }
        }
        missing?;
        self.mark_common(analysis, last, &mut kept)?;
        Ok(kept)
    }

    /// A term and what stands in for it, each with its share.
    fn forms(&self, analysis: Analysis, token: &Token, text: &str, typing: bool) -> Result<Vec<(String, f64)>, Error> {
        let term = token.term.as_str();
        let known = self.pages_with(analysis, term)? > 0;
        let mut forms = vec![(term.to_owned(), 1.0)];
        if typing {
            forms.extend(self.endings(analysis, term)?.into_iter().map(|term| (term, GUESS_FACTORS[0])));
        }
        let is_early = (token.position as usize) < MOST_CORRECTED;
        let alone = !known && forms.len() == 1 && token.kind == Kind::Word && !token.weak && !token.stop && is_early;
        let written = text.get(token.start..token.end).unwrap_or_default();
        if alone && !self.is_known_elsewhere(analysis, written)? {
            forms.extend(self.likenesses(analysis, term, written)?);
        }
        Ok(forms)
    }

    /// What an unknown word is meant to be: two words, or one that is spelt otherwise. Where one letter makes it a
    /// known word, it is two only if a page has these side by side.
    fn likenesses(&self, analysis: Analysis, term: &str, written: &str) -> Result<Vec<(String, f64)>, Error> {
        let guesses = self.guesses(analysis, term)?;
        let is_near = guesses.first().is_some_and(|(_, share)| *share == GUESS_FACTORS[0]);
        let halves = self.halves(analysis, term, written, is_near)?;
        Ok(match halves.is_empty() {
            true => guesses,
            false => halves.into_iter().map(|half| (half, GUESS_FACTORS[0])).collect(),
        })
    }

    /// Whether pages of another language know `word`, or it is a stop word there: then it is not misspelt.
    fn is_known_elsewhere(&self, analysis: Analysis, word: &str) -> Result<bool, Error> {
        for (other, _) in self.analyses().iter().filter(|(other, _)| *other != analysis) {
            for token in other.all_tokens(word) {
                if token.stop || self.pages_with(*other, &token.term)? > 0 {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Terms that go on where `start` ends, the commonest first.
    fn endings(&self, analysis: Analysis, start: &str) -> Result<Vec<String>, Error> {
        let key = [&[analysis.tag()], start.as_bytes()].concat();
        let mut found: Vec<(u32, String)> = Vec::new();
        for shard in self.shards_from(&key, MOST_SHARDS)? {
            for (key, value) in shard.dictionary.after(&key, MOST_LOOKED_AT) {
                found.push((shard.count(value)?, String::from_utf8_lossy(&key[1..]).into_owned()));
            }
        }
        found.retain(|(pages, _)| *pages > 0);
        crate::sort_by(&mut found, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        Ok(found.into_iter().map(|(_, term)| term).filter(|term| term != start).take(MOST_ENDINGS).collect())
    }

    /// Terms that differ from an unknown one in a letter or two: the nearest, of these the commonest.
    fn guesses(&self, analysis: Analysis, term: &str) -> Result<Vec<(String, f64)>, Error> {
        let letters = term.chars().count();
        if letters < ONE_FROM || !term.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        let most = if letters >= TWO_FROM { 2 } else { 1 };
        let mut found: Vec<(u32, std::cmp::Reverse<u32>, String)> = Vec::new();
        for shard in self.shards_like(analysis, term)? {
            for (key, value, distance) in shard.dictionary.near(&[analysis.tag()], term, most) {
                let (count, like) = (shard.count(value)?, String::from_utf8_lossy(&key[1..]).into_owned());
                // Few slips are in a word's first letter (Pollock and Zamora, 1984), and many other words differ there.
                if count > 0 && like.chars().next() == term.chars().next() {
                    found.push((distance, std::cmp::Reverse(count), like));
                }
            }
        }
        crate::sort_by(&mut found, Ord::cmp);
        let nearest = found.first().map_or(0, |(distance, ..)| *distance);
        let near = found.into_iter().filter(|(distance, ..)| *distance == nearest).take(MOST_GUESSES);
        Ok(near.map(|(distance, _, term)| (term, GUESS_FACTORS[(distance as usize).clamp(1, 2) - 1])).collect())
    }

    /// The shards with words that begin as `term` does: with as few of its letters as leave few shards; of those that
    /// three leave the ones around the place where it would stand.
    fn shards_like(&self, analysis: Analysis, term: &str) -> Result<Vec<Rc<TermFile>>, Error> {
        let key = |end: usize| [&[analysis.tag()], &term.as_bytes()[..end]].concat();
        let ends = term.char_indices().map(|(at, c)| at + c.len_utf8()).take(3);
        let ranges: Vec<Range<usize>> = [0].into_iter().chain(ends).map(|end| self.shard_range(&key(end))).collect();
        let few = ranges.iter().find(|range| range.len() <= MOST_SHARDS);
        let Some(range) = few.or(ranges.last()) else { return Ok(Vec::new()) };
        let own = self.shard_range(&key(term.len())).start;
        let last = range.end.saturating_sub(MOST_SHARDS).max(range.start);
        let from = own.saturating_sub(MOST_SHARDS / 2).clamp(range.start, last);
        self.shards(from..range.end.min(from + MOST_SHARDS))
    }
}

/// The place of the word that `text` ends in and that may go on: none where a stop word, which `tokens` lacks, or a
/// sign follows it. Forms stand behind the words.
fn begun_word(text: &str, tokens: &[Token]) -> Option<usize> {
    let last = tokens.iter().rposition(|token| !token.is_beside())?;
    (tokens[last].end == text.len()).then_some(last)
}

/// Keys that are looked at for one beginning, in each shard.
const MOST_LOOKED_AT: usize = 4096;
