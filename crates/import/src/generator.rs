//! Site generators: which one made a page, and what that says of it. All that is known stands in `generators.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::dom::{Dom, NodeId};
use crate::selector::{Selector, SelectorSet};

/// The table of generators.
#[derive(Debug, Deserialize)]
pub(crate) struct Generators {
    pub(crate) common: Common,
    #[serde(rename = "generator")]
    known: Vec<Generator>,
}

/// What holds for the pages of all generators.
#[derive(Debug, Deserialize)]
pub(crate) struct Common {
    pub(crate) ignore: Selector,
    pub(crate) admonitions: Selector,
    /// The titles of admonitions.
    pub(crate) titles: Selector,
    /// The labels of tabs.
    pub(crate) tabs: Selector,
    /// What tabs show.
    pub(crate) panels: Selector,
    /// Footnotes.
    pub(crate) notes: Selector,
    /// References to footnotes.
    pub(crate) references: Selector,
    pages: Vec<String>,
}

/// A generator.
#[derive(Debug, Deserialize)]
pub(crate) struct Generator {
    pub(crate) name: String,
    marks: Selector,
    pub(crate) content: Selector,
    #[serde(default)]
    pub(crate) ignore: Selector,
    #[serde(default)]
    headings: Selector,
    #[serde(default)]
    signatures: Selector,
    #[serde(default)]
    pub(crate) members: Vec<String>,
    #[serde(default)]
    pages: Vec<String>,
}

/// What is known, read once.
pub(crate) static GENERATORS: LazyLock<Generators> = LazyLock::new(|| {
    let table: Generators = toml::from_str(include_str!("generators.toml")).expect("the table of generators is valid");
    table
});

impl Generators {
    /// The generator of a page, as a place in the table.
    pub(crate) fn of(&self, dom: &Dom) -> Option<usize> {
        self.known.iter().position(|generator| generator.marks.first(dom, Dom::ROOT).is_some())
    }

    pub(crate) fn get(&self, place: usize) -> &Generator {
        &self.known[place]
    }

    /// What precedes names of members in the ids of the headings of the generator of that name; nothing for an unknown one.
    pub(crate) fn members_of(&self, name: &str) -> &[String] {
        self.known.iter().find(|known| known.name == name).map_or(&[], |known| &known.members)
    }

    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }
}

/// Whether the file at `address` is one that a generator writes beside the pages that have text of their own.
pub(crate) fn is_apparatus(address: &str, generator: Option<&Generator>) -> bool {
    let patterns = GENERATORS.common.pages.iter().chain(generator.into_iter().flat_map(|known| &known.pages));
    let names = std::iter::once(address).chain(address.match_indices('/').map(|(at, _)| &address[at + 1..]));
    let names: Vec<&str> = names.collect();
    patterns.into_iter().any(|pattern| names.iter().any(|name| crate::glob::matches(pattern, name)))
}

/// Which elements of a page are left out, and which are of a special kind.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) generator: Option<usize>,
    pub(crate) ignore: SelectorSet,
    pub(crate) headings: SelectorSet,
    pub(crate) signatures: SelectorSet,
    pub(crate) admonitions: SelectorSet,
    pub(crate) panels: SelectorSet,
    pub(crate) notes: SelectorSet,
    pub(crate) references: SelectorSet,
}

impl Rules {
    /// The rules for pages of a generator, with what else a site wants to be left out.
    pub(crate) fn of(generator: Option<usize>, ignore: &Selector) -> Rules {
        let common = &GENERATORS.common;
        let known = generator.map(|place| GENERATORS.get(place));
        let ignored = [Some(&common.ignore), known.map(|known| &known.ignore), Some(ignore)];
        Rules {
            generator,
            ignore: SelectorSet::of(ignored.into_iter().flatten()),
            headings: SelectorSet::of(known.map(|known| &known.headings)),
            signatures: SelectorSet::of(known.map(|known| &known.signatures)),
            admonitions: SelectorSet::of([&common.admonitions]),
            panels: SelectorSet::of([&common.panels]),
            notes: SelectorSet::of([&common.notes]),
            references: SelectorSet::of([&common.references]),
        }
    }

    /// Whether no reader is to see the element, though what a tab shows may be hidden at first.
    pub(crate) fn leaves_out(&self, dom: &Dom, id: NodeId) -> bool {
        let is_hidden = || {
            let style = dom.attribute(id, "style").unwrap_or_default();
            dom.attribute(id, "hidden").is_some()
                || !style.is_empty() && {
                    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect();
                    style.contains("display:none") || style.contains("visibility:hidden")
                }
        };
        self.ignore.matches(dom, id) || is_hidden() && !self.panels.matches(dom, id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generator_is_known_by_its_marks() {
        for (html, expected) in [
            ("<meta name=generator content='Docusaurus v3.5'>", Some("Docusaurus")),
            ("<meta name=generator content='mkdocs-1.6, mkdocs-material-9.5'>", Some("Material for MkDocs")),
            ("<meta name=generator content='mkdocs-1.6'>", Some("MkDocs")),
            ("<nav id=sidebar><div class=sidebar-scrollbox></div></nav>", Some("mdBook")),
            ("<div class=rst-content></div>", Some("Sphinx")),
            ("<div id=apicontent></div>", Some("Node.js")),
            ("<meta name=generator content=WordPress>", None),
            ("<p>plain", None),
        ] {
            let found = GENERATORS.of(&Dom::parse(html).unwrap()).map(|place| GENERATORS.get(place).name.as_str());
            assert_eq!(found, expected, "{html}");
        }
    }

    #[test]
    fn pages_without_text_of_their_own_are_known_by_their_file() {
        let mdbook = GENERATORS.known.iter().find(|generator| generator.name == "mdBook");
        for (address, generator, expected) in [
            ("404.html", None, true),
            ("de/search.html", None, true),
            ("genindex-A.html", None, true),
            ("guide/print.html", mdbook, true),
            ("toc.html", mdbook, true),
            ("toc.html", None, false),
            ("guide/printing.html", mdbook, false),
            ("research.html", None, false),
        ] {
            assert_eq!(is_apparatus(address, generator), expected, "{address}");
        }
    }
}
