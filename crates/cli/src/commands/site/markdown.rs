//! Writes the Markdown of the pages beside them, and takes it out again. A file that was not written by the command, or that
//! somebody changed since, is left as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::write::replace;
use super::written::Written;

/// What is to be done for the Markdown of a site.
#[derive(Debug, Default)]
pub(super) struct MarkdownPlan {
    /// Files to write, with their text.
    write: Vec<(String, String)>,
    /// Files to remove.
    remove: Vec<String>,
    /// Files that are somebody else's.
    pub(super) left: Vec<String>,
    /// The files that are the command's from when the plan is begun.
    pub(super) begun: Written,
    /// The files that are the command's when the plan is done.
    pub(super) done: Written,
}

impl MarkdownPlan {
    /// What makes `wanted`, by path below `dir`, of what an earlier run wrote.
    pub(super) fn of(dir: &Path, wanted: BTreeMap<String, String>, last: &Written) -> MarkdownPlan {
        let mut plan = MarkdownPlan::default();
        for (path, hashes) in last.iter().filter(|(path, _)| !wanted.contains_key(*path)) {
            if let FileState::Text(hash) = FileState::of(&dir.join(path))
                && hashes.contains(&hash)
            {
                plan.begun.insert(path.clone(), [hash].into());
                plan.remove.push(path.clone());
            }
        }
        for (path, text) in wanted {
            let new = hash(text.as_bytes());
            let mut hashes = BTreeSet::from([new.clone()]);
            match FileState::of(&dir.join(&path)) {
                FileState::Text(hash) if hash == new => {}
                FileState::None => plan.write.push((path.clone(), text)),
                FileState::Text(hash) if last.get(&path).is_some_and(|known| known.contains(&hash)) => {
                    hashes.insert(hash);
                    plan.write.push((path.clone(), text));
                }
                _ => {
                    plan.left.push(path);
                    continue;
                }
            }
            plan.done.insert(path.clone(), [new].into());
            plan.begun.insert(path, hashes);
        }
        plan
    }

    /// How many files it writes, and how many it removes.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.write.len(), self.remove.len())
    }

    /// Writes and removes the files.
    pub(super) fn carry_out(&self, dir: &Path) -> anyhow::Result<()> {
        for (path, text) in &self.write {
            replace(&dir.join(path), text.as_bytes())?;
        }
        for path in &self.remove {
            let path = dir.join(path);
            fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
        }
        Ok(())
    }
}

/// Whether the files that a run wrote are as it wrote them.
pub(super) fn is_whole(dir: &Path, written: &Written) -> bool {
    written.iter().all(|(path, hashes)| {
        hashes.len() == 1 && matches!(FileState::of(&dir.join(path)), FileState::Text(hash) if hashes.contains(&hash))
    })
}

/// What stands at a path.
enum FileState {
    None,
    /// A file, with its hash.
    Text(String),
    /// A folder, a link, or what can't be read.
    Other,
}

impl FileState {
    fn of(path: &Path) -> FileState {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => FileState::None,
            Ok(file) if file.is_file() => fs::read(path).map_or(FileState::Other, |text| FileState::Text(hash(&text))),
            _ => FileState::Other,
        }
    }
}

fn hash(text: &[u8]) -> String {
    seealso_pack::hex(&Sha256::digest(text))
}
