//! `cargo xtask bench NAME`: a benchmark of `bench/`. One in JavaScript (`run.mjs`) runs on a fresh build of the site;
//! one in Rust is a workspace of its own (`Cargo.toml`), which builds what it measures; one with a script (`run.sh`) is a folder
//! that can be taken to another machine.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{build, gpu, npm, paths, process, setup, toolchain};

/// Options of `bench`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The benchmark, a folder of bench/
    name: String,
    /// Print the numbers as JSON on standard output, and all else on standard error
    #[arg(long)]
    json: bool,
    /// What to hand to the benchmark as it is
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds what the benchmark measures, and runs it.
pub(crate) fn run(options: &Options) -> Result<()> {
    let folder = paths::root().join("bench").join(&options.name);
    let known = names();
    if !known.contains(&options.name) {
        bail!("there is no benchmark {:?}; those in bench/: [{}]", options.name, known.join(", "));
    }
    let has = |file: &str| folder.join(file).is_file();
    let mut benchmark = match () {
        () if has("run.mjs") => in_browser(&folder)?,
        () if has("run.sh") => gpu::prepare(&folder)?,
        () => native(&folder),
    };
    if options.json {
        benchmark.arg("--json");
    }
    benchmark.args(&options.rest).stdin(Stdio::null());
    eprintln!("  $ {}", process::line(&benchmark));
    let status = benchmark.status().context("cannot start the benchmark")?;
    if !status.success() {
        bail!("the benchmark {} failed ({status})", options.name);
    }
    Ok(())
}

/// The command of a benchmark in JavaScript, once the site is built and its packages are installed.
fn in_browser(folder: &Path) -> Result<Command> {
    setup::for_build()?;
    build::run()?;
    if folder.join("package.json").is_file() {
        npm::install(folder)?;
    }
    let mut node = process::command("node");
    node.arg(folder.join("run.mjs")).envs(build::variables());
    // A peer is compiled for wasm too, by the toolchain that can.
    node.env("SEEALSO_WASM_RUSTC", toolchain::wasm_toolchain()?.rustc);
    Ok(node)
}

/// The command of a benchmark in Rust.
fn native(folder: &Path) -> Command {
    let mut cargo = process::cargo();
    cargo.args(["run", "--release", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml")).arg("--");
    cargo
}

/// The benchmarks that there are.
fn names() -> Vec<String> {
    let folders = fs::read_dir(paths::root().join("bench"));
    let is_one = |folder: &Path| ["run.mjs", "run.sh", "Cargo.toml"].iter().any(|file| folder.join(file).is_file());
    let mut names: Vec<String> = folders
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| is_one(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
