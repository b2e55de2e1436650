//! The wasm packages: cargo compiles, wasm-bindgen writes the JavaScript and its types, the names between the two are
//! shortened, what a page needs later is split off, wasm-opt makes each wasm small, and functions are put in order.
//!
//! Cargo is always asked, since it knows best what changed; the rest is redone only where its
//! wasm, the settings or the tools differ from the last time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use crate::settings::{self, JsTarget, SplitSettings, WasmBuild};
use crate::stamp::Stamp;
use crate::toolchain::{TARGET, Toolchain, wasm_toolchain};
use crate::{imports, order, paths, process, setup, split};

/// Changes whenever this file does something else with the same inputs.
const RECIPE: &[u8] = b"5; wasm-bindgen 0.2.130";

/// Builds one package and returns the folder that holds its generated files alone.
pub(crate) fn build(name: &str, build: &WasmBuild) -> Result<PathBuf> {
    let compiled = compile(build)?;
    let folder = paths::target_dir().join("wasm-package").join(name);
    let written = folder.join("written.stamp");
    let stamp = stamp(build, &compiled)?;
    if stamp.matches(&written) {
        eprintln!("  {name}: the wasm is unchanged");
        return Ok(folder.join("files"));
    }
    let files = folder.join("files");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(&files)?;
    bindgen(build, &compiled, &files)?;
    finish(build, &files)?;
    stamp.write(&written)?;
    Ok(files)
}

/// Lets clippy see what only wasm has: the boundaries, and the kernels for graphics processors. It takes the
/// dependencies as the build compiled them, which a `cargo clippy` would compile once more.
pub(crate) fn lint() -> Result<()> {
    let toolchain = wasm_toolchain()?;
    let Some(driver) = toolchain.clippy_driver() else {
        eprintln!("  this toolchain has no clippy, so the build alone has seen the code for wasm");
        return Ok(());
    };
    for build in settings::read()?.build.values() {
        // As a library, which needs no link.
        let mut cargo = cargo(&toolchain, build, "rlib");
        // What `cargo clippy -- -D warnings` hands to the driver.
        cargo.env("RUSTC_WORKSPACE_WRAPPER", &driver).env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings");
        process::run(&mut cargo)?;
    }
    Ok(())
}

/// Compiles the crate as a cdylib alone: cargo does no link-time optimisation where an rlib is
/// asked for as well.
fn compile(build: &WasmBuild) -> Result<PathBuf> {
    process::run(&mut cargo(&wasm_toolchain()?, build, "cdylib"))?;
    Ok(target_dir(&build.build_std).join(TARGET).join(&build.profile).join(format!("{}.wasm", build.stem())))
}

/// Cargo's folder for builds with these flags. Those that compile the standard library set `RUSTC_BOOTSTRAP`, and what
/// looks at it (`proc-macro2`, `serde`) would be compiled anew by every build that follows one of the other kind.
pub(crate) fn target_dir(build_std: &[String]) -> PathBuf {
    match build_std {
        [] => paths::target_dir(),
        _ => paths::target_dir().join("build-std"),
    }
}

/// Has `cargo` compile the standard library too, where that is asked for.
pub(crate) fn add_build_std(cargo: &mut Command, build_std: &[String]) {
    if !build_std.is_empty() {
        cargo.args(build_std).env("RUSTC_BOOTSTRAP", "1").env("CARGO_TARGET_DIR", target_dir(build_std));
    }
}

/// The cargo command that compiles a crate with its settings.
fn cargo(toolchain: &Toolchain, build: &WasmBuild, crate_type: &str) -> Command {
    let mut cargo = toolchain.cargo();
    cargo
        .args(["rustc", "--package", &build.package, "--lib"])
        .args(["--crate-type", crate_type, "--target", TARGET])
        .args(["--profile", &build.profile]);
    if !build.features.is_empty() {
        cargo.args(["--features", &build.features.join(",")]);
    }
    add_build_std(&mut cargo, &build.build_std);
    if !build.rustflags.is_empty() {
        cargo.env("CARGO_ENCODED_RUSTFLAGS", build.rustflags.join("\u{1f}"));
    }
    cargo
}

fn stamp(build: &WasmBuild, compiled: &Path) -> Result<Stamp> {
    let mut stamp = Stamp::new();
    stamp.add(RECIPE);
    stamp.add(&serde_json::to_vec(build)?);
    stamp.add_file(&paths::browser_tests().join("package-lock.json"))?;
    stamp.add_file(compiled)?;
    if let Some(split) = &build.split {
        stamp.add_file(&split.script())?;
        stamp.add_file(&split.types())?;
    }
    Ok(stamp)
}

fn bindgen(build: &WasmBuild, compiled: &Path, files: &Path) -> Result<()> {
    eprintln!("  wasm-bindgen {}", compiled.display());
    let mut bindgen = Bindgen::new();
    match build.target {
        JsTarget::Web => bindgen.web(true),
    }
    .and_then(|bindgen| {
        bindgen
            .input_path(compiled)
            .out_name(&build.stem())
            .typescript(true)
            .omit_default_module_path(false)
            .remove_name_section(build.split.is_none())
            .remove_producers_section(true)
            .generate(files)
    })
    // Its error is of another crate's type: its whole chain is in the alternate form.
    .map_err(|error| anyhow!("wasm-bindgen cannot read {}: {error:#}", compiled.display()))
}

/// Makes what wasm-bindgen wrote small, and two of it where it is to be split.
fn finish(build: &WasmBuild, files: &Path) -> Result<()> {
    if build.wasm_opt.is_empty() {
        return Ok(());
    }
    let (wasm, script) = (files.join(format!("{}_bg.wasm", build.stem())), files.join(format!("{}.js", build.stem())));
    // Before the split, for both parts import by these names.
    let (wasm_bytes, script_text) = imports::shorten(&read(&wasm)?, &fs::read_to_string(&script)?)?;
    write(&script, script_text.as_bytes())?;
    let mut parts = vec![wasm];
    match &build.split {
        Some(split) => parts.push(split_off(build, split, &wasm_bytes, files)?),
        None => write(&parts[0], &wasm_bytes)?,
    }
    // Each takes a minute on a core of its own.
    let optimise = |part: &PathBuf| optimise(build, part);
    thread::scope(|scope| {
        let running: Vec<_> = parts.iter().map(|part| scope.spawn(move || optimise(part))).collect();
        running.into_iter().try_for_each(|run| run.join().map_err(|_| anyhow!("wasm-opt can't be awaited"))?)
    })
}

/// Writes both parts of a wasm, and the script that loads the second; gives the place of the second.
fn split_off(build: &WasmBuild, split: &SplitSettings, wasm: &[u8], files: &Path) -> Result<PathBuf> {
    let parts = split::split(wasm, &split.paths).context("the wasm can't be split as wasm-pack.toml says")?;
    let stem = build.stem();
    let second = files.join(format!("{stem}_{}_bg.wasm", split.name));
    write(&files.join(format!("{stem}_bg.wasm")), &parts.first)?;
    write(&second, &parts.second)?;
    for (generated, added) in [("js", split.script()), ("d.ts", split.types())] {
        let path = files.join(format!("{stem}.{generated}"));
        let text = [read(&path)?, read(&added)?].join(&b'\n');
        write(&path, &text)?;
    }
    Ok(second)
}

/// Makes a wasm small, in place. Its names go.
fn optimise(build: &WasmBuild, wasm: &Path) -> Result<()> {
    let small = wasm.with_extension("partial");
    let mut node = process::command("node");
    node.arg(setup::wasm_opt()).args(&build.wasm_opt).arg(wasm).arg("-o").arg(&small);
    process::run(&mut node).context("the wasm can't be made smaller; `cargo xtask setup` installs what it takes")?;
    let mut bytes = read(&small)?;
    if build.order_functions {
        bytes = order::put_alike_together(&bytes)?;
    }
    write(wasm, &bytes)?;
    fs::remove_file(&small).with_context(|| format!("cannot remove {}", small.display()))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
