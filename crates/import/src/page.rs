//! A page of a site as it was read, and the reasons for which a file is no page.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::address::{Canonical, Target};

/// A content page of a site.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SitePage {
    /// Where it lies, as a path below the site's folder.
    pub address: String,
    /// Its title, without the site's name. Never empty.
    pub title: String,
    /// What its `title` element says, site's name and all.
    pub head_title: String,
    /// Whether its title is a heading of the whole page: not the first of several, nor one of a part of it.
    pub has_own_heading: bool,
    /// What its author says of it in a `meta` element; may be empty.
    pub description: String,
    /// BCP 47 tag of the language that it says it is in; empty where it says none.
    pub language: String,
    /// The page that it names as the one to be found.
    pub canonical: Option<Canonical>,
    /// The version or edition that it says it belongs to; may be empty.
    pub version: String,
    /// Whether a notice on it says that it is of an old version.
    pub says_old: bool,
    /// Where some of its links from the root of the host lead to. They tell where the site lies there.
    pub root_links: Vec<String>,
    /// The page before it in the order of the site.
    pub previous: Option<Target>,
    /// The page after it.
    pub next: Option<Target>,
    /// The page above it.
    pub parent: Option<Target>,
    /// Whether an attribute marks what of it is content.
    pub is_marked: bool,
    /// Whether it has the content that the settings name.
    pub is_configured: bool,
    /// The generator that made it; empty where none is known.
    pub generator: String,
    /// What precedes names of members in the ids of their headings. It follows from the generator.
    #[serde(skip)]
    pub members: &'static [String],
    /// Its text: first what stands before the first heading, if anything, then a section for each heading.
    pub sections: Vec<PageSection>,
}

/// A heading of a page with all up to the next heading.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageSection {
    /// 1 for a page's title, more for what lies below; 0 for what stands before the first heading.
    pub level: u8,
    /// The heading as Markdown, without `#`.
    pub heading: String,
    /// The heading as plain text.
    pub title: String,
    /// The id to open the section by: the heading's own, or that of the nearest place before. Empty for the page's top.
    pub id: String,
    /// Whether the id is the heading's own.
    pub has_own_id: bool,
    /// The Markdown below the heading.
    pub body: String,
    /// Where its links lead, as far as that is the site.
    pub links: Vec<Target>,
    /// Names of code that its heading or its terms define.
    pub names: Vec<String>,
}

impl PageSection {
    /// The length of its Markdown, in bytes.
    pub fn size(&self) -> usize {
        self.heading.len() + self.body.len()
    }
}

/// Why a file is not a page of the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Skip {
    /// Settings leave it out.
    Excluded,
    /// It is a search page, an index, an error page or the like by its name.
    Apparatus,
    /// It says that search engines are to leave it out.
    NoIndex,
    /// It sends its reader elsewhere.
    Redirect,
    /// It shows frames with other pages.
    Frames,
    /// It has no text.
    Empty,
    /// It is a list of links.
    Links,
    /// It names another page as the one to be found.
    Canonical,
    /// Another page has the same text.
    Duplicate,
    /// Its text stands on many pages that have no other.
    Stub,
    /// It repeats what several other pages hold, as pages for printing do.
    Collection,
    /// There is a newer version of it, or it says so.
    OldVersion,
    /// Other pages mark their content, and it marks none.
    Unmarked,
    /// It is too large or too deeply nested to be read.
    TooLarge,
    /// Its name is too long for a pack.
    TooLong,
    /// It lies in the folder that the packs are written to.
    OutputFolder,
    /// The file can't be read.
    Unreadable,
}

impl Skip {
    /// A short name, for scripts.
    pub fn code(self) -> &'static str {
        match self {
            Skip::Excluded => "excluded",
            Skip::Apparatus => "apparatus",
            Skip::NoIndex => "noindex",
            Skip::Redirect => "redirect",
            Skip::Frames => "frames",
            Skip::Empty => "empty",
            Skip::Links => "links",
            Skip::Canonical => "canonical",
            Skip::Duplicate => "duplicate",
            Skip::Stub => "stub",
            Skip::Collection => "collection",
            Skip::OldVersion => "old-version",
            Skip::Unmarked => "unmarked",
            Skip::TooLarge => "too-large",
            Skip::TooLong => "too-long",
            Skip::OutputFolder => "output-folder",
            Skip::Unreadable => "unreadable",
        }
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Skip::Excluded => "left out by the settings",
            Skip::Apparatus => "a search page, an index or the like, by its name",
            Skip::NoIndex => "marked with noindex",
            Skip::Redirect => "a redirect to another page",
            Skip::Frames => "a set of frames with other pages",
            Skip::Empty => "without text",
            Skip::Links => "a list of links to other pages",
            Skip::Canonical => "names another page as canonical",
            Skip::Duplicate => "the same text as another page",
            Skip::Stub => "a text that many pages share and that says nothing of its own",
            Skip::Collection => "a repetition of other pages, as for printing",
            Skip::OldVersion => "of an older version",
            Skip::Unmarked => "without a mark of its content, which other pages have",
            Skip::TooLarge => "too large or too deeply nested to be read",
            Skip::TooLong => "a name that is too long for a pack",
            Skip::OutputFolder => "in the folder that the packs are written to",
            Skip::Unreadable => "unreadable",
        })
    }
}
