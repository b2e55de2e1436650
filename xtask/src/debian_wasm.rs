//! The wasm32 standard library where none can be downloaded: Debian ships a recent Rust with its
//! source, from which the library is built once and put where rustc looks for it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::packages::{Packages, as_root};
use crate::toolchain::{TARGET, Toolchain};
use crate::{paths, process};

/// What the build of the library needs: compiler, cargo, the library's source, and the linker.
const PACKAGES: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "lld-22"];

/// A crate without content: what is wanted are the libraries that it is linked with.
const PROBE: &str = "wasm_std_probe";

/// Installs Debian's Rust where it is missing, builds the standard library and installs it.
pub(crate) fn install(packages: &mut Packages) -> Result<()> {
    let toolchain = Toolchain::system();
    if !has_source(&toolchain) || !Path::new("/usr/bin/cargo").is_file() {
        packages.install(PACKAGES, "building the wasm32 standard library")?;
    }
    let libraries = build(&toolchain)?;
    install_libraries(&toolchain, &libraries)
}

fn has_source(toolchain: &Toolchain) -> bool {
    sysroot(toolchain).is_ok_and(|root| root.join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file())
}

fn sysroot(toolchain: &Toolchain) -> Result<PathBuf> {
    process::capture(toolchain.rustc().args(["--print", "sysroot"])).map(PathBuf::from)
}

/// Builds the library beside an empty crate, and returns the files of the library alone.
fn build(toolchain: &Toolchain) -> Result<Vec<PathBuf>> {
    let folder = paths::target_dir().join("wasm-std");
    write_probe(&folder)?;
    let target = folder.join("target");
    // Left-overs of an earlier compiler would be installed with the new files.
    if target.exists() {
        fs::remove_dir_all(&target).with_context(|| format!("cannot empty {}", target.display()))?;
    }
    process::run(
        toolchain
            .cargo()
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", &target)
            // `-Z` flags are for nightly compilers; this lets a stable one build its own library.
            .env("RUSTC_BOOTSTRAP", "1")
            // Link-time optimisation of the packages needs the library's bitcode.
            .env("RUSTFLAGS", "-Cembed-bitcode=yes")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .args(["build", "--release", "--target", TARGET])
            .arg("-Zbuild-std=std,panic_abort,proc_macro"),
    )
    .context("the wasm32 standard library did not build")?;
    library_files(&target.join(TARGET).join("release/deps"))
}

fn write_probe(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder.join("src"))?;
    // A workspace of its own, since the folder may lie inside another one.
    let manifest = format!("[package]\nname = \"{PROBE}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n");
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/lib.rs"), "#![no_std]\n")?;
    Ok(())
}

fn library_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".rlib") && !name.starts_with(&format!("lib{PROBE}")) {
            files.push(path);
        }
    }
    if files.is_empty() {
        bail!("the build left no libraries in {}", folder.display());
    }
    files.sort();
    Ok(files)
}

/// Copies the files beside their place, then renames the folder, so that an interrupted copy is
/// never taken for an installed library.
fn install_libraries(toolchain: &Toolchain, files: &[PathBuf]) -> Result<()> {
    let gathered = paths::target_dir().join("wasm-std/gathered");
    if gathered.exists() {
        fs::remove_dir_all(&gathered)?;
    }
    fs::create_dir_all(&gathered)?;
    for file in files {
        fs::copy(file, gathered.join(file.file_name().unwrap_or_default()))?;
    }
    let folder = sysroot(toolchain)?.join("lib/rustlib").join(TARGET);
    let (place, partial) = (folder.join("lib"), folder.join("lib.partial"));
    let root = |program| as_root(program).with_context(|| format!("cannot write to {}", folder.display()));
    process::run(root("rm")?.arg("-rf").args([&place, &partial]))?;
    process::run(root("mkdir")?.arg("-p").arg(&folder))?;
    process::run(root("cp")?.arg("-R").args([&gathered, &partial]))?;
    process::run(root("mv")?.args([&partial, &place]))
}
