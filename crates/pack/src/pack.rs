//! A whole pack in memory: manifest, pages, index.md, and what is wrong with them.

use crate::directory::Directory;
use crate::finding::Finding;
use crate::index_md::IndexRow;
use crate::links::PageNames;
use crate::manifest::Manifest;
use crate::page::Page;
use serde::Serialize;
use std::path::PathBuf;

/// The two forms in which packs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// `manifest.yaml` and `wiki/`.
    Wiki,
    /// The Open Knowledge Format: a folder of markdown with an `index.md`.
    Okf,
}

/// A pack as read from its folder.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The pack's path below the packs root, `/`-separated, such as `history/ancient-rome`.
    pub path: String,
    /// Its dialect.
    pub dialect: Dialect,
    /// Its manifest; for Open Knowledge packs, made from the front matter and first prose of `index.md`.
    pub manifest: Manifest,
    /// Its pages, sorted by file.
    pub pages: Vec<Page>,
    /// The rows of its index.md; `None` where there is no index.md.
    pub index_rows: Option<Vec<IndexRow>>,
    /// The text of schema.md.
    pub schema: Option<String>,
    /// The text of log.md.
    pub log: Option<String>,
    /// The folder it was read from.
    pub dir: PathBuf,
    /// SHA-256 of each page's bytes as they lie, parallel to `pages`.
    pub page_hashes: Vec<[u8; 32]>,
    /// The files of private entries and patterns, as paths below `dir`. Their pages are not among `pages`.
    pub private_files: Vec<String>,
    /// What the readers found; files are paths below `dir`.
    pub findings: Vec<Finding>,
}

impl Pack {
    /// The folder that page files are relative to: `wiki` or nothing.
    pub fn page_root(&self) -> &'static str {
        match self.dialect {
            Dialect::Wiki => "wiki",
            Dialect::Okf => "",
        }
    }
    /// A page's path below the pack's folder, such as `wiki/concepts/x.md`.
    pub fn page_path(&self, file: &str) -> String {
        match self.dialect {
            Dialect::Wiki => format!("wiki/{file}"),
            Dialect::Okf => file.to_string(),
        }
    }
    /// The last part of the path: the pack's folder.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
    /// The title; the name where the pack has none.
    pub fn title(&self) -> &str {
        if self.manifest.title.is_empty() { self.name() } else { &self.manifest.title }
    }
    /// The summary; may be empty.
    pub fn summary(&self) -> &str {
        &self.manifest.summary
    }
    /// The language of its pages; `en` where the pack does not say.
    pub fn language(&self) -> &str {
        if self.manifest.language.is_empty() { "en" } else { &self.manifest.language }
    }
    /// Its pages, as links look for them.
    pub fn names(&self) -> PageNames {
        PageNames::new(self.pages.iter().map(|page| page.file.clone()).collect())
    }
    /// Which page leads to which.
    pub fn directory(&self) -> Directory {
        Directory::of(&self.pages, self.name())
    }
}
