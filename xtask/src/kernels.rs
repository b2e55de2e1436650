//! The kernels' side modules: one crate without JavaScript, compiled once for each set of vector instructions that
//! browsers have. What runs a model chooses one at run time.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::settings::Kernels;
use crate::toolchain::{TARGET, wasm_toolchain};
use crate::{paths, process};

/// Builds every variant and returns the folder that holds them alone, as they are to lie in the package. Cargo is
/// always asked, and compiles what changed.
pub(crate) fn build(kernels: &Kernels) -> Result<PathBuf> {
    let folder = paths::target_dir().join("wasm-package/kernels/files");
    for (variant, rustflags) in &kernels.variants {
        let compiled = compile(kernels, variant, rustflags)?;
        put(&compiled, &folder.join(&kernels.folder), &format!("{}_{variant}.wasm", kernels.stem()))?;
    }
    Ok(folder)
}

/// Each variant has a target folder of its own: what cargo puts there has the same name for all.
fn compile(kernels: &Kernels, variant: &str, rustflags: &[String]) -> Result<PathBuf> {
    let target_dir = paths::target_dir().join("kernels").join(variant);
    let mut cargo = wasm_toolchain()?.cargo();
    cargo
        .args(["rustc", "--package", &kernels.package, "--lib", "--crate-type", "cdylib", "--target", TARGET])
        .args(["--profile", &kernels.profile, "--features", &kernels.features.join(",")])
        .env("CARGO_TARGET_DIR", &target_dir)
        .env("CARGO_ENCODED_RUSTFLAGS", rustflags.join("\u{1f}"));
    process::run(&mut cargo)?;
    Ok(target_dir.join(TARGET).join(&kernels.profile).join(format!("{}.wasm", kernels.stem())))
}

fn put(compiled: &Path, folder: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let to = folder.join(name);
    fs::copy(compiled, &to).with_context(|| format!("cannot copy {} to {}", compiled.display(), to.display()))?;
    Ok(())
}
