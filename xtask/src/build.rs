//! `cargo xtask build`: the wasm package, the demo packs' index, and the static site.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::{kernels, paths, process, settings, setup, site, sizes, wasm};

/// Builds everything and reports sizes; fails where they are over the budget.
pub(crate) fn run() -> Result<()> {
    let settings = settings::read()?;
    let [Some(search), Some(model)] = ["search", "model"].map(|name| settings.build.get(name)) else {
        bail!("wasm-pack.toml has no [build.search] or no [build.model]");
    };
    let mut packages: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for (name, build) in &settings.build {
        packages.entry(build.out_dir()).or_default().push(wasm::build(name, build)?);
    }
    for (folder, generated) in &packages {
        site::fill_package(folder, generated)?;
    }
    let scripts_of_models = model.out_dir().join("model");
    let mut wasm_of_models = kernels::build_kernels(&scripts_of_models)?;
    wasm_of_models.push(model.out_dir().join(format!("{}_bg.wasm", model.stem())));
    site::name_models_wasm(&scripts_of_models, &wasm_of_models)?;
    for build in settings.build.values().filter(|build| build.deflated) {
        site::deflate_wasm(&build.out_dir(), build)?;
    }
    command()?;
    publish_packs(&paths::seealso_command())?;
    let site = paths::site();
    // In the repository, whatever cargo's target folder is: the site is moved from there.
    site::assemble(&search.out_dir(), &site, &paths::root().join("target"))?;
    report_sizes(&settings, sizes::of_scripts(&site, site::ON_DEMAND)?, &site)?;
    eprintln!("built {}", paths::shown(&site));
    Ok(())
}

/// Holds each build to its budget: the others to that of their own files, `search` to that of all that is left.
fn report_sizes(settings: &settings::Settings, mut scripts: Vec<sizes::Size>, site: &Path) -> Result<()> {
    let mut reports = Vec::new();
    for (name, build) in settings.build.iter().filter(|(name, _)| *name != "search") {
        let (own, rest) = scripts.into_iter().partition(|size| size.is_of(&build.stem()));
        scripts = rest;
        reports.push(sizes::report(name, &own, build.budget_gzip_bytes));
    }
    reports.push(sizes::report_first_load(scripts, &settings.build["search"], site));
    reports.into_iter().collect()
}

/// Publishes the demo packs where they lie.
pub(crate) fn publish_packs(command: &Path) -> Result<()> {
    process::run(process::command(command).args(["build", "packs-static"]))
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
