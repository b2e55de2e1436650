//! npm packages of a folder, installed from its lock file, once a lock.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::stamp::Stamp;
use crate::{paths, process};

/// The oldest Node that the tools run on.
const OLDEST_NODE: u32 = 20;

/// Node's version, or an error that says what to install.
pub(crate) fn node_version() -> Result<String> {
    let version = process::capture(process::command("node").arg("--version")).ok();
    let major: Option<u32> =
        version.as_deref().and_then(|text| text.trim_start_matches('v').split('.').next()?.parse().ok());
    match (version, major) {
        (Some(version), Some(major)) if major >= OLDEST_NODE => Ok(version),
        (Some(version), _) => bail!("Node {OLDEST_NODE} or later is needed, this is {version}"),
        (None, _) => bail!(
            "Node {OLDEST_NODE} or later and npm are needed; install them from your system's packages or https://nodejs.org"
        ),
    }
}

/// Installs what the folder's lock file lists, and tells whether anything had to be done.
pub(crate) fn install(folder: &Path) -> Result<bool> {
    node_version()?;
    let lock = folder.join("package-lock.json");
    let mut stamp = Stamp::new();
    stamp
        .add_file(&lock)
        .with_context(|| format!("{} is missing: `npm install` there writes it", paths::shown(&lock)))?;
    let modules = folder.join("node_modules");
    if stamp.matches(&modules.join(".installed")) {
        return Ok(false);
    }
    process::run(process::command("npm").current_dir(folder).args(["ci", "--no-audit", "--no-fund"]))
        .with_context(|| format!("npm could not install the tools of {}", paths::shown(folder)))?;
    // npm makes no folder where a lock file lists nothing.
    fs::create_dir_all(&modules)?;
    stamp.write(&modules.join(".installed"))?;
    Ok(true)
}
