//! Recognises what an earlier run wrote by what it is, where the file that lists it is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use seealso_pack::{CATALOG_FILE, built_files};
use serde::Deserialize;

use super::written::Written;

/// The file in which a run lists what it wrote, in the folder of the packs.
pub(super) const STATE_FILE: &str = "site.json";

/// The file that keeps what each page was read as.
pub(super) const CACHE_FILE: &str = ".pages.cache";

/// Where the site lies as seen from the packs root.
pub(super) const BASE: &str = "../";

/// Folders of packs nest at most so deep: `versions`, that of a version, that of a language.
const MAX_FOLDERS: usize = 16;

/// What the state files of all versions have.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct AnyState {
    pub(super) files: BTreeMap<String, u64>,
    pub(super) engine: BTreeSet<String>,
    pub(super) markdown: Written,
}

impl AnyState {
    /// Reads the bytes of a state file; one that lists no files is none.
    pub(super) fn read(bytes: &[u8]) -> Option<AnyState> {
        serde_json::from_slice(bytes).ok().filter(|state: &AnyState| !state.files.is_empty())
    }
}

/// Whether the folder is the output of a run.
pub(super) fn is_output(folder: &Path) -> bool {
    let state = fs::read(folder.join(STATE_FILE)).unwrap_or_default();
    AnyState::read(&state).is_some() || files(folder).contains(CATALOG_FILE)
}

/// The files below `out` that are those of a build, or of packs as the command writes them.
pub(super) fn files(out: &Path) -> BTreeSet<String> {
    let mut files = built_files(out).unwrap_or_default();
    add_packs(out, "", 0, &mut files);
    if files.contains(CATALOG_FILE) && out.join(CACHE_FILE).is_file() {
        files.insert(CACHE_FILE.to_owned());
    }
    files
}

/// Adds the files of the packs in the folder at `path`. Links are no packs of the command's.
fn add_packs(out: &Path, path: &str, depth: usize, files: &mut BTreeSet<String>) {
    for name in folders(&out.join(path)) {
        let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        if is_own_pack(&out.join(&below), &name) {
            files.insert(format!("{below}/manifest.yaml"));
            add_pages(out, &format!("{below}/wiki"), 0, files);
        } else if depth < MAX_FOLDERS {
            add_packs(out, &below, depth + 1, files);
        }
    }
}

/// Whether the manifest in a folder of that name begins as the command writes it.
fn is_own_pack(folder: &Path, name: &str) -> bool {
    let manifest = fs::read_to_string(folder.join("manifest.yaml")).unwrap_or_default();
    manifest.starts_with(&format!("name: {name}\ntitle: "))
        && manifest.contains(&format!("\nlanguage: {name}\nsite: \"{BASE}\"\n"))
}

fn add_pages(out: &Path, path: &str, depth: usize, files: &mut BTreeSet<String>) {
    let is_page = |name: &String| name.ends_with(".md");
    files.extend(entries(&out.join(path), false).into_iter().filter(is_page).map(|name| format!("{path}/{name}")));
    // A long name goes on in a folder, so that there may be more of these than the site has.
    if depth < MAX_FOLDERS * 16 {
        for name in folders(&out.join(path)) {
            add_pages(out, &format!("{path}/{name}"), depth + 1, files);
        }
    }
}

fn folders(folder: &Path) -> Vec<String> {
    entries(folder, true)
}

/// The names in a folder of true folders, or of true files.
fn entries(folder: &Path, are_folders: bool) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let wanted = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| if are_folders { kind.is_dir() } else { kind.is_file() }));
    wanted.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
