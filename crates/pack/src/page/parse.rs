//! Splits a page into front matter and body, and fills what the front matter lacks from the body.

use super::role::{PageRole, loose_tier};
use super::split::{Fence, Split};
use super::{Page, SNIPPET_CHARS, Source, cut, lead_prose};
use crate::file_name::stem;
use crate::finding::Finding;
use crate::frontmatter::{Entry, FrontMatter, Value, one_line};
use crate::links::lower;
use crate::markdown::{self, Scan};
use crate::places::Places;
use crate::seek::replace;
use std::borrow::Cow;

/// Headings that name a part of a page, never its topic.
#[rustfmt::skip]
const GENERIC_HEADINGS: [&str; 17] = [
    "abstract", "caveats", "contents", "description", "introduction", "key points", "notes", "overview", "reference",
    "references", "related", "see also", "sources", "summary", "table of contents", "usage", "what it is",
];

/// Reads a page; see [`Page::parse`].
pub(super) fn parse(file: &str, text: &str) -> (Page, Vec<Finding>) {
    let mut findings = Vec::new();
    let text = clean(file, text, &mut findings);
    let split = Split::of(&text);
    match split.fence {
        Fence::Closed => {}
        Fence::Missing => note(&mut findings, || Finding::warning(file, 1, "R1", "no front matter")),
        Fence::Unclosed => {
            let message = format!("front matter without a closing {}", split.mark);
            note(&mut findings, || Finding::warning(file, 1, "R2", message));
        }
    }
    let mut front = FrontMatter::read_as(split.language, split.front, split.front_line);
    for odd in front.odd.drain(..) {
        note(&mut findings, || Finding::note(file, odd.line, "R8", odd.message));
    }
    repeated(file, &front.entries, &mut findings);

    let mut page = with_body(file, &split);
    take_known(&mut page, &mut front, &mut findings);
    page.fields = front.entries.into_iter().map(|entry| (entry.key, entry.value)).collect();
    let is_recognised = split.fence == Fence::Closed && !page.fields.is_empty();
    if let Some((line, tier)) = (!is_recognised).then(|| loose_tier(file, &text)).flatten() {
        let message =
            "a tier outside front matter: the page counts as private; begin the file with front matter that is closed";
        note(&mut findings, || Finding::error(file, line, "E3", message));
        page.fields.push(("tier".to_owned(), Value::Text(tier)));
    }
    complete(&mut page, &mut findings);
    (page, findings)
}

/// Reads the body alone of a page whose names and summary are known; see [`Page::named`].
pub(super) fn named(file: &str, text: &str, title: String, summary: String, aliases: Vec<String>) -> Page {
    let text = clean(file, text, &mut Vec::new());
    Page { title, summary, aliases, ..with_body(file, &Split::of(&text)) }
}

fn with_body(file: &str, split: &Split<'_>) -> Page {
    Page { file: file.to_string(), body: split.body.to_string(), body_line: split.body_line, ..Page::default() }
}

/// Reports keys that stand more than once, whatever their case: the first is read.
fn repeated(file: &str, entries: &[Entry], findings: &mut Vec<Finding>) {
    if cfg!(target_arch = "wasm32") {
        return;
    }
    let mut lines = Places::default();
    for entry in entries {
        let key = entry.key.to_ascii_lowercase();
        let Some(first) = lines.get(&key) else {
            lines.insert(key, entry.line);
            continue;
        };
        if first != entry.line {
            let message = format!("the key \"{}\" stands in line {first} too: that one is read", entry.key);
            note(findings, || Finding::warning(file, entry.line, "R8", message));
        }
    }
}

/// Adds a finding, but in a browser, which shows none: there the texts of findings are left out of the download.
fn note(findings: &mut Vec<Finding>, finding: impl FnOnce() -> Finding) {
    if !cfg!(target_arch = "wasm32") {
        findings.push(finding());
    }
}

/// Takes away the byte order mark and carriage returns.
fn clean<'a>(file: &str, text: &'a str, findings: &mut Vec<Finding>) -> Cow<'a, str> {
    let bare = text.strip_prefix('\u{feff}');
    if bare.is_some() {
        note(findings, || Finding::note(file, 1, "R3", "starts with a byte order mark"));
    }
    let text = bare.unwrap_or(text);
    let Some(at) = text.find('\r') else { return Cow::Borrowed(text) };
    let line = 1 + text.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count();
    note(findings, || Finding::note(file, line, "R4", "lines end with carriage returns"));
    Cow::Owned(replace(text, "\r\n", "\n").replace('\r', "\n"))
}

/// Moves the fields that every page has from the front matter into the page.
fn take_known(page: &mut Page, front: &mut FrontMatter, findings: &mut Vec<Finding>) {
    page.title = front.take_line("title").unwrap_or_default();
    if page.title.is_empty() {
        page.title = topic(&page.file, front).unwrap_or_default();
    }
    page.summary = take_summary(page, front, findings);
    page.aliases = front.take_lines("aliases");
    page.tags = take_tags(front);
    page.language = front.take_line("language").or_else(|| front.take_line("lang"));
    page.category = front.take_line("category").or_else(|| front.take_line("type"));
    for key in ["sources", "source", "resource"] {
        if page.sources.is_empty() {
            page.sources = front.take(key).map(|entry| sources(&entry.value)).unwrap_or_default();
        }
    }
}

/// The topic of an entry, which is its title too.
fn topic(file: &str, front: &FrontMatter) -> Option<String> {
    let find = |key: &str| front.entries.iter().find(|entry| entry.key.eq_ignore_ascii_case(key));
    let is_entry = PageRole::of(file, &|key| find(key).is_some()) == PageRole::Entry;
    find("topic").filter(|_| is_entry).map(|entry| entry.value.line())
}

fn take_summary(page: &Page, front: &mut FrontMatter, findings: &mut Vec<Finding>) -> String {
    for key in ["summary", "description"] {
        let Some(entry) = front.take(key) else { continue };
        if matches!(entry.value, Value::List(_)) {
            note(findings, || {
                Finding::note(&page.file, entry.line, "R5", format!("the {key} is a list: joined with ;"))
            });
        }
        let summary = entry.value.lines().join("; ");
        if !summary.is_empty() {
            return summary;
        }
    }
    String::new()
}

/// Tags are a list, or a line with commas; Zola has them among `taxonomies`.
fn take_tags(front: &mut FrontMatter) -> Vec<String> {
    let among = |entry: &Entry| entry.key.eq_ignore_ascii_case("taxonomies").then(|| entry.value.get("tags").cloned());
    let own = front.take("tags").map(|entry| entry.value);
    match own.or_else(|| front.entries.iter().find_map(among).flatten()) {
        Some(Value::Text(tags)) => tags.split(',').map(one_line).filter(|tag| !tag.is_empty()).collect(),
        Some(value) => value.lines(),
        None => Vec::new(),
    }
}

/// Sources are paths or URLs, or maps with a `resource`.
fn sources(value: &Value) -> Vec<Source> {
    let one = |value: &Value| {
        let resource = ["resource", "url", "path"].iter().find_map(|key| value.get(key)).map(Value::line);
        let title = value.get("title").map(Value::line).filter(|title| !title.is_empty());
        let known = Source { resource: resource.unwrap_or_default(), title };
        if known.resource.is_empty() { Source { resource: value.line(), title: None } } else { known }
    };
    let all = match value {
        Value::List(items) => items.iter().map(one).collect(),
        other => vec![one(other)],
    };
    all.into_iter().filter(|source| !source.resource.is_empty()).collect()
}

/// Fills a missing title and summary from the body.
fn complete(page: &mut Page, findings: &mut Vec<Finding>) {
    if !page.title.is_empty() && !page.summary.is_empty() {
        return;
    }
    let scan = markdown::scan(&page.body);
    // Entries and patterns have other fields, and lints of their own.
    let is_topic = page.role() == PageRole::Topic;
    if page.title.is_empty() {
        page.title = title_of(&page.file, &scan);
        // Not `{:?}`: the tables of what is printable are 3 KB of the browser's wasm.
        let message = || format!("no title in the front matter: taken to be \"{}\"", page.title);
        if is_topic {
            note(findings, || Finding::error(&page.file, 1, "C2", message()));
        }
    }
    if page.summary.is_empty() {
        page.summary = cut(&lead_prose(&scan), SNIPPET_CHARS);
        if is_topic {
            note(findings, || {
                Finding::warning(&page.file, 1, "R6", "no summary in the front matter: taken from the body")
            });
        }
    }
}

fn title_of(file: &str, scan: &Scan) -> String {
    let telling = |text: &str| !text.is_empty() && !GENERIC_HEADINGS.contains(&lower(text).as_str());
    let heading = scan.headings.iter().find(|heading| heading.level == 1 && telling(&heading.text));
    heading.map_or_else(|| readable(file), |heading| heading.text.clone())
}

/// A file's name made readable: `a/docker-image.md` is `Docker image`.
pub(super) fn readable(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let words = one_line(&stem(name).replace(['-', '_'], " "));
    let mut chars = words.chars();
    match chars.next() {
        Some(first) => std::iter::once(capital(first)).chain(chars).collect(),
        None => "Untitled".to_string(),
    }
}

/// The capital of a small letter, found by going the other way: the table of capitals is large, and this needs none.
/// Alphabets have their capitals a fixed step before their small letters; a letter of which none is there stays.
fn capital(small: char) -> char {
    let before = |step: u32| u32::from(small).checked_sub(step).and_then(char::from_u32);
    let is_capital =
        |c: &char| c.is_alphabetic() && seealso_index::lower(c.encode_utf8(&mut [0; 4])).chars().eq([small]);
    [32, 1, 80, 48, 37, 38].into_iter().filter_map(before).find(is_capital).unwrap_or(small)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn file_names_are_made_readable() {
        for (file, expected) in [
            ("a/docker-image.md", "Docker image"),
            ("Docker", "Docker"),
            ("docker-image.markdown", "Docker image"),
            ("Tabs.MDX", "Tabs"),
            ("élan_vital.md", "Élan vital"),
            ("ōsaka.md", "Ōsaka"),
            ("ωμέγα.md", "Ωμέγα"),
            ("άλφα.md", "Άλφα"),
            ("жук.md", "Жук"),
            ("ђак.md", "Ђак"),
            ("3-d.md", "3 d"),
            ("漢字.md", "漢字"),
            ("ß.md", "ß"),
            (".md", "Untitled"),
        ] {
            assert_eq!(readable(file), expected, "{file}");
        }
    }
}
