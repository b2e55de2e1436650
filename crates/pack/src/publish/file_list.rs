//! The list of files that a build left in a folder, and what a later build may therefore remove.
//!
//! A list is found whatever the version of the catalog beside it is, and where the catalog is damaged too: otherwise a
//! folder that has to be built again could not be. A file that no list names is somebody's work, and stays.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::INDEX_FOLDER;
use super::index_names::index_names;
use super::litter::{is_kept, is_litter};
use super::stage_list::{StageFiles, listed_stage_files};
use crate::Error;
use crate::catalog::{AnyCatalog, CATALOG_FILE, Catalog};
use crate::read::discover;

/// The path of the list of a build's files.
pub(super) fn list_path(catalog: &Catalog) -> String {
    list_of(&catalog.index.root.path)
}

fn list_of(root: &str) -> String {
    format!("{}.files", root.trim_end_matches(".idx"))
}

/// The names of the files of the build under `root` and of its stages, as their lists have them, and the names of the
/// lists; none where the build has no list.
pub(super) fn previous_files(root: &Path) -> Option<BTreeSet<String>> {
    let catalog = fs::read(root.join(CATALOG_FILE)).ok()?;
    let stages = Catalog::parse(&catalog).map(|catalog| StageFiles::listed(root, &catalog)).unwrap_or_default();
    let list = match AnyCatalog::read(&catalog) {
        Some(catalog) => list_of(&catalog.root?),
        // Sound JSON that is not our catalog is somebody else's.
        None if !AnyCatalog::is_damaged(&catalog) => return None,
        None => only_list(root)?,
    };
    let mut names = read_list(&fs::read_to_string(root.join(&list)).ok()?);
    names.extend(list.rsplit('/').next().map(str::to_owned));
    names.extend(stages.all_names());
    Some(names)
}

/// The paths of the files of the build under `root`, the catalog among them and packs not; none where there is no build, or none
/// whose files are known.
pub fn built_files(root: &Path) -> Option<BTreeSet<String>> {
    let names = previous_files(root)?;
    let files = names.into_iter().map(|name| format!("{INDEX_FOLDER}/{name}"));
    Some(files.chain([CATALOG_FILE.to_owned()]).filter(|path| root.join(path).is_file()).collect())
}

/// The text of a list: one name per line. A line break in a name is written as an escape.
pub(super) fn list_of_names(names: &[&str]) -> String {
    let escaped = |name: &&str| name.replace('\\', r"\\").replace('\n', r"\n").replace('\r', r"\r") + "\n";
    names.iter().map(escaped).collect()
}

/// The names of a list. A backslash that begins no escape means itself, as in lists of older builds.
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

/// The list under `root`, if there is only one: of several, a catalog alone tells which is valid. The list of a copy
/// does not name packs that were built in place since.
fn only_list(root: &Path) -> Option<String> {
    let mut lists = index_names(root).into_iter().filter(|name| name.ends_with(".files"));
    let list = lists.next()?;
    lists.next().is_none().then(|| format!("{INDEX_FOLDER}/{list}"))
}

/// Removes index files that are not `known`, that is of neither this build nor the previous one. A reader that fetched
/// the previous catalog a moment ago still finds its index.
pub(super) fn remove_older(root: &Path, known: &BTreeSet<String>) {
    for name in index_names(root).iter().filter(|name| !known.contains(*name)) {
        let _ = fs::remove_file(root.join(INDEX_FOLDER).join(name));
    }
}

/// Checks that the folder `out` may be replaced: it must hold nothing but files that an earlier build wrote, since
/// replacing removes all of them. A build in place lists no file of its packs, so packs that were written there are
/// never replaced.
pub(super) fn check_replaceable(out: &Path) -> Result<(), Error> {
    if !out.exists() {
        return Ok(());
    }
    let mut listed = previous_files(out);
    listed.iter_mut().for_each(|listed| listed.extend(listed_stage_files(out)));
    let Some(name) = foreign_file(out, listed.as_ref())? else { return Ok(()) };
    let (cause, hint) = match listed.is_none().then(|| unlisted_build(out)).flatten() {
        Some(build) => {
            let kept = "and no list of its files, so nothing is replaced";
            let remove = names_of_copies(out);
            (format!("{build} lies there {kept}; if all of it is but a copy, remove {remove}"), "Or name a new folder.")
        }
        None => (format!("it holds files that no build made, such as {name}"), "Name an empty or a new folder."),
    };
    Err(Error::Invalid { path: out.to_path_buf(), cause, hint })
}

/// A description of the build under `out`, which has no list of its files; none where there is no build.
fn unlisted_build(out: &Path) -> Option<String> {
    let catalog = fs::read(out.join(CATALOG_FILE)).ok()?;
    match AnyCatalog::read(&catalog) {
        Some(catalog) if catalog.is_of_this_version() => Some("a damaged build".to_owned()),
        Some(AnyCatalog { version, .. }) => Some(format!("a build of format version {version}")),
        None => (!index_names(out).is_empty()).then(|| format!("a build whose {CATALOG_FILE} can't be read")),
    }
}

/// How many packs are named one by one, at most.
const MOST_NAMED: usize = 8;

/// The names of what a build may have written to `out`: the catalog, the index, and the packs beside them.
fn names_of_copies(out: &Path) -> String {
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

/// A file under `out` that is not `listed`, if there is one. Hidden files count; litter does not, nor does what a
/// version control or `setup` keeps directly in `out`.
fn foreign_file(out: &Path, listed: Option<&BTreeSet<String>>) -> Result<Option<String>, Error> {
    let path = |name: &String| if name.contains('/') { name.clone() } else { format!("{INDEX_FOLDER}/{name}") };
    let mut ours: BTreeSet<String> = listed.into_iter().flatten().map(path).collect();
    // Without a list there may be no build, and the catalog may be somebody's.
    ours.extend(listed.map(|_| CATALOG_FILE.to_owned()));
    let mut waiting = vec![(out.to_path_buf(), String::new())];
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, "reading", e))? {
            let entry = entry.map_err(|e| Error::io(&folder, "reading", e))?;
            let kind = entry.file_type().map_err(|e| Error::io(&entry.path(), "reading", e))?;
            let name = entry.file_name();
            // A name that is not Unicode is in no list.
            let name = name.to_str().unwrap_or("\u{fffd}");
            if is_litter(name, kind.is_dir()) || prefix.is_empty() && is_kept(name) {
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
}
