//! What a page is to its pack, by its folder and its front matter: an ordinary page, an entry, or a pattern of reasoning.
//!
//! A folder's name alone does not make an entry: any pack may have a folder `entries` or `patterns`. The page's front matter
//! must have a field that only an entry or a pattern has.

use super::Page;
use crate::frontmatter::Value;

/// The folder of entries, below the page root.
const ENTRIES: &str = "entries/";
/// The folder of patterns, below the page root.
const PATTERNS: &str = "patterns/";
/// The fields that only an entry has. One of them is enough.
const ENTRY_FIELDS: [&str; 5] = ["topic", "tier", "stability", "superseded_by", "pattern"];
/// The field that only a pattern has.
const PATTERN_FIELD: &str = "template";

/// What a page is to its pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRole {
    /// An ordinary page.
    Topic,
    /// A position that somebody holds, with the reasoning behind it.
    Entry,
    /// A way of reasoning that several entries share.
    Pattern,
}

impl PageRole {
    /// The role of the page at `file`, whose front matter has the fields of which `has` is true.
    pub(super) fn of(file: &str, has: &dyn Fn(&str) -> bool) -> PageRole {
        let is_in = |folder: &str| file.strip_prefix(folder).is_some_and(|name| !name.contains('/'));
        match () {
            () if is_in(ENTRIES) && ENTRY_FIELDS.into_iter().any(has) => PageRole::Entry,
            () if is_in(PATTERNS) && has(PATTERN_FIELD) => PageRole::Pattern,
            () => PageRole::Topic,
        }
    }
}

impl Page {
    /// What the page is to its pack.
    pub fn role(&self) -> PageRole {
        PageRole::of(&self.file, &|key| self.fields.iter().any(|(name, _)| name.eq_ignore_ascii_case(key)))
    }

    /// Whether the page is kept from every published file: a page below `entries/` or `patterns/` with a `tier` other than
    /// `public`. A tier that is misspelt, or that stands twice, keeps the page back as well.
    pub fn is_private(&self) -> bool {
        let is_public = |value: &Value| match value {
            Value::Null => true,
            Value::Text(text) => text.trim().eq_ignore_ascii_case("public"),
            Value::List(_) | Value::Map(_) => false,
        };
        let mut tiers = self.fields.iter().filter(|(name, _)| name.eq_ignore_ascii_case("tier"));
        Page::may_be_private(&self.file) && tiers.any(|(_, value)| !is_public(value))
    }

    /// Whether a file lies where a `tier` in its front matter counts.
    pub(crate) fn may_be_private(file: &str) -> bool {
        file.starts_with(ENTRIES) || file.starts_with(PATTERNS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_and_fields_together_make_an_entry_or_a_pattern() {
        let check = |file: &str, front: &str, role: PageRole, is_private: bool| {
            let page = Page::parse(file, &format!("---\n{front}\n---\n\nText.\n")).0;
            assert_eq!((page.role(), page.is_private()), (role, is_private), "{file} {front}");
        };
        check("entries/a.md", "topic: A", PageRole::Entry, false);
        check("entries/a.md", "title: A\nTier: public", PageRole::Entry, false);
        check("entries/a.md", "topic: A\ntier:", PageRole::Entry, false);
        check("entries/a.md", "topic: A\ntier: private", PageRole::Entry, true);
        check("entries/a.md", "topic: A\ntier: privat", PageRole::Entry, true);
        check("entries/a.md", "topic: A\ntier: [public]", PageRole::Entry, true);
        check("entries/a.md", "topic: A\ntier: public\nTier: private", PageRole::Entry, true);
        check("entries/a.md", "title: A\nconfidence: high", PageRole::Topic, false);
        check("entries/old/a.md", "topic: A\ntier: private", PageRole::Topic, true);
        check("concepts/a.md", "topic: A\ntier: private", PageRole::Topic, false);
        check("patterns/a.md", "slug: a\ntemplate: If so, then so.", PageRole::Pattern, false);
        check("patterns/a.md", "template: T\ntier: private", PageRole::Pattern, true);
        check("patterns/observer.md", "title: Observer", PageRole::Topic, false);
    }
}
