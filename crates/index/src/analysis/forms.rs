//! Further forms of words: identifiers, whose signs say what the words alone do not (`C++`, `.env`, `std::vec::Vec`),
//! and, in a question, compounds without their hyphens ("opt-in" is also "optin"). A form has the place of the words
//! that it is made of, and is added to them rather than replacing them.

use super::words::{Script, script};
use super::{Analysis, Kind, Token};
use crate::analysis::fold::{fold, is_mark};

/// The longest form, in bytes. Longer ones are addresses or noise.
const LONGEST: usize = 64;

/// Abbreviations that look like identifiers: "for example" and "that is".
const ABBREVIATIONS: &[&str] = &["e.g", "i.e"];

impl Analysis {
    /// The identifiers and joined compounds in `text`, in reading order. They do not count as words: they make a page
    /// no longer.
    pub fn forms(self, text: &str) -> Vec<Token> {
        self.forms_beside(&self.all_tokens(text), text)
    }

    /// The forms in `text`, whose words and pairs, with stop words, are `tokens`.
    pub(crate) fn forms_beside(self, tokens: &[Token], text: &str) -> Vec<Token> {
        let mut found = Vec::new();
        chunks(text, &mut |start, end| {
            let at = tokens.partition_point(|token| token.end <= start);
            // A form without words would have no place.
            let Some(word) = tokens.get(at).filter(|word| word.start >= start && word.end <= end) else { return };
            let position = word.position;
            let token = |(term, kind, stop)| Token { term, start, end, stop, weak: false, kind, position };
            found.extend(self.form(&text[start..end]).map(token));
        });
        found
    }

    /// The form of `chunk`, which begins and ends like an identifier: its term, its kind, and whether it is a stop
    /// word.
    fn form(self, chunk: &str) -> Option<(String, Kind, bool)> {
        // As most words are.
        if !chunk.contains(is_sign) {
            return None;
        }
        let folded = fold(chunk);
        let chars: Vec<char> = folded.chars().collect();
        // Folding removes some letters, and decomposes others into characters that no identifier has.
        if folded.len() > LONGEST || !chars.iter().all(|&c| is_chunk(c)) || bounds(&chars) != (0, chars.len()) {
            return None;
        }
        let (mut hyphens, mut slashes, mut signs, mut letters, mut part, mut short) = (0, 0, 0, 0, 0, false);
        for &c in chars.iter().chain(&['/']) {
            part += 1;
            signs += usize::from(is_sign(c));
            hyphens += usize::from(is_hyphen(c));
            letters += usize::from(c.is_alphabetic());
            if c == '/' {
                slashes += 1;
                short |= part < 3;
                part = 0;
            }
        }
        // The slash that ends the last part was added here.
        (signs, slashes) = (signs - 1, slashes - 1);
        if signs == 0 {
            return None;
        }
        if hyphens == signs && letters > 0 && !is_sign(chars[0]) {
            let (term, stop, _) = self.word(&joined(&folded), &joined(chunk))?;
            return Some((term, Kind::Joined, stop));
        }
        // "and/or" says no more than its words, but "I/O" says more than its letters.
        if slashes == signs && !short {
            return None;
        }
        let stop = ABBREVIATIONS.contains(&folded.as_str());
        // "v2.1" is version 2.1.
        let is_version = chars[0] == 'v' && chars[1].is_numeric() && folded.contains('.');
        Some((folded[usize::from(is_version)..].to_owned(), Kind::Identifier, stop))
    }
}

fn joined(text: &str) -> String {
    text.chars().filter(|&c| !is_hyphen(c)).collect()
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

fn is_sign(c: char) -> bool {
    matches!(c, '+' | '#' | '.' | '/' | ':' | '_' | '@' | '*') || is_hyphen(c)
}

fn is_chunk(c: char) -> bool {
    is_sign(c) || (c.is_alphanumeric() || is_mark(c)) && script(c) == Script::Spaced
}

/// Calls `take` with the first byte, and one past the last, of each stretch of letters, digits and signs, without the
/// signs around it that are punctuation.
fn chunks(text: &str, take: &mut dyn FnMut(usize, usize)) {
    let mut chars: Vec<char> = Vec::new();
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        if is_chunk(c) {
            chars.push(c);
        } else if !chars.is_empty() {
            let (first, last) = bounds(&chars);
            let bytes = |chars: &[char]| chars.iter().map(|c| c.len_utf8()).sum::<usize>();
            let start = at - bytes(&chars[first..]);
            take(start, start + bytes(&chars[first..last]));
            chars.clear();
        }
    }
}

/// The first of `chars` that is no punctuation around them, and one past the last; an empty range for signs alone.
fn bounds(chars: &[char]) -> (usize, usize) {
    let (Some(mut first), Some(last)) =
        (chars.iter().position(|&c| !is_sign(c)), chars.iter().rposition(|&c| !is_sign(c)))
    else {
        return (0, 0);
    };
    let mut end = last + 1;
    // As in "C++", "C#", "foo_", and "A*". The star of a longer word is emphasis or a note.
    let follows = |c: char| matches!(c, '+' | '#' | '_') || c == '*' && first == last;
    while end < chars.len() && follows(chars[end]) && chars[end] == chars[last + 1] {
        end += 1;
    }
    // As in "--no-verify", "-m", ".env", "#include", "@scope", "__init__".
    let letter = chars[first].is_alphabetic();
    match &chars[..first] {
        ['-'] | ['-', '-'] | ['.'] | ['#'] if letter => first = 0,
        [.., '@'] => first -= 1,
        _ => {
            while first > 0 && chars[first - 1] == '_' {
                first -= 1;
            }
        }
    }
    (first, end)
}
