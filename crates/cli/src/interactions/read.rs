//! Reads the log's files, whatever state they are in.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read as _};
use std::path::Path;

use uuid::Uuid;

use super::record::{InteractionLine, LogLine};

/// The most bytes of a line. Those of longer lines are damage, or no log.
const LINE_BYTES: u64 = 64 << 10;

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
    let mut lines = LogRecords::default();
    each_line(path, |line| match line.and_then(parse) {
        Some(record) => lines.records.push(record),
        None => lines.unreadable += 1,
    })?;
    Ok(lines)
}

/// The interaction of this id in a file of the log, the last where there are several. Lines without the id are not parsed, and
/// one line at a time is in memory.
///
/// # Errors
/// A file that can't be opened or read.
pub(super) fn find_interaction(path: &Path, id: Uuid) -> io::Result<Option<InteractionLine>> {
    let (text, mut found) = (id.to_string(), None);
    each_line(path, |line| {
        let named = line.filter(|line| line.windows(text.len()).any(|part| part == text.as_bytes()));
        if let Some(LogLine::Interaction(interaction)) = named.and_then(parse)
            && interaction.id == id
        {
            found = Some(interaction);
        }
    })?;
    Ok(found)
}

fn parse(line: &[u8]) -> Option<LogLine> {
    serde_json::from_slice(line).ok()
}

/// Passes each line that is not blank to `take`, and none for one that is too long.
fn each_line(path: &Path, mut take: impl FnMut(Option<&[u8]>)) -> io::Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    let (mut reader, mut line) = (BufReader::new(file), Vec::new());
    loop {
        line.clear();
        if reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LINE_BYTES && !line.ends_with(b"\n") {
            skip_line(&mut reader)?;
            take(None);
        } else if !line.trim_ascii().is_empty() {
            take(Some(&line));
        }
    }
}

/// Reads up to the end of the line, and keeps nothing of it.
fn skip_line(reader: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = reader.fill_buf()?;
        let (end, length) = (bytes.iter().position(|byte| *byte == b'\n'), bytes.len());
        reader.consume(end.map_or(length, |end| end + 1));
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_costs_itself_alone() {
        let path = std::env::temp_dir().join(format!("seealso-long-line-{}", std::process::id()));
        let id = "0193a1b2-0000-7000-8000-000000000001";
        let line = |ms: &str| {
            format!(
                "{{\"kind\":\"interaction\",\"id\":\"{id}\",\"time\":\"2026-11-20T08:00:00Z\",\"route\":\"ask\",\
                 \"verdict\":\"answered\",\"matches\":0,\"entries\":[],\"ms\":{ms}}}"
            )
        };
        let (first, last) = (line("1.0"), line("2.0"));
        let feedback = format!("{{\"kind\":\"feedback\",\"interaction_id\":\"{id}\"}}");
        let long = format!("{id}{}", "x".repeat(200_000));
        std::fs::write(&path, format!("{first}\n{long}\n\n{last}\n{feedback}\n{}", "y".repeat(65_536))).unwrap();
        let lines = read_lines(&path).unwrap();
        let found = find_interaction(&path, id.parse().unwrap()).unwrap();
        let other = find_interaction(&path, Uuid::nil()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((lines.records.len(), lines.unreadable), (2, 3));
        assert_eq!(found.map(|interaction| interaction.ms), Some(2.0));
        assert_eq!(other, None);
    }
}
