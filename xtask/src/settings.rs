//! `wasm-pack.toml`: how the wasm packages are built.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::paths;

/// The cargo profile of what the demo compiles for the browser before it serves a page, and of a command that reads sites.
pub(crate) const QUICK_PROFILE: &str = "quick";

/// The cargo profile of the command that builds and serves the demo's packs.
pub(crate) const UNOPTIMISED_PROFILE: &str = "unoptimised";

/// The whole file: a build a wasm package.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Builds by name.
    pub(crate) build: BTreeMap<String, WasmBuild>,
    /// The CPU kernels' side modules.
    pub(crate) kernels: KernelSettings,
}

/// The side modules: one crate, compiled for different processors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KernelSettings {
    /// The crate that is compiled.
    #[serde(rename = "crate")]
    pub(crate) package: String,
    /// The cargo profile.
    pub(crate) profile: String,
    /// Cargo features to turn on.
    pub(crate) features: Vec<String>,
    /// The most that any one of them may be, in bytes after gzip.
    pub(crate) budget_gzip_bytes: u64,
    /// Variants by name; a browser loads one of them.
    pub(crate) variant: BTreeMap<String, KernelVariant>,
}

/// One variant of the side modules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KernelVariant {
    /// Compiler flags.
    pub(crate) rustflags: Vec<String>,
    /// Flags with which cargo compiles the standard library along; none to take it as installed.
    #[serde(default)]
    pub(crate) build_std: Vec<String>,
}

/// One wasm package.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WasmBuild {
    /// The crate that is compiled, which also names the files.
    #[serde(rename = "crate")]
    pub(crate) package: String,
    /// The cargo profile.
    pub(crate) profile: String,
    /// What the JavaScript is made for.
    pub(crate) target: JsTarget,
    /// The folder of the npm package, below the root.
    pub(crate) out_dir: PathBuf,
    /// Cargo features to turn on.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// Flags with which cargo compiles the standard library along; none to take it as installed.
    #[serde(default)]
    pub(crate) build_std: Vec<String>,
    /// Compiler flags.
    #[serde(default)]
    pub(crate) rustflags: Vec<String>,
    /// What `wasm-opt` is given; where that is nothing, it is not run.
    pub(crate) wasm_opt: Vec<String>,
    /// Whether functions that resemble each other are put side by side, which makes the deflated wasm smaller.
    #[serde(default)]
    pub(crate) order_functions: bool,
    /// Whether its wasm lies beside itself deflated, for hosts that don't compress what they send.
    #[serde(default)]
    pub(crate) deflated: bool,
    /// What is split off into a wasm of its own, where anything is.
    #[serde(default)]
    pub(crate) split: Option<SplitSettings>,
    /// The most that a page may load for it, in bytes after gzip: its JavaScript and wasm, and for `search` all scripts
    /// beside it.
    pub(crate) budget_gzip_bytes: u64,
}

/// The second part of a wasm.
#[derive(Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SplitSettings {
    /// What its file is called behind the stem of the package's files.
    pub(crate) name: String,
    /// Paths of Rust. The functions of the table that are named for them move, and what only these call.
    pub(crate) paths: Vec<String>,
    /// The script that loads it, below the root. It becomes a part of the script that wasm-bindgen writes, and the types
    /// beside it of the types.
    pub(crate) script: PathBuf,
    /// The most that a page may load with the first answer, in bytes after gzip.
    pub(crate) budget_gzip_bytes: u64,
}

impl SplitSettings {
    /// The script that loads the second part.
    pub(crate) fn script(&self) -> PathBuf {
        paths::root().join(&self.script)
    }

    /// The types of what the script adds.
    pub(crate) fn types(&self) -> PathBuf {
        self.script().with_extension("d.ts")
    }
}

/// The kinds of JavaScript that are built; a page loads modules straight from a file host.
#[derive(Clone, Copy, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JsTarget {
    /// ES modules that a browser loads without a bundler.
    Web,
}

impl WasmBuild {
    /// The stem of the package's files, such as `seealso` of `seealso_bg.wasm`.
    pub(crate) fn stem(&self) -> String {
        self.package.replace('-', "_")
    }

    /// The stem of the second part's file, where there is one.
    pub(crate) fn second_stem(&self) -> Option<String> {
        self.split.as_ref().map(|split| format!("{}_{}", self.stem(), split.name))
    }

    /// The same package as soon as it can be had: in one wasm, without optimisation for size, and with the standard
    /// library as installed.
    pub(crate) fn quick(&self) -> Self {
        Self {
            profile: QUICK_PROFILE.to_owned(),
            build_std: Vec::new(),
            rustflags: Vec::new(),
            wasm_opt: Vec::new(),
            order_functions: false,
            split: None,
            ..self.clone()
        }
    }

    /// The folder of the npm package.
    pub(crate) fn out_dir(&self) -> PathBuf {
        paths::root().join(&self.out_dir)
    }
}

/// Reads `wasm-pack.toml`.
pub(crate) fn read() -> Result<Settings> {
    let path = paths::root().join("wasm-pack.toml");
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not as expected", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_in_the_repository_is_understood() {
        let settings = read().expect("wasm-pack.toml is read");
        let search = &settings.build["search"];
        assert_eq!(search.stem(), "seealso");
        assert_eq!(search.budget_gzip_bytes, 136 * 1024);
        assert_eq!(search.second_stem().as_deref(), Some("seealso_answer"));
        let variants: Vec<_> = settings.kernels.variant.keys().map(String::as_str).collect();
        assert_eq!(variants, ["relaxed", "simd128", "threads"]);
    }

    #[test]
    fn a_quick_build_makes_the_same_files() {
        let settings = read().expect("wasm-pack.toml is read");
        let (search, quick) = (&settings.build["search"], settings.build["search"].quick());
        assert_eq!((quick.stem(), quick.profile.as_str()), (search.stem(), "quick"));
        assert!(quick.wasm_opt.is_empty() && quick.build_std.is_empty() && quick.rustflags.is_empty());
        assert!(quick.second_stem().is_none());
    }

    #[test]
    fn a_setting_that_nothing_reads_is_an_error() {
        assert!(toml::from_str::<Settings>("[build]\n[extra]\n").is_err());
    }
}
