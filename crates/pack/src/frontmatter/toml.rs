//! Reads TOML front matter: keys, plain or dotted, tables, and lists of tables. Every scalar stays text; a line that
//! fits nowhere is reported as odd and left out.

use super::table::{Node, Table};
use super::{Entry, FrontMatter, MAX_DEPTH, OddLine, one_line, scalar};
use crate::seek::{parted, replace};

/// Reads TOML whose first line is line `first_line` of its file.
pub(super) fn read(text: &str, first_line: usize) -> FrontMatter {
    let mut reader = Reader {
        text,
        at: 0,
        line: first_line,
        page: Table::default(),
        lines: Vec::new(),
        odd: Vec::new(),
        table: Vec::new(),
    };
    while reader.skip_blank() {
        let start = (reader.at, reader.line);
        if reader.statement().is_none() {
            (reader.at, reader.line) = start;
            let message = "neither a key with a value nor a table: left out".to_string();
            reader.odd.push(OddLine { line: reader.line, message });
            reader.skip_line();
        }
    }
    let entries = reader.page.into_pairs().into_iter().zip(reader.lines);
    let entries = entries.map(|((key, value), line)| Entry { key, value, line }).collect();
    FrontMatter { entries, odd: reader.odd }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// The line of the file at `at`.
    line: usize,
    /// The page's keys, and the line of each.
    page: Table,
    lines: Vec<usize>,
    odd: Vec<OddLine>,
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

    fn value(&mut self, depth: usize) -> Option<Node> {
        self.skip_spaces();
        match self.rest().bytes().next()? {
            _ if depth >= MAX_DEPTH => None,
            b'"' | b'\'' => self.string().map(Node::Text),
            b'[' => self.list(depth),
            b'{' => self.inline_table(depth),
            _ => {
                let length = self.rest().find([',', ']', '}', '#', '\n']).unwrap_or(self.rest().len());
                let text = one_line(&self.rest()[..length]);
                self.bump(length);
                (!text.is_empty()).then_some(Node::Text(text))
            }
        }
    }

    fn list(&mut self, depth: usize) -> Option<Node> {
        self.eat("[")?;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            if self.eat("]").is_some() {
                return Some(Node::List(items));
            }
            items.push(self.value(depth + 1)?);
            self.skip_blank();
            if self.eat(",").is_none() && !self.rest().starts_with(']') {
                return None;
            }
        }
    }

    fn inline_table(&mut self, depth: usize) -> Option<Node> {
        self.eat("{")?;
        let mut table = Table::default();
        loop {
            self.skip_blank();
            if self.eat("}").is_some() {
                return Some(Node::Table(table));
            }
            let key = self.path()?;
            self.eat("=")?;
            let value = self.value(depth + 1)?;
            table.insert(&key, Some(value));
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
    fn put(&mut self, path: &[String], value: Option<Node>, line: usize) {
        let Some((first, rest)) = path.split_first() else { return };
        // A table is put together from several lines; a key of the page that stands twice is two entries.
        match (self.page.get_mut(first), value) {
            (Some(known), value) if !rest.is_empty() || value.is_none() => known.insert(rest, value),
            (_, value) => {
                let mut new = Node::Empty;
                new.insert(rest, value);
                self.page.push(first, new);
                self.lines.push(line);
            }
        }
    }
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
