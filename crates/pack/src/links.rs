//! Links between pages: what a link of a page points at, and the slugs and anchors that links are written with.
//!
//! Nothing here reads a file: whether a page exists is asked of the caller, and no path leaves the pack.

use serde::Serialize;

/// A link, as written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The wikilink's slug (with its `#anchor`, if any) or the URL or path, as written.
    pub target: String,
    /// The label as plain text; the target where a link has none.
    pub label: String,
    /// How it is written.
    pub kind: LinkKind,
    /// The line of the file, from 1.
    pub line: usize,
    /// What follows a dash behind the link on its line, as plain text; often empty.
    pub note: String,
}

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LinkKind {
    /// `[[slug]]` or `[[slug|label]]`.
    Wiki,
    /// `[label](target)`, `<url>` or a bare URL.
    Markdown,
}

/// What a link points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// A page of the same pack: its file.
    Page(String),
    /// A page of another pack of the same bundle folder: `<pack>/<path>`.
    OtherPack(String),
    /// A file below the pack's `raw/`, as a path from the pack's folder.
    Raw(String),
    /// An http, https or mailto URL.
    External(String),
    /// A place on the same page: the anchor.
    Anchor(String),
    /// Nothing that is there, or nothing that may be followed: the path looked for, or the target as written.
    Missing(String),
}

/// Finds what `link`, standing on page `from_file` of the pack `pack_name` (its folder's name), points at.
/// `pages` says whether the pack has a page of that file name.
///
/// A wikilink's slug is a page under `concepts/`, beside the linking page or at the page root. A path is relative
/// to the linking page, or from the page root where it starts with `/`; `/oks/<bundle>/` is the root of that pack.
pub fn resolve(link: &Link, from_file: &str, pack_name: &str, pages: &dyn Fn(&str) -> bool) -> Resolved {
    let target = link.target.trim();
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    if path.is_empty() && !fragment.is_empty() {
        return Resolved::Anchor(fragment.to_string());
    }
    if link.kind == LinkKind::Wiki {
        return wiki(path.trim(), from_file, pages);
    }
    if let Some(scheme) = scheme(target) {
        let known = ["http", "https", "mailto"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
        return if known { Resolved::External(target.into()) } else { Resolved::Missing(target.into()) };
    }
    let path = percent_decode(path.split('?').next().unwrap_or(path));
    if path.is_empty() || path.starts_with("//") || path.contains('\\') || path.chars().any(char::is_control) {
        return Resolved::Missing(target.to_string());
    }
    local(&path, from_file, pack_name, pages)
}

fn wiki(slug: &str, from_file: &str, pages: &dyn Fn(&str) -> bool) -> Resolved {
    let stem = slug.strip_suffix(".md").unwrap_or(slug);
    let candidates = [
        normal("", &format!("concepts/{stem}.md")),
        normal(folder(from_file), &format!("{stem}.md")),
        normal("", &format!("{stem}.md")),
        Some(format!("concepts/{}.md", slugify(stem))),
        normal(folder(from_file), &format!("{}.md", slugify(stem))),
    ];
    let found = candidates.into_iter().flatten().find(|file| pages(file));
    found.map_or_else(|| Resolved::Missing(format!("concepts/{stem}.md")), Resolved::Page)
}

/// Resolves a path without scheme, query and fragment.
fn local(path: &str, from_file: &str, pack_name: &str, pages: &dyn Fn(&str) -> bool) -> Resolved {
    if let Some(rest) = path.strip_prefix("/oks/") {
        let (bundle, inner) = rest.split_once('/').unwrap_or((rest, ""));
        return match normal("", inner) {
            Some(file) if bundle == pack_name => page_or_raw(file, pages),
            Some(file) if !matches!(bundle, "" | "." | "..") => Resolved::OtherPack(format!("{bundle}/{file}")),
            _ => Resolved::Missing(path.to_string()),
        };
    }
    let from = if path.starts_with('/') { "" } else { folder(from_file) };
    match normal(from, path) {
        Some(file) => page_or_raw(file, pages),
        None => raw_above(from, path).unwrap_or_else(|| Resolved::Missing(path.to_string())),
    }
}

fn page_or_raw(file: String, pages: &dyn Fn(&str) -> bool) -> Resolved {
    if pages(&file) {
        return Resolved::Page(file);
    }
    let with_suffix = format!("{file}.md");
    if pages(&with_suffix) {
        return Resolved::Page(with_suffix);
    }
    if file.starts_with("raw/") { Resolved::Raw(file) } else { Resolved::Missing(file) }
}

/// A path that leaves the page root by one folder, `wiki/`, into the pack's `raw/`.
fn raw_above(from: &str, path: &str) -> Option<Resolved> {
    let file = normal(&format!("wiki/{from}"), path)?;
    file.starts_with("raw/").then_some(Resolved::Raw(file))
}

/// The folder that a file lies in; empty for the root.
fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Joins a path to a folder and resolves `.` and `..`; `None` where that leaves the root or is nothing.
pub(crate) fn normal(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// The scheme of an absolute URL.
fn scheme(target: &str) -> Option<&str> {
    let (scheme, _) = target.split_once(':')?;
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    valid.then_some(scheme)
}

/// Decodes `%XX`; where that gives no valid text, the path stays as written.
fn percent_decode(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let digit = |at: usize| tail.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match (byte, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_string())
}

/// The slug of a title: lower case, letters and digits of any script kept, all else one `-`. Never empty.
pub fn slugify(title: &str) -> String {
    let mut slug = String::with_capacity(title.len());
    for c in seealso_index::lower(title).chars() {
        if c.is_alphanumeric() || (is_mark(c) && !slug.is_empty()) {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "untitled".to_string() } else { slug.to_string() }
}

/// Text in lower case, for comparing; both forms of a small sigma become one.
pub(crate) fn lower(text: &str) -> String {
    seealso_index::lower(text).replace('ς', "σ")
}

/// The anchor of a heading, as code forges make it: lower case, spaces to `-`, punctuation dropped.
pub fn anchor(heading: &str) -> String {
    let lower = seealso_index::lower(heading);
    let kept = lower.chars().filter(|&c| c.is_alphanumeric() || is_mark(c) || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Combining marks that words of some scripts cannot do without, though they count neither as letters nor digits:
/// accents standing apart, and the signs of Indic and South-East Asian scripts.
pub(crate) fn is_mark(c: char) -> bool {
    match c {
        '\u{0300}'..='\u{036f}' | '\u{3099}' | '\u{309a}' => true,
        '\u{0964}' | '\u{0965}' | '\u{0970}' | '\u{0e3f}' | '\u{0e4f}' | '\u{0e5a}' | '\u{0e5b}' => false,
        '\u{104a}'..='\u{104f}' => false,
        '\u{0900}'..='\u{109f}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
