//! `cargo xtask sizes`: what a page loads before the first question and with its answer, built as `build` does and held
//! against their budgets, without the parts that are loaded on demand. It writes to cargo's target folder alone.

use anyhow::{Context, Result};

use crate::{paths, settings, setup, site, sizes, wasm};

/// Builds the retrieval wasm and all scripts, and reports their sizes; fails where they are over their budgets.
pub(crate) fn run() -> Result<()> {
    setup::for_build()?;
    let settings = settings::read()?;
    let search = settings.build.get("search").context("wasm-pack.toml has no [build.search]")?;
    let folder = paths::target_dir().join("first-load");
    let (package, site) = (folder.join("package"), folder.join("site"));
    site::fill_package(&package, &[wasm::build("search", search)?])?;
    site::deflate_wasm(&package, search)?;
    site::assemble(&package, &site, &folder)?;
    sizes::report_first_load(sizes::of_scripts(&site, site::ON_DEMAND)?, search, &site)
}
