//! Blocks: paragraphs, lists, quotations, definition lists, admonitions, tabs, footnotes.

use std::collections::HashMap;

use super::inline::note_label;
use super::{MAX_NESTING, Place, Writer, add_block, escape, indent, maths};
use crate::dom::{Dom, NodeId};
use crate::generator::{GENERATORS, Rules};
use crate::selector::SelectorSet;

/// The words for the kind of an admonition, each with what it is written as.
const KINDS: [(&str, &str); 14] = [
    ("warning", "WARNING"),
    ("caution", "CAUTION"),
    ("danger", "CAUTION"),
    ("error", "CAUTION"),
    ("attention", "WARNING"),
    ("important", "IMPORTANT"),
    ("tip", "TIP"),
    ("hint", "TIP"),
    ("success", "TIP"),
    ("example", "EXAMPLE"),
    ("seealso", "NOTE"),
    ("info", "NOTE"),
    ("abstract", "NOTE"),
    ("note", "NOTE"),
];

impl Writer<'_> {
    /// Writes a block that is shown.
    pub(super) fn block(&mut self, id: NodeId, place: Place, out: &mut String) {
        let is_deep = place.nesting >= MAX_NESTING;
        if let Some(level) = self.heading_level(id) {
            return self.heading(id, level, place, out);
        }
        if self.rules.admonitions.matches(self.dom, id) && !is_deep {
            return self.admonition(id, place, out);
        }
        if self.rules.panels.matches(self.dom, id) && !is_deep {
            return self.panel(id, place, out);
        }
        if self.rules.notes.matches(self.dom, id) && !is_deep {
            return self.footnote(id, place, out);
        }
        match self.dom.name(id) {
            "hr" => {}
            "pre" if !is_within(self.dom, id, &["pre"]) => self.code_block(id, out),
            "ul" | "ol" if self.dom.elements(id).any(|item| self.rules.notes.matches(self.dom, item)) => {
                self.flow_into(id, place, out);
            }
            "ul" | "ol" | "dir" if !is_deep => self.list(id, place, out),
            "blockquote" if !is_deep => {
                let inner = self.flow(id, place.inside());
                add_block(out, &indent(&inner, "> "));
            }
            "dl" if !is_deep => self.definitions(id, place, out),
            "table" if !is_deep => self.table(id, place, out),
            "summary" if !self.holds_blocks.contains(&id) => self.strong_line(id, out),
            "math" | "script" => {
                if let Some(formula) = maths::formula(self.dom, id) {
                    add_block(out, &format!("$${formula}$$"));
                }
            }
            _ => self.flow_into(id, place, out),
        }
    }

    /// A line of strong text, as a heading that begins no section.
    fn strong_line(&mut self, id: NodeId, out: &mut String) {
        let text = self.running(id);
        if !text.is_empty() {
            add_block(out, &format!("**{text}**"));
        }
    }

    /// What an element holds, as running text without links.
    fn running(&mut self, id: NodeId) -> String {
        let outer = std::mem::take(&mut self.paragraph);
        self.without_links(|writer| writer.inner(id));
        std::mem::replace(&mut self.paragraph, outer).trim().replace("**", "")
    }

    fn list(&mut self, id: NodeId, place: Place, out: &mut String) {
        let is_numbered = self.dom.name(id) == "ol";
        let start = self.dom.attribute(id, "start").and_then(|start| start.parse::<u32>().ok()).unwrap_or(1);
        let mut number = start.min(100_000_000);
        let mut items: Vec<String> = Vec::new();
        let children: Vec<NodeId> =
            self.dom.elements(id).filter(|&child| !self.rules.leaves_out(self.dom, child)).collect();
        for item in children {
            let text = self.flow_of_item(item, place.inside());
            if text.is_empty() {
                continue;
            }
            let marker = if is_numbered { format!("{number}. ") } else { "- ".to_owned() };
            number += 1;
            let inner = indent(&text, &" ".repeat(marker.len()));
            items.push(format!("{marker}{}", inner.trim_start()));
        }
        let is_loose = items.iter().any(|item| item.contains("\n\n"));
        add_block(out, &items.join(if is_loose { "\n\n" } else { "\n" }));
    }

    /// What an item of a list holds; lists right behind its first paragraph stand close to it.
    fn flow_of_item(&mut self, item: NodeId, place: Place) -> String {
        let text = match self.dom.name(item) {
            "li" => self.flow(item, place),
            _ => {
                let mut out = String::new();
                self.child(item, place, &mut out);
                self.end_paragraph(&mut out);
                out
            }
        };
        let Some((first, rest)) = text.split_once("\n\n") else { return text };
        let is_list = rest.starts_with("- ") || rest.starts_with("1. ");
        if is_list && !rest.contains("\n\n") { format!("{first}\n{rest}") } else { text }
    }

    /// Writes a definition list; where its terms have ids, as sections.
    fn definitions(&mut self, id: NodeId, place: Place, out: &mut String) {
        let parts = self.terms_and_definitions(id);
        let is_term = |id: NodeId| self.dom.name(id) == "dt";
        let id_of_term = |term| self.ids.own(self.dom, term).or_else(|| self.ids.below(self.dom, term));
        let has_sections = place.is_top && parts.iter().any(|&part| is_term(part) && id_of_term(part).is_some());
        let level = (self.level + 1).clamp(2, 6);
        let mut definition = String::new();
        for (at, &part) in parts.iter().enumerate() {
            if has_sections {
                let own = if is_term(part) { id_of_term(part) } else { None };
                match own {
                    Some(own) => self.term_section(part, own, level, out),
                    None if is_term(part) => self.strong_line(part, out),
                    None => self.flow_into(part, place, out),
                }
                continue;
            }
            if is_term(part) {
                let term = self.running(part);
                let names = self.names_in(part, self.rules.signatures.matches(self.dom, part));
                if let Some(section) = self.sections.last_mut() {
                    section.names.extend(names);
                }
                let follows_term = at > 0 && is_term(parts[at - 1]);
                match follows_term {
                    true => definition.push('\n'),
                    false => add_block(out, &std::mem::take(&mut definition)),
                }
                definition.push_str(&escape::line_start(&term));
            } else {
                let text = self.flow(part, place.inside());
                definition.push_str(&format!("\n: {}", indent(&text, "    ").trim_start()));
            }
        }
        add_block(out, definition.trim());
    }

    /// The terms and definitions of a list, which may stand in pairs of their own.
    fn terms_and_definitions(&self, id: NodeId) -> Vec<NodeId> {
        let mut parts = Vec::new();
        for child in self.dom.elements(id).filter(|&child| !self.rules.leaves_out(self.dom, child)) {
            match self.dom.name(child) {
                "dt" | "dd" => parts.push(child),
                _ => parts.extend(self.dom.elements(child).filter(|&part| matches!(self.dom.name(part), "dt" | "dd"))),
            }
        }
        parts
    }

    fn admonition(&mut self, id: NodeId, place: Place, out: &mut String) {
        let classes: Vec<String> = self.dom.classes(id).map(str::to_ascii_lowercase).collect();
        let kind = KINDS
            .iter()
            .find(|(word, _)| classes.iter().any(|class| class.split(['-', '_']).any(|part| part == *word)));
        let title = GENERATORS
            .common
            .titles
            .all(self.dom, id)
            .into_iter()
            .find(|&title| self.dom.ancestors(title).take_while(|&above| above != id).count() < 4);
        let outer = std::mem::take(&mut self.paragraph);
        let mut inner = String::new();
        for child in self.dom.children(id) {
            let is_title = |title: NodeId| title == child || self.dom.ancestors(title).any(|above| above == child);
            match title {
                Some(title) if title == child => {}
                Some(title) if is_title(title) && self.dom.line(title) == self.dom.line(child) => {}
                _ => self.child(child, place.inside(), &mut inner),
            }
        }
        self.end_paragraph(&mut inner);
        self.paragraph = outer;
        let title = title.map(|title| self.running(title)).filter(|title| says_more(title)).unwrap_or_default();
        let head = format!("[!{}] {title}", kind.map_or("NOTE", |(_, kind)| kind));
        if !inner.is_empty() {
            add_block(out, &indent(&format!("{}\n{inner}", head.trim_end()), "> "));
        }
    }

    /// Writes what a tab shows, below its label.
    fn panel(&mut self, id: NodeId, place: Place, out: &mut String) {
        let label = self.labels.get(&id).map(|&label| self.dom.line(label)).filter(|label| !label.is_empty());
        let text = self.flow(id, place.inside());
        match label {
            Some(label) if !text.is_empty() => {
                add_block(out, &format!("=== \"{}\"\n\n{}", label.replace('"', "'"), indent(&text, "    ")));
            }
            _ => add_block(out, &text),
        }
    }

    /// The place of a footnote in its list, from 1.
    fn number_of_note(&mut self, id: NodeId) -> usize {
        let before = std::iter::successors(self.dom.previous(id), |&at| self.dom.previous(at));
        let before = before.into_iter().find(|&at| self.dom.is_element(at));
        let number = match (self.last_note, before) {
            (_, None) => 1,
            (Some((last, number)), Some(before)) if last == before => number + 1,
            _ => {
                self.dom.parent(id).map_or(1, |list| self.dom.elements(list).take_while(|&item| item != id).count() + 1)
            }
        };
        self.last_note = Some((id, number));
        number
    }

    fn footnote(&mut self, id: NodeId, place: Place, out: &mut String) {
        let label = self.dom.elements(id).find(|&child| self.dom.has_class(child, "label"));
        let name = match label {
            Some(label) => note_label(&self.dom.line(label)),
            None => Some(self.number_of_note(id).to_string()),
        };
        let outer = std::mem::take(&mut self.paragraph);
        let mut inner = String::new();
        for child in self.dom.children(id).filter(|&child| Some(child) != label) {
            self.child(child, place.inside(), &mut inner);
        }
        self.end_paragraph(&mut inner);
        self.paragraph = outer;
        match name {
            Some(name) => add_block(out, &format!("[^{name}]: {}", indent(&inner, "    ").trim_start())),
            None => add_block(out, &inner),
        }
    }
}

/// Which label each thing that a tab shows has: the one that it names, or the one at the same place among the labels
/// before it.
pub(super) fn labels_of_panels(dom: &Dom, content: NodeId, rules: &Rules) -> HashMap<NodeId, NodeId> {
    let tabs = SelectorSet::of([&GENERATORS.common.tabs]);
    let (mut labels, mut used): (Vec<NodeId>, usize) = (Vec::new(), 0);
    let mut by_name: HashMap<&str, NodeId> = HashMap::new();
    let mut found = HashMap::new();
    for id in dom.descendants(content).filter(|&id| dom.is_element(id)) {
        if tabs.matches(dom, id) {
            if used > 0 {
                labels.clear();
                used = 0;
            }
            labels.push(id);
            by_name.extend(dom.attribute(id, "id").map(|name| (name, id)));
        } else if rules.panels.matches(dom, id) {
            let named = dom.attribute(id, "aria-labelledby").and_then(|name| by_name.get(name));
            if let Some(&label) = named.or_else(|| labels.get(used)) {
                found.insert(id, label);
            }
            used += 1;
        }
    }
    found
}

/// Whether the title of an admonition is more than the word for its kind.
fn says_more(title: &str) -> bool {
    title.trim_end_matches(':').contains(' ') || title.chars().count() > 16
}

/// Whether an element of one of these names is below `top`.
pub(super) fn is_within(dom: &Dom, top: NodeId, names: &[&str]) -> bool {
    dom.descendants(top).any(|id| names.contains(&dom.name(id)))
}
