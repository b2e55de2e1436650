//! The system's packages: apt where there is one, with root's rights where they can be had.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, bail};

use crate::{paths, process};

/// Apt, whose lists are refreshed once, before the first install.
#[derive(Default)]
pub(crate) struct Packages {
    refreshed: bool,
}

impl Packages {
    /// Installs `names`; `why` completes the sentence "`why` needs …" of the error.
    pub(crate) fn install(&mut self, names: &[&str], why: &str) -> Result<()> {
        let list = names.join(" ");
        if paths::find_on_path("apt-get").is_none() {
            bail!(
                "{why} needs {list}; there is no apt-get here, so install them in this system's own way, then run `cargo xtask setup` again"
            );
        }
        if !self.refreshed {
            process::run(apt(why, &list)?.args(["update", "--quiet"]))?;
            self.refreshed = true;
        }
        process::run(apt(why, &list)?.args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(names))
    }
}

/// The files of Debian packages, unpacked into the folder `root` without being installed. Whether that could be done: not without
/// apt, nor where a package is not to be had.
pub(crate) fn unpack(names: &[&str], root: &Path) -> Result<bool> {
    if root.is_dir() {
        return Ok(true);
    }
    if paths::find_on_path("apt-get").is_none() || paths::find_on_path("dpkg-deb").is_none() {
        return Ok(false);
    }
    let download = root.with_extension("download");
    fs::create_dir_all(&download).with_context(|| format!("cannot make {}", download.display()))?;
    if process::run(process::command("apt-get").current_dir(&download).args(["download", "--quiet"]).args(names))
        .is_err()
    {
        return Ok(false);
    }
    for entry in fs::read_dir(&download)? {
        process::run(process::command("dpkg-deb").arg("--extract").arg(entry?.path()).arg(root))?;
    }
    Ok(true)
}

/// `program` with root's rights, or an error where they cannot be had.
pub(crate) fn as_root(program: &str) -> Result<Command> {
    if is_root() {
        return Ok(process::command(program));
    }
    if paths::find_on_path("sudo").is_none() {
        bail!("this user is not root and there is no sudo");
    }
    let mut sudo = process::command("sudo");
    // Without a terminal nobody could type a password, so it must fail rather than wait.
    if env::var_os("CI").is_some() {
        sudo.arg("--non-interactive");
    }
    sudo.arg(program);
    Ok(sudo)
}

fn apt(why: &str, list: &str) -> Result<Command> {
    let mut apt = as_root("apt-get")
        .with_context(|| format!("{why} needs {list}: let an administrator run `apt-get install {list}`"))?;
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    Ok(apt)
}

fn is_root() -> bool {
    process::capture(process::command("id").arg("-u")).is_ok_and(|id| id == "0")
}
