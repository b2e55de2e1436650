//! The tree that markdown is rendered to.

use serde::Serialize;

/// A node of rendered markdown. Serialises as a string or as an object.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Node {
    /// Text.
    Text(String),
    /// An element.
    Element(Element),
}

/// An element of rendered markdown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Element {
    /// One of p h1–h6 blockquote ul ol li pre code em strong del a table thead tbody tr th td hr br.
    pub tag: &'static str,
    /// Pairs of name and value; names are `href`, `id` (headings), `start` (ordered lists), `data-lang` (code).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub attrs: Vec<(&'static str, String)>,
    /// What is inside.
    pub children: Vec<Node>,
}

impl Element {
    pub(super) fn new(tag: &'static str) -> Element {
        Element { tag, attrs: Vec::new(), children: Vec::new() }
    }
    pub(super) fn heading(level: u8) -> Element {
        Element::new(["h1", "h2", "h3", "h4", "h5", "h6"][usize::from(level - 1).min(5)])
    }
}
