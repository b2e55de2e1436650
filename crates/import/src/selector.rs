//! CSS selectors, of the kinds that name a part of a page.
//!
//! A selector is a list, separated by commas, of compound selectors with ` ` (anywhere inside) and `>` (right inside)
//! between them. A compound selector has a tag, `.class`, `#id`, `[name]`, and `[name=value]` with `^=`, `$=` and `*=`.

use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;

use crate::dom::{Dom, NodeId};

/// A list of selectors: an element matches where it matches one of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Selector {
    /// Each the compounds from the element itself outwards.
    paths: Vec<Vec<Compound>>,
}

/// Why a text is no selector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorError {
    text: String,
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no selector that is known here; write tags, .classes, #ids and [attributes], with a space or > between them",
            self.text
        )
    }
}

impl std::error::Error for SelectorError {}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Compound {
    /// Whether what stands before it in the selector must be its parent.
    is_child: bool,
    tests: Vec<Test>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Tag(String),
    Class(String),
    Id(String),
    Attribute(String, Compare, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Compare {
    Exists,
    Equals,
    Starts,
    Ends,
    Contains,
}

impl TryFrom<String> for Selector {
    type Error = SelectorError;

    fn try_from(text: String) -> Result<Selector, SelectorError> {
        Selector::parse(&text)
    }
}

impl Selector {
    /// Reads a list of selectors.
    ///
    /// # Errors
    /// [`SelectorError`] where the text is none, or is of a kind that is not known here.
    pub fn parse(text: &str) -> Result<Selector, SelectorError> {
        let paths = text.split(',').map(path).collect::<Option<Vec<_>>>();
        paths.map(|paths| Selector { paths }).ok_or_else(|| SelectorError { text: text.to_owned() })
    }

    /// Whether the element matches.
    pub(crate) fn matches(&self, dom: &Dom, id: NodeId) -> bool {
        self.paths.iter().any(|path| matches_path(path, dom, id))
    }

    /// The first element below `top` that matches, in the order of the page, for the first selector of the list that has one.
    pub(crate) fn first(&self, dom: &Dom, top: NodeId) -> Option<NodeId> {
        self.paths.iter().find_map(|path| dom.descendants(top).find(|&id| matches_path(path, dom, id)))
    }

    /// All elements below `top` that match and lie in no other such, in the order of the page.
    pub(crate) fn all(&self, dom: &Dom, top: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut at = dom.following(top, top, true);
        while let Some(id) = at {
            let is_match = self.matches(dom, id);
            if is_match {
                found.push(id);
            }
            at = dom.following(id, top, !is_match);
        }
        found
    }
}

/// Many selectors, found by what their last compound names, so that an element is compared with few of them.
#[derive(Debug, Default)]
pub(crate) struct SelectorSet {
    by_id: HashMap<String, Vec<Vec<Compound>>>,
    by_class: HashMap<String, Vec<Vec<Compound>>>,
    by_tag: HashMap<String, Vec<Vec<Compound>>>,
    others: Vec<Vec<Compound>>,
}

impl SelectorSet {
    pub(crate) fn of<'s>(selectors: impl IntoIterator<Item = &'s Selector>) -> SelectorSet {
        let mut set = SelectorSet::default();
        for path in selectors.into_iter().flat_map(|selector| &selector.paths) {
            let tests = path.first().map_or(&[][..], |own| &own.tests);
            let by = |wanted: fn(&Test) -> Option<&String>| tests.iter().find_map(wanted).cloned();
            let id = by(|test| if let Test::Id(name) = test { Some(name) } else { None });
            let class = by(|test| if let Test::Class(name) = test { Some(name) } else { None });
            let tag = by(|test| if let Test::Tag(name) = test { Some(name) } else { None });
            let (map, key) = match (id, class, tag) {
                (Some(id), _, _) => (&mut set.by_id, id),
                (None, Some(class), _) => (&mut set.by_class, class),
                (None, None, Some(tag)) => (&mut set.by_tag, tag),
                (None, None, None) => {
                    set.others.push(path.clone());
                    continue;
                }
            };
            map.entry(key).or_default().push(path.clone());
        }
        set
    }

    pub(crate) fn matches(&self, dom: &Dom, id: NodeId) -> bool {
        let holds = |paths: &Vec<Vec<Compound>>| paths.iter().any(|path| matches_path(path, dom, id));
        self.by_tag.get(dom.name(id)).is_some_and(holds)
            || dom.classes(id).any(|class| self.by_class.get(class).is_some_and(holds))
            || dom.attribute(id, "id").and_then(|name| self.by_id.get(name)).is_some_and(holds)
            || self.others.iter().any(|path| matches_path(path, dom, id))
    }
}

fn matches_path(path: &[Compound], dom: &Dom, id: NodeId) -> bool {
    let Some((own, outer)) = path.split_first() else { return false };
    if !(dom.is_element(id) && own.tests.iter().all(|test| test.holds(dom, id))) {
        return false;
    }
    match own.is_child {
        _ if outer.is_empty() => true,
        true => dom.parent(id).is_some_and(|parent| matches_path(outer, dom, parent)),
        false => dom.ancestors(id).any(|above| matches_path(outer, dom, above)),
    }
}

impl Test {
    fn holds(&self, dom: &Dom, id: NodeId) -> bool {
        match self {
            Test::Tag(tag) => dom.name(id) == tag,
            Test::Class(class) => dom.has_class(id, class),
            Test::Id(name) => dom.attribute(id, "id") == Some(name),
            Test::Attribute(name, compare, wanted) => dom.attribute(id, name).is_some_and(|value| match compare {
                Compare::Exists => true,
                Compare::Equals => value == wanted,
                Compare::Starts => value.starts_with(wanted),
                Compare::Ends => value.ends_with(wanted),
                Compare::Contains => value.contains(wanted),
            }),
        }
    }
}

/// Reads one selector of a list.
fn path(text: &str) -> Option<Vec<Compound>> {
    let mut path: Vec<Compound> = Vec::new();
    let mut is_child = false;
    for step in steps(text) {
        if step == ">" {
            if is_child || path.is_empty() {
                return None;
            }
            is_child = true;
            continue;
        }
        path.push(Compound { is_child: std::mem::take(&mut is_child), tests: tests(step)? });
    }
    path.reverse();
    (!path.is_empty() && !is_child).then_some(path)
}

/// The compounds and `>` of a selector; an attribute's value may hold spaces and any sign but a comma.
fn steps(text: &str) -> Vec<&str> {
    let (mut steps, mut start, mut is_in_brackets) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '[' => is_in_brackets = true,
            ']' => is_in_brackets = false,
            '>' if !is_in_brackets => {
                steps.extend([&text[start..at], &text[at..at + 1]]);
                start = at + 1;
            }
            c if c.is_whitespace() && !is_in_brackets => {
                steps.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    steps.push(&text[start..]);
    steps.retain(|step| !step.is_empty());
    steps
}

fn tests(step: &str) -> Option<Vec<Test>> {
    let mut tests = Vec::new();
    let mut rest = step;
    while let Some(first) = rest.chars().next() {
        let (test, after) = match first {
            '.' => name(&rest[1..]).map(|(name, after)| (Test::Class(name), after))?,
            '#' => name(&rest[1..]).map(|(name, after)| (Test::Id(name), after))?,
            '[' => {
                let (inner, after) = rest[1..].split_once(']')?;
                (attribute(inner)?, after)
            }
            '*' if tests.is_empty() => {
                rest = &rest[1..];
                continue;
            }
            _ if tests.is_empty() => name(rest).map(|(name, after)| (Test::Tag(name.to_ascii_lowercase()), after))?,
            _ => return None,
        };
        tests.push(test);
        rest = after;
    }
    Some(tests)
}

fn name(text: &str) -> Option<(String, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let end = text.find(|c| !is_name(c)).unwrap_or(text.len());
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

fn attribute(inner: &str) -> Option<Test> {
    let Some((key, value)) = inner.split_once('=') else {
        return Some(Test::Attribute(inner.to_owned(), Compare::Exists, String::new()));
    };
    let (compare, key) = match key.as_bytes().last()? {
        b'^' => (Compare::Starts, &key[..key.len() - 1]),
        b'$' => (Compare::Ends, &key[..key.len() - 1]),
        b'*' => (Compare::Contains, &key[..key.len() - 1]),
        _ => (Compare::Equals, key),
    };
    Some(Test::Attribute(key.to_owned(), compare, value.trim_matches(['"', '\'']).to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_name_parts_of_a_page() {
        let html =
            "<div id=content class='a b'><main><p class=x data-k=value>one</p><p>two</p></main></div><p class=x>three";
        let dom = Dom::parse(html).unwrap();
        for (selector, expected) in [
            ("p", &["one", "two", "three"][..]),
            (".x", &["one", "three"]),
            ("#content .x", &["one"]),
            ("div.a.b p", &["one", "two"]),
            ("#content > p", &[]),
            ("main>p[data-k]", &["one"]),
            ("[data-k^=val], [data-k$='x > y z']", &["one"]),
            ("p[data-k*=\"alu\"]", &["one"]),
            ("main, p", &["onetwo", "three"]),
            ("P.X", &[]),
            ("body > *.x", &["three"]),
        ] {
            let found = Selector::parse(selector).unwrap().all(&dom, Dom::ROOT);
            let texts: Vec<String> = found.into_iter().map(|id| dom.all_text(id)).collect();
            assert_eq!(texts, expected, "{selector}");
        }
    }

    #[test]
    fn what_is_no_selector_is_refused() {
        for text in ["", "a >", "> a", "a:hover", "a b[", ".", "a,,b", "a + b"] {
            assert!(Selector::parse(text).is_err(), "{text}");
        }
    }
}
