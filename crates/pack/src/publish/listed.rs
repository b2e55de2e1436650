//! What an earlier build put into a folder, by the list that it left there, and so what a later one may remove.
//!
//! A list is found whatever the version of the catalog beside it, and where that is damaged too: else a folder that has to
//! be built again could not be. What stands in no list is somebody's work, and stays.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::INDEX_FOLDER;
use super::litter::{is_litter, is_version_control};
use crate::Error;
use crate::catalog::{AnyCatalog, CATALOG_FILE, Catalog};
use crate::read::discover;

/// The list of a build's files, by which a later build knows what it may remove.
pub(super) fn list_path(catalog: &Catalog) -> String {
    list_of(&catalog.index.root.path)
}

fn list_of(root: &str) -> String {
    format!("{}.files", root.trim_end_matches(".idx"))
}

/// The names of the files of the build that lies under `root`, as its list has them, and that of the list; none where
/// there is no list.
pub(super) fn last_files(root: &Path) -> Option<BTreeSet<String>> {
    let catalog = fs::read(root.join(CATALOG_FILE)).ok()?;
    let list = match AnyCatalog::read(&catalog) {
        Some(catalog) => list_of(&catalog.root?),
        // Whole JSON that is no catalog of ours is somebody else's.
        None if !AnyCatalog::is_damaged(&catalog) => return None,
        None => only_list(root)?,
    };
    let mut names = read_list(&fs::read_to_string(root.join(&list)).ok()?);
    names.extend(list.rsplit('/').next().map(str::to_owned));
    Some(names)
}

/// A list of files as it is written: a name a line. A line's end within a name is written as an escape.
pub(super) fn list_of_names(names: &[&str]) -> String {
    let escaped = |name: &&str| name.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r") + "\n";
    names.iter().map(escaped).collect()
}

/// The names of a list. A backslash that begins no escape stands for itself, as in lists of builds that wrote none.
fn read_list(text: &str) -> BTreeSet<String> {
    text.split_terminator('\n').map(unescape).collect()
}

fn unescape(line: &str) -> String {
    let (mut name, mut rest) = (String::with_capacity(line.len()), line);
    while let Some((before, after)) = rest.split_once('\\') {
        name.push_str(before);
        let escaped = after.chars().next().and_then(|c| match c {
            '\\' => Some('\\'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            _ => None,
        });
        name.push(escaped.unwrap_or('\\'));
        rest = &after[usize::from(escaped.is_some())..];
    }
    name + rest
}

/// The list that lies under `root` if there is no other: of several, only a catalog tells which holds. That of a copy says
/// nothing of packs that were built in place since.
fn only_list(root: &Path) -> Option<String> {
    let mut lists = index_names(root).into_iter().filter(|name| name.ends_with(".files"));
    let list = lists.next()?;
    lists.next().is_none().then(|| format!("{INDEX_FOLDER}/{list}"))
}

/// The names of those files in the folder of index files that builds made.
fn index_names(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join(INDEX_FOLDER)).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| is_index_name(name)).collect()
}

/// Whether a build may have given that name to an index file: the first digits of a hash, and what the file is.
fn is_index_name(name: &str) -> bool {
    let Some((hash, ending)) = name.split_once('.') else { return false };
    let digits = hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    digits && [12, 16].contains(&hash.len()) && ["idx", "files", "json", "words"].contains(&ending)
}

/// Removes index files that neither this build nor the last one made: a reader that fetched the last catalog a moment
/// ago still finds its index.
pub(super) fn remove_older(root: &Path, known: &BTreeSet<String>) {
    for name in index_names(root).iter().filter(|name| !known.contains(*name)) {
        let _ = fs::remove_file(root.join(INDEX_FOLDER).join(name));
    }
}

/// A folder that a build replaces holds nothing but what an earlier build put there: replacing takes all of it away. A
/// build in place lists no file of its packs, so packs that lie where they were written are never replaced.
pub(super) fn check_replaceable(out: &Path) -> Result<(), Error> {
    if !out.exists() {
        return Ok(());
    }
    let listed = last_files(out);
    let Some(name) = foreign_file(out, listed.as_ref())? else { return Ok(()) };
    let (cause, hint) = match listed.is_none().then(|| unlisted_build(out)).flatten() {
        Some(build) => {
            let kept = "and no list of its files, so nothing is replaced";
            let remove = if_copies(out);
            (format!("{build} lies there {kept}; if all of it is but a copy, remove {remove}"), "Or name a new folder.")
        }
        None => (format!("it holds files that no build made, such as {name}"), "Name an empty or a new folder."),
    };
    Err(Error::Invalid { path: out.to_path_buf(), cause, hint })
}

/// What kind of build lies under `out`, whose files no list names; none where none does.
fn unlisted_build(out: &Path) -> Option<String> {
    let catalog = fs::read(out.join(CATALOG_FILE)).ok()?;
    match AnyCatalog::read(&catalog) {
        Some(catalog) if catalog.is_of_this_version() => Some("a damaged build".to_owned()),
        Some(AnyCatalog { version, .. }) => Some(format!("a build of format version {version}")),
        None => (!index_names(out).is_empty()).then(|| format!("a build whose {CATALOG_FILE} can't be read")),
    }
}

/// More packs than these are not named one by one.
const MOST_NAMED: usize = 8;

/// What of `out` a build may have made: the catalog, the index, and the packs beside them.
fn if_copies(out: &Path) -> String {
    let mut packs: Vec<String> = discover(out).unwrap_or_default().into_iter().map(|(_, path)| path).collect();
    let more = packs.len().saturating_sub(MOST_NAMED);
    packs.truncate(MOST_NAMED);
    let more = (more > 0).then(|| format!("{more} more packs"));
    let index = out.join(INDEX_FOLDER).exists().then(|| INDEX_FOLDER.to_owned());
    let mut names: Vec<String> = [CATALOG_FILE.to_owned()].into_iter().chain(index).chain(packs).chain(more).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} and {last}", names.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// A file under `out` that the build which lies there does not list; hidden ones count, litter does not, nor does what a
/// version control keeps right in `out`.
fn foreign_file(out: &Path, listed: Option<&BTreeSet<String>>) -> Result<Option<String>, Error> {
    let path = |name: &String| if name.contains('/') { name.clone() } else { format!("{INDEX_FOLDER}/{name}") };
    let mut ours: BTreeSet<String> = listed.into_iter().flatten().map(path).collect();
    // Without a list there may be no build, and the file somebody's.
    ours.extend(listed.map(|_| CATALOG_FILE.to_owned()));
    let mut waiting = vec![(out.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            let name = entry.file_name();
            // What is no Unicode stands in no list.
            let name = name.to_str().unwrap_or("\u{fffd}");
            if is_litter(name, kind.is_dir()) || prefix.is_empty() && is_version_control(name) {
                continue;
            }
            let name = format!("{prefix}{name}");
            if kind.is_dir() {
                waiting.push((entry.path(), name + "/"));
            } else if !ours.contains(&name) {
                return Ok(Some(name));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_any_name() {
        let names =
            ["a.idx", "p/a b.md", "p/two\nlines.png", "p/end\r", "p/back\\slash", "p/\\n", "p/\\\r\n\\", "p/漢字.md"];
        let text = list_of_names(&names);
        assert_eq!(text.lines().count(), names.len());
        assert_eq!(read_list(&text), names.map(str::to_owned).into());
        // As older builds wrote them.
        assert_eq!(read_list("a.idx\np/a\\b.png\n"), ["a.idx", "p/a\\b.png"].map(str::to_owned).into());
    }

    #[test]
    fn only_what_is_named_as_a_build_names_it_is_an_index_file() {
        for ours in ["0123456789ab.idx", "0123456789abcdef.idx", "0123456789abcdef.files", "0123456789abcdef.words"] {
            assert!(is_index_name(ours), "{ours}");
        }
        for other in
            ["notes.json", "0123456789AB.idx", "0123.idx", "0123456789ab.idx.bak", ".0123456789ab.idx", "pages.tsv"]
        {
            assert!(!is_index_name(other), "{other}");
        }
    }
}
