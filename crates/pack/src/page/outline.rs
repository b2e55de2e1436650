//! A body's sections, and which section and line a place in the body belongs to.

use super::{Page, Section, SectionKind};
use crate::links::{anchor, lower};
use crate::markdown::Scan;
use crate::places::Places;
use std::ops::Range;

/// The sections with where they start.
pub(super) struct Outline {
    pub(super) sections: Vec<PlacedSection>,
}

/// A section and the offset at which it starts.
pub(super) struct PlacedSection {
    pub(super) at: usize,
    pub(super) section: Section,
}

impl Outline {
    pub(super) fn of(page: &Page, scan: &Scan) -> Outline {
        let body = page.body.as_str();
        let mut sections = Vec::with_capacity(scan.headings.len() + 1);
        let first = scan.headings.first().map_or(body.len(), |heading| heading.at);
        let opening = seen(body, 0..first, &scan.hidden);
        if !opening.trim().is_empty() {
            sections.push(PlacedSection { at: 0, section: lead(opening) });
        }
        let mut anchors = Anchors::default();
        // The special section that deeper headings belong to.
        let mut special: Option<(u8, SectionKind)> = None;
        for (i, heading) in scan.headings.iter().enumerate() {
            let end = scan.headings.get(i + 1).map_or(body.len(), |next| next.at);
            special = special.filter(|&(level, _)| heading.level > level);
            // Of a site's page, the heading that names its place is what the page's title ends with.
            let is_title = || lower(&heading.text) == lower(&page.title) || named_anchor(body, heading.at).is_some();
            let opens = i == 0 && sections.is_empty() && heading.level == 1 && is_title();
            let kind = match special {
                Some((_, kind)) => kind,
                None if opens => SectionKind::Lead,
                None => kind_of(&heading.text),
            };
            if special.is_none() && !matches!(kind, SectionKind::Lead | SectionKind::Body) {
                special = Some((heading.level, kind));
            }
            let is_stated = || named_anchor(body, heading.at).is_some();
            // A site knows nothing of anchors that are made of headings.
            let anchor = match page.is_on_site && !is_stated() {
                true => sections.last().map(|before: &PlacedSection| before.section.anchor.clone()).unwrap_or_default(),
                false => anchors.of_heading(body, heading.at, &heading.text),
            };
            let section = Section {
                heading: Some(heading.text.clone()),
                level: heading.level,
                anchor,
                text: seen(body, heading.at..end, &scan.hidden),
                kind,
            };
            sections.push(PlacedSection { at: heading.at, section });
        }
        Outline { sections }
    }

    /// The index of the section at an offset.
    pub(super) fn index_at(&self, at: usize) -> usize {
        self.sections.partition_point(|section| section.at <= at).saturating_sub(1)
    }

    pub(super) fn kind_at(&self, at: usize) -> Option<SectionKind> {
        self.sections.get(self.index_at(at)).map(|placed| placed.section.kind)
    }
}

fn lead(text: String) -> Section {
    Section { heading: None, level: 0, anchor: String::new(), text, kind: SectionKind::Lead }
}

/// A part of the body without what is `hidden` from readers.
fn seen(body: &str, part: Range<usize>, hidden: &[Range<usize>]) -> String {
    let (mut text, mut at) = (String::new(), part.start);
    let first = hidden.partition_point(|range| range.end <= at);
    for range in hidden[first..].iter().take_while(|range| range.start < part.end) {
        text.push_str(body.get(at..range.start).unwrap_or(""));
        at = at.max(range.end);
    }
    text.push_str(body.get(at..part.end).unwrap_or(""));
    text
}

fn kind_of(heading: &str) -> SectionKind {
    let heading = lower(heading.trim_end_matches(':'));
    // "Related rules", "Related pages"; but not "Related work in other fields".
    let related = heading.strip_prefix("related").is_some_and(|rest| rest.split(' ').count() <= 2);
    match heading.as_str() {
        "see also" | "see-also" => SectionKind::SeeAlso,
        _ if related => SectionKind::SeeAlso,
        "sources" | "source" | "references" | "citations" => SectionKind::Sources,
        "key points" | "key takeaways" => SectionKind::KeyPoints,
        _ => SectionKind::Body,
    }
}

/// Gives each heading of a page its anchor; repeats are numbered.
#[derive(Default)]
pub(crate) struct Anchors {
    seen: Places,
}

impl Anchors {
    /// The anchor of the heading that starts at `at`: the one that it names as `{#anchor}`, else one made of its text.
    pub(crate) fn of_heading(&mut self, body: &str, at: usize, text: &str) -> String {
        match named_anchor(body, at) {
            Some(named) => {
                self.seen.insert(named.to_owned(), 0);
                named.to_owned()
            }
            None => self.next(text),
        }
    }

    pub(crate) fn next(&mut self, heading: &str) -> String {
        let base = anchor(heading);
        let count = self.seen.get(&base);
        let Some(mut count) = count else {
            self.seen.insert(base.clone(), 0);
            return base;
        };
        loop {
            count += 1;
            let name = format!("{base}-{count}");
            if self.seen.get(&name).is_none() {
                self.seen.insert(base, count);
                self.seen.insert(name.clone(), 0);
                return name;
            }
        }
    }
}

/// The anchor that the heading whose line starts at `at` names behind its text: `linux` of `## On Linux {#linux}`.
fn named_anchor(body: &str, at: usize) -> Option<&str> {
    let line = body.get(at..)?.split('\n').next()?;
    let line = line.trim_end_matches(['#', ' ', '\t']).strip_suffix('}')?;
    let inner = line[line.rfind('{')?..].strip_prefix("{#")?;
    let anchor = inner.split([' ', '\t']).next()?;
    (line.trim_start().starts_with('#') && !anchor.is_empty()).then_some(anchor)
}

/// Counts lines for offsets asked in rising order; an earlier one gets the line reached so far.
pub(crate) struct Lines<'a> {
    body: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(body: &'a str, first_line: usize) -> Lines<'a> {
        Lines { body, at: 0, line: first_line }
    }

    pub(crate) fn line_at(&mut self, at: usize) -> usize {
        if let Some(passed) = self.body.as_bytes().get(self.at..at) {
            self.line += passed.iter().filter(|&&byte| byte == b'\n').count();
            self.at = at;
        }
        self.line
    }
}
