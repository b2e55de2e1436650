//! `index.md`: the list of a pack's pages, as a table (wiki dialect) or bullets (Open Knowledge), read and written.

use crate::file_name::{is_markdown, stem};
use crate::finding::Finding;
use crate::frontmatter::one_line;
use crate::page::Page;
use serde::Serialize;

/// One page as an index.md lists it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IndexRow {
    /// The page's file, as written but without a leading `/` or `./`.
    pub file: String,
    /// The page's title.
    pub title: String,
    /// The page's summary; may be empty.
    pub summary: String,
    /// The line of index.md, from 1.
    pub line: usize,
}

/// Reads the rows of an index.md of either dialect; findings name the file `index.md`.
///
/// A table row starts with `|` and has a file, a title and a summary, which takes in all further cells. A bullet is
/// `- [title](path.md) — summary`. Both are left alone in fenced code.
pub fn read(text: &str) -> (Vec<IndexRow>, Vec<Finding>) {
    let (mut rows, mut findings) = (Vec::new(), Vec::new());
    let mut fence = None;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if in_fence(line, &mut fence) {
            continue;
        }
        let row = if line.starts_with('|') { table_row(line) } else { bullet(line) };
        match row {
            Row::Page(row) => rows.push(IndexRow { line: i + 1, ..row }),
            Row::Broken => findings.push(Finding::warning("index.md", i + 1, "R9", "a row without a file or a title")),
            Row::Other => {}
        }
    }
    (rows, findings)
}

/// Writes the index.md of a wiki pack; `updated` is a date, as `YYYY-MM-DD`.
pub fn write(pages: &[Page], updated: &str) -> String {
    let mut pages: Vec<&Page> = pages.iter().collect();
    pages.sort_by_key(|page| (slug(&page.file), &page.file));
    let mut out = format!("# Wiki Index\n\nLast updated: {updated}\nTotal pages: {}\n\n", pages.len());
    out.push_str("## Pages\n\n| File | Title | Summary |\n|---|---|---|\n");
    for page in pages {
        out.push_str(&format!("| {} | {} | {} |\n", page.file, cell(&page.title), cell(&page.summary)));
    }
    out
}

/// A page's slug: its file's name.
fn slug(file: &str) -> &str {
    stem(file.rsplit('/').next().unwrap_or(file))
}

/// Text as it stands in a cell: one line, without bars.
pub(crate) fn cell(text: &str) -> String {
    one_line(&text.replace('|', "/"))
}

/// Whether the line is in fenced code or fences it; `fence` is the fence that is open.
fn in_fence(line: &str, fence: &mut Option<(char, usize)>) -> bool {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'));
    let length = mark.map_or(0, |mark| line.chars().take_while(|&c| c == mark).count());
    match (*fence, mark) {
        (Some((open, least)), Some(mark)) if mark == open && length >= least && line.len() == length => *fence = None,
        (Some(_), _) => {}
        (None, Some(mark)) if length >= 3 => *fence = Some((mark, length)),
        (None, _) => return false,
    }
    true
}

enum Row {
    Page(IndexRow),
    Broken,
    Other,
}

fn table_row(line: &str) -> Row {
    let cells = cells(line);
    let [first, rest @ ..] = cells.as_slice() else { return Row::Other };
    let ruler = !first.is_empty() && first.chars().all(|c| matches!(c, '-' | ':' | ' '));
    if ruler || first.starts_with('-') || first.eq_ignore_ascii_case("file") {
        return Row::Other;
    }
    let file = file_of(first);
    let title = rest.first().cloned().unwrap_or_default();
    if file.is_empty() || title.is_empty() {
        return Row::Broken;
    }
    Row::Page(IndexRow { file, title, summary: rest.get(1).cloned().unwrap_or_default(), line: 0 })
}

/// The first three cells of a table row; the third takes in all that follow.
fn cells(line: &str) -> Vec<String> {
    let inner = &line[1..];
    let inner = match inner.strip_suffix('|') {
        Some(rest) if !rest.ends_with('\\') => rest,
        _ => inner,
    };
    let mut cells = vec![String::new()];
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        let last = cells.len() - 1;
        match c {
            '\\' if chars.peek() == Some(&'|') => {
                chars.next();
                cells[last].push('|');
            }
            '|' if last < 2 => cells.push(String::new()),
            c => cells[last].push(c),
        }
    }
    cells.iter().map(|cell| one_line(cell)).collect()
}

/// The file that a table's first cell names: plain, in backticks, as a link or as a wikilink.
fn file_of(cell: &str) -> String {
    let inner = cell.trim_matches('`');
    if let Some(slug) = inner.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
        return format!("concepts/{}.md", slug.split('|').next().unwrap_or(slug).trim());
    }
    let target = link(inner).map_or(inner, |(_, target, _)| target);
    from_root(target).to_string()
}

fn bullet(line: &str) -> Row {
    let Some(rest) = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)) else { return Row::Other };
    let Some((title, target, rest)) = link(rest.trim_start()) else { return Row::Other };
    let target = target.split(['#', '?']).next().unwrap_or(target);
    if title.trim().is_empty() || !is_markdown(target) || target.contains("://") {
        return Row::Other;
    }
    let rest = rest.trim_start();
    let dash = ["—", "–", "--", "-", ":"].iter().find_map(|dash| rest.strip_prefix(dash));
    Row::Page(IndexRow {
        file: from_root(target).to_string(),
        title: one_line(title),
        summary: dash.map(one_line).unwrap_or_default(),
        line: 0,
    })
}

/// Takes a link at the start of the text apart: label, target, what follows.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let (label, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (target, rest) = rest.split_once(')')?;
    Some((label, target.trim(), rest))
}

/// A path as it counts from the pack's root.
fn from_root(path: &str) -> &str {
    let bundle = path.strip_prefix("/oks/").and_then(|rest| rest.split_once('/')).map(|(_, inner)| inner);
    let path = bundle.unwrap_or(path);
    path.strip_prefix("./").unwrap_or(path).trim_start_matches('/')
}

#[cfg(test)]
mod tests;
