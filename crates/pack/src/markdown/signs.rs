//! The signs that other dialects of Markdown have in running text: footnotes, tasks, attributes, names of blocks,
//! emoji, roles and formulas.

use super::definitions::Definitions;
use super::line::run;
use super::token::Kind;
use crate::seek::find;
use std::ops::Range;

/// A sign is no longer than this, in bytes: looking for its end must not take long where there is no end.
const MAX_SIGN: usize = 1000;

/// A sign: what its marks are, which part of it is text, and its length. Places count from its start.
pub(super) struct Sign {
    pub(super) kind: Kind,
    pub(super) text: Range<usize>,
    pub(super) length: usize,
}

/// Reads the sign that starts at `at`, in a page of these definitions.
pub(super) fn read(text: &str, at: usize, definitions: &Definitions) -> Option<Sign> {
    let before = text[..at].bytes().next_back().unwrap_or(b' ');
    let rest = &text[at..];
    let bytes = rest.as_bytes();
    let (first, second) = (bytes[0], *bytes.get(1)?);
    match (first, second) {
        (b'[', b'^') => {
            let label = note(rest).filter(|label| definitions.has_note(label) || refers(text, at, label));
            label.map(|label| whole(Kind::Sign, label.len() + 3))
        }
        (b'^', b'[') => inline_note(bytes).map(|length| whole(Kind::Sign, length)),
        (b'^', _) => {
            let apart = before <= b' ' || before == b']';
            let named = apart && bytes[1..].iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-');
            named.then(|| whole(Kind::Hidden, bytes.len()))
        }
        (b'{', _) => braced(rest, before),
        (b':', _) if !is_word(before) && before != b':' => colons(rest),
        (b'$', _) if !is_word(before) && before != b'$' => formula(rest),
        _ => None,
    }
}

fn whole(kind: Kind, length: usize) -> Sign {
    Sign { kind, text: length..length, length }
}

/// Part of a word; of the scripts beyond ASCII all bytes are.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// The label of the reference to a footnote, `[^label]`, that `text` starts with.
pub(super) fn note(text: &str) -> Option<&str> {
    let label = text.strip_prefix("[^")?;
    let length = label.bytes().position(|byte| byte <= b' ' || matches!(byte, b'[' | b']'))?;
    (length > 0 && label.as_bytes()[length] == b']').then_some(&label[..length])
}

/// Whether `[^label]` at `at` refers to a footnote, although the page has none of that label: it stands right behind a
/// word or the end of a sentence. Elsewhere it is a regular expression or the like.
fn refers(text: &str, at: usize, label: &str) -> bool {
    let before = text[..at].chars().next_back().unwrap_or(' ');
    let plain = label.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    plain && (before.is_alphanumeric() || ".,;:!?)]\"'*_`%”’»…。，、！？」".contains(before))
}

/// The length of the box before a task's text, `[ ]`, `[x]` and the like, that `text` starts with; 0 where none does.
pub(super) fn task(text: &str) -> usize {
    let bytes = text.as_bytes();
    let boxed = bytes.first() == Some(&b'[') && bytes.get(2..4) == Some(b"] ") && b" xX-/>".contains(&bytes[1]);
    if boxed { 3 } else { 0 }
}

/// The length of a footnote that stands where it is referred to, `^[text]`. Its text has several letters, as numbers and
/// formulas have not.
fn inline_note(bytes: &[u8]) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate().take(MAX_SIGN) {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return is_note_text(&bytes[2..at]).then_some(at + 1),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn is_note_text(inner: &[u8]) -> bool {
    let letters = inner.iter().filter(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
    letters > 3 || letters > 1 && inner.contains(&b' ')
}

/// Attributes of what stands before them, `{#name .class key=value}`, or a role before code, `{name}`.
fn braced(rest: &str, before: u8) -> Option<Sign> {
    let close = rest.bytes().take(MAX_SIGN).skip(1).position(|byte| matches!(byte, b'\n' | b'{' | b'}'))? + 1;
    if rest.as_bytes()[close] != b'}' {
        return None;
    }
    let (inner, after) = (rest[1..close].trim_ascii(), &rest[close + 1..]);
    if after.starts_with('`') && inner.bytes().all(is_name) {
        return role(rest, close + 1);
    }
    let behind = matches!(before, b')' | b']' | b'*' | b'_' | b'`' | b'>' | b':');
    let ends_line = || after.trim_start_matches([' ', '\t']).bytes().next().is_none_or(|byte| byte == b'\n');
    let is_pair = inner.split_once('=').is_some_and(|(key, _)| !key.is_empty() && key.bytes().all(is_name));
    let named = matches!(inner.as_bytes(), [b'#' | b'.' | b':', _, ..]);
    let attributes = (named || is_pair) && (behind || ends_line());
    attributes.then(|| whole(Kind::Hidden, close + 1))
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b':')
}

/// An emoji by its name, `:name:`, or a role before code.
fn colons(rest: &str) -> Option<Sign> {
    let length = rest.bytes().skip(1).position(|byte| byte == b':' || !is_name(byte))?;
    let name = &rest.as_bytes()[1..length + 1];
    let after = rest.as_bytes().get(length + 2).copied().unwrap_or(b' ');
    if rest.as_bytes()[length + 1] != b':' || length < 2 || !(name[0].is_ascii_alphabetic() || name[0] == b'+') {
        return None;
    }
    if after == b'`' {
        return role(rest, length + 2);
    }
    (!is_word(after) && after != b':').then(|| whole(Kind::Sign, length + 2))
}

/// A role whose code starts at `at`: its text, without the target in angle brackets.
fn role(rest: &str, at: usize) -> Option<Sign> {
    let ticks = run(&rest[at..], b'`');
    let start = at + ticks;
    let end = start + find(&rest[start..], &rest[at..start])?;
    let inner = &rest[start..end];
    let text = inner.ends_with('>').then(|| find(inner, " <")).flatten().unwrap_or(inner.len());
    Some(Sign { kind: Kind::Hidden, text: start..start + text, length: end + ticks })
}

/// A formula between dollar signs. Sums of money and variables are none: there the signs don't enclose a text, or one
/// of several words without any sign of mathematics.
fn formula(rest: &str) -> Option<Sign> {
    let marks = run(rest, b'$');
    let bytes = &rest.as_bytes()[..rest.len().min(MAX_SIGN)];
    let is_close = |&at: &usize| bytes[at] == b'$' && bytes[at - 1] != b'\\';
    let end = (marks..bytes.len()).find(is_close).filter(|&end| run(&rest[end..], b'$') == marks && marks <= 2)?;
    let inner = &bytes[marks..end];
    let spaced = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let encloses = marks == 2 || !(spaced(inner.first()) || spaced(inner.last()));
    let apart = !bytes.get(end + marks).is_some_and(|&byte| is_word(byte));
    let mathematical = !inner.contains(&b' ') || inner.iter().any(|byte| b"\\^_=+<>{".contains(byte));
    (encloses && apart && mathematical).then_some(Sign { kind: Kind::Hidden, text: marks..end, length: end + marks })
}
