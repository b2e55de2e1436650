//! Where things lie: the repository, cargo's target folder, and what the build writes.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's root. Cargo tells it at run time, which also holds when clones share a target folder.
pub(crate) fn root() -> PathBuf {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().expect("xtask's manifest lies one folder below the root").to_path_buf()
}

/// Cargo's target folder: the variable's, else the one that this program was built in, so that
/// nothing is built twice.
pub(crate) fn target_dir() -> PathBuf {
    if let Some(dir) = env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()) {
        return root().join(dir);
    }
    let built_in = env::current_exe()
        .ok()
        .and_then(|exe| Some(exe.parent()?.parent()?.to_path_buf()))
        .filter(|dir| dir.join("CACHEDIR.TAG").is_file());
    built_in.unwrap_or_else(|| root().join("target"))
}

/// The static site that `build` assembles.
pub(crate) fn site() -> PathBuf {
    root().join("site")
}

/// The folder of browser tests, whose npm packages also hold `wasm-opt`.
pub(crate) fn browser_tests() -> PathBuf {
    root().join("tests/browser")
}

/// The file name of the `seealso` command.
pub(crate) const SEEALSO: &str = if cfg!(windows) { "seealso.exe" } else { "seealso" };

/// The release build of the `seealso` command.
pub(crate) fn seealso_command() -> PathBuf {
    target_dir().join("release").join(SEEALSO)
}

/// The first file named `name` in the folders of `PATH`.
pub(crate) fn find_on_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// `path` as seen from the root, for messages.
pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}
