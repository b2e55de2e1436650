//! Reads the log's files, whatever state they are in.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind};
use std::path::Path;

use super::record::LogLine;

/// The lines of a file, which are those of one day where a server wrote them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LogRecords {
    /// Those that can be read, in their order.
    pub(super) records: Vec<LogLine>,
    /// How many can't: torn by the end of a process, or damaged.
    pub(super) unreadable: usize,
}

/// Reads a file of the log. One that is not there has no lines.
///
/// # Errors
/// A file that can't be opened or read.
pub(super) fn read_lines(path: &Path) -> io::Result<LogRecords> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(LogRecords::default()),
        other => other?,
    };
    let mut lines = LogRecords::default();
    for line in BufReader::new(file).split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => lines.records.push(record),
            Err(_) => lines.unreadable += 1,
        }
    }
    Ok(lines)
}
