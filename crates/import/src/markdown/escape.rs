//! Text of a page as Markdown that reads as that text.

/// Adds `text` to `out`, with white space collapsed and with what Markdown would take for a mark escaped.
pub(super) fn push(out: &mut String, text: &str) {
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        if c.is_whitespace() {
            if !(out.is_empty() || out.ends_with(' ')) {
                out.push(' ');
            }
            continue;
        }
        let next = rest.peek().map(|&(_, next)| next);
        if is_mark(text, at, c, next, out) {
            out.push('\\');
        }
        out.push(c);
    }
}

fn is_mark(text: &str, at: usize, c: char, next: Option<char>, before: &str) -> bool {
    let last = text[..at].chars().next_back().or_else(|| before.chars().next_back());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        '\\' | '`' | '*' | '[' | ']' | '{' | '|' | '^' | '~' => true,
        // In the middle of a word an underscore is one.
        '_' => !(is_word(last) && is_word(next)),
        '<' => next.is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => next.is_some_and(|next| next.is_alphabetic() || next == '#'),
        '$' => next.is_some_and(|next| !next.is_whitespace()),
        '%' | '=' => next == Some(c),
        ':' => {
            next.is_some_and(|next| next.is_ascii_alphabetic() || next == ':') && !is_word(last) && last != Some(':')
        }
        _ => false,
    }
}

/// A paragraph whose beginning is not taken for a heading, an item or another block.
pub(super) fn line_start(text: &str) -> String {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let bytes = text.as_bytes();
    if digits > 0 && digits < 10 && matches!(bytes.get(digits), Some(b'.' | b')')) {
        let is_item = bytes.get(digits + 1).is_none_or(|byte| *byte == b' ');
        return if is_item { format!("{}\\{}", &text[..digits], &text[digits..]) } else { text.to_owned() };
    }
    let is_block = match bytes.first() {
        Some(b'#' | b'>' | b'=' | b'%') => true,
        Some(first @ (b'-' | b'+' | b'!' | b'?' | b':' | b'/')) => {
            bytes.get(1).is_none_or(|second| *second == b' ' || second == first)
        }
        _ => false,
    };
    if is_block { format!("\\{text}") } else { text.to_owned() }
}

/// Code as a code span.
pub(super) fn code_span(code: &str) -> String {
    let code = crate::dom::one_line(code);
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{code}{space}{fence}")
}

/// The target of a link, as it may stand between parentheses.
pub(super) fn target(href: &str) -> String {
    let mut out = String::with_capacity(href.len());
    for c in href.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        for (text, expected) in [
            ("a  b\n c", "a b c"),
            ("snake_case and _x_", "snake_case and \\_x\\_"),
            ("2 * 3 [x] `y` {#z}", "2 \\* 3 \\[x\\] \\`y\\` \\{#z}"),
            ("a < b, Vec<T>, &amp; & c", "a < b, Vec\\<T>, \\&amp; & c"),
            ("$HOME costs 5 $", "\\$HOME costs 5 $"),
            ("a::b :smile: 10:30", "a::b \\:smile: 10:30"),
            ("50 % and %% ==", "50 % and \\%% \\=="),
        ] {
            let mut out = String::new();
            push(&mut out, text);
            assert_eq!(out, expected, "{text}");
        }
    }

    #[test]
    fn paragraphs_stay_paragraphs() {
        for (text, expected) in [
            ("# a", "\\# a"),
            ("- a", "\\- a"),
            ("-a", "-a"),
            ("--flag", "\\--flag"),
            ("1. a", "1\\. a"),
            ("1.5 a", "1.5 a"),
            ("2024) a", "2024\\) a"),
            ("!!! note", "\\!!! note"),
            (": a", "\\: a"),
            ("text", "text"),
        ] {
            assert_eq!(line_start(text), expected, "{text}");
        }
    }

    #[test]
    fn code_spans_hold_backticks() {
        for (code, expected) in [("a", "`a`"), ("a `b` c", "``a `b` c``"), ("`a", "`` `a ``"), ("a\n b", "`a b`")] {
            assert_eq!(code_span(code), expected, "{code}");
        }
    }
}
