//! C4: links lead to pages that are there, each to one alone, and See Also leads both ways.
//!
//! Addresses outside the pack are not looked at, nor are pictures and other attachments, which no answer is made from.

use crate::file_name::stem;
use crate::finding::Finding;
use crate::links::{Link, LinkKind, LinkTarget, PageNames, alternative, last_step, normal, resolve, scheme};
use crate::pack::{Dialect, Pack};
use crate::page::Page;
use std::collections::HashSet;

/// Endings of files that pages show or offer, in small letters.
#[rustfmt::skip]
const ATTACHMENTS: [&str; 68] = [
    // pictures
    "avif", "bmp", "gif", "heic", "ico", "jpeg", "jpg", "png", "psd", "svg", "tif", "tiff", "webp",
    // sound and films
    "3gp", "aac", "avi", "flac", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "oga", "ogg", "ogv", "opus",
    "wav", "webm",
    // documents, tables and slides
    "bib", "csv", "doc", "docx", "epub", "ics", "key", "mobi", "numbers", "odp", "ods", "odt", "pages", "pdf", "ppt",
    "pptx", "ps", "rtf", "tex", "tsv", "txt", "vcf", "xls", "xlsx",
    // drawings and boards of note-taking programs
    "base", "canvas", "drawio", "excalidraw",
    // archives
    "7z", "bz2", "gz", "rar", "tar", "tgz", "xz", "zip", "zst",
];

/// Schemes that run or show what stands in the link itself, or a file of the reader's; in small letters.
const HARMFUL: [&str; 4] = ["data", "file", "javascript", "vbscript"];

pub(super) fn check(pack: &Pack, findings: &mut Vec<Finding>) {
    let names = pack.names();
    for page in &pack.pages {
        let mut seen = HashSet::new();
        let see_also: HashSet<usize> = page.see_also().iter().map(|link| link.line).collect();
        for link in page.body_links() {
            let resolved = resolve(&link, &page.file, pack.name(), &names);
            let flaw = Flaw { pack, page, link: &link, in_see_also: see_also.contains(&link.line) };
            if let Some(finding) = flaw.broken(&resolved).or_else(|| flaw.unclear(&resolved, &names))
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

/// A link that may have a flaw, and where it stands.
struct Flaw<'a> {
    pack: &'a Pack,
    page: &'a Page,
    link: &'a Link,
    in_see_also: bool,
}

impl Flaw<'_> {
    /// A link that leads nowhere. In See Also that is an error: expansion misses a page there.
    fn broken(&self, resolved: &LinkTarget) -> Option<Finding> {
        let target = &self.link.target;
        let message = match resolved {
            LinkTarget::Missing(_) if is_harmful(target) => format!("link to {target}: such links are not followed"),
            LinkTarget::Missing(_) if is_outside(self.link) || is_attachment(target) => return None,
            LinkTarget::Missing(file) if self.is_there(file) => return None,
            LinkTarget::Missing(file) if self.link.kind == LinkKind::Wiki => self.no_page(file),
            LinkTarget::Missing(_) => format!("link to {target}: not there"),
            LinkTarget::Page(file) if self.in_see_also && *file == self.page.file => {
                return Some(self.finding(Finding::note, "See Also names its own page".to_string()));
            }
            _ => return None,
        };
        let is_error = self.in_see_also && self.pack.dialect == Dialect::Wiki;
        Some(self.finding(if is_error { Finding::error } else { Finding::warning }, message))
    }

    /// Whether there is a file, though no page: navigation, and others. A path may name a folder as well.
    fn is_there(&self, file: &str) -> bool {
        let Some(file) = normal("", file) else { return false };
        let whole = self.pack.dir.join(self.pack.page_path(&file));
        match self.link.kind {
            LinkKind::Wiki => {
                whole.is_file() || whole.with_file_name(format!("{}.md", last_step(stem(&file)).1)).is_file()
            }
            LinkKind::Markdown => whole.exists(),
        }
    }

    /// Says which page a wikilink does not find, and in which folder it would stand first.
    fn no_page(&self, file: &str) -> String {
        let (target, whole) = (&self.link.target, self.pack.page_path(&self.page.file));
        let beside = file.strip_prefix(last_step(&self.page.file).0);
        let written = target.split('#').next().unwrap_or(target).trim();
        match beside.filter(|beside| *beside == written) {
            Some(name) => {
                let folder = whole.rsplit_once('/').map_or(self.pack.name(), |(folder, _)| folder);
                format!("[[{target}]]: there is no {}.md in {folder} or another folder of the pack", stem(name))
            }
            None => format!("[[{target}]]: there is no {}.md", stem(file)),
        }
    }

    /// A link that may mean either of two pages.
    fn unclear(&self, resolved: &LinkTarget, names: &PageNames) -> Option<Finding> {
        let LinkTarget::Page(taken) = resolved else { return None };
        let other = alternative(self.link, &self.page.file, self.pack.name(), names)?;
        let target = &self.link.target;
        let message = format!("link to {target}: leads to {taken}, and {other} is as near: name the folder too");
        Some(self.finding(Finding::warning, message))
    }

    fn finding(&self, severity: fn(&str, usize, &'static str, String) -> Finding, message: String) -> Finding {
        severity(&self.pack.page_path(&self.page.file), self.link.line, "C4", message)
    }
}

/// Whether the target is a picture or another attachment by its ending.
fn is_attachment(target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or(target).trim_end();
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ATTACHMENTS.contains(&ending.as_str()))
}

/// Whether the link is an address outside the pack, or a query.
fn is_outside(link: &Link) -> bool {
    let target = link.target.trim();
    match link.kind {
        LinkKind::Wiki => target.contains("://"),
        LinkKind::Markdown => target.starts_with("//") || target.starts_with('?') || scheme(target).is_some(),
    }
}

fn is_harmful(target: &str) -> bool {
    scheme(target.trim()).is_some_and(|scheme| HARMFUL.contains(&scheme.to_ascii_lowercase().as_str()))
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
