//! The text of a section by its heading.

use crate::page::Section;

/// The sections of a page from that of the heading `name` on, whatever its case, with the deeper ones below it; empty where
/// there is none.
pub(super) fn below<'s>(sections: &'s [Section], name: &str) -> &'s [Section] {
    let is_named = |section: &Section| section.heading.as_deref().is_some_and(|text| text.eq_ignore_ascii_case(name));
    let Some(start) = sections.iter().position(is_named) else { return &[] };
    let level = sections[start].level;
    let end = sections[start + 1..].iter().position(|section| section.level <= level);
    &sections[start..end.map_or(sections.len(), |end| start + 1 + end)]
}

/// The Markdown of these sections without the heading of the first.
pub(super) fn text_of(sections: &[Section]) -> String {
    let whole: String = sections.iter().map(|section| section.text.as_str()).collect();
    let (heading, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
    let (second, below) = rest.split_once('\n').unwrap_or((rest, ""));
    let is_line = |text: &str| !text.trim().is_empty() && text.trim().trim_matches(['=', '-']).is_empty();
    let is_underlined = !heading.trim_start().starts_with('#') && is_line(second);
    (if is_underlined { below } else { rest }).trim().to_owned()
}
