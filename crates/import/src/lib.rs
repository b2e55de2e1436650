//! Built documentation sites, read into packs: HTML to pages that know their address on the site, and each section its id.
//!
//! [`PageReader`] reads one file: bytes in, a [`SitePage`] or the reason why there is none ([`Skip`]) out. [`read_site`]
//! reads a whole folder, [`read_listed`] what has changed in it, and both take out what is no page of its own. [`packs`]
//! divides long pages at their headings, links them, and makes packs of them, one for each language. Only [`read_site`],
//! [`read_listed`] and [`Listing`] touch the file system.
//!
//! ```
//! use seealso_import::{PageReader, Settings};
//!
//! let settings = Settings::default();
//! let html = b"<nav>Menu</nav><main><h1 id=tea>Tea</h1><p>A drink.</p></main>";
//! let page = PageReader::new(&settings).read("tea.html", html).unwrap();
//! assert_eq!((page.title.as_str(), page.sections[0].id.as_str()), ("Tea", "tea"));
//! assert_eq!(page.sections[0].body, "A drink.");
//! ```
//!
//! # Quirks
//!
//! - What is known of site generators is a table, `generators.toml`.
//! - Any bytes are read in time and memory in proportion to their length; what would take more is skipped as too large.
//! - What follows a definition list whose terms are sections counts to the last of them: Markdown has no end of a section.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod encoding;
mod dom;
mod selector;
mod glob;
mod generator;
mod language_tag;
mod settings;
mod address;
mod page;
mod head;
mod content;
mod notice;
mod markdown;
mod read;
mod site;
mod html_scan;
pub mod inject;

pub use address::{Canonical, Target};
pub use page::{PageSection, SitePage, Skip};
pub use read::PageReader;
pub use selector::{Selector, SelectorError};
pub use settings::{Settings, SettingsError, Versions};
pub use site::{
    INVENTORY_FILE, Inventory, Listing, OUTPUT_FOLDER, OnFile, PageCache, SPLIT_BYTES, Site, SitePack, SiteReading,
    VERSIONS_FOLDER, markdown_files, packs, packs_folder, read_listed, read_site,
};
