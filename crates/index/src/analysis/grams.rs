//! Pairs of characters, for scripts without spaces between words. A character is here what a reader takes for one: a
//! letter with its marks. To find words would take a dictionary for each language.

use super::words::Run;
use super::{Kind, Token};
use crate::analysis::fold::is_mark;

/// Function characters of Chinese, which ask and join. A pair of two of them is a stop word, and a pair with one is
/// weak.
const FUNCTION: &str = "的了是吗呢么什谁哪吧";

/// Pairs that are stop words of Chinese and Japanese: question words and particles. Each takes [`PAIR_BYTES`].
const STOP_PAIRS: &str = "怎么怎样如何为何为什哪些哪个哪里多少几个有哪甚麼什麼是否は何何でどのどうなぜですますすか";
/// Two characters of three bytes each.
const PAIR_BYTES: usize = 6;

/// The pairs of `run`, or its only character.
pub(super) fn pairs(run: &Run, position: u32) -> impl Iterator<Item = Token> + '_ {
    let starts = characters(&run.text);
    let count = starts.len().saturating_sub(2).max(1);
    (0..count).map(move |at| {
        let end = starts.get(at + 2).copied().unwrap_or(run.text.len());
        let term = &run.text[starts[at]..end];
        let (stop, weak) = (is_stop(term), is_weak(term));
        Token {
            term: term.to_owned(),
            start: run.start,
            end: run.end,
            stop,
            weak,
            kind: Kind::Pair,
            position: position + at as u32,
        }
    })
}

/// Where each character of `text` begins, and where the text ends.
fn characters(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut stacked = false;
    for (at, c) in text.char_indices() {
        if at == 0 || !(is_mark(c) || stacked) {
            starts.push(at);
        }
        // Signs of Khmer and Myanmar that stack the next letter below the one before.
        stacked = matches!(c, '\u{17d2}' | '\u{1039}');
    }
    starts.push(text.len());
    starts
}

fn is_stop(term: &str) -> bool {
    term.chars().all(is_function) || STOP_PAIRS.as_bytes().chunks(PAIR_BYTES).any(|pair| pair == term.as_bytes())
}

/// Hiragana alone is mostly grammar: endings, particles, auxiliaries.
fn is_weak(term: &str) -> bool {
    term.chars().any(is_function) || term.chars().all(|c| ('\u{3041}'..='\u{309f}').contains(&c))
}

fn is_function(c: char) -> bool {
    FUNCTION.contains(c)
}
