//! How the first characters of a line tell what block starts there. Each line comes without its indentation.

use super::html;
use super::line::run;
use std::ops::Range;

/// What marks a list item.
pub(super) struct Marker {
    /// `-`, `+`, `*`, the `:` of a definition, or what stands behind a number: `.` or `)`.
    pub(super) byte: u8,
    pub(super) number: Option<u32>,
    /// Its length in bytes.
    pub(super) width: usize,
    /// Whether an item so marked may end a paragraph.
    pub(super) interrupts: bool,
}

/// What opens a fenced code block.
#[derive(Clone, Copy)]
pub(super) struct Fence<'a> {
    pub(super) byte: u8,
    pub(super) length: usize,
    pub(super) info: &'a str,
}

/// Three or more `*`, `-` or `_`, with or without spaces.
pub(super) fn is_rule(text: &str) -> bool {
    let mark = text.bytes().next().unwrap_or(b' ');
    let mut marks = 0;
    matches!(mark, b'*' | b'-' | b'_')
        && text.bytes().all(|byte| {
            marks += usize::from(byte == mark);
            byte == mark || matches!(byte, b' ' | b'\t')
        })
        && marks >= 3
}

pub(super) fn marker(text: &str) -> Option<Marker> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let byte = *text.as_bytes().get(digits)?;
    let known = if digits == 0 { matches!(byte, b'-' | b'+' | b'*' | b':') } else { matches!(byte, b'.' | b')') };
    let rest = &text.as_bytes()[digits..];
    if !known || digits > 9 || !matches!(rest.get(1), None | Some(b' ' | b'\t')) {
        return None;
    }
    let number = (digits > 0).then(|| text.bytes().take(digits).fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0')));
    let empty = text[digits + 1..].trim_ascii().is_empty();
    Some(Marker { byte, number, width: digits + 1, interrupts: !empty && matches!(number, None | Some(1)) })
}

/// The level of a heading that starts with `#`, and where its title stands.
pub(super) fn heading(text: &str) -> Option<(u8, Range<usize>)> {
    let level = run(text, b'#');
    let rest = &text[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let start = text.len() - rest.trim_ascii_start().len();
    let title = rest.trim_ascii();
    let open = title.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    let title = if closed { open.trim_ascii_end() } else { title };
    Some((level as u8, start..start + title.len()))
}

/// The level that a line under a paragraph makes it a heading of.
pub(super) fn underline(text: &str) -> Option<u8> {
    let text = text.trim_ascii_end();
    let mark = text.bytes().next()?;
    let level = match mark {
        b'=' => 1,
        b'-' => 2,
        _ => return None,
    };
    (run(text, mark) == text.len()).then_some(level)
}

pub(super) fn fence(text: &str) -> Option<Fence<'_>> {
    let byte = text.bytes().next().filter(|byte| matches!(byte, b'`' | b'~'))?;
    let length = run(text, byte);
    let info = text[length..].trim_ascii();
    (length >= 3 && (byte == b'~' || !info.contains('`'))).then_some(Fence { byte, length, info })
}

/// Whether a line ends a table: it starts another block, or has no cell.
pub(super) fn ends_table(text: &str) -> bool {
    text.trim_ascii_end() == "|"
        || text.starts_with('>')
        || is_rule(text)
        || marker(text).is_some()
        || heading(text).is_some()
        || fence(text).is_some()
        || html::starts_block(text, false)
        || html::code(text).is_some()
}
