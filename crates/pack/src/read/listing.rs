//! The files of a pack: which are pages by their names, and which are left out, with the reason.
//!
//! Symbolic links are not followed: what is published must lie in the pack itself, and no circle is ever walked.

use super::{MAX_FOLDERS, entries, is_skipped, join};
use crate::error::Error;
use crate::file_name::is_markdown;
use crate::finding::{Finding, Severity};
use crate::pack::Dialect;
use std::fs;
use std::path::Path;

/// What a file is to a pack, by its place and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A page.
    Page,
    /// A page where it has front matter; else a word to those who open the folder.
    Readme,
    /// A page where it has front matter; else a licence.
    Licence,
    /// A list, a history or conventions, read as such or not at all.
    Navigation,
    /// Markdown by an ending that is not read.
    OtherMarkdown,
    /// No markdown, or hidden.
    Other,
}

/// Endings of markdown that is written for one program alone or seldom met; in small letters.
const OTHER_ENDINGS: [&str; 8] = ["livemd", "mdc", "mdown", "mdwn", "mkd", "mkdn", "qmd", "rmd"];

/// The role of a file, given its path below the page root.
pub(super) fn role(dialect: Dialect, file: &str) -> Role {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let small = name.to_ascii_lowercase();
    let ending = small.rsplit_once('.').map_or("", |(_, ending)| ending);
    match name {
        _ if name.starts_with('.') => Role::Other,
        _ if OTHER_ENDINGS.contains(&ending) => Role::OtherMarkdown,
        _ if !is_markdown(name) => Role::Other,
        "index.md" | "_index.md" => Role::Navigation,
        // The Open Knowledge Format keeps the name at every level; in a wiki, a topic may be called so.
        "log.md" if dialect == Dialect::Okf || folder.is_empty() => Role::Navigation,
        "schema.md" if folder.is_empty() => Role::Navigation,
        "NOTICE.md" => Role::Licence,
        _ if name.starts_with("LICENSE") => Role::Licence,
        _ if small.starts_with("readme.") => Role::Readme,
        _ => Role::Page,
    }
}

/// The files below a page root.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Files that are pages, or may be, by their paths below the page root.
    pub(super) files: Vec<(String, Role)>,
    /// What is left out; findings name paths below the page root.
    pub(super) left_out: Vec<Finding>,
}

impl Listing {
    /// Lists the page root `dir`, which must be a folder itself.
    pub(super) fn of(dir: &Path, dialect: Dialect) -> Result<Listing, Error> {
        let mut listing = Listing::default();
        listing.add(dir, "", 0, dialect)?;
        listing.files.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(listing)
    }

    fn add(&mut self, dir: &Path, path: &str, depth: usize, dialect: Dialect) -> Result<(), Error> {
        for entry in entries(dir)? {
            let file = join(path, &entry.name);
            let role = role(dialect, &file);
            let is_skipped_folder = is_skipped(&entry.name);
            match entry.kind {
                kind if kind.is_dir() && is_skipped_folder => {}
                kind if kind.is_dir() && (depth >= MAX_FOLDERS || !entry.is_unicode) => {
                    let why = if entry.is_unicode { "nested too deep" } else { NO_UNICODE };
                    self.leave_out(&file, Severity::Error, why);
                }
                kind if kind.is_dir() => {
                    if let Err(error) = self.add(&dir.join(&entry.name), &file, depth + 1, dialect) {
                        self.leave_out(&file, Severity::Error, &error.to_string());
                    }
                }
                kind if kind.is_symlink() => self.link(&dir.join(&entry.name), file, role, is_skipped_folder),
                _ if matches!(role, Role::Other | Role::Navigation) => {}
                _ if role == Role::OtherMarkdown => {
                    self.leave_out(&file, Severity::Warning, "its ending is none of md, markdown and mdx");
                }
                _ if !entry.is_unicode => self.leave_out(&file, Severity::Error, NO_UNICODE),
                kind if kind.is_file() => self.files.push((file, role)),
                _ => self.leave_out(&file, Severity::Error, "no regular file"),
            }
        }
        Ok(())
    }

    /// A symbolic link, which matters where it may stand for pages.
    fn link(&mut self, whole: &Path, file: String, role: Role, is_skipped: bool) {
        let is_folder = fs::metadata(whole).is_ok_and(|target| target.is_dir());
        if is_folder && !is_skipped {
            self.leave_out(&file, Severity::Warning, "a symbolic link to a folder");
        } else if !is_folder && !matches!(role, Role::Other | Role::OtherMarkdown) {
            self.leave_out(&file, Severity::Error, "a symbolic link");
        }
    }

    fn leave_out(&mut self, file: &str, severity: Severity, why: &str) {
        self.left_out.push(Finding { severity, ..Finding::error(file, 1, "R7", format!("{why}: left out")) });
    }
}

const NO_UNICODE: &str = "its name is no Unicode, so no URL could name it";
