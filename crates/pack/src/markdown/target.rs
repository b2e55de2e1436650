//! What stands behind a link's label: its target and title. Also the escapes and entities that targets and texts
//! may hold.

use super::line::is_space;

/// Parentheses in a target nested deeper than this make it none.
const MAX_PARENTHESES: usize = 32;

/// Named entities; all others are text.
const ENTITIES: [(&str, char); 10] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", '\u{a0}'),
    ("mdash", '—'),
    ("ndash", '–'),
    ("hellip", '…'),
    ("copy", '©'),
];

/// Reads `(target "title")` at `at`: the target as written, and where all of it ends.
pub(super) fn inline(text: &str, at: usize) -> Option<(&str, usize)> {
    if !text[at..].starts_with('(') {
        return None;
    }
    let (target, end) = destination(text, skip_space(text, at + 1))?;
    let mut close = skip_space(text, end);
    if close > end
        && let Some(end) = title(text, close)
    {
        close = skip_space(text, end);
    }
    text[close..].starts_with(')').then_some((target, close + 1))
}

/// The target that starts at `at`, as written, and where it ends. It may be empty.
pub(super) fn destination(text: &str, at: usize) -> Option<(&str, usize)> {
    let (mut escaped, mut depth) = (false, 0);
    let pointed = text[at..].starts_with('<');
    let start = at + usize::from(pointed);
    for (length, byte) in text[start..].bytes().enumerate() {
        let end = start + length;
        match byte {
            b'\n' if pointed => return None,
            _ if escaped && byte.is_ascii_punctuation() => {
                escaped = false;
                continue;
            }
            b'>' if pointed => return Some((&text[start..end], end + 1)),
            b'<' if pointed => return None,
            b'(' if !pointed => depth += 1,
            b')' if !pointed && depth == 0 => return Some((&text[start..end], end)),
            b')' if !pointed => depth -= 1,
            _ if !pointed && is_space(byte) => return (depth == 0).then_some((&text[start..end], end)),
            _ if !pointed && byte.is_ascii_control() => return None,
            _ => {}
        }
        if depth > MAX_PARENTHESES {
            return None;
        }
        escaped = byte == b'\\';
    }
    (!pointed && depth == 0).then_some((&text[start..], text.len()))
}

/// The end of the title in quotes or parentheses that starts at `at`.
pub(super) fn title(text: &str, at: usize) -> Option<usize> {
    let open = *text.as_bytes().get(at)?;
    let close = match open {
        b'"' | b'\'' => open,
        b'(' => b')',
        _ => return None,
    };
    let mut escaped = false;
    for (length, byte) in text[at + 1..].bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == close => return Some(at + length + 2),
            b'(' if open == b'(' => return None,
            _ => {}
        }
    }
    None
}

/// The first place from `at` on that is no white space.
pub(super) fn skip_space(text: &str, at: usize) -> usize {
    at + text[at..].bytes().take_while(|&byte| is_space(byte)).count()
}

/// Resolves escapes and entities.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(step) = text[from..].find(['\\', '&']) {
        let at = from + step;
        out.push_str(&text[from..at]);
        let (c, length) = escape(text, at).or_else(|| entity(text, at)).unwrap_or((char::from(text.as_bytes()[at]), 1));
        out.push(c);
        from = at + length;
    }
    out.push_str(&text[from..]);
    out
}

/// The character that a backslash at `at` escapes, and the length of both.
pub(super) fn escape(text: &str, at: usize) -> Option<(char, usize)> {
    let next = text.as_bytes().get(at + 1).filter(|next| next.is_ascii_punctuation())?;
    text[at..].starts_with('\\').then_some((char::from(*next), 2))
}

/// The character that an entity at `at` stands for, and its length.
pub(super) fn entity(text: &str, at: usize) -> Option<(char, usize)> {
    // The longest is `&#1114111;`.
    let window = &text.as_bytes()[at..text.len().min(at + 10)];
    let name = text.get(at + 1..at + window.iter().position(|&byte| byte == b';')?)?;
    let c = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => ENTITIES.iter().find(|(known, _)| *known == name)?.1,
    };
    text[at..].starts_with('&').then_some((c, name.len() + 2))
}

/// The character of a number, decimal or after an `x`; what is no character is shown as such.
fn numbered(number: &str) -> Option<char> {
    let hex = number.strip_prefix(['x', 'X']);
    let (digits, radix, most) = hex.map_or((number, 10, 7), |hex| (hex, 16, 6));
    if digits.len() > most || !digits.bytes().all(|byte| char::from(byte).is_digit(radix)) {
        return None;
    }
    let code = u32::from_str_radix(digits, radix).ok()?;
    Some(char::from_u32(code).filter(|&c| c != '\0').unwrap_or('\u{fffd}'))
}
