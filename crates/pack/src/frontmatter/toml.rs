//! Reads TOML front matter: keys, plain or dotted, tables, and lists of tables. Every scalar stays text; a line that
//! fits nowhere is reported as odd and left out.

use super::{Entry, FrontMatter, MAX_DEPTH, OddLine, Value, one_line, scalar};
use crate::seek::{parted, replace};

/// Reads TOML whose first line is line `first_line` of its file.
pub(super) fn read(text: &str, first_line: usize) -> FrontMatter {
    let mut reader = Reader { text, at: 0, line: first_line, front: FrontMatter::default(), table: Vec::new() };
    while reader.skip_blank() {
        let start = (reader.at, reader.line);
        if reader.statement().is_none() {
            (reader.at, reader.line) = start;
            let message = "neither a key with a value nor a table: left out".to_string();
            reader.front.odd.push(OddLine { line: reader.line, message });
            reader.skip_line();
        }
    }
    reader.front
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The line of the file at `at`.
    line: usize,
    front: FrontMatter,
    /// The table that keys are put into: its name's parts.
    table: Vec<String>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn bump(&mut self, bytes: usize) {
        self.line += self.rest()[..bytes].matches('\n').count();
        self.at += bytes;
    }

    fn skip_line(&mut self) {
        let length = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
        self.bump(length);
    }

    /// Goes past white space, line ends and comments; false at the end.
    fn skip_blank(&mut self) -> bool {
        loop {
            self.bump(self.rest().len() - self.rest().trim_start().len());
            if !self.rest().starts_with('#') {
                return !self.rest().is_empty();
            }
            self.skip_line();
        }
    }

    fn skip_spaces(&mut self) {
        self.bump(self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len());
    }

    fn eat(&mut self, mark: &str) -> Option<()> {
        self.skip_spaces();
        self.rest().strip_prefix(mark)?;
        self.bump(mark.len());
        Some(())
    }

    /// Reads a table's head, or a key with its value; then nothing but a comment may stand on the line.
    fn statement(&mut self) -> Option<()> {
        let line = self.line;
        if self.rest().starts_with('[') {
            let marks = if self.rest().starts_with("[[") { ("[[", "]]") } else { ("[", "]") };
            self.eat(marks.0)?;
            let table = self.path()?;
            self.eat(marks.1)?;
            self.end_of_line()?;
            if marks.0 == "[[" {
                self.put(&table, None, line);
            }
            self.table = table;
            return Some(());
        }
        let key = self.path()?;
        self.eat("=")?;
        let value = self.value(0)?;
        self.end_of_line()?;
        let path: Vec<String> = self.table.iter().cloned().chain(key).collect();
        self.put(&path, Some(value), line);
        Some(())
    }

    fn end_of_line(&mut self) -> Option<()> {
        self.skip_spaces();
        matches!(self.rest().bytes().next(), None | Some(b'\n' | b'#')).then(|| self.skip_line())
    }

    /// A key's parts, which dots stand between.
    fn path(&mut self) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        while parts.len() < MAX_DEPTH {
            self.skip_spaces();
            if self.rest().starts_with(['"', '\'']) {
                parts.push(self.string()?);
            } else {
                let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
                let length = self.rest().find(|c| !word(c)).unwrap_or(self.rest().len());
                parts.push(self.rest().get(..length).filter(|word| !word.is_empty())?.to_string());
                self.bump(length);
            }
            if self.eat(".").is_none() {
                return Some(parts);
            }
        }
        None
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        self.skip_spaces();
        match self.rest().bytes().next()? {
            _ if depth >= MAX_DEPTH => None,
            b'"' | b'\'' => self.string().map(Value::Text),
            b'[' => self.list(depth),
            b'{' => self.inline_table(depth),
            _ => {
                let length = self.rest().find([',', ']', '}', '#', '\n']).unwrap_or(self.rest().len());
                let text = one_line(&self.rest()[..length]);
                self.bump(length);
                (!text.is_empty()).then_some(Value::Text(text))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Value> {
        self.eat("[")?;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            if self.eat("]").is_some() {
                return Some(Value::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip_blank();
            if self.eat(",").is_none() && !self.rest().starts_with(']') {
                return None;
            }
        }
    }

    fn inline_table(&mut self, depth: usize) -> Option<Value> {
        self.eat("{")?;
        let mut pairs = Vec::new();
        loop {
            self.skip_blank();
            if self.eat("}").is_some() {
                return Some(Value::Map(pairs));
            }
            let key = self.path()?;
            self.eat("=")?;
            let value = self.value(depth + 1)?;
            insert(&mut pairs, &key, Some(value));
            self.skip_blank();
            if self.eat(",").is_none() && !self.rest().starts_with('}') {
                return None;
            }
        }
    }

    /// Reads a string of one line, or of several between three quotes.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let quote = &rest[..1];
        let triple = quote.repeat(3);
        if let Some(inner) = rest.strip_prefix(&triple) {
            let end = inner.find(&triple)?;
            let end = end + inner[end..].bytes().take_while(|&byte| byte == quote.as_bytes()[0]).count().min(5) - 3;
            self.bump(end + 6);
            let text = inner[..end].strip_prefix('\n').unwrap_or(&inner[..end]);
            return Some(if quote == "'" { text.to_string() } else { unescape(text) });
        }
        let line = &rest[1..rest.find('\n').unwrap_or(rest.len())];
        if quote == "'" {
            let end = line.find('\'')?;
            self.bump(end + 2);
            return Some(line[..end].to_string());
        }
        let (text, after) = scalar::quoted(&rest[..line.len() + 1])?;
        self.bump(line.len() + 1 - after.len());
        Some(text)
    }

    /// Puts a value where its path says; without one, adds an empty table to the list there.
    fn put(&mut self, path: &[String], value: Option<Value>, line: usize) {
        let Some((first, rest)) = path.split_first() else { return };
        // A table is put together from several lines; a key of the page that stands twice is two entries.
        let known = self.front.entries.iter_mut().find(|entry| entry.key == *first);
        match (known, value) {
            (Some(entry), value) if !rest.is_empty() || value.is_none() => insert_at(&mut entry.value, rest, value),
            (_, value) => {
                let mut new = Value::Null;
                insert_at(&mut new, rest, value);
                self.front.entries.push(Entry { key: first.clone(), value: new, line });
            }
        }
    }
}

/// Puts a value below another; without one, adds an empty table to the list there.
fn insert_at(place: &mut Value, path: &[String], value: Option<Value>) {
    let list = matches!(place, Value::List(_));
    match (place, path.is_empty(), value) {
        (Value::List(items), true, None) => items.push(Value::Map(Vec::new())),
        (place, true, None) => *place = Value::List(vec![Value::Map(Vec::new())]),
        (place, true, Some(value)) => *place = value,
        (Value::List(items), false, value) if list => {
            if let Some(last) = items.last_mut() {
                insert_at(last, path, value);
            }
        }
        (Value::Map(pairs), false, value) => insert(pairs, path, value),
        (place, false, value) => {
            let mut pairs = Vec::new();
            insert(&mut pairs, path, value);
            *place = Value::Map(pairs);
        }
    }
}

fn insert(pairs: &mut Vec<(String, Value)>, path: &[String], value: Option<Value>) {
    let Some((first, rest)) = path.split_first() else { return };
    let at = pairs.iter().position(|(key, _)| key == first).unwrap_or_else(|| {
        pairs.push((first.clone(), Value::Null));
        pairs.len() - 1
    });
    insert_at(&mut pairs[at].1, rest, value);
}

/// Resolves the escapes of a string of several lines; a backslash at a line's end takes the white space after it along.
fn unescape(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = parted(rest, "\\\n") {
        joined.push_str(before);
        rest = behind.trim_start();
    }
    joined.push_str(rest);
    // A quote alone ends the reader's string.
    let escaped = format!("\"{}\"", replace(&joined, "\\\"", "\"").replace('"', "\\\""));
    scalar::quoted(&escaped).map_or(joined, |(text, _)| text)
}
