//! `cargo xtask ci`: everything that must pass. All steps run, also after one failed, so that one
//! run shows all that is wrong.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::steps::Steps;
use crate::test::BrowserTests;
use crate::{gpu, paths, process, test, tidy, wasm};

/// Runs the checks, then what `test` runs.
pub(crate) fn run() -> ExitCode {
    let mut steps = Steps::default();
    steps.run("format", || process::run(process::cargo().args(["fmt", "--all", "--check"])));
    steps.run("tidy", tidy);
    steps.run("clippy", || {
        process::run(process::cargo().args(["clippy", "--workspace", "--all-targets", "--"]).args(["-D", "warnings"]))
    });
    steps.run("fuzz targets compile", || {
        process::run(process::cargo().args(["check", "--all-features", "--manifest-path", "fuzz/Cargo.toml"]))
    });
    steps.run("docs", docs);
    test::run_steps(&mut steps, BrowserTests::Required);
    steps.count("kernels of WebGPU, natively", |tally| gpu::check(&paths::root().join("bench/gpu"), tally));
    steps.run("clippy, wasm", wasm::lint);
    steps.finish()
}

/// Builds all documentation. The command's binary has the name of the root library and would write to the same folder, so
/// its manifest leaves it out: its documentation is that of the command's library.
fn docs() -> Result<()> {
    process::run(
        process::cargo()
            .args(["doc", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "-Dwarnings"),
    )
}

fn tidy() -> Result<()> {
    let findings = tidy::check(&paths::root())?;
    for finding in &findings {
        eprintln!("{finding}");
    }
    match findings.len() {
        0 => Ok(()),
        count => bail!("{count} findings"),
    }
}
