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
    /// `public`. A tier that is misspelt, or that stands twice, keeps the page back as well, and so does one in any line of a
    /// page whose front matter is not recognised.
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
        let is_in = |folder: &str| file.get(..folder.len()).is_some_and(|start| start.eq_ignore_ascii_case(folder));
        is_in(ENTRIES) || is_in(PATTERNS)
    }
}

/// The first tier other than `public` that a line of `text` states, and the number of the line, where `file` lies where a tier
/// counts. It is for pages whose front matter is not recognised, such as one behind a blank line or a comment: what its author
/// meant to keep back is not to be published for that.
pub(super) fn loose_tier(file: &str, text: &str) -> Option<(usize, String)> {
    let tier_of = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        let rest = line.get(..4).filter(|key| key.eq_ignore_ascii_case("tier")).map(|key| &line[key.len()..])?;
        let tier = rest.trim_start_matches(['"', '\'']).trim_start().strip_prefix([':', '='])?;
        let tier = tier.trim().trim_end_matches(',').trim_matches(['"', '\'']).trim();
        (!tier.eq_ignore_ascii_case("public")).then(|| tier.to_owned())
    };
    let mut lines = (1..).zip(text.lines()).filter(|_| Page::may_be_private(file));
    // A tier without a value keeps the page back too: its value may stand in the next line.
    lines.find_map(|(number, line)| Some((number, tier_of(line)?)))
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
        check("Entries/a.md", "topic: A\ntier: private", PageRole::Topic, true);
    }

    #[test]
    fn a_tier_outside_front_matter_keeps_a_page_back() {
        let check = |file: &str, text: &str, line: Option<usize>| {
            let (page, findings) = Page::parse(file, text);
            let found = findings.iter().find(|finding| finding.code == "E3").map(|finding| finding.line);
            assert_eq!((page.is_private(), found), (line.is_some(), line), "{file} {text}");
        };
        check("entries/a.md", "\n---\ntopic: A\ntier: private\n---\nSecret\n", Some(4));
        check("entries/a.md", "<!-- mine -->\n---\ntopic: A\ntier: private\n---\nSecret\n", Some(4));
        check("ENTRIES/a.md", "\n+++\nTier = \"private\"\n+++\nSecret\n", Some(3));
        check("patterns/a.md", "\n{\n  \"tier\": \"private\",\n}\nSecret\n", Some(3));
        check("entries/a.md", "tier:\n  private\n", Some(1));
        check("entries/a.md", "---\n---\ntier: privat\n---\nSecret\n", Some(3));
        check("entries/a.md", "\n---\ntopic: A\ntier: public\n---\nText\n", None);
        check("entries/a.md", "---\ntopic: A\n---\n\nText\n\ntier: private\n", None);
        check("entries/a.md", "The tiers: private and public.\n\ntiers: two\n\nété\n", None);
        check("concepts/a.md", "\n---\ntopic: A\ntier: private\n---\nText\n", None);
    }
}
