//! Front matter: tolerant readers of the YAML subset that packs use, of TOML and of JSON, and a writer.
//!
//! Of YAML, read are maps and lists, nested by indentation or in `[…]` and `{…}`; plain, quoted and block scalars;
//! comments. Every scalar stays text: no numbers, dates, anchors or tags. A line that fits nowhere is reported
//! as odd and kept as text or left out; the reader always comes to the end, in linear time.
//!
//! A YAML parser would not do. It refuses a page for one bad line, such as a title with a colon that nobody quoted; here the
//! rest is read, and the author is told which line. It makes numbers, dates and truth values of titles such as `1.50` and
//! `No`. It gives no lines for findings, and TOML and JSON would need two parsers more. Within the subset, the reader gives
//! what a parser of the whole language gives (`differential.rs`).

mod json;
mod reader;
mod scalar;
mod table;
mod toml;
mod writer;
#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;

pub(crate) use reader::read;
pub(crate) use scalar::spaceless_key;
pub(crate) use writer::write;

/// How deep collections may nest; what lies deeper is kept as text.
const MAX_DEPTH: usize = 24;

/// What front matter is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Yaml,
    Toml,
    Json,
}

/// A value of front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A scalar; numbers and booleans too.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// A map, in the order written.
    Map(Vec<(String, Value)>),
    /// Nothing, `~` or `null`.
    Null,
}

/// A top-level key of front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Its value.
    pub value: Value,
    /// The line of the file, from 1.
    pub line: usize,
}

/// A line of front matter that could not be taken as its language would have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddLine {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is odd about it.
    pub message: String,
}

/// Front matter as read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// The keys, in the order written.
    pub entries: Vec<Entry>,
    /// What could not be taken as written.
    pub odd: Vec<OddLine>,
}

impl FrontMatter {
    /// Reads YAML (without its `---` fences) whose first line is line `first_line` of its file.
    pub fn read(text: &str, first_line: usize) -> FrontMatter {
        read(text, first_line)
    }

    /// Reads front matter of that language, without its fences, whose first line is line `first_line` of its file.
    pub(crate) fn read_as(language: Language, text: &str, first_line: usize) -> FrontMatter {
        match language {
            Language::Yaml => read(text, first_line),
            Language::Toml => toml::read(text, first_line),
            Language::Json => json::read(text, first_line),
        }
    }

    /// Removes every entry of that name, whatever its case, and returns the first of them.
    pub(crate) fn take(&mut self, key: &str) -> Option<Entry> {
        let mut first = None;
        self.entries.retain_mut(|entry| {
            let found = entry.key.eq_ignore_ascii_case(key);
            if found && first.is_none() {
                let value = std::mem::replace(&mut entry.value, Value::Null);
                first = Some(Entry { key: std::mem::take(&mut entry.key), value, line: entry.line });
            }
            !found
        });
        first
    }

    /// Takes an entry as one line of text; `None` where it is missing, blank or a collection.
    pub(crate) fn take_line(&mut self, key: &str) -> Option<String> {
        let line = self.take(key)?.value.line();
        (!line.is_empty()).then_some(line)
    }

    /// Takes an entry as a list of lines; empty where it is missing.
    pub(crate) fn take_lines(&mut self, key: &str) -> Vec<String> {
        self.take(key).map(|entry| entry.value.lines()).unwrap_or_default()
    }
}

impl Value {
    /// The value as one line of text: white space collapsed; empty for a list or nothing. A map, which is what an
    /// unquoted colon in a list makes of text, is put back as text.
    pub(crate) fn line(&self) -> String {
        match self {
            Value::Text(text) => one_line(text),
            Value::Map(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {}", value.line())).collect();
                one_line(&pairs.join(", "))
            }
            Value::List(_) | Value::Null => String::new(),
        }
    }

    /// The value as lines of text: a list's items, or a scalar alone; blank ones are left out.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Value::List(items) => items.iter().map(Value::line).filter(|line| !line.is_empty()).collect(),
            other => Some(other.line()).into_iter().filter(|line| !line.is_empty()).collect(),
        }
    }

    /// The value of a map's key.
    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        match self {
            Value::Map(pairs) => pairs.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| value),
            _ => None,
        }
    }
}

/// Text with every run of white space made one space, and none at the ends.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
