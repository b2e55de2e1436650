//! `manifest.yaml`: what a pack says of itself.

use crate::finding::Finding;
use crate::frontmatter::{FrontMatter, Value};
use crate::site::is_site;
use serde::Serialize;

/// What a pack says of itself. Text fields are empty where the manifest lacks them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// The pack's name, usually its folder's.
    pub name: String,
    /// The title for people; the name where there is none.
    pub title: String,
    /// The version, as written.
    pub version: String,
    /// The subjects covered.
    pub domains: Vec<String>,
    /// The language of its pages, as a BCP 47 tag; empty where not said (`Pack::language` has the default).
    pub language: String,
    /// Two or three sentences on what the pack covers.
    pub summary: String,
    /// Where its content comes from.
    pub sources: Vec<ManifestSource>,
    /// Where the site lies whose pages these are: a web address, or a path relative to the packs root; empty for a pack
    /// that is none of a site.
    pub site: String,
    /// Whether the pack is searched only where a filter names it, as an older version of another one.
    pub archived: bool,
    /// The signature, where the manifest itself carries one.
    pub signature: Option<String>,
    /// The oldest reader that can use it, as written.
    pub min_node_version: Option<String>,
}

/// A source of a pack. Fields are empty where the manifest lacks them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ManifestSource {
    /// Its address.
    pub url: String,
    /// When it was fetched, as written.
    pub fetched: String,
    /// SHA-256 of what was fetched, as written.
    pub hash: String,
}

impl Manifest {
    /// Reads a manifest; findings name the file `manifest.yaml`. What is missing stays empty: that is for lints.
    pub fn parse(text: &str) -> (Manifest, Vec<Finding>) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut front = FrontMatter::read(without_fences(text), 1);
        let odd = front.odd.drain(..).map(|odd| Finding::note("manifest.yaml", odd.line, "R8", odd.message));
        let mut findings: Vec<Finding> = odd.collect();
        let name = front.take_line("name").unwrap_or_default();
        let manifest = Manifest {
            title: front.take_line("title").unwrap_or_else(|| name.clone()),
            version: front.take_line("version").unwrap_or_default(),
            domains: front.take_lines("domains"),
            language: front.take_line("language").unwrap_or_default(),
            summary: front.take_lines("summary").join(" "),
            sources: front.take("sources").map(|entry| sources(&entry.value)).unwrap_or_default(),
            site: site(&mut front, &mut findings),
            archived: front.take_line("archived").is_some_and(|value| value == "true"),
            signature: front.take_line("signature"),
            min_node_version: front.take_line("min_node_version"),
            name,
        };
        (manifest, findings)
    }
}

/// Where the site lies, if a link may lead there.
fn site(front: &mut FrontMatter, findings: &mut Vec<Finding>) -> String {
    let Some(entry) = front.take("site") else { return String::new() };
    let site = entry.value.line();
    if is_site(&site) {
        return site;
    }
    let message = "the site must be a web address, or a path relative to the packs root such as ../".to_owned();
    findings.push(Finding::warning("manifest.yaml", entry.line, "R8", message));
    String::new()
}

/// A YAML document may be fenced. The opening fence is blanked rather than cut off, so that lines keep their numbers.
fn without_fences(text: &str) -> &str {
    let start = if text.starts_with("---") { 3 } else { 0 };
    let end = text[start..].find("\n---").or_else(|| text[start..].find("\n...")).map_or(text.len(), |at| start + at);
    &text[start..end]
}

fn sources(value: &Value) -> Vec<ManifestSource> {
    let one = |value: &Value| {
        let field = |key| value.get(key).map(Value::line).unwrap_or_default();
        let url = if matches!(value, Value::Text(_)) { value.line() } else { field("url") };
        ManifestSource { url, fetched: field("fetched"), hash: field("hash") }
    };
    match value {
        Value::List(items) => items.iter().map(one).collect(),
        Value::Null => Vec::new(),
        other => vec![one(other)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "\
---
name: containers   # the folder's name
title: Containers and Docker
version: 1.0.0
language: en
domains: [containers, devops]
summary: >-
  What a container is,
  and how images are built.
site: ../
archived: true
sources:
  - url: https://example.org/a
    fetched: 2026-11-21
    hash: abc
  - https://example.org/b
signature: null
min_node_version: 0.1.0
";

    #[test]
    fn a_whole_manifest() {
        let (manifest, findings) = Manifest::parse(WHOLE);
        let source = |url: &str, fetched: &str, hash: &str| ManifestSource {
            url: url.into(),
            fetched: fetched.into(),
            hash: hash.into(),
        };
        assert_eq!(findings, []);
        assert_eq!(
            manifest,
            Manifest {
                name: "containers".into(),
                title: "Containers and Docker".into(),
                version: "1.0.0".into(),
                domains: vec!["containers".into(), "devops".into()],
                language: "en".into(),
                summary: "What a container is, and how images are built.".into(),
                sources: vec![
                    source("https://example.org/a", "2026-11-21", "abc"),
                    source("https://example.org/b", "", ""),
                ],
                site: "../".into(),
                archived: true,
                signature: None,
                min_node_version: Some("0.1.0".into()),
            }
        );
    }

    #[test]
    fn a_careless_manifest() {
        for (text, name, title, odd) in [
            ("", "", "", 0),
            ("name: a", "a", "a", 0),
            ("\u{feff}name: a\r\ntitle: B\r\n", "a", "B", 0),
            ("what is this\nname: a", "a", "a", 1),
            ("---\nname: a\n---\nname: b", "a", "a", 0),
            ("name: [a", "[a", "[a", 1),
            ("name: a\nsite: javascript:x", "a", "a", 1),
        ] {
            let (manifest, findings) = Manifest::parse(text);
            assert_eq!(
                (manifest.name.as_str(), manifest.title.as_str(), findings.len()),
                (name, title, odd),
                "{text:?}"
            );
        }
    }
}
