//! `cargo xtask setup`: brings a machine that has Rust and Node to where everything builds and tests.
//!
//! Each part is looked for first and installed only where it is missing, so that a second run
//! changes nothing.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::packages::Packages;
use crate::toolchain::{TARGET, Toolchain, has_rustup, wasm_toolchain};
use crate::{debian_wasm, npm, paths, process};

/// Options of `setup`.
#[derive(clap::Args, Default)]
pub(crate) struct Options {
    /// Build the wasm32 standard library from Debian's Rust even where another toolchain has it
    #[arg(long)]
    debian_wasm: bool,
}

/// Something that builds need: its name, and which version of it was found or installed.
struct Prerequisite(&'static str, String);

/// Sets up everything.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut packages = Packages::default();
    if options.debian_wasm && !Toolchain::system().has_wasm_std() {
        debian_wasm::install(&mut packages)?;
    }
    let prerequisites = [wasm_target(&mut packages)?, wasm_tools()?, chromium(&mut packages)?];
    for Prerequisite(name, state) in prerequisites {
        println!("{name:<16} {state}");
    }
    Ok(())
}

/// Sets up only what a build needs, silently where all is there.
pub(crate) fn for_build() -> Result<()> {
    wasm_target(&mut Packages::default())?;
    wasm_tools()?;
    Ok(())
}

fn wasm_target(packages: &mut Packages) -> Result<Prerequisite> {
    let found = wasm_toolchain().is_ok();
    if !found {
        add_wasm_target(packages)?;
    }
    let toolchain = wasm_toolchain().context("the wasm32 standard library was installed, yet no compiler finds it")?;
    std_source(&toolchain, packages)?;
    let version = toolchain.version().unwrap_or_default();
    let how = if found { "present" } else { "installed now" };
    Ok(Prerequisite("wasm32 target", format!("{how}: {version}, {}", toolchain.rustc.display())))
}

/// The standard library's source, which the wasm build compiles for size.
fn std_source(toolchain: &Toolchain, packages: &mut Packages) -> Result<()> {
    if toolchain.has_std_source() {
        return Ok(());
    }
    if toolchain.is_system() {
        packages.install(&["rust-web-src"], "compiling the standard library for size")?;
    } else if has_rustup() {
        eprintln!("wasm32: asking rustup for the standard library's source");
        process::run(process::command("rustup").args(["component", "add", "rust-src"]))?;
    }
    match toolchain.has_std_source() {
        true => Ok(()),
        false => bail!("the standard library's source is missing; `rustup component add rust-src` gives it"),
    }
}

fn add_wasm_target(packages: &mut Packages) -> Result<()> {
    if has_rustup() {
        eprintln!("wasm32: none of the compilers here has it; asking rustup");
        match process::run(process::command("rustup").args(["target", "add", TARGET])) {
            Ok(()) if wasm_toolchain().is_ok() => return Ok(()),
            Ok(()) => eprintln!("wasm32: rustup added it, but the compiler in use lacks it still"),
            Err(error) => eprintln!("wasm32: {error}"),
        }
    }
    eprintln!("wasm32: building it from the source in Debian's packages (about a minute)");
    debian_wasm::install(packages)
        .with_context(|| format!("no wasm32 target; with rustup and a network, `rustup target add {TARGET}` gives it"))
}

fn wasm_tools() -> Result<Prerequisite> {
    let folder = paths::browser_tests();
    let installed = npm::install(&folder)?;
    let wasm_opt = wasm_opt();
    if !wasm_opt.is_file() {
        bail!(
            "{} is missing; delete {} and run `cargo xtask setup`",
            wasm_opt.display(),
            paths::shown(&folder.join("node_modules"))
        );
    }
    let how = if installed { "installed now" } else { "present" };
    Ok(Prerequisite(
        "npm tools",
        format!("{how}: {} with wasm-opt, Node {}", paths::shown(&folder.join("node_modules")), npm::node_version()?),
    ))
}

/// Binaryen's optimiser, a script that Node runs.
pub(crate) fn wasm_opt() -> PathBuf {
    paths::browser_tests().join("node_modules/binaryen/bin/wasm-opt")
}

fn chromium(packages: &mut Packages) -> Result<Prerequisite> {
    let found = find_chromium();
    if found.is_none() {
        packages.install(&["chromium", "fonts-liberation"], "testing in a browser")?;
    }
    let Some(path) = find_chromium() else {
        bail!("Chromium was installed but is not on the path; set CHROME to its file");
    };
    let version = process::capture(process::command(&path).arg("--version"))
        .with_context(|| format!("{} does not start; set CHROME to another one", path.display()))?;
    let how = match found {
        Some(_) => "present",
        None => "installed now",
    };
    Ok(Prerequisite("Chromium", format!("{how}: {}, {}", version.trim(), path.display())))
}

/// A Chromium or Chrome: the variable `CHROME`, or one on the path, or the Mac's.
pub(crate) fn find_chromium() -> Option<PathBuf> {
    const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    const MAC: &str = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
    env::var_os("CHROME")
        .map(PathBuf::from)
        .or_else(|| NAMES.iter().find_map(|name| paths::find_on_path(name)))
        .or_else(|| Some(PathBuf::from(MAC)))
        .filter(|path| path.is_file())
}
