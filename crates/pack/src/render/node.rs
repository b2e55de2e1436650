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

/// The language of a code block, where it is a plain word.
pub(super) fn language(info: &str) -> Vec<(&'static str, String)> {
    let word = info.split([' ', ',', '{', '\t']).next().unwrap_or("");
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '_' | '.'));
    if plain && (1..=32).contains(&word.len()) { vec![("data-lang", word.to_ascii_lowercase())] } else { vec![] }
}
