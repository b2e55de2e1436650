//! What documents are held to: their links and anchors lead somewhere, a label that names a file names the one it leads to,
//! and the documents that are read first are short.

use std::fs;
use std::path::Path;

use super::Finding;

/// Documents that are read first, and the most bytes that each may have.
const SHORT: &[(&str, usize)] = &[("ARCHITECTURE.md", 20 * 1024), ("README.md", 8 * 1024)];

/// Endings of a label that is the name of a file.
const FILE_ENDINGS: &[&str] = &[".rs", ".js", ".mjs", ".py", ".md", ".toml"];

/// Checks the document `text`, which stands at `path` and is called `name` from the repository's root.
pub(super) fn check(name: &Path, path: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let folder = path.parent().unwrap_or(Path::new(""));
    for (number, link) in links(text) {
        findings.extend(dead_link(&link, folder, text).map(|message| (number, message)));
        findings.extend(wrong_label(&link).map(|message| (number, message)));
    }
    let most = SHORT.iter().find(|(short, _)| name == Path::new(short));
    if let Some((_, most)) = most.filter(|(_, most)| text.len() > *most) {
        findings.push((1, format!("{} bytes, where at most {most} may be", text.len())));
    }
    findings
}

/// A relative link of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link<'t> {
    /// What stands between its brackets; empty where that holds code.
    pub(super) label: &'t str,
    /// The file, relative to the document, and behind `#` the heading in it.
    pub(super) target: &'t str,
}

/// The relative links of a document outside code, each with its line.
fn links(text: &str) -> impl Iterator<Item = (usize, Link<'_>)> {
    prose_lines(text).flat_map(|(number, line)| links_of_line(line).into_iter().map(move |link| (number, link)))
}

/// The lines outside fenced code, with their numbers, counted from 1.
pub(super) fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        (!fenced && !is_fence).then_some((number + 1, line))
    })
}

/// The relative links of a line, outside code.
pub(super) fn links_of_line(line: &str) -> Vec<Link<'_>> {
    let mut links = Vec::new();
    // Every second part between backticks is code.
    for prose in line.split('`').step_by(2) {
        let mut before = None;
        for part in prose.split("](") {
            if let Some(label) = before {
                let target = part.split([')', ' ']).next().unwrap_or_default();
                if !target.contains(':') && !target.starts_with("//") {
                    links.push(Link { label, target });
                }
            }
            before = Some(part.rsplit_once('[').map_or("", |(_, label)| label));
        }
    }
    links
}

/// What is wrong with where `link` leads, from a document of `folder` whose text is `text`.
fn dead_link(link: &Link<'_>, folder: &Path, text: &str) -> Option<String> {
    let (file, anchor) = link.target.split_once('#').unwrap_or((link.target, ""));
    let path = folder.join(file);
    if !file.is_empty() && !path.exists() {
        return Some(format!("dead link: {}", link.target));
    }
    let is_document = file.is_empty() || file.ends_with(".md");
    if anchor.is_empty() || !is_document {
        return None;
    }
    let found = match file {
        "" => has_heading(text, anchor),
        _ => fs::read_to_string(path).is_ok_and(|other| has_heading(&other, anchor)),
    };
    (!found).then(|| format!("no such heading: {}", link.target))
}

fn has_heading(text: &str, anchor: &str) -> bool {
    prose_lines(text).filter(|(_, line)| line.starts_with('#')).any(|(_, line)| anchor_of(line) == anchor)
}

/// The anchor that hosts of Markdown give the heading in `line`: letters in lower case, hyphens for spaces.
fn anchor_of(line: &str) -> String {
    let title = line.trim_start_matches('#').trim();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// A label that is the name of another file than the link's.
fn wrong_label(link: &Link<'_>) -> Option<String> {
    let names_file = FILE_ENDINGS.iter().any(|ending| link.label.ends_with(ending)) && !link.label.contains(' ');
    let file = link.target.split('#').next().unwrap_or_default();
    (names_file && !Path::new(file).ends_with(link.label))
        .then(|| format!("the label {} is not the file {file}", link.label))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths;

    #[test]
    fn link_targets() {
        let check = |line: &str, expected: &[(&str, &str)]| {
            let found: Vec<_> = links_of_line(line).iter().map(|link| (link.label, link.target)).collect();
            assert_eq!(found, expected, "{line}");
        };
        check("[a](docs/a.md) and [b](b.md#c \"t\")", &[("a", "docs/a.md"), ("b", "b.md#c")]);
        check("[a](https://a.org/x) [b](mailto:x)", &[]);
        check("`[a](b.md)` [c](d.md)", &[("c", "d.md")]);
        check("[`a`](b.md)", &[("", "b.md")]);
        check("![shot](docs/shot.png)", &[("shot", "docs/shot.png")]);
    }

    #[test]
    fn what_is_wrong_with_a_document() {
        let root = paths::root();
        let check = |name: &str, text: &str, expected: &[(usize, &str)]| {
            let found = super::check(Path::new(name), &root.join(name), text);
            let found: Vec<_> = found.iter().map(|(line, message)| (*line, message.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("A.md", "[it](src/lib.rs) [lib.rs](src/lib.rs) [src/lib.rs](src/lib.rs) [src](src)", &[]);
        check("A.md", "\n[it](src/none.rs)", &[(2, "dead link: src/none.rs")]);
        check("docs/a.md", "[it](../src/lib.rs) [none](src/lib.rs)", &[(1, "dead link: src/lib.rs")]);
        check("A.md", "[old.rs](src/lib.rs)", &[(1, "the label old.rs is not the file src/lib.rs")]);
        check("A.md", "# The `ask` command, in short\n[a](#the-ask-command-in-short)", &[]);
        check("A.md", "# A\n```\n# b\n```\n[b](#b)", &[(5, "no such heading: #b")]);
        check("A.md", "[a](README.md#licence) [b](README.md#license)", &[(1, "no such heading: README.md#license")]);
        let (fits, is_long) = ("a".repeat(8_192), "a".repeat(8_193));
        check("README.md", &fits, &[]);
        check("README.md", &is_long, &[(1, "8193 bytes, where at most 8192 may be")]);
        check("docs/README.md", &is_long, &[]);
    }
}
