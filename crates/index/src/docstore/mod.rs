//! The document store: the texts of pages for result lists, and of the packs that they belong to, in [blocks](block) of
//! some dozens of pages.

use crate::format::PAGE_HASH_BYTES;
use crate::ids::PackNo;

pub(crate) mod block;

/// What the index knows of a page: a row of a result list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageEntry {
    /// The pack that the page belongs to.
    pub pack: PackNo,
    /// The path of the page's file, under the pack's page root.
    pub file: String,
    /// The title.
    pub title: String,
    /// One sentence on what the page answers.
    pub summary: String,
    /// Other names of the page.
    pub aliases: Vec<String>,
    /// The first bytes of the page file's SHA-256 at build time.
    pub hash: [u8; PAGE_HASH_BYTES],
}

impl PageEntry {
    /// The page's names: its title, then its aliases.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        [&self.title].into_iter().chain(&self.aliases)
    }
}

/// What the index knows of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackEntry {
    /// The pack's path under the packs root.
    pub path: String,
    /// The folder of its pages, under its path; empty for the pack's own folder.
    pub page_root: String,
    /// Its title.
    pub title: String,
    /// Whether its links come from the bodies of pages, because none has a See Also section.
    pub links_derived: bool,
    /// The place of the site whose pages it has: a web address, or a path relative to the packs root; empty for none.
    pub site: String,
}

impl PackEntry {
    /// The path of one of the pack's page files, under the packs root.
    pub fn page_path(&self, file: &str) -> String {
        match self.page_root.as_str() {
            "" => format!("{}/{file}", self.path),
            root => format!("{}/{root}/{file}", self.path),
        }
    }
}
