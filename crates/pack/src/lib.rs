//! Packs: small wikis of markdown pages, read in two dialects into one [`Page`] type.
//!
//! A pack is a folder. In the wiki dialect it holds `manifest.yaml` and `wiki/`, with one page a topic under
//! `wiki/concepts/`; in the Open Knowledge dialect it is a folder of markdown files, most often around an `index.md`. Both
//! are written by hand, so the readers are tolerant: a flaw becomes a [`Finding`] with file and line, never a
//! failure and never a lost page.
//!
//! ```
//! use seealso_pack::Page;
//!
//! let text = "---\ntitle: Tea\nsummary: A drink.\n---\n\n# Tea\n\n## See Also\n\n- [[kettle|Kettle]] — boils it\n";
//! let (page, findings) = Page::parse("concepts/tea.md", text);
//! assert_eq!(page.title, "Tea");
//! assert_eq!(page.see_also()[0].target, "kettle");
//! assert!(findings.is_empty());
//! ```
//!
//! # Quirks
//!
//! - Front matter is read by own readers of the YAML subset that packs use, of TOML and of JSON; every scalar stays text.
//! - Only [`Pack::read`], [`discover`] and [`lint()`] touch the file system; all else also runs in a browser.
#![deny(missing_docs)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod error;
mod finding;
mod frontmatter;
mod block;
mod markdown;
mod file_name;
mod places;
pub mod seek;
mod links;
mod page;
mod render;
mod index_md;
mod manifest;
mod directory;
mod pack;
mod entries;
mod site;
mod parallel;
mod read;
mod lint;
mod catalog;
mod stages;
mod publish;

pub use block::{Block, BlockKind, ListPlace};
pub use catalog::{
    CATALOG_FILE, CATALOG_MAX_BYTES, CATALOG_VERSION, Catalog, CatalogError, CatalogPack, FileRef, IndexRef,
    from_base64, is_safe_path, to_base64,
};
pub use directory::Directory;
pub use entries::{
    Confidence, Date, ENTRIES_MAX_BYTES, ENTRIES_STAGE, ENTRIES_VERSION, EntriesError, EntriesFile, EntryType,
    KnowledgeEntry, PackEntries, Pattern, Stability, Variant, WithVector,
};
pub use error::Error;
pub use file_name::{is_markdown, stem};
pub use finding::{Finding, Severity};
pub use frontmatter::{Entry, FrontMatter, OddLine, Value};
pub use index_md::{IndexRow, read as read_index, write as write_index};
pub use links::{Link, LinkKind, LinkTarget, PageNames, alternative, anchor, percent_decode, resolve, slugify};
pub use lint::lint;
pub use manifest::{Manifest, ManifestSource};
pub use pack::{Dialect, Pack};
pub use page::{Page, PageRole, Section, SectionKind, Source};
pub use publish::{
    BODY_TERMS, BuildOutput, EncoderFileEnding, LostStages, OnProgress, Plan, Progress, PublishReport, RowsPlan,
    RowsReport, StageWriter, Titles, WORK_FOLDER, built_files, carry_stages, catalog_in, catalog_of, fingerprint, hex,
    new_pack, publish, publish_in, publish_rows, read_stages, remove_stages,
};
pub use read::{Discovery, discover, discover_all};
pub use render::{Element, Node, render};
pub use seealso_index::Layout;
pub use site::{is_about_changes, is_site, numbered_site_file, page_of_site, site_file, site_place, site_url};
pub use stages::{
    Coverage, ENCODER, STAGES_MAX_BYTES, STAGES_VERSION, StageModel, StageRecord, StagesError, StagesFile,
};
