//! Reads the log's files, whatever state they are in.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind};
use std::path::Path;

use super::record::LogLine;

/// The lines of one day.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct DayRecords {
    /// Those that can be read, in their order.
    pub(super) records: Vec<LogLine>,
    /// How many can't: torn by the end of a process, or damaged.
    pub(super) unreadable: usize,
}

/// Reads a day's file. One that is not there has no lines.
///
/// # Errors
/// A file that can't be opened or read.
pub(super) fn read_day(path: &Path) -> io::Result<DayRecords> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(DayRecords::default()),
        other => other?,
    };
    let mut day = DayRecords::default();
    for line in BufReader::new(file).split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => day.records.push(record),
            Err(_) => day.unreadable += 1,
        }
    }
    Ok(day)
}
