//! C1, C3, C4b, C11: the files of a wiki pack, and whether its index and sources agree with them.

use crate::file_name::stem;
use crate::finding::Finding;
use crate::links::{LinkTarget, PageNames, normal, resolve, slugify};
use crate::pack::{Dialect, Pack};
use crate::page::{Page, PageRole, SectionKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    if pack.dialect == Dialect::Okf {
        return;
    }
    structure(pack, findings);
    index(pack, findings);
    let mut named = BTreeSet::new();
    for page in &pack.pages {
        if page.role() == PageRole::Topic {
            placement(pack, page, findings);
        }
        sources(pack, page, &mut named, findings);
    }
    orphans(pack, &named, findings);
}

/// C1: the pack's files and its pages' sections.
fn structure(pack: &Pack, findings: &mut Vec<Finding>) {
    let mut missing = |file: &str, there: bool| {
        if !there {
            findings.push(Finding::warning(file, 1, "C1", "there is no such file"));
        }
    };
    missing("wiki/index.md", pack.index_rows.is_some());
    missing("wiki/schema.md", pack.schema.is_some());
    missing("wiki/log.md", pack.log.is_some());
    if pack.pages.is_empty() {
        findings.push(Finding::error("wiki/concepts", 1, "C1", "the pack has no pages"));
    }
    for page in pack.pages.iter().filter(|page| page.role() == PageRole::Topic) {
        let sections = page.sections();
        for (name, kind) in [("See Also", SectionKind::SeeAlso), ("Sources", SectionKind::Sources)] {
            if !sections.iter().any(|section| section.kind == kind) {
                let message = format!("no section ## {name}");
                findings.push(Finding::warning(&pack.page_path(&page.file), page.body_line, "C1", message));
            }
        }
    }
}

/// C3: each row has its page, each page its row.
fn index(pack: &Pack, findings: &mut Vec<Finding>) {
    let Some(rows) = &pack.index_rows else { return };
    let files: BTreeSet<&str> = pack.pages.iter().map(|page| page.file.as_str()).collect();
    let mut listed = BTreeSet::new();
    for row in rows {
        if !files.contains(row.file.as_str()) {
            let message = format!("lists {}, which is not there", row.file);
            findings.push(Finding::error("wiki/index.md", row.line, "C3", message));
        }
        if !listed.insert(row.file.as_str()) {
            findings.push(Finding::warning("wiki/index.md", row.line, "C3", format!("lists {} again", row.file)));
        }
    }
    for file in files.difference(&listed) {
        findings.push(Finding::warning(&pack.page_path(file), 1, "C3", "not listed in wiki/index.md"));
    }
}

/// C11: pages lie in `concepts/` under the name of their slug.
fn placement(pack: &Pack, page: &Page, findings: &mut Vec<Finding>) {
    let path = pack.page_path(&page.file);
    let Some(stem) = stem(&page.file).strip_prefix("concepts/").filter(|stem| !stem.contains('/')) else {
        return findings.push(Finding::warning(&path, 1, "C11", "a page that does not lie in wiki/concepts"));
    };
    if slugify(stem) != stem {
        let message = format!("the file's name is no slug: rename it to {}.md", slugify(stem));
        findings.push(Finding::warning(&path, 1, "C11", message));
    }
    if let Some(slug) = page.field("slug").filter(|slug| slug != stem) {
        findings.push(Finding::warning(&path, 1, "C11", format!("the slug is {slug}, the file's name is {stem}")));
    }
}

/// C4b: the documents that a page names as its sources are there. Gathers them in `named`.
fn sources(pack: &Pack, page: &Page, named: &mut BTreeSet<String>, findings: &mut Vec<Finding>) {
    let path = pack.page_path(&page.file);
    let mut name = |file: Option<String>, line: usize, written: &str| {
        let there = file.as_deref().is_some_and(|file| pack.dir.join(file).is_file());
        if !there {
            findings.push(Finding::warning(&path, line, "C4b", format!("source {written} is not there")));
        }
        named.extend(file);
    };
    for source in page.sources.iter().filter(|source| !source.resource.contains("://")) {
        name(normal("", &source.resource), 1, &source.resource);
    }
    for link in page.source_links() {
        if let LinkTarget::Raw(file) = resolve(&link, &page.file, pack.name(), &PageNames::default()) {
            name(Some(file), link.line, &link.target);
        }
    }
}

/// C4b: every raw document is some page's source.
fn orphans(pack: &Pack, named: &BTreeSet<String>, findings: &mut Vec<Finding>) {
    for file in raw_files(&pack.dir.join("raw"), "raw", 0) {
        if !named.contains(&file) {
            findings.push(Finding::note(&file, 1, "C4b", "no page names this document as a source"));
        }
    }
}

/// The documents below `raw/`; lists of documents (`_index.md`) are none.
fn raw_files(dir: &Path, path: &str, depth: usize) -> Vec<String> {
    let mut files = Vec::new();
    let Ok(entries) = fs::read_dir(dir) else { return files };
    for entry in entries.flatten() {
        let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
        let file = format!("{path}/{name}");
        if kind.is_dir() && depth < 8 {
            files.extend(raw_files(&entry.path(), &file, depth + 1));
        } else if kind.is_file() && !name.starts_with(['_', '.']) {
            files.push(file);
        }
    }
    files.sort();
    files
}
