//! The tree of an HTML page: elements and texts in one list, each with its neighbours.
//!
//! [`Dom::parse`] builds it as browsers do. Comments, doctypes and what is in `template` elements are left out.

use html5ever::tendril::StrTendril;
use html5ever::{LocalName, Namespace};

mod parse;
#[cfg(test)]
mod tests;

/// Elements are nested at most so deep; what would lie deeper becomes a sibling there. Browsers have the same limit.
pub(crate) const MAX_DEPTH: u32 = 512;

/// A page of more nodes is not read.
pub(crate) const MAX_NODES: usize = 4_000_000;

/// A tag with more attributes than this makes a page unreadable: the tokenizer compares each with all before it.
pub(crate) const MAX_ATTRIBUTES: usize = 20_000;

/// The number of a node in its tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

/// The tree of a page.
#[derive(Debug)]
pub(crate) struct Dom {
    /// The first is the document.
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    data: NodeData,
    parent: Option<NodeId>,
    previous: Option<NodeId>,
    next: Option<NodeId>,
    first: Option<NodeId>,
    last: Option<NodeId>,
    depth: u32,
}

#[derive(Debug)]
enum NodeData {
    Document,
    Element(Box<ElementData>),
    Text(StrTendril),
    /// A node that no reader sees: a comment, or the content of a template.
    Hidden,
}

#[derive(Debug)]
struct ElementData {
    namespace: Namespace,
    name: LocalName,
    attributes: Vec<(LocalName, StrTendril)>,
}

/// Why a page has no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooLarge {
    /// It has more than [`MAX_NODES`] nodes.
    Nodes,
    /// A tag has more than [`MAX_ATTRIBUTES`] attributes.
    Attributes,
}

impl Dom {
    /// The document, which holds all other nodes.
    pub(crate) const ROOT: NodeId = NodeId(0);

    /// Reads a page. Whatever the text is, there is a tree, unless that would be too large.
    pub(crate) fn parse(html: &str) -> Result<Dom, TooLarge> {
        parse::parse(html)
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    fn element(&self, id: NodeId) -> Option<&ElementData> {
        match &self.node(id).data {
            NodeData::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The name of an element in lower case; empty for other nodes.
    pub(crate) fn name(&self, id: NodeId) -> &str {
        self.element(id).map_or("", |element| &element.name)
    }

    pub(crate) fn is_element(&self, id: NodeId) -> bool {
        self.element(id).is_some()
    }

    /// The text of a text node.
    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.node(id).data {
            NodeData::Text(text) => Some(text),
            _ => None,
        }
    }

    /// An attribute's value.
    pub(crate) fn attribute(&self, id: NodeId, name: &str) -> Option<&str> {
        let attributes = &self.element(id)?.attributes;
        attributes.iter().find(|(known, _)| &**known == name).map(|(_, value)| &**value)
    }

    /// An attribute's value without spaces around it, where it has any other character.
    pub(crate) fn filled(&self, id: NodeId, name: &str) -> Option<&str> {
        self.attribute(id, name).map(str::trim).filter(|value| !value.is_empty())
    }

    pub(crate) fn classes(&self, id: NodeId) -> impl Iterator<Item = &str> {
        self.attribute(id, "class").unwrap_or_default().split_ascii_whitespace()
    }

    pub(crate) fn has_class(&self, id: NodeId, class: &str) -> bool {
        self.classes(id).any(|known| known == class)
    }

    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).parent
    }

    pub(crate) fn previous(&self, id: NodeId) -> Option<NodeId> {
        self.node(id).previous
    }

    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(id).first, |&child| self.node(child).next)
    }

    /// The children that are elements.
    pub(crate) fn elements(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.children(id).filter(|&child| self.is_element(child))
    }

    /// The nodes above one, from its parent up.
    pub(crate) fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.parent(id), |&above| self.parent(above))
    }

    /// All nodes below one, in the order of the page.
    pub(crate) fn descendants(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.node(top).first, move |&id| self.following(id, top, true))
    }

    /// The node after `id` in the order of the page, within `top`.
    pub(crate) fn following(&self, id: NodeId, top: NodeId, enter: bool) -> Option<NodeId> {
        if let Some(first) = self.node(id).first.filter(|_| enter) {
            return Some(first);
        }
        let mut at = id;
        while at != top {
            if let Some(next) = self.node(at).next {
                return Some(next);
            }
            at = self.parent(at)?;
        }
        None
    }

    /// All text below a node, as it stands there.
    pub(crate) fn all_text(&self, id: NodeId) -> String {
        if let Some(text) = self.text(id) {
            return text.to_owned();
        }
        self.descendants(id).filter_map(|below| self.text(below)).collect()
    }

    /// All text below a node as one line.
    pub(crate) fn line(&self, id: NodeId) -> String {
        one_line(&self.all_text(id))
    }
}

/// A text as one line, with single spaces between its words.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}
