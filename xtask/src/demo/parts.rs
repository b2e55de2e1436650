//! The parts of the demo's page that are built while it is served: what runs models, asks nodes and knows other languages,
//! and the model itself.
//!
//! Files are only added to the site, each whole, a wasm before its script, and the list of models last. The scripts and the
//! wasm that a page loads first never change under it.

use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result, bail};

use crate::settings::{self, Settings};
use crate::{kernels, model, paths, site, wasm};

/// How far the parts are, as the list of models says it to the page.
#[derive(Clone, Copy)]
pub(super) enum State {
    /// They are being built.
    Building,
    /// Building them failed; the terminal says why.
    Failed,
}

/// What is built, in this order. The demo's packs have no stages, so the page does not wait for what asks by them.
const BEFORE: &[&str] = &["languages", "deliberation", "node", "model"];
const AFTER: &[&str] = &["stages", "encoder"];

/// Builds the parts and adds them to the site. A failure is told here and by the page, which stays up.
pub(super) fn join(site: &Path, with_model: bool) {
    if let Err(error) = build(site, with_model) {
        eprintln!(
            "error: {error:#}\n  the page stays up without the parts that run models; `cargo xtask demo` tries again"
        );
        if let Err(error) = announce(site, State::Failed) {
            eprintln!("error: {error:#}");
        }
    }
}

/// Writes a list of models that offers none, for the state that the parts are in.
pub(super) fn announce(site: &Path, state: State) -> Result<()> {
    let parts = match state {
        State::Building => "building",
        State::Failed => "failed",
    };
    let list = format!("{{ \"version\": 1, \"models\": [], \"parts\": \"{parts}\" }}\n");
    site::replace(&site.join("models").join(model::LIST), list.as_bytes())
}

fn build(site: &Path, with_model: bool) -> Result<()> {
    let settings = settings::read()?;
    let download = thread::spawn(move || {
        if with_model {
            fetch_model();
        }
    });
    eprintln!("== the parts that run models are built now; the page answers meanwhile");
    for (at, name) in BEFORE.iter().enumerate() {
        eprintln!("== part {} of {}: {name}", at + 1, BEFORE.len() + AFTER.len());
        add(name, &settings, site)?;
    }
    add_kernels(&settings, site)?;
    let _ = download.join();
    site::offer_models(&paths::root().join("www/models"), &site.join("models"))?;
    println!("models can be chosen in the page now, under \"Choose who writes the answers\"");
    for name in AFTER {
        eprintln!("== a part that this page seldom loads: {name}");
        add(name, &settings, site)?;
    }
    eprintln!("== all parts are built");
    Ok(())
}

fn fetch_model() {
    if let Err(error) = model::fetch_for_demo() {
        eprintln!("warning: {error:#}\n  the demo goes on without a model: answers are sentences of the pages");
    }
}

/// Builds a wasm package and puts its files beside the scripts of the site.
fn add(name: &str, settings: &Settings, site: &Path) -> Result<()> {
    let Some(build) = settings.build.get(name) else { bail!("wasm-pack.toml has no [build.{name}]") };
    let files = wasm::build(name, build)?;
    if build.deflated {
        site::deflate_wasm(&files, build)?;
    }
    // The script last: whoever can load it finds its wasm.
    let stem = build.stem();
    let deflated = build.deflated.then(|| format!("{stem}_bg.wasm.deflate"));
    for file in deflated.into_iter().chain([format!("{stem}_bg.wasm"), format!("{stem}.js")]) {
        let bytes = fs::read(files.join(&file)).with_context(|| format!("{name} was built without {file}"))?;
        site::replace(&site.join("seealso").join(&file), &bytes)?;
    }
    Ok(())
}

/// Builds the kernels, and tells the scripts of models which wasm they stand beside.
fn add_kernels(settings: &Settings, site: &Path) -> Result<()> {
    let scripts = site.join("seealso/model");
    let mut files = kernels::build_kernels(&scripts)?;
    let model = settings.build.get("model").context("wasm-pack.toml has no [build.model]")?;
    files.push(site.join("seealso").join(format!("{}_bg.wasm", model.stem())));
    site::name_models_wasm(&scripts, &files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_models_says_how_far_the_parts_are() -> Result<()> {
        let site = std::env::temp_dir().join(format!("seealso-xtask-parts-{}", std::process::id()));
        fs::create_dir_all(site.join("models"))?;
        for (state, expected) in [(State::Building, "building"), (State::Failed, "failed")] {
            announce(&site, state)?;
            let list: serde_json::Value = serde_json::from_slice(&fs::read(site.join("models/models.json"))?)?;
            assert_eq!(list, serde_json::json!({ "version": 1, "models": [], "parts": expected }));
        }
        // What was announced is replaced once models are offered, also where there is none.
        site::offer_models(&site.join("none"), &site.join("models"))?;
        assert_eq!(fs::read_to_string(site.join("models/models.json"))?, model::EMPTY_LIST);
        Ok(fs::remove_dir_all(site)?)
    }

    #[test]
    fn every_wasm_but_that_of_the_first_page_is_a_part() {
        let settings = settings::read().expect("wasm-pack.toml is read");
        let mut parts: Vec<&str> = BEFORE.iter().chain(AFTER).copied().collect();
        parts.push("search");
        parts.sort_unstable();
        assert_eq!(settings.build.keys().collect::<Vec<_>>(), parts);
    }
}
