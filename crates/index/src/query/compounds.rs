//! Words written together that no page has: "webworker" is "web worker", "wifi" is "Wi-Fi", "login" is "log in"; and words
//! written apart that pages have together: "java script" is also "javascript".

use crate::analysis::{Analysis, Kind, Token};
use crate::error::Error;
use crate::ids::PageNo;
use crate::index::Index;

/// A half with fewer bytes is one only where a page has both halves side by side.
const LEAST_HALF: usize = 3;
/// Words whose term is longer, in bytes, have no such half but a stop word: to look for one takes a file of words for
/// each.
const LONGEST_OF_SHORT: usize = 5;
/// Longer words, in bytes, are not cut: two words written together are none of these.
const LONGEST: usize = 64;
/// Stop words that make one word with the verb before them: "log in", "set up". Of others it comes about by chance: "red is".
const PARTICLES: &str = "in on off up out down over";
/// So many words of a query are tried together with the next one, at most: a text is no question.
const MOST_JOINED: usize = 64;
/// So many pages are looked at for two halves side by side, at most, and so many aliases of each.
const MOST_TOGETHER: usize = 8;
const MOST_ALIASES: usize = 32;

/// The two words that one may be written together from.
struct Halves {
    words: [Half; 2],
    /// Whether it is only believed where a page has them side by side.
    beside: bool,
}

struct Half {
    term: String,
    /// Whether it is a stop word, by which no page is found, or a form of one.
    stop: bool,
}

impl Half {
    /// A part of a word as a word; none where it is several or none.
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
    /// `written`, whose term is `term`, cut at a byte. None where one half is no word, both are stop words, or one is
    /// too short.
    fn of(analysis: Analysis, term: &str, written: &str, at: usize) -> Option<Halves> {
        let parts = [&written[..at], &written[at..]];
        let words = [Half::of(analysis, parts[0])?, Half::of(analysis, parts[1])?];
        let is_letter = parts.iter().any(|part| part.chars().count() == 1);
        let is_short = words.iter().zip(parts).any(|(word, part)| word.term.len().min(part.len()) < LEAST_HALF);
        let has_stop = words[0].stop != words[1].stop;
        let may_be_short = term.len() <= LONGEST_OF_SHORT || (has_stop && !is_letter);
        let may_be = (has_stop || !words[0].stop) && (!is_short || may_be_short);
        may_be.then_some(Halves { words, beside: is_short || has_stop })
    }

    /// The terms that find pages: stop words find none.
    fn sought(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter(|word| !word.stop).map(|word| word.term.as_str())
    }

    fn first_sought(&self) -> Option<&str> {
        self.sought().next()
    }
}

impl Index {
    /// The words that two of `text` are that stand side by side, when they are written together, each with what it counts: as
    /// much as the two, stop words aside. Those are left out for which another file of words would have to be fetched: most
    /// stand in that of the first of the two.
    pub(crate) fn joined(&self, analysis: Analysis, text: &str) -> Vec<(Token, f64)> {
        let words = analysis.all_tokens(text);
        let shard = |term: &str| self.shard_range(&[&[analysis.tag()], term.as_bytes()].concat()).start;
        let mut found = Vec::new();
        for two in words.windows(2).take(MOST_JOINED) {
            let (first, second) = (&two[0], &two[1]);
            let may_follow = !second.stop || PARTICLES.split(' ').any(|particle| particle == second.term);
            // Pairs of characters overlap: there is nothing between them.
            let are_words = first.kind == Kind::Word && second.kind == Kind::Word;
            if first.stop || !may_follow || !are_words || !text[first.end..second.start].trim().is_empty() {
                continue;
            }
            let written = [&text[first.start..first.end], &text[second.start..second.end]].concat();
            let joined = analysis.all_tokens(&written).pop();
            if let Some(joined) = joined.filter(|joined| shard(&joined.term) == shard(&first.term)) {
                let (start, end, position) = (first.start, second.end, first.position);
                let counts = if second.stop { 1.0 } else { 2.0 };
                found.push((Token { start, end, position, kind: Kind::Joined, ..joined }, counts));
            }
        }
        found
    }

    /// The terms of two known words that an unknown one is written together from; of one, where the other is a stop
    /// word. It is cut as it is `written`, since a stem lacks what the second word ends in. With `beside` only words
    /// count that a page has side by side.
    pub(crate) fn halves(
        &self,
        analysis: Analysis,
        term: &str,
        written: &str,
        beside: bool,
    ) -> Result<Vec<String>, Error> {
        if written.len() > LONGEST {
            return Ok(Vec::new());
        }
        let ends = written.char_indices().skip(1).map(|(at, _)| at);
        let mut pairs: Vec<Halves> = ends.filter_map(|at| Halves::of(analysis, term, written, at)).collect();
        pairs.retain(|pair| pair.beside || !beside);
        self.ready(pairs.iter().filter_map(Halves::first_sought).map(|term| (analysis, term)))?;
        pairs.retain(|pair| {
            pair.first_sought().is_some_and(|term| self.pages_with(analysis, term).is_ok_and(|pages| pages > 0))
        });
        self.ready(pairs.iter().flat_map(Halves::sought).map(|term| (analysis, term)))?;
        let mut found: Option<(u32, &Halves)> = None;
        for pair in &pairs {
            let mut pages = u32::MAX;
            for term in pair.sought() {
                pages = pages.min(self.pages_with(analysis, term)?);
            }
            let most = found.map_or(0, |(most, _)| most);
            if pages > most && (!pair.beside || self.stand_together(analysis, pair)?) {
                found = Some((pages, pair));
            }
        }
        Ok(found.into_iter().flat_map(|(_, pair)| pair.sought()).map(str::to_owned).collect())
    }

    /// Whether a page says the two words side by side, in title, aliases or summary, as far as short lists tell.
    fn stand_together(&self, analysis: Analysis, pair: &Halves) -> Result<bool, Error> {
        for page in self.may_have_both(analysis, pair)? {
            let entry = self.page(page)?;
            let aliases = entry.aliases.iter().take(MOST_ALIASES);
            let mut texts = [&entry.title, &entry.summary].into_iter().chain(aliases);
            let is_pair = |two: &[Token]| two.iter().zip(&pair.words).all(|(token, word)| token.term == word.term);
            if texts.any(|text| analysis.all_tokens(text).windows(2).any(is_pair)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The pages that have all halves but stop words, the first of them before the body: those come first that have it in a
    /// name, since names say what a page is about.
    fn may_have_both(&self, analysis: Analysis, pair: &Halves) -> Result<Vec<PageNo>, Error> {
        let mut both: Option<Vec<(PageNo, bool)>> = None;
        for term in pair.sought() {
            let Some(postings) = self.short_postings(analysis, term)? else { return Ok(Vec::new()) };
            both = Some(match both {
                None => {
                    let there = postings.iter().filter(|posting| posting.stands_before_body());
                    there.map(|posting| (posting.page, posting.stands_in_name())).collect()
                }
                Some(mut pages) => {
                    pages.retain(|(page, _)| postings.binary_search_by_key(page, |posting| posting.page).is_ok());
                    pages
                }
            });
        }
        let both = both.unwrap_or_default();
        let those = |named: bool| both.iter().filter(move |page| page.1 == named).map(|page| page.0);
        let pages: Vec<PageNo> = those(true).chain(those(false)).take(MOST_TOGETHER).collect();
        self.foresee_pages(pages.iter().copied())?;
        Ok(pages)
    }
}
