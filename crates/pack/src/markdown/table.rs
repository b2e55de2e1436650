//! The rows of tables.

use std::ops::Range;

/// How many columns the line under a table's head has; `None` where the line is none.
pub(super) fn columns(text: &str) -> Option<usize> {
    let text = text.trim_ascii();
    let inner = text.strip_prefix('|').unwrap_or(text);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let mut columns = 0;
    for cell in inner.split('|') {
        let dashes = cell.trim_ascii();
        let dashes = dashes.strip_prefix(':').unwrap_or(dashes);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        if dashes.is_empty() || dashes.bytes().any(|byte| byte != b'-') {
            return None;
        }
        columns += 1;
    }
    text.contains('|').then_some(columns)
}

/// Where the cells of a row stand, without the white space around them. A bar behind a backslash parts no cells.
pub(super) fn cells(row: &str) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let end = row.trim_ascii_end().len();
    let mut start = row.len() - row.trim_ascii_start().len();
    start += usize::from(row[start..].starts_with('|'));
    while start < end {
        let bytes = &row.as_bytes()[..end];
        let bar = (start..end).find(|&at| bytes[at] == b'|' && (at == start || bytes[at - 1] != b'\\')).unwrap_or(end);
        let cell = &row[start..bar];
        let from = start + cell.len() - cell.trim_ascii_start().len();
        cells.push(from..from.max(start + cell.trim_ascii_end().len()));
        start = bar + 1;
    }
    cells
}
