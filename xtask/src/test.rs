//! `cargo xtask test`: sets up, builds, and runs the tests, Rust's and then the browser's.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::steps::Steps;
use crate::tally::Tally;
use crate::{build, kernels, model, paths, process, setup};

/// What it means that there are no browser tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BrowserTests {
    /// They may be absent, which is said.
    Optional,
    /// Their absence is a failure.
    Required,
}

/// Runs all tests.
pub(crate) fn run() -> ExitCode {
    let mut steps = Steps::new(&paths::target_dir());
    run_steps(&mut steps, BrowserTests::Optional);
    steps.finish()
}

/// The steps that `ci` shares.
pub(crate) fn run_steps(steps: &mut Steps, browser: BrowserTests) {
    let ready = steps.run("setup", || setup::run(&setup::Options::default()));
    let ready = steps.run("build", build::run) && ready;
    steps.count("Rust tests", rust);
    steps.run("kernels in Node", || {
        if !ready {
            bail!("not run, since setup or build failed");
        }
        kernels::test_built()
    });
    steps.count("browser tests", |tally| {
        if !ready {
            bail!("not run, since setup or build failed");
        }
        in_browser(tally, browser)
    });
}

fn rust(tally: &mut Tally) -> Result<()> {
    let mut cargo = process::cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast"]);
    cargo.envs(model::for_tests().map(|folder| ("SEEALSO_MODELS", folder)));
    if !process::watch(&mut cargo, |line| tally.read_cargo(line))? {
        bail!("`{}` failed", process::line(&cargo));
    }
    Ok(())
}

fn in_browser(tally: &mut Tally, browser: BrowserTests) -> Result<()> {
    let files = test_files()?;
    if files.is_empty() {
        if browser == BrowserTests::Required {
            bail!("there are no tests/browser/*.test.mjs");
        }
        eprintln!("there are no tests/browser/*.test.mjs, so none were run");
        return Ok(());
    }
    let mut node = process::command("node");
    node.args(["--test", "--test-reporter=spec"]).args(files).envs(build::variables());
    node.envs(model::for_tests().map(|folder| ("SEEALSO_MODELS", folder)));
    if !process::watch(&mut node, |line| tally.read_node(line))? {
        bail!("`node --test` failed");
    }
    Ok(())
}

fn test_files() -> Result<Vec<PathBuf>> {
    let folder = paths::browser_tests();
    let listing = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in listing {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
