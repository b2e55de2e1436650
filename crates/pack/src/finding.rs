//! A flaw in a pack, with file and line: what readers and lints report instead of failing.

use serde::Serialize;
use std::fmt;

/// One flaw. Findings sort by file, line and code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// The file: as given to the reader, or below the pack's folder where a whole pack was read.
    pub file: String,
    /// The line, from 1; 1 too where the flaw is the whole file's.
    pub line: usize,
    /// The code, such as `C4` or `R6`; a code keeps its meaning across versions.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong, for people.
    pub message: String,
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The pack is broken here: readers will miss something.
    Error,
    /// Worth mending.
    Warning,
    /// Worth knowing; nothing is lost.
    Note,
}

impl Finding {
    /// A finding of [`Severity::Error`].
    pub fn error(file: &str, line: usize, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { file: file.to_string(), line, code, severity: Severity::Error, message: message.into() }
    }

    /// A finding of [`Severity::Warning`].
    pub fn warning(file: &str, line: usize, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Warning, ..Finding::error(file, line, code, message) }
    }

    /// A finding of [`Severity::Note`].
    pub fn note(file: &str, line: usize, code: &'static str, message: impl Into<String>) -> Finding {
        Finding { severity: Severity::Note, ..Finding::error(file, line, code, message) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.code, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_editors_expect() {
        let finding = Finding::warning("wiki/concepts/a.md", 7, "C4", "no such page");
        assert_eq!(finding.to_string(), "wiki/concepts/a.md:7: C4: no such page");
        assert_eq!(finding.severity, Severity::Warning);
    }
}
