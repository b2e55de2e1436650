//! Cutting prose into sentences.
//!
//! A sentence ends at `.`, `!` or `?` (with any closing quote or bracket) before a space and something that can begin a
//! sentence, but not behind an abbreviation or a lone initial; the full-width marks of Chinese and Japanese end one
//! wherever they stand. A full segmenter by Unicode's rules would bring tables larger than the rest of the answer's code.

use std::ops::Range;

/// Abbreviations after which a full stop ends nothing, in lower case without it.
const ABBREVIATIONS: [&str; 24] = [
    "e.g", "i.e", "etc", "cf", "vs", "dr", "mr", "mrs", "ms", "prof", "st", "no", "nos", "fig", "c", "ca", "approx",
    "vol", "pp", "ed", "jr", "sr", "al", "inc",
];

/// What a number with a full stop may be the beginning of: a German date, or a century.
const AFTER_ORDINAL: [&str; 14] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
    "Jahrhundert",
    "Jh",
];

/// The sentences of `text`, in order, without the space around them.
pub fn sentences(text: &str) -> Vec<&str> {
    bounds(text).into_iter().map(|range| &text[range]).collect()
}

/// Where the [`sentences`] of `text` stand in it, in bytes.
pub(crate) fn bounds(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let wide = matches!(c, '。' | '！' | '？' | '｡' | '।');
        if !wide && !matches!(c, '.' | '!' | '?' | '؟') {
            continue;
        }
        let mut end = at + c.len_utf8();
        while let Some((next, closing)) = chars.next_if(|(_, c)| is_closing(*c)) {
            end = next + closing.len_utf8();
        }
        let abbreviates = || c == '.' && is_abbreviated(&text[start..at], &text[end..]);
        if wide || (starts_sentence(&text[end..]) && !abbreviates()) {
            push(&mut found, text, start..end);
            start = end;
        }
    }
    push(&mut found, text, start..text.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let sentence = text[range.clone()].trim();
    if !sentence.is_empty() {
        let start = range.end - text[range].trim_start().len();
        found.push(start..start + sentence.len());
    }
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '.' | '!' | '?')
}

/// Whether `rest` begins as what follows a sentence does: the end, or a space and no small letter.
fn starts_sentence(rest: &str) -> bool {
    let after = rest.trim_start();
    after.is_empty() || (after.len() < rest.len() && !after.starts_with(|c: char| c.is_lowercase()))
}

fn is_abbreviated(before: &str, after: &str) -> bool {
    let word = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    initial || ABBREVIATIONS.contains(&word.to_ascii_lowercase().as_str()) || is_ordinal(word, after)
}

fn is_ordinal(word: &str, after: &str) -> bool {
    let next = after.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) && AFTER_ORDINAL.contains(&next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(sentences(text), expected);
    }

    #[test]
    fn prose_is_cut_at_its_sentences() {
        check("One. Two! Three? Four", &["One.", "Two!", "Three?", "Four"]);
        check(
            "It costs 3.5 units, e.g. on v1.2.3 of it. \"Done.\" Next.",
            &["It costs 3.5 units, e.g. on v1.2.3 of it.", "\"Done.\"", "Next."],
        );
        check("Dr. A. Smith met J. Doe. They spoke.", &["Dr. A. Smith met J. Doe.", "They spoke."]);
        check("Edit config.local. it is small", &["Edit config.local. it is small"]);
        check("光合成。植物！", &["光合成。", "植物！"]);
        check("Am 3. Oktober 1990. Es war 3. Aber nicht 4.", &["Am 3. Oktober 1990.", "Es war 3.", "Aber nicht 4."]);
        check("Wait... what? Yes.", &["Wait... what?", "Yes."]);
        check("  ", &[]);
    }
}
