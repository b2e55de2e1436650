//! Reports in markdown. Texts of pages, models and files are escaped.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;

/// Escapes text, so that it is one line of plain text in markdown.
pub(super) fn text(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => plain.push_str("&lt;"),
            '&' => plain.push_str("&amp;"),
            '|' | '[' | ']' | '*' | '_' | '`' | '#' | '\\' | '!' => plain.extend(['\\', c]),
            c if c.is_control() => plain.push(' '),
            c => plain.push(c),
        }
    }
    plain
}

/// Adds a table: a column with the names of rows, titled `what`, and columns of numbers.
pub(super) fn table<'r>(
    page: &mut String,
    what: &str,
    columns: &[&str],
    rows: impl IntoIterator<Item = (&'r str, Vec<String>)>,
) {
    let columns: Vec<String> = columns.iter().map(|column| text(column)).collect();
    let _ = writeln!(page, "| {} | {} |\n|---|{}", text(what), columns.join(" | "), "--:|".repeat(columns.len()));
    for (name, cells) in rows {
        let cells: Vec<String> = cells.iter().map(|cell| text(cell)).collect();
        let _ = writeln!(page, "| {} | {} |", text(name), cells.join(" | "));
    }
}

/// Writes a report to the file that `--report` names.
pub(super) fn write(path: &Path, page: &str) -> anyhow::Result<()> {
    std::fs::write(path, page).with_context(|| format!("writing {}", path.display()))
}

/// The name of a file, for the title of a report.
pub(super) fn title(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let check = |raw: &str, expected: &str| assert_eq!(text(raw), expected);
        check("a <b> & *c*\n| d", "a &lt;b> &amp; \\*c\\* \\| d");
        check("![x](https://e.example)", "\\!\\[x\\](https://e.example)");
        check("Plain.", "Plain.");
    }

    #[test]
    fn a_table_has_a_row_for_each_name() {
        let mut page = String::new();
        table(&mut page, "kind", &["n", "cite prec."], [("a|b", vec!["1".to_owned(), "–".to_owned()])]);
        assert_eq!(page, "| kind | n | cite prec. |\n|---|--:|--:|\n| a\\|b | 1 | – |\n");
    }
}
