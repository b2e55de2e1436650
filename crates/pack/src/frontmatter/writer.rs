//! Writes front matter so that [`super::read`] gives the same values back.

use super::Value;

/// Writes a map in block style, one key a line.
pub(crate) fn write<'a>(entries: impl IntoIterator<Item = (&'a str, &'a Value)>) -> String {
    let mut out = String::new();
    for (key, value) in entries {
        write_pair(&mut out, key, value, 0);
    }
    out
}

fn write_pair(out: &mut String, key: &str, value: &Value, indent: usize) {
    write_scalar(out, key);
    out.push(':');
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('\n');
            write_list(out, items, indent + 2);
        }
        Value::Map(pairs) if !pairs.is_empty() => {
            out.push('\n');
            write_map(out, pairs, indent + 2);
        }
        flat => {
            out.push(' ');
            write_flat(out, flat);
        }
    }
}

fn write_map(out: &mut String, pairs: &[(String, Value)], indent: usize) {
    for (key, value) in pairs {
        pad(out, indent);
        write_pair(out, key, value, indent);
    }
}

fn write_list(out: &mut String, items: &[Value], indent: usize) {
    for item in items {
        pad(out, indent);
        match item {
            Value::List(items) if !items.is_empty() => {
                out.push_str("-\n");
                write_list(out, items, indent + 2);
            }
            Value::Map(pairs) if !pairs.is_empty() => {
                out.push_str("-\n");
                write_map(out, pairs, indent + 2);
            }
            flat => {
                out.push_str("- ");
                write_flat(out, flat);
            }
        }
    }
}

/// A value that fits on the rest of the line.
fn write_flat(out: &mut String, value: &Value) {
    match value {
        Value::Text(text) => write_scalar(out, text),
        Value::List(_) => out.push_str("[]"),
        Value::Map(_) => out.push_str("{}"),
        Value::Null => out.push('~'),
    }
    out.push('\n');
}

fn pad(out: &mut String, indent: usize) {
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Plain where that is beyond doubt, else in double quotes.
fn write_scalar(out: &mut String, text: &str) {
    if is_safely_plain(text) {
        out.push_str(text);
        return;
    }
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Controls and the characters that some readers take for line ends or drop.
fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn is_safely_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else { return false };
    first.is_alphanumeric()
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !matches!(text.to_ascii_lowercase().as_str(), "null" | "true" | "false" | "yes" | "no" | "on" | "off")
        && text.chars().all(|c| !needs_escape(c) && (c == ' ' || !c.is_whitespace()) && !matches!(c, '"' | '\\'))
}
