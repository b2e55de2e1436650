//! Q1, Q2, Q3, Q4: pages that say little, or still carry their template.

use crate::block::BlockKind;
use crate::finding::Finding;
use crate::index_md::cell;
use crate::markdown::{self, Scan, ScannedBlock};
use crate::pack::{Dialect, Pack};
use crate::page::{Lines, Page};
use std::collections::HashMap;

/// A body below this many characters of prose says little.
const MIN_BODY_CHARS: usize = 200;

/// How many characters of two summaries are compared.
const COMPARED_CHARS: usize = 120;

/// What templates put in the place of a summary or tag; in lower case.
const TEMPLATE: [&str; 14] = [
    "<summary>",
    "[summary]",
    "one sentence",
    "one-sentence",
    "summary of the page",
    "summary goes here",
    "tag1",
    "tag2",
    "tag-1",
    "3-5 tags",
    "<tag",
    "[tag",
    "your summary",
    "replace this",
];

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    let rows = pack.index_rows.iter().flatten().map(|row| (row.file.as_str(), row));
    let rows: HashMap<&str, _> = rows.collect();
    for page in &pack.pages {
        let path = pack.page_path(&page.file);
        let scan = markdown::scan(&page.body);
        thin(page, &path, &scan.blocks, findings);
        placeholders(page, &path, &scan, findings);
        template(page, &path, findings);
        if let Some(row) = rows.get(page.file.as_str()).filter(|_| pack.dialect == Dialect::Wiki)
            && start(&row.summary) != start(&page.summary)
        {
            let message = format!("the summary of {} differs from the page's", page.file);
            findings.push(Finding::warning("wiki/index.md", row.line, "Q4", message));
        }
    }
}

/// Q1.
fn thin(page: &Page, path: &str, blocks: &[ScannedBlock], findings: &mut Vec<Finding>) {
    let prose = blocks.iter().filter(|block| block.kind != BlockKind::Heading);
    let length: usize = prose.map(|block| block.text.chars().count()).sum();
    if length < MIN_BODY_CHARS {
        let message = format!("the body has {length} characters: too little to answer from");
        findings.push(Finding::warning(path, page.body_line, "Q1", message));
    }
}

/// Q2: work left to do, outside code.
fn placeholders(page: &Page, path: &str, scan: &Scan, findings: &mut Vec<Finding>) {
    let prose = scan.blocks.iter().filter(|block| block.kind != BlockKind::Code);
    let in_prose = prose.filter_map(|block| Some((block.at, placeholder(&block.text)?)));
    // A name in double braces that stands alone on its line is no text; what else they hold calls for a site builder.
    let hidden = scan.hidden.iter().map(|range| (range.start, &page.body[range.clone()]));
    let in_braces = hidden.filter_map(|(at, text)| {
        text.strip_prefix("{{")?.strip_suffix("}}").filter(|name| name.bytes().all(is_of_name)).map(|_| (at, "{{"))
    });
    let mut found: Vec<(usize, &str)> = in_prose.chain(in_braces).collect();
    found.sort_unstable();
    let mut lines = Lines::new(&page.body, page.body_line);
    for (at, found) in found {
        let message = format!("a placeholder is left: {found:?}");
        findings.push(Finding::warning(path, lines.line_at(at), "Q2", message));
    }
}

fn placeholder(text: &str) -> Option<&'static str> {
    // Every other part stands between backticks.
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let words = ["TODO", "TBD", "FIXME", "XXX"];
    let is_word = |word: &str| prose.split(|c: char| !c.is_alphanumeric()).any(|part| part == word);
    if let Some(word) = words.iter().find(|word| is_word(word)) {
        return Some(word);
    }
    if holds_braced_name(&prose) {
        return Some("{{");
    }
    let lower = prose.to_lowercase();
    let phrases = ["lorem ipsum", "to be linked after compilation", "[insert", "<insert", "coming soon"];
    phrases.into_iter().find(|phrase| lower.contains(phrase))
}

/// Whether a name stands in double braces, but behind a dollar sign, as workflows write variables.
fn holds_braced_name(text: &str) -> bool {
    let mut parts = text.split("{{");
    let mut before = parts.next().unwrap_or("");
    parts.any(|part| {
        let variable = std::mem::replace(&mut before, part).ends_with('$');
        !variable && part.trim_start_matches(|c: char| c.is_ascii() && is_of_name(c as u8)).starts_with("}}")
    })
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" _-.".contains(&byte)
}

/// Q3.
fn template(page: &Page, path: &str, findings: &mut Vec<Finding>) {
    for (field, text) in std::iter::once(("summary", &page.summary)).chain(page.tags.iter().map(|tag| ("tags", tag))) {
        let lower = text.to_lowercase();
        if let Some(found) = TEMPLATE.iter().find(|phrase| lower.contains(*phrase)) {
            findings.push(Finding::warning(path, 1, "Q3", format!("template text in {field}: {found:?}")));
        }
    }
}

fn start(summary: &str) -> String {
    cell(summary).chars().take(COMPARED_CHARS).collect()
}
