//! The folder of `cargo xtask bench gpu`: what a machine with a graphics processor and nothing else needs to be measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{paths, process};

/// The most that the folder may take, in bytes.
const MOST: u64 = 60 << 20;

/// Where Debian and its kin have the Vulkan loader.
const LOADER: &str = "/usr/lib/x86_64-linux-gnu/libvulkan.so.1";

/// Crates of burn's that generate kernels which are never asked for here: the compiler need not make them fast.
const UNUSED: [&str; 13] = [
    "burn-flex",
    "burn-nn",
    "cubecl-opt",
    "cubek-attention",
    "cubek-convolution",
    "cubek-interpolate",
    "cubek-matmul",
    "cubek-pool",
    "cubek-quant",
    "cubek-random",
    "cubek-reduce",
    "cubek-std",
    "cubek-tile",
];

/// Builds the folder, and gives the command that measures this machine with it. `source` has the script.
pub(crate) fn prepare(source: &Path) -> Result<Command> {
    let folder = paths::target_dir().join("bench-gpu");
    fs::create_dir_all(folder.join("lib")).with_context(|| format!("cannot make {}", folder.display()))?;
    let binary = build()?;
    compress(&binary, &folder.join("gpu.gz"))?;
    // What was unpacked there is of an earlier build.
    let _ = fs::remove_file(folder.join("gpu"));
    copy(&source.join("run.sh"), &folder.join("run.sh"))?;
    process::run(process::command(&binary).arg("golden").arg(folder.join("golden.json")))?;
    if Path::new(LOADER).is_file() {
        copy(Path::new(LOADER), &folder.join("lib/libvulkan.so.1"))?;
    } else {
        eprintln!("  {LOADER} is not here: the machine that is measured must have a Vulkan loader");
    }
    let bytes = bytes(&folder)?;
    if bytes > MOST {
        bail!("{} has {bytes} bytes, and may have {MOST}", folder.display());
    }
    eprintln!(
        "  {} ({} MB): copy it to the machine, and run run.sh there",
        folder.display(),
        bytes.div_ceil(1_000_000)
    );
    Ok(process::command(folder.join("run.sh")))
}

/// Compiles the benchmark; gives the binary.
fn build() -> Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--profile", "gpu", "--package", "seealso-model", "--features", "webgpu", "--example", "gpu"]);
    for unused in UNUSED {
        cargo.args(["--config", &format!("profile.gpu.package.{unused}.opt-level=0")]);
    }
    process::run(&mut cargo)?;
    Ok(paths::target_dir().join("gpu/examples/gpu"))
}

/// Three quarters of it are gone then.
fn compress(from: &Path, to: &Path) -> Result<()> {
    let to = fs::File::create(to).with_context(|| format!("cannot write {}", to.display()))?;
    let mut gzip = process::command("gzip");
    gzip.args(["-9", "-c"]).arg(from).stdout(to);
    let status = gzip.status().context("cannot start gzip")?;
    if !status.success() {
        bail!("`{}` failed ({status})", process::line(&gzip));
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(|_| ()).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

/// The bytes of a folder's files, two levels deep.
fn bytes(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)?.chain(fs::read_dir(folder.join("lib"))?) {
        let entry = entry?.metadata()?;
        bytes += if entry.is_file() { entry.len() } else { 0 };
    }
    Ok(bytes)
}
