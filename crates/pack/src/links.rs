//! Links between pages: what a link of a page points at, and the slugs and anchors that links are written with.
//!
//! Nothing here reads a file: the caller says which pages there are, and no path leaves the pack.

use names::Lookup;
use serde::Serialize;

mod names;

pub use names::PageNames;
pub(crate) use names::last_step;

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
pub enum LinkTarget {
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
    /// Nothing that is there, or that is followed: the path that is beside the linking page, or the target as written
    /// where that is no path in the pack.
    Missing(String),
}

/// Finds what `link`, standing on page `from_file` of the pack `pack_name` (its folder's name), points at.
///
/// A wikilink or a path means the page beside the linking one, else the page in as few folders as possible whose path
/// ends so; [`PageNames`] says which names are the same. A path that begins with `/`, or has a step `.` or `..`, means the page
/// in that place alone; `/oks/<bundle>/` is the root of that pack.
pub fn resolve(link: &Link, from_file: &str, pack_name: &str, pages: &PageNames) -> LinkTarget {
    match aim(link, from_file, pack_name) {
        Aim::Known(resolved) => resolved,
        Aim::Page(lookup, beside) => match pages.find(&lookup) {
            Some(file) => LinkTarget::Page(file.to_string()),
            None if beside.starts_with("raw/") => LinkTarget::Raw(beside),
            None => LinkTarget::Missing(beside),
        },
    }
}

/// Another page that `link` may as well point at as the one that [`resolve`] finds, since it is as near.
pub fn alternative<'n>(link: &Link, from_file: &str, pack_name: &str, pages: &'n PageNames) -> Option<&'n str> {
    match aim(link, from_file, pack_name) {
        Aim::Known(_) => None,
        Aim::Page(lookup, _) => pages.alternative(&lookup),
    }
}

/// What a target says by itself.
enum Aim<'l> {
    Known(LinkTarget),
    /// A page to look for, and the path that is meant where there is none.
    Page(Lookup<'l>, String),
}

fn aim<'l>(link: &'l Link, from_file: &'l str, pack_name: &str) -> Aim<'l> {
    let target = link.target.trim();
    let missing = || Aim::Known(LinkTarget::Missing(target.to_string()));
    let (mut path, fragment) = target.split_once('#').unwrap_or((target, ""));
    if path.is_empty() && !fragment.is_empty() {
        return Aim::Known(LinkTarget::Anchor(fragment.to_string()));
    }
    if link.kind == LinkKind::Markdown {
        if let Some(scheme) = scheme(target) {
            let known = ["http", "https", "mailto"].iter().any(|known| known.eq_ignore_ascii_case(scheme));
            return if known { Aim::Known(LinkTarget::External(target.into())) } else { missing() };
        }
        path = path.split('?').next().unwrap_or(path);
    }
    let path = percent_decode(path.trim());
    if path.is_empty() || path.starts_with("//") || path.contains('\\') || path.chars().any(char::is_control) {
        return missing();
    }
    local(path, last_step(from_file).0, pack_name)
}

/// What a path without scheme, query and fragment says.
fn local<'l>(path: String, from: &'l str, pack_name: &str) -> Aim<'l> {
    let at_root = |file: String| Aim::Page(Lookup { path: file.clone(), from: None }, file);
    let aim = if let Some(rest) = path.strip_prefix("/oks/") {
        let (bundle, inner) = rest.split_once('/').unwrap_or((rest, ""));
        match normal("", inner) {
            Some(file) if bundle == pack_name => Some(at_root(file)),
            Some(file) if !matches!(bundle, "" | "." | "..") => {
                Some(Aim::Known(LinkTarget::OtherPack(format!("{bundle}/{file}"))))
            }
            _ => None,
        }
    } else if path.starts_with('/') {
        normal("", &path).map(at_root)
    } else if path.split('/').any(|step| matches!(step, "." | "..")) {
        normal(from, &path).map(at_root).or_else(|| raw_above(from, &path).map(Aim::Known))
    } else {
        normal(from, &path).map(|beside| Aim::Page(Lookup { path: path.clone(), from: Some(from) }, beside))
    };
    aim.unwrap_or(Aim::Known(LinkTarget::Missing(path)))
}

/// A path that leaves the page root by one folder, `wiki/`, into the pack's `raw/`.
fn raw_above(from: &str, path: &str) -> Option<LinkTarget> {
    let file = normal(&format!("wiki/{from}"), path)?;
    file.starts_with("raw/").then_some(LinkTarget::Raw(file))
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
pub(crate) fn scheme(target: &str) -> Option<&str> {
    let (scheme, _) = target.split_once(':')?;
    // A single letter is a drive.
    let valid = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    valid.then_some(scheme)
}

/// Decodes `%XX`; where that gives no valid text, the path stays as written.
pub fn percent_decode(path: &str) -> String {
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
