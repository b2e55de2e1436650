//! Which cargo and rustc can build for wasm32: the default ones, or the system's own.
//!
//! A machine may have two toolchains, rustup's first on the path and the distribution's in
//! `/usr/bin`; only one of them needs the target's standard library.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::{paths, process};

/// The target of everything that runs in a browser.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A cargo and the rustc that it must use.
#[derive(Clone, Debug)]
pub(crate) struct Toolchain {
    /// The compiler; `rustc` alone means the one on the path.
    pub(crate) rustc: PathBuf,
    /// Whether this is the distribution's toolchain, hidden behind another one on the path.
    system: bool,
}

impl Toolchain {
    /// What `cargo` and `rustc` on the path give.
    pub(crate) fn default_one() -> Self {
        Self { rustc: env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from), system: false }
    }

    /// The one in `/usr/bin`.
    pub(crate) fn system() -> Self {
        Self { rustc: "/usr/bin/rustc".into(), system: true }
    }

    /// A cargo command that compiles with this toolchain, whatever stands first on the path.
    pub(crate) fn cargo(&self) -> Command {
        if !self.system {
            return process::cargo();
        }
        let mut cargo = process::command("/usr/bin/cargo");
        self.hide_others(&mut cargo);
        cargo
    }

    /// A rustc command of this toolchain.
    pub(crate) fn rustc(&self) -> Command {
        let mut rustc = process::command(&self.rustc);
        if self.system {
            self.hide_others(&mut rustc);
        }
        rustc
    }

    /// The version as rustc tells it, or nothing where there is no such rustc.
    pub(crate) fn version(&self) -> Option<String> {
        process::capture(self.rustc().arg("--version")).ok()
    }

    /// Whether the target's standard library is installed.
    pub(crate) fn has_wasm_std(&self) -> bool {
        process::capture(self.rustc().args(["--print", "target-libdir", "--target", TARGET]))
            .is_ok_and(|folder| holds_std(Path::new(&folder)))
    }

    /// Whether the standard library's source is installed, from which cargo can compile it along.
    pub(crate) fn has_std_source(&self) -> bool {
        process::capture(self.rustc().args(["--print", "sysroot"]))
            .is_ok_and(|root| Path::new(&root).join("lib/rustlib/src/rust/library/Cargo.lock").is_file())
    }

    /// Its clippy, as a compiler; none where it is not installed.
    pub(crate) fn clippy_driver(&self) -> Option<PathBuf> {
        let root = process::capture(self.rustc().args(["--print", "sysroot"])).ok()?;
        let driver = Path::new(&root).join("bin").join(format!("clippy-driver{}", env::consts::EXE_SUFFIX));
        driver.is_file().then_some(driver)
    }

    /// Whether this is the distribution's toolchain.
    pub(crate) fn is_system(&self) -> bool {
        self.system
    }

    fn hide_others(&self, command: &mut Command) {
        let rest = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(PathBuf::from("/usr/bin")).chain(env::split_paths(&rest));
        let path = env::join_paths(folders).unwrap_or(rest.clone());
        command.env("PATH", path).env("RUSTC", &self.rustc);
        for variable in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "RUSTDOC"] {
            command.env_remove(variable);
        }
    }
}

/// The first toolchain that is new enough and can build for wasm32.
pub(crate) fn wasm_toolchain() -> Result<Toolchain> {
    let found = [Toolchain::default_one(), Toolchain::system()]
        .into_iter()
        .find(|toolchain| is_new_enough(toolchain) && toolchain.has_wasm_std());
    match found {
        Some(toolchain) => Ok(toolchain),
        None => bail!(
            "no Rust {} or later here can build for {TARGET}; run `cargo xtask setup`",
            env!("CARGO_PKG_RUST_VERSION")
        ),
    }
}

fn is_new_enough(toolchain: &Toolchain) -> bool {
    let needed = release(env!("CARGO_PKG_RUST_VERSION"));
    toolchain.version().and_then(|version| release(version.split(' ').nth(1)?)) >= needed
}

/// Major and minor number of a version such as `1.95.0` or `1.95`.
fn release(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

fn holds_std(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|files| {
        files.flatten().any(|file| {
            let name = file.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}

/// Whether rustup is here, which can add targets.
pub(crate) fn has_rustup() -> bool {
    paths::find_on_path("rustup").is_some()
}

#[cfg(test)]
mod tests {
    use super::release;

    #[test]
    fn releases_are_compared_by_number() {
        let check = |version: &str, expected: Option<(u32, u32)>| {
            assert_eq!(release(version), expected, "{version}");
        };
        check("1.95", Some((1, 95)));
        check("1.100.0", Some((1, 100)));
        check("1.97.0-nightly", Some((1, 97)));
        check("nonsense", None);
        assert!(release("1.100.0") > release("1.95.0"));
    }
}
