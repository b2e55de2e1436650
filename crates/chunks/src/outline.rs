//! The text that a page's chunks are cut from, and the section that each place of it belongs to.

use seealso_pack::{Page, Section, SectionKind};

use crate::chunk::ChunkKind;

/// A page's text without what no reader is to see, and its sections.
pub(crate) struct Outline {
    /// The text: that of all sections, in their order.
    pub(crate) text: String,
    sections: Vec<Place>,
}

/// A section, and where it starts in the text.
struct Place {
    start: usize,
    section: Section,
    /// The section around it, as an index.
    parent: Option<usize>,
}

impl Outline {
    pub(crate) fn of(page: &Page) -> Outline {
        let mut text = String::with_capacity(page.body.len());
        let mut sections: Vec<Place> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for section in page.sections() {
            while open.pop_if(|above| sections[*above].section.level >= section.level).is_some() {}
            let parent = open.last().copied();
            // What stands before the first heading is around no section.
            if section.level > 0 {
                open.push(sections.len());
            }
            let start = text.len();
            text.push_str(&section.text);
            sections.push(Place { start, section, parent });
        }
        Outline { text, sections }
    }

    /// Where sections start, each with whether it begins with a heading.
    pub(crate) fn starts(&self) -> impl Iterator<Item = (usize, bool)> {
        self.sections.iter().map(|place| (place.start, place.section.heading.is_some()))
    }

    /// The section at a place, as an index.
    pub(crate) fn section_at(&self, at: usize) -> usize {
        self.sections.partition_point(|place| place.start <= at).saturating_sub(1)
    }

    /// What text of a section is.
    pub(crate) fn kind(&self, section: usize) -> ChunkKind {
        match self.sections.get(section).map(|place| place.section.kind) {
            Some(SectionKind::SeeAlso | SectionKind::Sources) => ChunkKind::References,
            _ => ChunkKind::Text,
        }
    }

    /// The headings above the text of a section, outermost first, without that of the page's title.
    pub(crate) fn headings(&self, section: usize) -> Vec<String> {
        let mut path = Vec::new();
        let mut at = Some(section);
        while let Some(place) = at.and_then(|at| self.sections.get(at)) {
            if place.section.kind != SectionKind::Lead {
                path.extend(place.section.heading.clone());
            }
            at = place.parent;
        }
        path.reverse();
        path
    }

    /// The anchor of a section; empty for what opens the page.
    pub(crate) fn anchor(&self, section: usize) -> &str {
        let of_section = |place: &Place| place.section.kind != SectionKind::Lead;
        self.sections.get(section).filter(|place| of_section(place)).map_or("", |place| &place.section.anchor)
    }
}
