//! C2, C5, M1, M2: what front matter and manifest should say.

use crate::finding::Finding;
use crate::pack::{Dialect, Pack};
use crate::page::PageRole;
use std::collections::BTreeMap;

/// The manifest's summary should have as many characters.
const SUMMARY_CHARS: std::ops::RangeInclusive<usize> = 50..=2_000;

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    pages(pack, findings);
    tags(pack, findings);
    if pack.dialect == Dialect::Wiki {
        manifest(pack, findings);
    }
}

/// C2: missing fields. The reader itself reports a missing title, and, as R6, a missing summary.
fn pages(pack: &Pack, findings: &mut Vec<Finding>) {
    for page in &pack.pages {
        let path = pack.page_path(&page.file);
        if page.role() != PageRole::Topic {
            continue;
        }
        if page.category.is_none() {
            let field = if pack.dialect == Dialect::Wiki { "category" } else { "type" };
            findings.push(Finding::error(&path, 1, "C2", format!("no {field} in the front matter")));
        }
        if pack.dialect == Dialect::Okf {
            continue;
        }
        if page.sources.is_empty() {
            findings.push(Finding::error(&path, 1, "C2", "no sources in the front matter"));
        }
        let missing = [
            ("tags", page.tags.is_empty()),
            ("created", page.field("created").is_none()),
            ("updated", page.field("updated").is_none()),
        ];
        for (field, _) in missing.iter().filter(|(_, missing)| *missing) {
            findings.push(Finding::warning(&path, 1, "C2", format!("no {field} in the front matter")));
        }
    }
}

/// C5: tags that differ only in case, punctuation or a plural s. The rarer spelling is reported, where it first stands.
fn tags(pack: &Pack, findings: &mut Vec<Finding>) {
    // Bare form → spelling → how often, and the first page with it.
    let mut spellings: BTreeMap<String, BTreeMap<&str, (usize, &str)>> = BTreeMap::new();
    for page in &pack.pages {
        for tag in &page.tags {
            let spelling = spellings.entry(bare(tag)).or_default().entry(tag).or_insert((0, &page.file));
            spelling.0 += 1;
        }
    }
    for group in spellings.values() {
        let by_use = group.iter().max_by_key(|(tag, (count, _))| (*count, std::cmp::Reverse(tag.len())));
        let Some((usual, _)) = by_use else { continue };
        for (tag, (_, file)) in group.iter().filter(|(tag, _)| *tag != usual) {
            let message = format!("tag {tag:?} is elsewhere spelt {usual:?}");
            findings.push(Finding::note(&pack.page_path(file), 1, "C5", message));
        }
    }
}

fn bare(tag: &str) -> String {
    let letters: String = tag.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    match letters.strip_suffix('s') {
        Some(singular) if singular.len() > 2 && !singular.ends_with('s') => singular.to_string(),
        _ => letters,
    }
}

/// M1: missing fields of the manifest. M2: its summary's length.
fn manifest(pack: &Pack, findings: &mut Vec<Finding>) {
    let manifest = &pack.manifest;
    let mut finding = |severity: fn(&str, usize, &'static str, String) -> Finding, code, message: String| {
        findings.push(severity("manifest.yaml", 1, code, message));
    };
    for (field, value) in [("name", &manifest.name), ("version", &manifest.version)] {
        if value.is_empty() {
            finding(Finding::error, "M1", format!("no {field}"));
        }
    }
    let missing = [("domains", manifest.domains.is_empty()), ("language", manifest.language.is_empty())];
    for (field, _) in missing.iter().filter(|(_, missing)| *missing) {
        finding(Finding::warning, "M1", format!("no {field}"));
    }
    let length = manifest.summary.chars().count();
    if length == 0 {
        finding(Finding::warning, "M2", "no summary: two or three sentences on what the pack covers".to_string());
    } else if !SUMMARY_CHARS.contains(&length) {
        finding(Finding::warning, "M2", format!("the summary has {length} characters: 200 to 500 serve best"));
    }
}
