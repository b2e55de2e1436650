//! `cargo xtask bench NAME`: runs `bench/NAME/run.mjs` on a fresh build.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::{build, npm, paths, process, setup};

/// Options of `bench`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The benchmark, a folder of bench/
    name: String,
    /// Print the numbers as JSON on standard output, and all else on standard error
    #[arg(long)]
    json: bool,
    /// What to hand to the benchmark as it is
    #[arg(last = true)]
    rest: Vec<String>,
}

/// Sets up, builds, and runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<()> {
    let folder = paths::root().join("bench").join(&options.name);
    let known = names();
    if !known.contains(&options.name) {
        bail!("there is no benchmark {:?}; those in bench/: [{}]", options.name, known.join(", "));
    }
    setup::for_build()?;
    build::run()?;
    if folder.join("package.json").is_file() {
        npm::install(&folder)?;
    }
    spawn(options, &folder)
}

fn spawn(options: &Options, folder: &Path) -> Result<()> {
    let mut node = process::command("node");
    node.arg(folder.join("run.mjs"));
    if options.json {
        node.arg("--json");
    }
    node.args(&options.rest).envs(build::variables()).stdin(Stdio::null());
    eprintln!("  $ {}", process::line(&node));
    let status = node.status().context("cannot start node")?;
    if !status.success() {
        bail!("the benchmark {} failed ({status})", options.name);
    }
    Ok(())
}

/// The benchmarks that there are.
fn names() -> Vec<String> {
    let folders = fs::read_dir(paths::root().join("bench"));
    let mut names: Vec<String> = folders
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join("run.mjs").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}
