//! Further forms of words: identifiers, whose signs tell what the words alone do not (`C++`, `.env`, `std::vec::Vec`),
//! and compounds without their hyphens ("opt-in" is also "optin"). They stand at the place of the words that they are
//! made of, and are there beside them, not in their stead.

use super::words::{Script, script};
use super::{Analysis, Kind, Token};
use crate::fold::{fold, is_mark};

/// Longer ones, in bytes, are addresses or noise.
const LONGEST: usize = 64;

/// Identifiers that stand for "for example" and "that is".
const ABBREVIATIONS: &[&str] = &["e.g", "i.e"];

impl Analysis {
    /// The identifiers and joined compounds in `text`, in reading order. They are no words of their own: a page is not
    /// longer for them, and a question does not ask for more.
    pub fn forms(self, text: &str) -> Vec<Token> {
        self.forms_beside(&self.all_tokens(text), text)
    }

    /// The forms in `text`, whose words and pairs are `tokens`, stop words among them.
    pub(super) fn forms_beside(self, tokens: &[Token], text: &str) -> Vec<Token> {
        let mut found = Vec::new();
        chunks(text, &mut |start, end| {
            let at = tokens.partition_point(|token| token.end <= start);
            // Without words of its own a form would stand nowhere.
            let Some(word) = tokens.get(at).filter(|word| word.start >= start && word.end <= end) else { return };
            let position = word.position;
            let token = |(term, kind, stop)| Token { term, start, end, stop, weak: false, kind, position };
            found.extend(self.form(&text[start..end]).map(token));
        });
        found
    }

    /// What `chunk`, which begins and ends like an identifier, is beside its words: a term, its kind, and whether it is
    /// as empty as a stop word.
    fn form(self, chunk: &str) -> Option<(String, Kind, bool)> {
        let folded = fold(chunk);
        let signs = || folded.chars().filter(|&c| is_sign(c));
        // Folding takes some letters away, and others apart into what no identifier has.
        let whole = folded.chars().all(is_chunk) && bounds(&folded) == Some((0, folded.len()));
        if signs().next().is_none() || folded.len() > LONGEST || !whole {
            return None;
        }
        if signs().all(is_hyphen) && folded.starts_with(char::is_alphanumeric) && folded.contains(char::is_alphabetic) {
            let joined = |text: &str| text.replace(is_hyphen, "");
            let (term, stop, _) = self.word(&joined(&folded), &joined(chunk))?;
            return Some((term, Kind::Joined, stop));
        }
        // The words of "and/or" say it all; the letters of "I/O" do not.
        if signs().all(|c| c == '/') && folded.split('/').all(|part| part.chars().nth(1).is_some()) {
            return None;
        }
        let stop = ABBREVIATIONS.contains(&folded.as_str());
        Some((folded, Kind::Identifier, stop))
    }
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}')
}

fn is_sign(c: char) -> bool {
    matches!(c, '+' | '#' | '.' | '/' | ':' | '_' | '@') || is_hyphen(c)
}

fn is_chunk(c: char) -> bool {
    is_sign(c) || (c.is_alphanumeric() || is_mark(c)) && script(c) == Script::Spaced
}

/// Finds the stretches of letters, digits and signs, each without the signs around it that are punctuation.
fn chunks(text: &str, take: &mut dyn FnMut(usize, usize)) {
    let mut open = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = is_chunk(c);
        match open {
            None if inside => open = Some(at),
            Some(start) if !inside => {
                open = None;
                if let Some((first, last)) = bounds(&text[start..at]) {
                    take(start + first, start + last);
                }
            }
            _ => {}
        }
    }
}

/// First byte of what is left of `chunk` without punctuation around it, and one past the last.
fn bounds(chunk: &str) -> Option<(usize, usize)> {
    let first = chunk.find(|c| !is_sign(c))?;
    let last = chunk.trim_end_matches(is_sign).len();
    let (lead, tail) = (&chunk[..first], &chunk[last..]);
    let letter = chunk[first..].starts_with(char::is_alphabetic);
    let kept_lead = match lead {
        "-" | "--" | "." if letter => lead.len(),
        _ if lead.ends_with('@') => 1,
        _ => lead.len() - lead.trim_end_matches('_').len(),
    };
    let kept_tail = match tail.chars().next() {
        Some(sign @ ('+' | '#' | '_')) => tail.len() - tail.trim_start_matches(sign).len(),
        _ => 0,
    };
    Some((first - kept_lead, last + kept_tail))
}
