//! Sites.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]
#![allow(dead_code)]
mod encoding;
mod dom;
mod selector;
mod glob;
mod generator;
mod settings;
mod address;
mod page;
mod head;
mod content;
mod markdown;
mod read;
mod site;
pub mod inject;

pub use address::Target;
pub use page::{PageSection, SitePage, Skip};
pub use read::PageReader;
pub use selector::{Selector, SelectorError};
pub use settings::{Settings, SettingsError};
pub use site::{INVENTORY_FILE, Inventory, OUTPUT_FOLDER, SPLIT_BYTES, Site, SitePack, html_files, packs, read_site};
