//! Citation marks: numbers of sources in square brackets, as models write them.

use std::ops::Range;

/// A citation mark, and the source numbers in it.
pub(super) struct Mark {
    pub(super) range: Range<usize>,
    pub(super) numbers: Vec<usize>,
}

/// Longer brackets are not a citation.
const MOST_BYTES: usize = 60;
/// A source number has at most this many digits; `[1984]` is a year.
const MOST_DIGITS: usize = 3;
/// `[1-9]` names nine sources; a range never means more than this.
const MOST_IN_RANGE: usize = 20;

/// The citation marks of `text`, in order: `[1]`, `[1, 3]`, `[2-4]`, `[Source 1]`, `【1】`.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let mut found = Vec::new();
    for (start, open) in text.match_indices(['[', '【']) {
        let close = if open == "[" { ']' } else { '】' };
        let inside = &text[start + open.len()..];
        let inside = &inside[..inside.floor_char_boundary(MOST_BYTES)];
        let inside = inside.split('\n').next().unwrap_or_default();
        let Some(length) = inside.find(close) else { continue };
        let end = start + open.len() + length + close.len_utf8();
        // Brackets followed by a round bracket are a link.
        if text[end..].starts_with('(') {
            continue;
        }
        if let Some(numbers) = numbers(&inside[..length]) {
            found.push(Mark { range: start..end, numbers });
        }
    }
    found
}

fn numbers(inside: &str) -> Option<Vec<usize>> {
    let lower = inside.trim().to_ascii_lowercase();
    let named = ["sources", "source", "^"].iter().find_map(|name| lower.strip_prefix(name));
    let mut numbers = Vec::new();
    for part in named.unwrap_or(&lower).split([',', ';', '、', '，', '&']) {
        match part.split_once(['-', '–']) {
            Some((first, last)) => {
                let (first, last) = (number(first)?, number(last)?);
                numbers.extend((first..=last).take(MOST_IN_RANGE));
            }
            None => numbers.push(number(part)?),
        }
    }
    // No source has the number 0, so `[0, 1]` is an interval.
    (!numbers.is_empty() && !numbers.contains(&0)).then_some(numbers)
}

fn number(part: &str) -> Option<usize> {
    let part = part.trim();
    let digits = (1..=MOST_DIGITS).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| part.parse().ok()).flatten()
}
