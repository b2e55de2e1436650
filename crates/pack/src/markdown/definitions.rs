//! Link definitions, `[label]: target "title"`, and the labels that refer to them; the labels of footnotes.

use super::line::is_space;
use super::target::{destination, skip_space, title, unescape};
use crate::frontmatter::one_line;
use crate::links::lower;
use crate::places::Places;

/// Longest label, in bytes.
const MAX_LABEL: usize = 999;

/// The targets by label.
#[derive(Default)]
pub(super) struct Definitions {
    targets: Vec<String>,
    /// The places among the targets by label, in lower case.
    places: Places,
    /// The labels of footnotes.
    notes: Places,
}

impl Definitions {
    /// Takes the definitions that a paragraph starts with; each of its lines ends with a line end. How much of the
    /// text they take up.
    pub(super) fn take(&mut self, text: &str) -> usize {
        let mut taken = 0;
        while let Some((name, target, end)) = definition(text, taken) {
            let label = normal(name);
            if self.places.get(&label).is_none() {
                self.places.insert(label, self.targets.len());
                self.targets.push(unescape(target));
            }
            taken = end;
        }
        taken
    }

    /// Adds a footnote's label.
    pub(super) fn add_note(&mut self, label: &str) {
        self.notes.insert(normal(label), 0);
    }

    /// Whether the page has a footnote of that label.
    pub(super) fn has_note(&self, label: &str) -> bool {
        label.len() <= MAX_LABEL && self.notes.get(&normal(label)).is_some()
    }

    /// The target that a label stands for. The first definition of a label counts.
    pub(super) fn target(&self, label: &str) -> Option<&str> {
        if self.targets.is_empty() || label.len() > MAX_LABEL {
            return None;
        }
        self.places.get(&normal(label)).map(|place| self.targets[place].as_str())
    }
}

fn normal(label: &str) -> String {
    lower(&one_line(label))
}

/// Reads a definition: its label, its target as written, and the start of the line after it.
fn definition(text: &str, at: usize) -> Option<(&str, &str, usize)> {
    let (name, end) = label(text, at)?;
    if name.trim_ascii().is_empty() || !text[end..].starts_with(':') {
        return None;
    }
    let (target, end) = destination(text, skip_space(text, end + 1))?;
    if target.is_empty() && !text[..end].ends_with('>') {
        return None;
    }
    let spaced = skip_space(text, end);
    let titled = if spaced > end { title(text, spaced).and_then(|end| line_end(text, end)) } else { None };
    Some((name, target, titled.or_else(|| line_end(text, end))?))
}

/// The start of the next line, if nothing but white space stands before it.
fn line_end(text: &str, at: usize) -> Option<usize> {
    let line = text[at..].bytes().position(|byte| byte == b'\n')?;
    text[at..at + line].bytes().all(is_space).then_some(at + line + 1)
}

/// The label in brackets that starts at `at`, and where it ends. It holds no brackets but escaped ones.
pub(super) fn label(text: &str, at: usize) -> Option<(&str, usize)> {
    let inner = text[at..].strip_prefix('[')?;
    let mut escaped = false;
    for (length, byte) in inner.bytes().enumerate().take(MAX_LABEL + 1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => return None,
            b']' => return Some((&inner[..length], at + length + 2)),
            _ => {}
        }
    }
    None
}
