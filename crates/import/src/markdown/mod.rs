//! Writes what a page shows as Markdown, section by section.
//!
//! A heading outside of lists, quotations, tables and the like begins a section, and so does a term of a definition list
//! that has an id. Blocks stand apart by a blank line, and a paragraph is one line.

use std::collections::{HashMap, HashSet};

use crate::address::{Base, Target, resolve};
use crate::dom::{Dom, NodeId};
use crate::generator::Rules;
use crate::page::PageSection;

mod blocks;
mod code;
mod escape;
mod heading;
mod ids;
mod inline;
mod maths;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use ids::Ids;

/// Elements that stand on lines of their own.
const BLOCKS: [&str; 40] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "tr",
    "ul",
];

/// Lists and quotations are nested at most so deep; what lies deeper stands at that depth.
const MAX_NESTING: usize = 8;

/// Where text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Whether a heading begins a section here.
    is_top: bool,
    /// How many lists, quotations and the like it stands in.
    nesting: usize,
}

impl Place {
    const TOP: Place = Place { is_top: true, nesting: 0 };

    fn inside(self) -> Place {
        Place { is_top: false, nesting: self.nesting + 1 }
    }
}

/// Writes a page, whose links are seen from `base`, from what is below `content`.
pub(crate) fn sections(dom: &Dom, content: NodeId, rules: &Rules, ids: &Ids<'_>, base: &Base) -> Vec<PageSection> {
    let mut writer = Writer {
        dom,
        rules,
        ids,
        base,
        content,
        holds_blocks: blocks_below(dom, content),
        sections: vec![PageSection::default()],
        level: 0,
        last_id: String::new(),
        paragraph: String::new(),
        links_are_off: false,
        labels: blocks::labels_of_panels(dom, content, rules),
        last_note: None,
    };
    let mut rest = writer.flow(content, Place::TOP);
    writer.end_section(&mut rest);
    writer.sections.retain(|section| section.level > 0 || !section.body.trim().is_empty());
    writer.sections
}

/// The nodes below `top` that have a block somewhere below them.
fn blocks_below(dom: &Dom, top: NodeId) -> HashSet<NodeId> {
    let mut found = HashSet::new();
    for id in dom.descendants(top).filter(|&id| BLOCKS.contains(&dom.name(id))) {
        for above in dom.ancestors(id).take_while(|&above| above != top) {
            if !found.insert(above) {
                break;
            }
        }
    }
    found
}

struct Writer<'p> {
    dom: &'p Dom,
    rules: &'p Rules,
    ids: &'p Ids<'p>,
    base: &'p Base,
    content: NodeId,
    holds_blocks: HashSet<NodeId>,
    /// The sections so far; what is written goes to the last one.
    sections: Vec<PageSection>,
    /// The level of the section at hand.
    level: u8,
    /// The id of the last section that has one.
    last_id: String,
    /// The text of the paragraph at hand.
    paragraph: String,
    /// Whether links are written as their text alone.
    links_are_off: bool,
    /// The label of what each tab shows.
    labels: HashMap<NodeId, NodeId>,
    /// The footnote that was written last, and its number.
    last_note: Option<(NodeId, usize)>,
}

impl Writer<'_> {
    /// Writes all that `id` holds as blocks.
    fn flow(&mut self, id: NodeId, place: Place) -> String {
        let mut out = String::new();
        self.flow_into(id, place, &mut out);
        out
    }

    fn flow_into(&mut self, id: NodeId, place: Place, out: &mut String) {
        let outer = std::mem::take(&mut self.paragraph);
        for child in self.dom.children(id) {
            self.child(child, place, out);
        }
        self.end_paragraph(out);
        self.paragraph = outer;
    }

    /// Writes one child of an element that holds blocks.
    fn child(&mut self, child: NodeId, place: Place, out: &mut String) {
        if !self.dom.is_element(child) {
            self.inline(child);
        } else if self.rules.leaves_out(self.dom, child) {
            self.skip();
        } else if self.is_block(child) {
            self.end_paragraph(out);
            self.block(child, place, out);
        } else {
            self.inline(child);
        }
    }

    fn is_block(&self, id: NodeId) -> bool {
        BLOCKS.contains(&self.dom.name(id))
            || self.holds_blocks.contains(&id)
            || matches!(self.dom.name(id), "math" | "script") && maths::is_display(self.dom, id)
    }

    /// What is left out parts the words around it.
    fn skip(&mut self) {
        if !self.paragraph.is_empty() && !self.paragraph.ends_with(' ') {
            self.paragraph.push(' ');
        }
    }

    fn end_paragraph(&mut self, out: &mut String) {
        let text = std::mem::take(&mut self.paragraph);
        let text = text.trim();
        if !text.is_empty() {
            add_block(out, &escape::line_start(text));
        }
    }

    /// Puts what was written since the last heading into its section.
    fn end_section(&mut self, out: &mut String) {
        let body = std::mem::take(out);
        if let Some(section) = self.sections.last_mut() {
            add_block(&mut section.body, body.trim_end());
        }
    }

    /// Notes that the section at hand has a link to `href`.
    fn note_link(&mut self, href: &str) {
        let target: Option<Target> = resolve(self.base, href);
        if let (Some(target), Some(section)) = (target, self.sections.last_mut()) {
            section.links.push(target);
        }
    }
}

/// Adds a block of text behind others.
fn add_block(out: &mut String, block: &str) {
    if block.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(block);
}

/// Text whose lines, but for blank ones, begin with `prefix`.
fn indent(text: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(text.len() + prefix.len() * 8);
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if !line.is_empty() {
            out.push_str(prefix);
            out.push_str(line);
        } else if !prefix.trim().is_empty() {
            out.push_str(prefix.trim_end());
        }
    }
    out
}
