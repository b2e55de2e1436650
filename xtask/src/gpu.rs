//! The folder of `cargo xtask bench gpu`: what a machine with a graphics processor and nothing else needs to be measured.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::tally::Tally;
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

/// Where Chromium has its Vulkan driver in software, SwiftShader, beside a loader.
const CHROMIUM: [&str; 4] =
    ["/usr/lib/chromium", "/usr/lib/chromium-browser", "/opt/google/chrome", "/opt/google/chrome-beta"];
const SWIFTSHADER: &str = "vk_swiftshader_icd.json";

/// Runs the folder's script with tiny models on a processor in software: lavapipe or another driver of the system's, else
/// Chromium's. The binary is compiled without optimisation, which takes less time.
///
/// # Errors
/// Where a kernel, or a logit, is wrong.
pub(crate) fn check(source: &Path, tally: &mut Tally) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["build", "--package", "seealso-model", "--features", "webgpu", "--example", "gpu"]);
    process::run(cargo.env("CARGO_PROFILE_DEV_DEBUG", "0"))?;
    let folder = paths::target_dir().join("bench-gpu-tiny");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    copy(&paths::target_dir().join("debug/examples/gpu"), &folder.join("gpu"))?;
    copy(&source.join("run.sh"), &folder.join("run.sh"))?;
    process::run(process::command(folder.join("gpu")).arg("golden").arg(folder.join("golden.json")))?;
    let mut script = process::command(folder.join("run.sh"));
    script.args(["--tiny", "--quick"]);
    let swiftshader = CHROMIUM.map(Path::new).into_iter().find(|folder| folder.join(SWIFTSHADER).is_file());
    match swiftshader {
        Some(chromium) if !Path::new(LOADER).is_file() => {
            script.env("VK_ICD_FILENAMES", chromium.join(SWIFTSHADER)).env("LD_LIBRARY_PATH", chromium);
        }
        _ => {}
    }
    process::run(&mut script)?;
    let report = folder.join("report.json");
    let report: serde_json::Value =
        serde_json::from_slice(&fs::read(&report)?).with_context(|| format!("{} is no JSON", report.display()))?;
    if let Some(reason) = report.get("skipped") {
        tally.skip("bench/gpu/run.sh on tiny models", reason.as_str().unwrap_or("the script says no reason"));
    }
    Ok(())
}

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
