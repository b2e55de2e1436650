//! The files on disk in which evaluations cache what models computed, and the keys of prompts in them.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use seealso::Prompt;

use super::claim_file::hash;

/// The file that caches what the model at `path` computed, in `folder` or in the user's cache; `ending` is its name's.
///
/// # Errors
/// A model that can't be read, and a folder that can't be made.
pub fn cache_path(path: &Path, folder: Option<&Path>, ending: &str) -> anyhow::Result<PathBuf> {
    let bytes = std::fs::metadata(path).with_context(|| format!("reading {}", path.display()))?.len();
    let folder = folder.map_or_else(|| user_folder("scores"), Path::to_owned);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(folder.join(format!("{name}-{bytes}.{ending}")))
}

/// A folder of this name in the user's cache.
pub(super) fn user_folder(name: &str) -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home).unwrap_or_default();
    cache.join("seealso").join(name)
}

/// The key of a prompt in a cache; `how` tells what was computed for it.
pub fn cache_key(prompt: &Prompt, how: &[&str]) -> u64 {
    let texts: Vec<&str> = prompt.texts().chain(how.iter().copied()).collect();
    hash(texts.join("\u{1}").as_bytes())
}
