//! Which files of a folder are pages, and what else in it can't be looked at.

use std::collections::BTreeMap;
use std::fs::{self, DirEntry};
use std::io;
use std::path::Path;

use seealso_pack::site_file;

use crate::page::Skip;

/// The file of a page in its pack has a path of at most so many bytes: catalogs take 1,024 with the pack's own path and with
/// what tells parts of a page apart.
const MAX_FILE_BYTES: usize = 900;

/// Folders nest at most so deep.
const MAX_FOLDERS: usize = 64;

/// The files of a site by name; none of them is opened.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The addresses of the HTML files, sorted.
    pub(super) pages: Vec<String>,
    /// The addresses of the inventories of names, sorted.
    pub(super) inventories: Vec<String>,
    /// What can't be looked at, by address, that of a folder with a slash at its end.
    pub(super) skipped: BTreeMap<String, Skip>,
}

/// The HTML files below `root`. Hidden folders and `node_modules` are passed over, and what lies in
/// the folder `seealso` is skipped. Links to folders are
/// not followed, so that they cannot lead in circles.
///
/// # Errors
/// Where `root` itself can't be listed.
pub(super) fn walk(root: &Path) -> io::Result<Walk> {
    let mut walk = Walk::default();
    let mut waiting = vec![(String::new(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if depth == 0 => return Err(error),
            // A folder below that can't be listed is not worth losing the site for.
            Err(_) => {
                walk.skipped.insert(format!("{folder}/"), Skip::Unreadable);
                continue;
            }
        };
        for entry in entries.flatten() {
            if let Some(below) = walk.take(root, &folder, depth, &entry) {
                waiting.push((below, depth + 1));
            }
        }
    }
    walk.pages.sort();
    walk.inventories.sort();
    Ok(walk)
}

impl Walk {
    /// Takes an entry of a folder; gives it back where it is a folder to be looked into.
    fn take(&mut self, root: &Path, folder: &str, depth: usize, entry: &DirEntry) -> Option<String> {
        let name = entry.file_name();
        let shown = name.to_string_lossy();
        let address = if folder.is_empty() { shown.to_string() } else { format!("{folder}/{shown}") };
        let kind = entry.file_type().ok()?;
        if kind.is_dir() {
            if is_passed_over(&shown) {
                return None;
            }
            let reason = match name.to_str() {
                Some(_) if depth < MAX_FOLDERS => return Some(address),
                Some(_) => Skip::TooLarge,
                None => Skip::Unreadable,
            };
            self.skipped.insert(format!("{address}/"), reason);
            return None;
        }
        if shown == super::INVENTORY_FILE && name.to_str().is_some() && !is_output(&address) {
            self.inventories.push(address);
            return None;
        }
        if !is_html(&shown) {
            return None;
        }
        if is_output(&address) {
            self.skipped.insert(address, Skip::OutputFolder);
            return None;
        }
        if name.to_str().is_some() && site_file(&address, "", true).len() > MAX_FILE_BYTES {
            self.skipped.insert(address, Skip::TooLong);
            return None;
        }
        // What is no text can't be linked to, and a link may lead nowhere, or to itself.
        let is_readable = name.to_str().is_some() && fs::metadata(root.join(&address)).is_ok();
        if !is_readable {
            self.skipped.insert(address, Skip::Unreadable);
        } else if root.join(&address).is_file() {
            self.pages.push(address);
        }
        None
    }
}

fn is_passed_over(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// Whether an address lies in the folder that the packs are written to.
fn is_output(address: &str) -> bool {
    address.strip_prefix(super::OUTPUT_FOLDER).is_some_and(|rest| rest.starts_with('/'))
}

fn is_html(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    matches!(ending.as_deref(), Some("html" | "htm" | "xhtml"))
}
