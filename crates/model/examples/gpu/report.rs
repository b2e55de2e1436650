//! The report: JSON that is whole after every row, so that a run that is cut off still tells, and a table on the way.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::{Map, Value, json};

/// Characters of a value that are printed.
const MOST: usize = 600;

pub(crate) struct Report {
    path: PathBuf,
    sections: Map<String, Value>,
    started: Instant,
    seconds: f64,
    /// Whether the whole report is printed in the end: then what is told on the way goes to the standard error.
    is_printed: bool,
    /// What came out wrong.
    wrong: Vec<String>,
}

impl Report {
    pub(crate) fn new(path: PathBuf, seconds: f64, is_printed: bool) -> Self {
        Self { path, sections: Map::new(), started: Instant::now(), seconds, is_printed, wrong: Vec::new() }
    }

    /// Seconds that are left for all.
    pub(crate) fn left(&self) -> f64 {
        self.seconds - self.started.elapsed().as_secs_f64()
    }

    /// A section of one value.
    pub(crate) fn put(&mut self, section: &str, value: Value) {
        let text = value.to_string();
        self.tell(section, text.get(..MOST).unwrap_or(&text));
        self.sections.insert(section.to_owned(), value);
        self.write();
    }

    /// A section of one value, or why there is none.
    pub(crate) fn try_put(&mut self, section: &str, value: Result<Value, String>) {
        self.put(section, value.unwrap_or_else(|error| json!({ "error": error })));
    }

    /// Another row of a section.
    pub(crate) fn row(&mut self, section: &str, row: Value, line: &str) {
        self.tell(section, line);
        if let Value::Array(rows) = self.sections.entry(section).or_insert_with(|| json!([])) {
            rows.push(row);
        }
        self.write();
    }

    fn tell(&self, section: &str, line: &str) {
        let line = format!("[{:5.1} s] {section}: {line}", self.started.elapsed().as_secs_f64());
        if self.is_printed { eprintln!("{line}") } else { println!("{line}") }
    }

    /// Notes that something came out wrong: the run goes on, and fails in the end.
    pub(crate) fn is_wrong(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Ends the report.
    ///
    /// # Errors
    ///
    /// What came out wrong.
    pub(crate) fn finish(mut self) -> Result<(), String> {
        let seconds = self.started.elapsed().as_secs_f64();
        self.put("seconds", json!(seconds));
        if self.is_printed {
            println!("{}", serde_json::to_string_pretty(&self.sections).unwrap_or_default());
        }
        if self.wrong.is_empty() { Ok(()) } else { Err(self.wrong.join("; ")) }
    }

    fn write(&self) {
        let text = serde_json::to_string_pretty(&self.sections).unwrap_or_default();
        if let Err(error) = std::fs::write(&self.path, text) {
            eprintln!("{} could not be written: {error}", self.path.display());
        }
    }
}
