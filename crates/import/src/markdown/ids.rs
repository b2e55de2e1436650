//! The ids of a page, by which a link can open a place on it.

use std::collections::HashMap;

use crate::dom::{Dom, NodeId};

/// A longer id is none that a heading can be written with.
const MAX_ID_BYTES: usize = 500;

/// Which place each id of a page opens: of doubled ones the first.
pub(crate) struct Ids<'p> {
    places: HashMap<&'p str, NodeId>,
}

impl<'p> Ids<'p> {
    pub(crate) fn of(dom: &'p Dom) -> Ids<'p> {
        let mut places = HashMap::new();
        for id in dom.descendants(Dom::ROOT) {
            let name = if dom.name(id) == "a" { dom.filled(id, "name") } else { None };
            for key in [dom.attribute(id, "id"), name].into_iter().flatten() {
                let is_fit =
                    |key: &str| !key.is_empty() && key.len() <= MAX_ID_BYTES && !key.contains(char::is_whitespace);
                if is_fit(key) {
                    places.entry(key).or_insert(id);
                }
            }
        }
        Ids { places }
    }

    /// The id of an element by which a link opens it.
    pub(crate) fn own(&self, dom: &Dom, id: NodeId) -> Option<String> {
        let keys = [dom.attribute(id, "id"), dom.attribute(id, "name").filter(|_| dom.name(id) == "a")];
        let opens = |key: &&str| self.places.get(key) == Some(&id);
        keys.into_iter().flatten().find(opens).map(as_fragment)
    }

    /// The id `key` as a fragment, where the page has it.
    pub(crate) fn named(&self, key: &str) -> Option<String> {
        self.places.contains_key(key).then(|| as_fragment(key))
    }

    /// The id of the first element below that has one, marks of an index only where there is no other.
    pub(crate) fn below(&self, dom: &Dom, top: NodeId) -> Option<String> {
        let mut mark = None;
        for id in dom.descendants(top).filter(|&id| !matches!(dom.name(id), "" | "button" | "input" | "svg")) {
            let Some(own) = self.own(dom, id) else { continue };
            if !is_index_mark(dom, id) {
                return Some(own);
            }
            mark.get_or_insert(own);
        }
        mark
    }
}

/// Whether an element marks a place for the index of a book alone.
pub(super) fn is_index_mark(dom: &Dom, id: NodeId) -> bool {
    dom.has_class(id, "indexterm")
}

/// An id as it may stand in a link and behind a heading. A percent sign stays: browsers look for an id as it is written
/// before they decode it.
fn as_fragment(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for c in id.chars() {
        match c {
            '{' => out.push_str("%7B"),
            '}' => out.push_str("%7D"),
            '#' => out.push_str("%23"),
            c if c.is_control() => out.push_str(&format!("%{:02X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
