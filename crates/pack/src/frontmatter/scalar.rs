//! The scalars and flow collections of front matter: what stands behind a `key:` or a `- `.

use super::{MAX_DEPTH, Value};
use crate::seek::find;

/// Splits `key: rest` at its colon; `None` where the text is no key. Quoted keys lose their quotes.
pub(super) fn split_key(text: &str) -> Option<(String, &str)> {
    if text.starts_with(['"', '\'']) {
        let (key, rest) = quoted(text)?;
        let rest = rest.trim_start().strip_prefix(':')?;
        return (rest.is_empty() || rest.starts_with([' ', '\t'])).then(|| (key, rest.trim_start()));
    }
    if text.starts_with(['[', '{', '#', '|', '>', '&', '*', '!', '%', '@', '`']) {
        return None;
    }
    let colon = text
        .char_indices()
        .find(|&(at, c)| c == ':' && matches!(text.as_bytes().get(at + 1), None | Some(b' ' | b'\t')))?;
    let key = text[..colon.0].trim_end();
    // A colon in a comment makes no key.
    (!key.is_empty() && plain(key) == key).then(|| (key.to_string(), text[colon.0 + 1..].trim_start()))
}

/// Splits `key:rest`, which YAML takes for text: the key is a word, and what follows makes it no address.
pub(crate) fn spaceless_key(text: &str) -> Option<(&str, &str)> {
    let (key, rest) = text.split_once(':')?;
    let word = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    (word && key.len() <= 40 && !rest.starts_with([':', '/'])).then_some((key, rest))
}

/// Reads a quoted scalar at the start of `text`; returns it with what follows. `None` where it is not closed.
pub(super) fn quoted(text: &str) -> Option<(String, &str)> {
    let mut chars = text.char_indices();
    let (_, quote) = chars.next()?;
    let mut out = String::new();
    while let Some((at, c)) = chars.next() {
        match c {
            '\'' if quote == '\'' => match text[at + 1..].starts_with('\'') {
                true => {
                    chars.next();
                    out.push('\'');
                }
                false => return Some((out, &text[at + 1..])),
            },
            '"' if quote == '"' => return Some((out, &text[at + 1..])),
            '\\' if quote == '"' => escape(&mut chars, &mut out),
            c => out.push(c),
        }
    }
    None
}

/// Reads what follows a backslash in double quotes. An unknown escape stays as written.
fn escape(chars: &mut std::str::CharIndices<'_>, out: &mut String) {
    let Some((_, c)) = chars.next() else { return };
    let digits = match c {
        'n' => return out.push('\n'),
        't' | '\t' => return out.push('\t'),
        'r' => return out.push('\r'),
        '0' => return out.push('\0'),
        'a' => return out.push('\u{7}'),
        'b' => return out.push('\u{8}'),
        'v' => return out.push('\u{b}'),
        'f' => return out.push('\u{c}'),
        'e' => return out.push('\u{1b}'),
        'N' => return out.push('\u{85}'),
        '_' => return out.push('\u{a0}'),
        'L' => return out.push('\u{2028}'),
        'P' => return out.push('\u{2029}'),
        '"' | '\\' | '/' | ' ' => return out.push(c),
        'x' => 2,
        'u' => 4,
        'U' => 8,
        other => {
            out.push('\\');
            return out.push(other);
        }
    };
    let hex = chars.as_str().get(..digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    match hex.and_then(char::from_u32) {
        Some(decoded) => {
            out.push(decoded);
            chars.nth(digits - 1);
        }
        None => {
            out.push('\\');
            out.push(c);
        }
    }
}

/// A plain scalar without its comment.
pub(super) fn plain(text: &str) -> &str {
    if text.starts_with('#') {
        return "";
    }
    let end = [" #", "\t#"].iter().filter_map(|mark| find(text, mark)).min().unwrap_or(text.len());
    text[..end].trim()
}

/// A plain scalar's value.
pub(super) fn plain_value(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        text => Value::Text(text.to_string()),
    }
}

/// Reads a whole flow collection, `[…]` or `{…}`; `None` where it is not one, is not closed, or text follows it.
pub(super) fn flow(text: &str, depth: usize) -> Option<Value> {
    let mut flow = Flow { rest: text };
    let value = flow.collection(depth)?;
    let rest = flow.rest.trim_start();
    (rest.is_empty() || rest.starts_with('#')).then_some(value)
}

/// Whether every bracket outside quotes is closed, so that a flow collection ends here; cheap enough to ask of
/// each further line. The state is carried in `open` and `quote`.
pub(super) fn closes(line: &str, open: &mut i32, quote: &mut Option<char>) -> bool {
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (*quote, c) {
            (Some('"'), '\\') => {
                chars.next();
            }
            (Some(q), c) if c == q => *quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => *quote = Some(c),
            (None, '[' | '{') => *open += 1,
            (None, ']' | '}') => *open -= 1,
            (None, _) => {}
        }
    }
    *open <= 0
}

struct Flow<'a> {
    rest: &'a str,
}

impl Flow<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, c: char) -> bool {
        self.skip();
        let eaten = self.rest.strip_prefix(c);
        self.rest = eaten.unwrap_or(self.rest);
        eaten.is_some()
    }

    fn collection(&mut self, depth: usize) -> Option<Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        if self.eat('[') {
            self.list(depth)
        } else if self.eat('{') {
            self.map(depth)
        } else {
            None
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        loop {
            if self.eat(']') {
                return Some(Value::List(items));
            }
            if self.eat(',') {
                continue;
            }
            items.push(self.item(depth, false)?);
            self.skip();
            if !self.rest.starts_with([',', ']']) {
                return None;
            }
        }
    }

    fn map(&mut self, depth: usize) -> Option<Value> {
        let mut pairs = Vec::new();
        loop {
            if self.eat('}') {
                return Some(Value::Map(pairs));
            }
            if self.eat(',') {
                continue;
            }
            let Value::Text(key) = self.item(depth, true)? else { return None };
            let value = if self.eat(':') { self.item(depth, false)? } else { Value::Null };
            pairs.push((key, value));
            self.skip();
            if !self.rest.starts_with([',', '}']) {
                return None;
            }
        }
    }

    fn item(&mut self, depth: usize, key: bool) -> Option<Value> {
        self.skip();
        match self.rest.chars().next()? {
            '[' | '{' if !key => self.collection(depth + 1),
            '"' | '\'' => {
                let (text, rest) = quoted(self.rest)?;
                self.rest = rest;
                Some(Value::Text(text))
            }
            _ => {
                let stop: &[char] = if key { &[',', ']', '}', ':'] } else { &[',', ']', '}'] };
                let end = self.rest.find(stop)?;
                let (text, rest) = self.rest.split_at(end);
                self.rest = rest;
                let text = super::one_line(text);
                Some(if key { Value::Text(text) } else { plain_value(&text) })
            }
        }
    }
}
