//! Compounds: words that are written together although no page has the compound ("webworker" for "web worker", "wifi"
//! for "Wi-Fi", "login" for "log in"), and words that are written apart although pages have the compound ("java script"
//! for "javascript").

use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind, Token};
use crate::error::Error;
use crate::ids::PageNo;

/// A half with fewer bytes counts only where a page has both halves side by side.
const LEAST_HALF: usize = 3;
/// A word whose term is longer, in bytes, has no such half but a stop word: each half may take a shard to look up.
const LONGEST_OF_SHORT: usize = 5;
/// The longest word, in bytes, that is cut into halves.
const LONGEST: usize = 64;
/// Stop words that make one word with the verb before them: "log in", "set up". With other stop words a word arises by
/// chance: "red is".
const PARTICLES: &str = "in on off up out down over";
/// How many words of a query are joined with the next one, at most. A text with more words is no question.
const MOST_JOINED: usize = 64;
/// How many pages are searched for two halves side by side, at most.
const MOST_PAGES: usize = 8;
/// How many aliases of each of these pages are searched, at most.
const MOST_ALIASES: usize = 32;

/// The two words that one word may be written together from.
struct Halves {
    words: [Half; 2],
    /// Whether they count only where a page has them side by side.
    needs_page: bool,
}

/// One of the two words.
struct Half {
    term: String,
    /// Whether it is a stop word, by which no page is found, or an inflected form of one.
    stop: bool,
}

impl Half {
    /// A part of a word, as a word; none where it is several words or none.
    fn of(analysis: Analysis, part: &str) -> Option<Half> {
        let only = |text: &str| {
            let mut tokens = analysis.all_tokens(text);
            tokens.pop().filter(|token| tokens.is_empty() && token.kind == Kind::Word)
        };
        let word = only(part)?;
        let stop = word.stop || only(&word.term).is_some_and(|stem| stem.stop);
        Some(Half { term: word.term, stop })
    }
}

impl Halves {
    /// The halves of `written`, whose term is `term`, cut before the byte `at`. None where one half is no word, both
    /// are stop words, or one is too short.
    fn of(analysis: Analysis, term: &str, written: &str, at: usize) -> Option<Halves> {
        let parts = [&written[..at], &written[at..]];
        let words = [Half::of(analysis, parts[0])?, Half::of(analysis, parts[1])?];
        let is_letter = parts.iter().any(|part| part.chars().count() == 1);
        let is_short = words.iter().zip(parts).any(|(word, part)| word.term.len().min(part.len()) < LEAST_HALF);
        let has_stop = words[0].stop != words[1].stop;
        let may_be_short = term.len() <= LONGEST_OF_SHORT || (has_stop && !is_letter);
        let may_be = (has_stop || !words[0].stop) && (!is_short || may_be_short);
        may_be.then_some(Halves { words, needs_page: is_short || has_stop })
    }

    /// The terms that find pages: those that are no stop words.
    fn searched(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| !word.stop).map(|word| word.term.as_str())
    }

    fn first_searched(&self) -> Option<&str> {
        self.searched().next()
    }
}

impl Searcher<'_> {
    /// The compounds that neighbouring words of `text` make, each with its factor: as many as its words, stop words
    /// aside. A compound that is in another shard than the first of its words is left out, so that no shard is fetched
    /// for it; most are in the same.
    pub(super) fn joined(self, analysis: Analysis, text: &str) -> Vec<(Token, f64)> {
        let words = analysis.all_tokens(text);
        let shard = |term: &str| self.index.shard_range(&[&[analysis.tag()], term.as_bytes()].concat()).start;
        let mut found = Vec::new();
        for two in words.windows(2).take(MOST_JOINED) {
            let (first, second) = (&two[0], &two[1]);
            let may_follow = !second.stop || PARTICLES.split(' ').any(|particle| particle == second.term);
            // Pairs of characters overlap, so they are never words that are written apart.
            let are_words = first.kind == Kind::Word && second.kind == Kind::Word;
            if first.stop || !may_follow || !are_words || !text[first.end..second.start].trim().is_empty() {
                continue;
            }
            let written = [&text[first.start..first.end], &text[second.start..second.end]].concat();
            let joined = analysis.all_tokens(&written).pop();
            if let Some(joined) = joined.filter(|joined| shard(&joined.term) == shard(&first.term)) {
                let (start, end, position) = (first.start, second.end, first.position);
                let factor = if second.stop { 1.0 } else { 2.0 };
                found.push((Token { start, end, position, kind: Kind::Joined, ..joined }, factor));
            }
        }
        found
    }

    /// The terms of the two known words that an unknown word is written together from, stop words aside. The word is
    /// cut as it is `written`, since its term may lack the ending of the second word. With `needs_page` only words
    /// count that a page has side by side.
    pub(super) fn halves(
        self,
        analysis: Analysis,
        term: &str,
        written: &str,
        needs_page: bool,
    ) -> Result<Vec<String>, Error> {
        if written.len() > LONGEST {
            return Ok(Vec::new());
        }
        let ends = written.char_indices().skip(1).map(|(at, _)| at);
        let mut pairs: Vec<Halves> = ends.filter_map(|at| Halves::of(analysis, term, written, at)).collect();
        pairs.retain(|pair| pair.needs_page || !needs_page);
        self.prefetch_terms(analysis, pairs.iter().filter_map(Halves::first_searched))?;
        pairs.retain(|pair| {
            pair.first_searched().is_some_and(|term| self.index.pages_with(analysis, term).is_ok_and(|pages| pages > 0))
        });
        self.prefetch_terms(analysis, pairs.iter().flat_map(Halves::searched))?;
        let mut found: Option<(u32, &Halves)> = None;
        for pair in &pairs {
            let mut pages = u32::MAX;
            for term in pair.searched() {
                pages = pages.min(self.index.pages_with(analysis, term)?);
            }
            let most = found.map_or(0, |(most, _)| most);
            if pages > most && (!pair.needs_page || self.are_side_by_side(analysis, pair)?) {
                found = Some((pages, pair));
            }
        }
        Ok(found.into_iter().flat_map(|(_, pair)| pair.searched()).map(str::to_owned).collect())
    }

    /// Whether a page has the two words side by side in its title, aliases or summary. Only pages of short postings
    /// lists are searched.
    fn are_side_by_side(self, analysis: Analysis, pair: &Halves) -> Result<bool, Error> {
        for page in self.pages_with_both(analysis, pair)? {
            let entry = self.index.page(page)?;
            let aliases = entry.aliases.iter().take(MOST_ALIASES);
            let mut texts = [&entry.title, &entry.summary].into_iter().chain(aliases);
            let is_pair = |two: &[Token]| two.iter().zip(&pair.words).all(|(token, word)| token.term == word.term);
            if texts.any(|text| analysis.all_tokens(text).windows(2).any(is_pair)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The pages that hold both halves, stop words aside, and the first of these before their bodies. Pages that have
    /// the first in a name come first, since names say what a page is about.
    fn pages_with_both(self, analysis: Analysis, pair: &Halves) -> Result<Vec<PageNo>, Error> {
        let mut both: Option<Vec<(PageNo, bool)>> = None;
        for term in pair.searched() {
            let Some(postings) = self.index.short_postings(analysis, term)? else { return Ok(Vec::new()) };
            both = Some(match both {
                None => {
                    let there = postings.iter().filter(|posting| posting.occurs_before_body());
                    there.map(|posting| (posting.page, posting.occurs_in_name())).collect()
                }
                Some(mut pages) => {
                    pages.retain(|(page, _)| postings.binary_search_by_key(page, |posting| posting.page).is_ok());
                    pages
                }
            });
        }
        let both = both.unwrap_or_default();
        let those = |named: bool| both.iter().filter(move |page| page.1 == named).map(|page| page.0);
        let pages: Vec<PageNo> = those(true).chain(those(false)).take(MOST_PAGES).collect();
        self.prefetch_pages(pages.iter().copied())?;
        Ok(pages)
    }
}
