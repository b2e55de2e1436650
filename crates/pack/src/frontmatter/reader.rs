//! Reads front matter line by line; nesting is by indentation.

use super::scalar::{closes, flow, plain, plain_value, quoted, spaceless_key, split_key};
use super::{Entry, FrontMatter, MAX_DEPTH, OddLine, Value};
use crate::seek::holds;

/// Reads YAML (without its `---` fences) whose first line is line `first_line` of its file.
pub(crate) fn read(text: &str, first_line: usize) -> FrontMatter {
    let lines = text.lines().enumerate().map(|(i, raw)| Line::new(raw, first_line + i)).collect();
    let mut reader = Reader { lines, at: 0, odd: Vec::new() };
    let mut entries = Vec::new();
    while reader.skip_blank() {
        let before = reader.at;
        let indent = reader.lines[before].indent;
        entries.extend(reader.map(indent, 0).into_iter().map(|(key, value, line)| Entry { key, value, line }));
        if reader.at == before {
            reader.odd("neither a key nor a part of one: left out");
            reader.at += 1;
        }
    }
    FrontMatter { entries, odd: reader.odd }
}

/// A line; `text` is what stands behind the indentation, or behind the `- ` that has been read already.
#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
    raw: &'a str,
    number: usize,
}

impl<'a> Line<'a> {
    fn new(raw: &'a str, number: usize) -> Line<'a> {
        let text = raw.trim_start_matches([' ', '\t']);
        Line { indent: raw.len() - text.len(), text: text.trim_end(), raw, number }
    }

    fn is_blank(&self) -> bool {
        self.text.is_empty() || self.text.starts_with('#')
    }

    fn is_item(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ") || self.text.starts_with("-\t")
    }
}

struct Reader<'a> {
    lines: Vec<Line<'a>>,
    at: usize,
    odd: Vec<OddLine>,
}

impl<'a> Reader<'a> {
    /// Notes what is odd about the line, but in a browser, which shows no findings.
    fn odd(&mut self, message: &str) {
        if cfg!(target_arch = "wasm32") {
            return;
        }
        let line = self.lines.get(self.at).or(self.lines.last()).map_or(1, |line| line.number);
        self.odd.push(OddLine { line, message: message.to_string() });
    }

    /// Goes to the next line that says something; false at the end.
    fn skip_blank(&mut self) -> bool {
        while self.lines.get(self.at).is_some_and(Line::is_blank) {
            self.at += 1;
        }
        self.at < self.lines.len()
    }

    /// The next line that says something, without going there.
    fn peek(&self) -> Option<Line<'a>> {
        self.lines[self.at..].iter().find(|line| !line.is_blank()).copied()
    }

    /// Reads the keys at `indent`. Stops at the first line that is not one of them.
    fn map(&mut self, indent: usize, depth: usize) -> Vec<(String, Value, usize)> {
        let mut pairs = Vec::new();
        while self.skip_blank() {
            let line = self.lines[self.at];
            if line.indent != indent || line.is_item() {
                break;
            }
            let Some((key, rest)) = split_key(line.text).or_else(|| self.spaceless(line, depth)) else { break };
            if line.raw.get(..indent).is_some_and(|before| before.contains('\t')) {
                self.odd("a tab in the indentation: taken for one space");
            }
            let value = self.value(rest, indent, depth, true);
            pairs.push((key, value, line.number));
        }
        pairs
    }

    /// A key of the page without the space behind its colon.
    fn spaceless(&mut self, line: Line<'a>, depth: usize) -> Option<(String, &'a str)> {
        let (key, rest) = spaceless_key(line.text).filter(|_| depth == 0)?;
        self.odd("no space behind the colon: read as if there were one");
        Some((key.to_string(), rest))
    }

    /// Reads the items of a list at `indent`.
    fn list(&mut self, indent: usize, depth: usize) -> Vec<Value> {
        let mut items = Vec::new();
        while self.skip_blank() {
            let line = self.lines[self.at];
            if line.indent != indent || !line.is_item() {
                break;
            }
            let rest = line.text[1..].trim_start();
            let inner = indent + (line.text.len() - rest.len()).max(1);
            let nested = Line { indent: inner, text: rest, ..line };
            if depth + 1 < MAX_DEPTH && (nested.is_item() || split_key(rest).is_some()) {
                self.lines[self.at] = nested;
                items.push(self.block(inner, depth + 1));
            } else {
                items.push(self.value(rest, indent, depth, false));
            }
        }
        items
    }

    /// Reads the collection or text that starts on this line.
    fn block(&mut self, indent: usize, depth: usize) -> Value {
        let line = self.lines[self.at];
        if line.is_item() {
            return Value::List(self.list(indent, depth));
        }
        if split_key(line.text).is_some() {
            let pairs = self.map(indent, depth);
            return Value::Map(pairs.into_iter().map(|(key, value, _)| (key, value)).collect());
        }
        self.value(line.text, indent.saturating_sub(1), depth, false)
    }

    /// Reads the value `rest`, with the further lines that belong to it: those deeper than `indent`.
    fn value(&mut self, rest: &'a str, indent: usize, depth: usize, of_key: bool) -> Value {
        match rest.as_bytes().first() {
            Some(b'|' | b'>') if is_block_header(rest) => self.block_scalar(rest, indent),
            Some(b'"' | b'\'') => self.quoted(rest, indent),
            Some(b'[' | b'{') => self.flow(rest, indent, depth),
            None | Some(b'#') => self.nested(indent, depth, of_key),
            _ => self.plain(rest, indent),
        }
    }

    /// Reads what stands below a key or dash with nothing behind it.
    fn nested(&mut self, indent: usize, depth: usize, of_key: bool) -> Value {
        self.at += 1;
        let Some(next) = self.peek() else { return Value::Null };
        // A list may stand as deep as its key.
        let below = next.indent > indent || (of_key && next.indent == indent && next.is_item());
        if !below {
            return Value::Null;
        }
        self.skip_blank();
        if depth + 1 < MAX_DEPTH {
            return self.block(next.indent, depth + 1);
        }
        self.odd("nested too deep: kept as text");
        self.plain(next.text, indent)
    }

    /// Reads a plain scalar and the deeper lines that continue it.
    fn plain(&mut self, rest: &'a str, indent: usize) -> Value {
        let first = plain(rest);
        if holds(first, ": ") {
            self.odd("a colon and a space in an unquoted value: quote the value");
        }
        let mut text = first.to_string();
        for line in self.continuation(indent) {
            text.push(' ');
            text.push_str(plain(line.text));
        }
        plain_value(text.trim_end())
    }

    /// Goes past this line and returns the deeper ones that follow.
    fn continuation(&mut self, indent: usize) -> Vec<Line<'a>> {
        self.at += 1;
        let start = self.at;
        while self.lines.get(self.at).is_some_and(|line| line.indent > indent && !line.text.is_empty()) {
            self.at += 1;
        }
        self.lines[start..self.at].to_vec()
    }

    /// Reads a quoted scalar, over several lines if need be. Where it is not closed, or text follows it, the line
    /// is kept as text.
    fn quoted(&mut self, rest: &'a str, indent: usize) -> Value {
        if let Some((text, after)) = quoted(rest) {
            let after = after.trim_start();
            if after.is_empty() || after.starts_with('#') {
                self.at += 1;
                return Value::Text(text);
            }
            self.odd("text behind a closing quote: kept as written");
            return self.plain(rest, indent);
        }
        let start = self.at;
        let mut joined = rest.to_string();
        for line in self.continuation(indent) {
            joined.push(' ');
            joined.push_str(line.text);
        }
        if let Some((text, after)) = quoted(&joined)
            && after.trim_start().is_empty()
        {
            return Value::Text(text);
        }
        self.at = start;
        self.odd("a quote that is not closed: kept as text");
        self.plain(rest, indent)
    }

    /// Reads a flow collection, over several lines if need be; kept as text where it is not well-formed.
    fn flow(&mut self, rest: &'a str, indent: usize, depth: usize) -> Value {
        let start = self.at;
        let (mut open, mut quote) = (0, None);
        let mut joined = plain_in_flow(rest).to_string();
        let mut closed = closes(&joined, &mut open, &mut quote);
        self.at += 1;
        while !closed && let Some(line) = self.lines.get(self.at) {
            if line.indent <= indent && !line.text.is_empty() && !line.text.starts_with([']', '}']) {
                break;
            }
            let text = plain_in_flow(line.text);
            closed = closes(text, &mut open, &mut quote);
            joined.push(' ');
            joined.push_str(text);
            self.at += 1;
        }
        if let Some(value) = flow(&joined, depth + 1) {
            return value;
        }
        self.at = start;
        self.odd("brackets that do not match: kept as text");
        self.plain(rest, indent)
    }

    /// Reads a block scalar: `|` keeps line ends, `>` folds them.
    fn block_scalar(&mut self, header: &str, indent: usize) -> Value {
        self.at += 1;
        let start = self.at;
        let digit = header.chars().find_map(|c| c.to_digit(10)).filter(|&d| d > 0);
        let mut inner = digit.map(|digit| indent + digit as usize);
        while let Some(line) = self.lines.get(self.at) {
            let blank = line.raw.trim().is_empty();
            if !blank && line.indent < inner.unwrap_or(indent + 1) {
                break;
            }
            if !blank && inner.is_none() {
                inner = Some(line.indent);
            }
            self.at += 1;
        }
        let inner = inner.unwrap_or(0);
        let lines = self.lines[start..self.at].iter().map(|line| line.raw.get(inner..).unwrap_or(""));
        let text = if header.starts_with('|') { literal(lines) } else { folded(lines) };
        Value::Text(chomp(text, header))
    }
}

/// `|` or `>` with its optional indentation digit and chomping sign.
fn is_block_header(text: &str) -> bool {
    plain(&text[1..]).chars().all(|c| matches!(c, '+' | '-' | '0'..='9'))
}

/// A line of a flow collection without its comment, unless the `#` may stand in quotes.
fn plain_in_flow(text: &str) -> &str {
    if text.contains(['"', '\'']) { text } else { plain(text) }
}

fn literal<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Joins lines with spaces; blank lines become line ends, deeper lines stay lines.
fn folded<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for line in lines {
        let joinable = !line.is_empty() && !line.starts_with([' ', '\t']);
        if !text.is_empty() && !text.ends_with('\n') {
            text.push(if joinable { ' ' } else { '\n' });
        } else if line.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
        if !joinable && !line.is_empty() {
            text.push('\n');
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// `-` drops the line ends at the end, `+` keeps them, else one stays.
fn chomp(mut text: String, header: &str) -> String {
    if header.contains('+') {
        return text;
    }
    let kept = text.trim_end_matches('\n').len();
    let had_line_end = kept > 0 && kept < text.len();
    text.truncate(kept);
    if had_line_end && !header.contains('-') {
        text.push('\n');
    }
    text
}
