//! The CPU kernels' side modules: one crate compiled once a variant, and held to the native kernels'
//! bits by Node. No wasm-bindgen and no wasm-opt: the boundary is C, and the code is the compiler's.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::settings::{self, KernelSettings, KernelVariant};
use crate::toolchain::{TARGET, wasm_toolchain};
use crate::{paths, process, sizes, wasm};

/// Builds every variant into `out_dir`, as `kernels-VARIANT.wasm`, and returns the files; fails where
/// one is over the budget.
pub(crate) fn build_kernels(out_dir: &Path) -> Result<Vec<PathBuf>> {
    let settings = settings::read()?.kernels;
    fs::create_dir_all(out_dir).with_context(|| format!("cannot make {}", out_dir.display()))?;
    let mut files = Vec::new();
    for (name, variant) in &settings.variant {
        let compiled = compile(&settings, variant).with_context(|| format!("the kernels' variant {name}"))?;
        let file = out_dir.join(file_name(name));
        fs::copy(&compiled, &file)
            .with_context(|| format!("cannot copy {} to {}", compiled.display(), file.display()))?;
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let size = sizes::measure(paths::shown(&file), &bytes)?;
        sizes::report(&format!("kernels, {name}"), &[size], settings.budget_gzip_bytes)?;
        files.push(file);
    }
    Ok(files)
}

/// Compiles a variant. Cargo keeps what other flags gave, but the linked file has one name for all.
fn compile(settings: &KernelSettings, variant: &KernelVariant) -> Result<PathBuf> {
    let mut cargo = wasm_toolchain()?.cargo();
    cargo
        .args(["rustc", "--package", &settings.package, "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET])
        .args(["--profile", &settings.profile, "--features", &settings.features.join(",")])
        .env("CARGO_ENCODED_RUSTFLAGS", variant.rustflags.join("\u{1f}"));
    wasm::add_build_std(&mut cargo, &variant.build_std);
    process::run(&mut cargo)?;
    let stem = settings.package.replace('-', "_");
    Ok(wasm::target_dir(&variant.build_std).join(TARGET).join(&settings.profile).join(format!("{stem}.wasm")))
}

/// Builds into cargo's target folder and checks what was built.
pub(crate) fn run() -> Result<()> {
    test_kernels(&build_kernels(&paths::target_dir().join("side-modules"))?)
}

/// Checks what the build left in the package's folder, which pages load.
pub(crate) fn test_built() -> Result<()> {
    let settings = settings::read()?;
    let model = settings.build.get("model").context("wasm-pack.toml has no [build.model]")?;
    let folder = model.out_dir().join("model");
    let variants = settings.kernels.variant.keys();
    test_kernels(&variants.map(|name| folder.join(file_name(name))).collect::<Vec<_>>())
}

fn file_name(variant: &str) -> String {
    format!("kernels-{variant}.wasm")
}

/// Runs Node's checks of built side modules.
fn test_kernels(files: &[PathBuf]) -> Result<()> {
    let script = paths::root().join("crates/kernels/tests/side_module.mjs");
    process::run(process::command("node").arg("--experimental-wasm-relaxed-simd").arg(script).args(files))
}
