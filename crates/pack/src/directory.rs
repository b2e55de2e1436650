//! A pack's directory: every page with the pages it leads to.
//!
//! It stands for the "must be listed in the index" filter of See Also expansion: it knows every page of the pack,
//! also those that a careless index.md left out.

use crate::links::{LinkTarget, PageNames, resolve};
use crate::page::Page;
use std::collections::{BTreeMap, HashSet};

/// Page file → files of the pages it links to, in the order written, without itself and without repeats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    links: BTreeMap<String, Vec<String>>,
    derived: bool,
}

impl Directory {
    /// Resolves the See Also links of `pages`; where none of them has such a section, all links of their bodies.
    pub fn of(pages: &[Page], pack_name: &str) -> Directory {
        let derived = !pages.iter().any(Page::has_see_also);
        let names = PageNames::new(pages.iter().map(|page| page.file.clone()).collect());
        let mut links = BTreeMap::new();
        for page in pages {
            let written = if derived { page.body_links() } else { page.see_also() };
            let mut seen = HashSet::from([page.file.clone()]);
            let targets = written.iter().filter_map(|link| match resolve(link, &page.file, pack_name, &names) {
                LinkTarget::Page(file) => Some(file),
                _ => None,
            });
            links.insert(page.file.clone(), targets.filter(|file| seen.insert(file.clone())).collect());
        }
        Directory { links, derived }
    }

    /// The pages that `file` leads to; empty for an unknown file.
    pub fn links(&self, file: &str) -> &[String] {
        self.links.get(file).map_or(&[], Vec::as_slice)
    }

    /// Whether the pack has the page.
    pub fn contains(&self, file: &str) -> bool {
        self.links.contains_key(file)
    }

    /// Whether the links are body links, since no page of the pack has a See Also section.
    pub fn derived(&self) -> bool {
        self.derived
    }

    /// All pages with their links, sorted by file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.links.iter().map(|(file, links)| (file.as_str(), links.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(file: &str, body: &str) -> Page {
        Page::parse(file, &format!("---\ntitle: T\nsummary: S\n---\n{body}")).0
    }

    #[track_caller]
    fn check(pages: &[(&str, &str)], derived: bool, expected: &[(&str, &[&str])]) {
        let pages: Vec<Page> = pages.iter().map(|(file, body)| page(file, body)).collect();
        let directory = Directory::of(&pages, "p");
        let links: Vec<(&str, &[String])> = directory.iter().collect();
        let expected: Vec<(&str, Vec<String>)> =
            expected.iter().map(|(file, links)| (*file, links.iter().map(|link| link.to_string()).collect())).collect();
        assert_eq!(links, expected.iter().map(|(file, links)| (*file, links.as_slice())).collect::<Vec<_>>());
        assert_eq!(directory.derived(), derived);
    }

    #[test]
    fn see_also_alone_counts_where_there_is_one() {
        check(
            &[
                ("concepts/a.md", "[[c]] in the text\n\n## See Also\n\n- [[b]]\n- [[a]]\n- [[b|again]]\n- [[gone]]\n"),
                ("concepts/b.md", "[[a]] in the text\n"),
                ("concepts/c.md", "## See Also\n\n_To be linked after compilation._\n"),
            ],
            false,
            &[("concepts/a.md", &["concepts/b.md"]), ("concepts/b.md", &[]), ("concepts/c.md", &[])],
        );
    }

    #[test]
    fn body_links_count_where_no_page_has_see_also() {
        check(
            &[("a.md", "see [b](/x/b.md) and [out](https://x.org)\n"), ("x/b.md", "see [a](../a.md#part)\n")],
            true,
            &[("a.md", &["x/b.md"]), ("x/b.md", &["a.md"])],
        );
    }

    #[test]
    fn an_unknown_page_leads_nowhere() {
        let directory = Directory::of(&[page("a.md", "")], "p");
        assert!(directory.contains("a.md") && !directory.contains("b.md"));
        assert_eq!(directory.links("b.md"), &[] as &[String]);
    }
}
