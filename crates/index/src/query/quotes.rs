//! Quotations: pages that hold what the query has between quotation marks come first.

use super::Hit;
use super::proximity::words_of;
use super::searcher::Searcher;
use crate::analysis::{Analysis, Kind, is_unspaced};
use crate::error::Error;
use crate::field::occurs_before_body;
use crate::ids::PageNo;

/// How many of a ranking's best are searched for pages with all words of a quotation, however many are asked for.
pub(super) const QUOTED_AMONG: usize = 128;
/// How many of the pages with all these words have their texts read.
const MOST_READ: usize = 32;

/// The texts between quotation marks in `text`: those of more than one word, or of more than one character of a script
/// without spaces.
pub(super) fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match open {
            Some((start, close)) if c == close => {
                found.push(text[start..at].trim());
                open = None;
            }
            None => open = closing(c).map(|close| (at + c.len_utf8(), close)),
            Some(_) => {}
        }
    }
    found.retain(|phrase| {
        phrase.contains(char::is_whitespace) || phrase.chars().filter(|&c| is_unspaced(c)).nth(1).is_some()
    });
    found
}

/// The mark that closes a quotation that `mark` opens.
fn closing(mark: char) -> Option<char> {
    match mark {
        '"' => Some('"'),
        '“' => Some('”'),
        '„' => Some('“'),
        '«' => Some('»'),
        '「' => Some('」'),
        '『' => Some('』'),
        _ => None,
    }
}

impl Searcher<'_> {
    /// Moves the pages to the front whose title, aliases or summary hold every one of `quotes`. Otherwise the order
    /// stays.
    pub(super) fn move_quoting_first(self, quotes: &[&str], hits: Vec<Hit>) -> Result<Vec<Hit>, Error> {
        if quotes.is_empty() {
            return Ok(hits);
        }
        let mut candidates = Vec::new();
        for hit in hits.iter().take(QUOTED_AMONG).filter(|hit| !hit.exact) {
            if candidates.len() < MOST_READ && self.may_hold(hit.page, quotes)? {
                candidates.push(hit.page);
            }
        }
        self.prefetch_pages(candidates.iter().copied())?;
        let (mut first, mut rest) = (Vec::new(), Vec::new());
        for hit in hits {
            let quoted = candidates.contains(&hit.page) && self.holds(hit.page, quotes)?;
            let hit = Hit { quoted, ..hit };
            if hit.exact || quoted { first.push(hit) } else { rest.push(hit) }
        }
        first.extend(rest);
        Ok(first)
    }

    /// Whether `page` has all words of `quotes` by its postings. [Common](super::common_terms) terms are not looked up,
    /// since their lists are not fetched; nor are pairs of characters, since the page may have a space where the
    /// quotation has none.
    fn may_hold(self, page: PageNo, quotes: &[&str]) -> Result<bool, Error> {
        let Some(pack) = self.index.pack_of(page) else { return Ok(false) };
        let analysis = self.index.analysis_of(pack);
        for token in quotes.iter().flat_map(|quote| words_of(analysis, quote)).filter(|token| !token.stop) {
            let Some(list) = self.index.list(analysis, &token.term)? else { return Ok(false) };
            if !self.index.is_common(list.pages_with) {
                let profile = self.index.profile_in_postings(&list, page)?;
                if !profile.is_some_and(|profile| occurs_before_body(&profile.frequencies)) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether the texts of `page` hold every one of `quotes`.
    fn holds(self, page: PageNo, quotes: &[&str]) -> Result<bool, Error> {
        let Some(pack) = self.index.pack_of(page) else { return Ok(false) };
        let (analysis, entry) = (self.index.analysis_of(pack), self.index.page(page)?);
        Ok(quotes.iter().all(|quote| {
            let is_of_words = !words_of(analysis, quote).is_empty();
            let quote = phrase(analysis, quote, is_of_words);
            let mut texts = [&entry.title, &entry.summary].into_iter().chain(&entry.aliases);
            let holds =
                |text: &String| phrase(analysis, text, is_of_words).windows(quote.len()).any(|part| part == quote);
            !quote.is_empty() && texts.any(holds)
        }))
    }
}

/// The terms of a text: its words or, where a quotation without words is looked for, its pairs of characters. In the
/// scripts of these a space means nothing.
fn phrase(analysis: Analysis, text: &str, of_words: bool) -> Vec<String> {
    let mut tokens = match of_words {
        true => words_of(analysis, text),
        false => analysis.all_tokens(&text.split_whitespace().collect::<Vec<_>>().concat()),
    };
    tokens.retain(|token| of_words || token.kind == Kind::Pair);
    tokens.into_iter().map(|token| token.term).collect()
}
