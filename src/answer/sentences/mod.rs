//! Cutting prose into sentences, natively and in the browser alike.
//!
//! A sentence ends at a mark: a full stop, `!` or `?` before a space and something that can begin a sentence, the marks of
//! other scripts wherever they stand ([`marks`]). Whether a full stop belongs to an abbreviation, an initial, an ordinal or
//! a numbered item is decided by rules ([`stops`]), with tables of abbreviations, one file a language: English and
//! [`polish`] here, the others in the crate `seealso-languages`. Thai, Lao, Khmer and Burmese part phrases by spaces, and
//! may do without marks ([`unspaced`]).
//!
//! Where the rules are in doubt, they don't cut: two sentences quoted as one mislead nobody, half a sentence may. A full
//! segmenter by Unicode's rules would bring tables larger than the rest of the answer's code, and cuts behind "Mt.".

mod english;
mod marks;
mod polish;
mod segmenter;
mod stops;
mod unspaced;
#[cfg(test)]
mod tests;

use std::ops::Range;

use seealso_index::Analysis;

use marks::{Mark, closing, is_bare};
#[cfg(all(target_arch = "wasm32", feature = "browser"))]
pub(crate) use segmenter::Segmenter;
use stops::Stops;

/// What the prose of one language goes by.
pub struct SentenceRules(Stops);

impl SentenceRules {
    /// The rules for prose in the language of `analysis`. Where that is unknown, marks, initials and numbers tell.
    pub fn of(analysis: Analysis) -> SentenceRules {
        SentenceRules(Stops::of(analysis))
    }

    /// The sentences of `text`, in order, without the space around them.
    pub fn sentences<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.bounds(text).into_iter().map(|range| &text[range]).collect()
    }

    /// Where the sentences of `text` stand in it, in bytes. All that lies between them is white space.
    pub fn bounds(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let (mut start, mut at) = (0, 0);
        while let Some(c) = text[at..].chars().next() {
            let after = at + c.len_utf8();
            let Some(mark) = Mark::of(c) else {
                at = after;
                continue;
            };
            let end = after + closing(&text[after..]);
            if self.ends(mark, &text[start..at], &text[after..end], &text[end..]) {
                push(&mut found, text, start..end);
                start = end;
            }
            at = end;
        }
        push(&mut found, text, start..text.len());
        found
    }

    /// Whether a sentence ends at a mark: `before` it stands what there is of the sentence, `closing` is what belongs to
    /// the mark, and `rest` follows.
    fn ends(&self, mark: Mark, before: &str, closing: &str, rest: &str) -> bool {
        // "...", and the second full stop in "(Acme Inc.).".
        let is_repeated = closing.contains(may_end_sentence);
        match mark {
            Mark::OfScript => !marks::joins(before, closing, rest),
            Mark::Stop if !is_repeated => starts_sentence(rest) && !self.0.belongs_to_word(before, rest),
            // "[…]" and "(!)" stand within a sentence.
            _ => starts_sentence(rest) && (rest.trim_start().is_empty() || !is_bare(before, closing)),
        }
    }
}

/// The sentences of `text`, which is taken for English; see [`SentenceRules`].
pub fn sentences(text: &str) -> Vec<&str> {
    SentenceRules::of(Analysis::English).sentences(text)
}

/// Whether `sentence` only leads to what follows it: it ends in a colon, of whichever script.
pub fn is_lead_in(sentence: &str) -> bool {
    sentence.trim_end().ends_with([':', '：', '︰', '፦', '፥'])
}

/// Whether `c` is a mark that ends a sentence, or may.
pub(crate) fn may_end_sentence(c: char) -> bool {
    Mark::of(c).is_some()
}

/// Adds the sentences of a range that holds no mark that ends one, other than at its end.
fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let start = range.end - text[range.clone()].trim_start().len();
    let end = start + text[start..range.end].trim_end().len();
    if start < end {
        unspaced::push(found, text, start..end);
    }
}

/// Whether `rest` begins as what follows a sentence does: the end, or a space and no small letter.
fn starts_sentence(rest: &str) -> bool {
    let after = rest.trim_start();
    after.is_empty() || (after.len() < rest.len() && !opened(after).starts_with(char::is_lowercase))
}

/// `text` without the quotes and brackets that it opens with.
fn opened(text: &str) -> &str {
    text.trim_start_matches(['"', '\'', '“', '„', '‘', '‚', '«', '»', '‹', '›', '(', '[', '¿', '¡'])
}
