//! The marks that end a sentence, and what may stand behind them.

/// A mark that may end a sentence.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mark {
    /// A full stop, which abbreviations have too.
    Stop,
    /// A mark that ends a sentence before a space: `!`, `?` and the ellipsis.
    Plain,
    /// One of a script that needs no space behind it, or that has the mark for nothing else.
    OfScript,
}

impl Mark {
    pub(super) fn of(c: char) -> Option<Mark> {
        match c {
            '.' => Some(Mark::Stop),
            '!' | '?' | '…' | '؟' | '‽' | '⁇'..='⁉' | '‼' => Some(Mark::Plain),
            // Chinese and Japanese; Devanagari and its neighbours; Urdu; Armenian; Ethiopic; Burmese; Tibetan; Khmer.
            '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '۔' | '։' | '።' | '፧' | '။' | '།' | '༎' | '។' | '៕' => {
                Some(Mark::OfScript)
            }
            _ => None,
        }
    }
}

/// How many bytes of `rest` belong to the mark before it: more marks, closing quotes and brackets, and references such as
/// `[3]`.
pub(super) fn closing(rest: &str) -> usize {
    let mut after = rest;
    while let Some(c) = after.chars().next() {
        let length = match c {
            '"' | '\'' | ')' | ']' | '}' | '”' | '’' | '」' | '』' | '）' | '］' | '】' | '》' | '〉' => {
                c.len_utf8()
            }
            // These close in German and Danish, and open in English and Chinese.
            '“' | '‘' | '»' | '«' | '›' | '‹' if !after[c.len_utf8()..].starts_with(char::is_alphanumeric) => {
                c.len_utf8()
            }
            c if Mark::of(c).is_some() => c.len_utf8(),
            '[' => reference(after),
            ' ' | '\u{a0}' | '\u{202f}' => match spaced(&after[c.len_utf8()..]) {
                0 => 0,
                length => c.len_utf8() + length,
            },
            _ => 0,
        };
        if length == 0 {
            break;
        }
        after = &after[length..];
    }
    rest.len() - after.len()
}

/// How many bytes of `rest`, behind a space, belong to the sentence before it: the closing quote of French, or a reference
/// with a space or nothing behind it.
fn spaced(rest: &str) -> usize {
    let length = if rest.starts_with('»') { '»'.len_utf8() } else { reference(rest) };
    let is_apart = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
    if rest[length..].chars().next().is_none_or(is_apart) { length } else { 0 }
}

/// Bytes of the longest reference.
const MOST_OF_REFERENCE: usize = 12;

/// How many bytes the reference at the beginning of `rest` takes, such as `[3]` or `[3, 4]`; 0 without one.
fn reference(rest: &str) -> usize {
    let Some(inside) = rest.strip_prefix('[') else { return 0 };
    let is_of_numbers = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'-');
    let length = inside.bytes().take(MOST_OF_REFERENCE).take_while(is_of_numbers).count();
    if length > 0 && inside[length..].starts_with(']') { length + 2 } else { 0 }
}

/// Whether a bracket holds the mark between `before` and `closing` and nothing else.
pub(super) fn is_bare(before: &str, closing: &str) -> bool {
    before.ends_with(['(', '[']) && closing.contains([')', ']'])
}

/// Whether a mark of a script does not end the sentence: it stands in a number or behind an item's, or what is quoted goes
/// on to be spoken of, as in 「はい。」と言った.
pub(super) fn joins(before: &str, closing: &str, rest: &str) -> bool {
    let next = rest.chars().next();
    let in_number = closing.is_empty() && before.ends_with(char::is_numeric) && next.is_some_and(char::is_numeric);
    let item = before.trim_start();
    let is_item = item.len() <= MOST_OF_REFERENCE && !item.is_empty() && item.chars().all(char::is_numeric);
    let is_spoken_of = closing.ends_with(['」', '』']) && matches!(next, Some('\u{3041}'..='\u{3096}'));
    let only_marks = before.trim().is_empty() && !rest.is_empty();
    in_number || is_item && !rest.is_empty() || is_spoken_of || only_marks
}
