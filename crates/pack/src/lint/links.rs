//! C4: links lead to pages that are there, and See Also leads both ways.

use crate::finding::Finding;
use crate::links::{Link, LinkKind, Resolved, resolve};
use crate::pack::{Dialect, Pack};
use crate::page::Page;
use std::collections::HashSet;

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    let files: HashSet<&str> = pack.pages.iter().map(|page| page.file.as_str()).collect();
    for page in &pack.pages {
        let mut seen = HashSet::new();
        let see_also: HashSet<usize> = page.see_also().iter().map(|link| link.line).collect();
        for link in page.body_links() {
            let resolved = resolve(&link, &page.file, pack.name(), &|file| files.contains(file));
            if let Some(finding) = broken(pack, page, &link, &resolved, see_also.contains(&link.line))
                && seen.insert((link.line, link.target.clone()))
            {
                findings.push(finding);
            }
        }
    }
    if pack.dialect == Dialect::Wiki {
        one_way(pack, findings);
    }
}

/// A link that leads nowhere. In See Also that is an error: expansion misses a page there.
fn broken(pack: &Pack, page: &Page, link: &Link, resolved: &Resolved, see_also: bool) -> Option<Finding> {
    let path = pack.page_path(&page.file);
    let message = match resolved {
        Resolved::Missing(file) if link.kind == LinkKind::Wiki => format!("[[{}]]: there is no {file}", link.target),
        Resolved::Missing(file) if !is_file(pack, file) => format!("link to {}: not there", link.target),
        Resolved::Page(file) if see_also && *file == page.file => {
            return Some(Finding::note(&path, link.line, "C4", "See Also names its own page"));
        }
        _ => return None,
    };
    let severity = if see_also && pack.dialect == Dialect::Wiki { Finding::error } else { Finding::warning };
    Some(severity(&path, link.line, "C4", message))
}

/// Navigation and other files are no pages, but may be linked to.
fn is_file(pack: &Pack, file: &str) -> bool {
    crate::links::normal("", file).is_some_and(|file| pack.dir.join(pack.page_path(&file)).exists())
}

/// See Also that is not returned.
fn one_way(pack: &Pack, findings: &mut Vec<Finding>) {
    let directory = pack.directory();
    if directory.derived() {
        return;
    }
    for (file, targets) in directory.iter() {
        for target in targets.iter().filter(|target| !directory.links(target).iter().any(|back| back == file)) {
            let message = format!("See Also leads to {target}, which does not lead back");
            findings.push(Finding::note(&pack.page_path(file), 1, "C4", message));
        }
    }
}
