//! E1, E2, E3, E4: what entries and patterns should say, what they name, and private ones where everyone can read them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::catalog::CATALOG_FILE;
use crate::entries::{Pattern, confidence, date, entry_type, has_section, slug, stability, superseded_by};
use crate::finding::Finding;
use crate::pack::Pack;
use crate::page::{Page, PageRole};

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    private_files(pack, findings);
    let pages = || pack.pages.iter();
    let entries: Vec<Fields<'_>> =
        pages().filter(|page| page.role() == PageRole::Entry).map(|page| Fields::of(pack, page)).collect();
    let patterns: Vec<Fields<'_>> =
        pages().filter(|page| page.role() == PageRole::Pattern).map(|page| Fields::of(pack, page)).collect();
    for entry in &entries {
        entry_fields(entry, findings);
    }
    names(&entries, &patterns, findings);
    for pattern in &patterns {
        pattern_fields(pattern, findings);
    }
}

/// An entry's or a pattern's page, and where its fields stand.
struct Fields<'p> {
    page: &'p Page,
    path: String,
    /// The line of each field, by its name in small letters; empty where the file can't be read.
    lines: BTreeMap<String, usize>,
}

impl<'p> Fields<'p> {
    fn of(pack: &Pack, page: &'p Page) -> Fields<'p> {
        let path = pack.page_path(&page.file);
        let text = fs::read_to_string(pack.dir.join(&path)).unwrap_or_default();
        let mut lines = BTreeMap::new();
        for (number, line) in (1..page.body_line).zip(text.lines()) {
            if let Some((key, _)) = line.split_once(':').filter(|(key, _)| !key.starts_with(char::is_whitespace)) {
                lines.entry(key.trim().to_ascii_lowercase()).or_insert(number);
            }
        }
        Fields { page, path, lines }
    }

    /// The line of a field; that of the page where the field is not there.
    fn line(&self, key: &str) -> usize {
        self.lines.get(key).copied().unwrap_or(1)
    }

    fn warning(&self, key: &str, code: &'static str, message: String) -> Finding {
        Finding::warning(&self.path, self.line(key), code, message)
    }
}

/// E1: fields of an entry that are missing or have no known value, and its two sections.
fn entry_fields(entry: &Fields<'_>, findings: &mut Vec<Finding>) {
    let page = entry.page;
    if !entry.lines.is_empty() && !["topic", "title"].iter().any(|key| entry.lines.contains_key(*key)) {
        let message = format!("no topic: it is taken to be \"{}\"", page.title);
        findings.push(entry.warning("topic", "E1", message));
    }
    let mut check = |key: &str, found: Result<bool, String>, least: &str, known: &str| match found {
        Ok(true) => {}
        Ok(false) => findings.push(entry.warning(key, "E1", format!("no {key}: it counts as {least}"))),
        Err(text) => {
            let message = format!("the {key} \"{text}\" is none of {known}: it counts as {least}");
            findings.push(entry.warning(key, "E1", message));
        }
    };
    let types = "framework, standard, philosophy, decision and reaction";
    check("type", entry_type(page).map(|known| known.is_some()), "reaction", types);
    check("confidence", confidence(page).map(|known| known.is_some()), "low", "high, medium and low");
    check("stability", stability(page).map(|known| known.is_some()), "evolving", "evergreen, stable and evolving");
    for key in ["created", "updated"] {
        if let Err(text) = date(page, key) {
            findings.push(entry.warning(
                key,
                "E1",
                format!("\"{text}\" is no date such as 2026-01-31: it does not count"),
            ));
        }
    }
    for (name, instead) in [("Position", "the first prose stands for it"), ("Reasoning", "the entry has none")] {
        if !has_section(page, name) {
            let message = format!("no section ## {name} with text: {instead}");
            findings.push(Finding::warning(&entry.path, page.body_line, "E1", message));
        }
    }
}

/// E2: names of patterns and of successors that are not there, and successors in a circle.
fn names(entries: &[Fields<'_>], patterns: &[Fields<'_>], findings: &mut Vec<Finding>) {
    let known: BTreeSet<String> = patterns.iter().map(|pattern| slug(pattern.page)).collect();
    let successors: BTreeMap<String, Option<String>> =
        entries.iter().map(|entry| (slug(entry.page), superseded_by(entry.page))).collect();
    for entry in entries {
        if let Some(pattern) = entry.page.field("pattern").filter(|slug| !known.contains(slug)) {
            findings.push(entry.warning("pattern", "E2", format!("there is no pattern {pattern} with a template")));
        }
        let Some(successor) = superseded_by(entry.page) else { continue };
        let message = match successors.get(&successor) {
            None => format!("there is no public entry {successor}: this one counts as superseded all the same"),
            Some(_) if is_in_circle(&successor, &successors) => {
                format!("the entries from {successor} on supersede each other in a circle, so none of them counts")
            }
            Some(_) => continue,
        };
        findings.push(entry.warning("superseded_by", "E2", message));
    }
}

/// Whether the successors of an entry never end.
fn is_in_circle(start: &str, successors: &BTreeMap<String, Option<String>>) -> bool {
    let mut at = Some(start);
    for _ in 0..=successors.len() {
        let Some(next) = at.and_then(|slug| successors.get(slug)).and_then(Option::as_deref) else { return false };
        at = Some(next);
    }
    true
}

/// E3: private files. Where the pack lies beside a catalog, its folder is what a host hands out, so they are not private there.
fn private_files(pack: &Pack, findings: &mut Vec<Finding>) {
    let is_published = is_published(pack);
    for file in &pack.private_files {
        findings.push(match is_published {
            true => {
                let message = "a private page in a folder that is published as it is: whoever has its address can read it; \
                               publish a copy with `seealso build --out`, which leaves it out";
                Finding::error(file, 1, "E3", message)
            }
            false => {
                let message = "a private page: it is in no index and no copy, but a build in place leaves it in this folder";
                Finding::note(file, 1, "E3", message)
            }
        });
    }
}

/// Whether a catalog stands in the pack's folder, or where its path begins.
fn is_published(pack: &Pack) -> bool {
    let steps = pack.path.split('/').count();
    [0, steps].iter().filter_map(|&up| pack.dir.ancestors().nth(up)).any(|root| root.join(CATALOG_FILE).is_file())
}

/// E4: a pattern's fields and variants.
fn pattern_fields(pattern: &Fields<'_>, findings: &mut Vec<Finding>) {
    let Some(read) = Pattern::of(pattern.page) else { return };
    if !pattern.lines.is_empty() && !["description", "summary"].iter().any(|key| pattern.lines.contains_key(*key)) {
        let message = "no description: it is taken from the body".to_owned();
        findings.push(pattern.warning("description", "E4", message));
    }
    if read.template.is_empty() {
        findings.push(pattern.warning("template", "E4", "the template is empty".to_owned()));
    }
    if read.variants.is_empty() {
        let message = "no variants: each is a heading below ## Variants that names a situation, with text below it";
        findings.push(Finding::note(&pattern.path, pattern.page.body_line, "E4", message));
    }
    for variant in read.variants.iter().filter(|variant| variant.text.is_empty() || variant.context.is_empty()) {
        let message = format!("the variant \"{}\" lacks its situation or its text", variant.context);
        findings.push(Finding::warning(&pattern.path, pattern.page.body_line, "E4", message));
    }
}
