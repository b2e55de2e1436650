//! `cargo xtask build`: the wasm package, the demo packs' index, and the static site.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::{paths, process, settings, setup, site, sizes, wasm};

/// Builds everything and reports sizes; fails where they are over the budget.
pub(crate) fn run() -> Result<()> {
    let settings = settings::read()?;
    let Some(search) = settings.build.get("search") else {
        bail!("wasm-pack.toml has no [build.search]");
    };
    for (name, build) in &settings.build {
        let generated = wasm::build(name, build)?;
        site::fill_package(&build.out_dir(), &generated)?;
    }
    packs()?;
    let site = site::assemble(&search.out_dir())?;
    sizes::report(&sizes::of_scripts(&site)?, search.budget_gzip_bytes)?;
    eprintln!("built {}", paths::shown(&site));
    Ok(())
}

/// Publishes the demo packs where they lie, with the release command that is also the demo's server.
fn packs() -> Result<()> {
    command()?;
    process::run(process::command(paths::seealso_command()).args(["build", "packs-static"]))
        .context("the demo packs could not be published")?;
    if !paths::root().join("packs-static/catalog.json").is_file() {
        bail!("`seealso build packs-static` wrote no packs-static/catalog.json");
    }
    Ok(())
}

fn command() -> Result<()> {
    process::run(process::cargo().args(["build", "--release", "--package", "seealso-cli"]))
}

/// What tests and benchmarks are told of the build: the site, the command, and the browser.
pub(crate) fn variables() -> Vec<(&'static str, PathBuf)> {
    let mut variables = vec![("SEEALSO_SITE", paths::site()), ("SEEALSO_BIN", paths::seealso_command())];
    variables.extend(setup::find_chromium().map(|path| ("CHROME", path)));
    variables
}
