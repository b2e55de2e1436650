//! Copies the scripts and the engine that the element needs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};

/// The script that pages load.
const ELEMENT: &str = "see-also.js";

/// The engine itself: one of these is there where a package was built.
const WASM: [&str; 2] = ["seealso_bg.wasm", "seealso_bg.wasm.deflate"];

/// What a page loads. A package holds more: its licence, what it says of itself, types for editors.
const ENDINGS: [&str; 3] = ["js", "wasm", "deflate"];

/// The file that makes a folder a pack.
const MANIFEST_FILE: &str = "manifest.yaml";

/// Copies the files of the folder `from` that holds the element, or of `seealso` in it, to `out`.
///
/// # Errors
/// Where `from` has no element, or a file can't be copied.
pub(super) fn copy(from: &Path, out: &Path) -> anyhow::Result<()> {
    let folder = folder_in(from)?;
    for path in files(&folder)? {
        let (source, target) = (folder.join(&path), out.join(&path));
        let parent = target.parent().unwrap_or(out);
        fs::create_dir_all(parent).with_context(|| format!("making {}", parent.display()))?;
        fs::copy(&source, &target).with_context(|| format!("copying {}", source.display()))?;
    }
    Ok(())
}

/// Whether `copy` from that folder would leave `out` as it is, of whose files `copied` were copied by the last run.
///
/// # Errors
/// Where `from` has no element, or can't be listed.
pub(super) fn is_copied(from: &Path, out: &Path, copied: &BTreeSet<String>) -> anyhow::Result<bool> {
    let folder = folder_in(from)?;
    let is_same = |path: &String| match (fs::read(folder.join(path)), fs::read(out.join(path))) {
        (Ok(next), Ok(last)) => next == last,
        _ => false,
    };
    let files = files(&folder)?;
    Ok(files == *copied && files.iter().all(is_same))
}

/// The folder of the element: `from`, or `seealso` in it.
fn folder_in(from: &Path) -> anyhow::Result<PathBuf> {
    let folders = [from.to_path_buf(), from.join("seealso")];
    let Some(folder) = folders.into_iter().find(|folder| is_there(folder)) else {
        bail!(
            "{}: there is no {ELEMENT} in it; name the folder of a built package, or a built site with one",
            from.display()
        )
    };
    ensure!(
        WASM.iter().any(|file| folder.join(file).is_file()),
        "{}: there is no {} in it: these are the scripts without the engine; name the folder of a built package, or a built \
         site with one",
        folder.display(),
        WASM[0]
    );
    Ok(folder)
}

/// The files of the engine below `root`, by their paths with `/` between folders. What a packs root holds beside them is no
/// part of the engine.
pub(super) fn files(root: &Path) -> anyhow::Result<BTreeSet<String>> {
    let (mut files, mut waiting) = (BTreeSet::new(), vec![(root.to_path_buf(), String::new())]);
    while let Some((folder, prefix)) = waiting.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("listing {}", folder.display()))? {
            let path = entry.with_context(|| format!("listing {}", folder.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_other = name.starts_with('.') || name == "node_modules" || path.join(MANIFEST_FILE).is_file();
            let relative = format!("{prefix}{name}");
            if path.is_dir() && !is_other {
                waiting.push((path, relative + "/"));
            } else if !is_other && ENDINGS.iter().any(|ending| path.extension().is_some_and(|own| own == *ending)) {
                files.insert(relative);
            }
        }
    }
    Ok(files)
}

/// The files of the engine in a folder in which others may have put scripts too: the element, and what it loads, by the names
/// that its scripts hold.
pub(super) fn loaded(root: &Path) -> BTreeSet<String> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![ELEMENT.to_owned()]);
    while let Some(path) = waiting.pop() {
        if !root.join(&path).is_file() || !found.insert(path.clone()) {
            continue;
        }
        waiting.push(format!("{path}.deflate"));
        if path.ends_with(".js") {
            let script = fs::read_to_string(root.join(&path)).unwrap_or_default();
            waiting.extend(names_in(&script).filter_map(|name| beside(&path, name)));
        }
    }
    found
}

/// The texts of a script, in quotation marks of any kind, that end as names of files do.
fn names_in(script: &str) -> impl Iterator<Item = &str> {
    let is_name = |text: &&str| ENDINGS.iter().any(|ending| text.ends_with(&format!(".{ending}")));
    script.split(['"', '\'', '`']).filter(is_name)
}

/// The path that `name` has in the file at `path`; none where it leads out of the folder.
fn beside(path: &str, name: &str) -> Option<String> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = Vec::new();
    for step in folder.split('/').chain(name.split('/')) {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()?),
            step => steps.push(step),
        }
    }
    Some(steps.join("/"))
}

/// Whether the element is in the folder.
pub(super) fn is_there(out: &Path) -> bool {
    out.join(ELEMENT).is_file()
}

/// Fails where pages would load an element that is neither in `out` nor in the folder `engine` that is to be copied there.
///
/// # Errors
/// As [`copy`], and where there is no element.
pub(super) fn ensure_element(engine: Option<&Path>, out: &Path) -> anyhow::Result<()> {
    match engine {
        Some(engine) => folder_in(engine).map(drop),
        None if is_there(out) => Ok(()),
        None => bail!(
            "{}: there is no {ELEMENT} in it, so that no page could load the element; name the folder of a built package, or a \
             built site with one, with --engine",
            out.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_name_what_they_load() {
        let script =
            "import { h } from \"./dom.js\"; const wasm = new URL('a_bg.wasm', import.meta.url); say(\"dom.jsx\");";
        assert_eq!(names_in(script).collect::<Vec<_>>(), ["./dom.js", "a_bg.wasm"]);
        for (path, name, expected) in [
            ("see-also.js", "./element.js", Some("element.js")),
            ("talk/talk.js", "../dom.js", Some("dom.js")),
            ("talk/talk.js", "./words.js", Some("talk/words.js")),
            ("see-also.js", "../out.js", None),
        ] {
            assert_eq!(beside(path, name).as_deref(), expected, "{name}");
        }
    }
}
