//! Sizes of what a page loads, raw and after gzip, held against the budget.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::settings::WasmBuild;
use crate::site;

/// One file's size in bytes.
pub(crate) struct Size {
    name: String,
    raw: u64,
    gzip: u64,
}

impl Size {
    /// Whether it is one of the files that wasm-bindgen names `stem`.
    pub(crate) fn is_of(&self, stem: &str) -> bool {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        [".js", "_bg.wasm", "_bg.wasm.deflate"].iter().any(|ending| name.strip_suffix(ending) == Some(stem))
    }

    /// Whether it is a module that the page has in a bundle, so that it loads none of its own name.
    pub(crate) fn is_bundled(&self, bundles: &[&str]) -> bool {
        let name = self.name.strip_prefix("seealso/").and_then(|name| name.strip_suffix(".js").and(Some(name)));
        name.is_some_and(|name| !bundles.contains(&name))
    }
}

/// Measures every `.js` and `.wasm` file of the site that may be a part of a first load, by path: not those of its
/// packs, and not those that `on_demand` names at its root.
pub(crate) fn of_scripts(site: &Path, on_demand: &[&str]) -> Result<Vec<Size>> {
    let mut sizes = Vec::new();
    for folder in [site.to_path_buf(), site.join("seealso")] {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            let name = path.strip_prefix(site).unwrap_or(&path).display().to_string();
            if on_demand.contains(&name.as_str()) {
                continue;
            }
            let deflated = path.with_extension("wasm.deflate");
            match extension {
                // Who has the deflated form loads it as it is, whatever the server would do.
                Some("wasm") if deflated.is_file() => {
                    let (raw, gzip) = (fs::metadata(&path)?.len(), fs::metadata(&deflated)?.len());
                    sizes.push(Size { name: format!("{name}.deflate"), raw, gzip });
                }
                Some("js" | "wasm") => sizes.push(measure(name, &fs::read(&path)?)?),
                _ => {}
            }
        }
    }
    sizes.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(sizes)
}

/// Shows the table of `what` is loaded, and fails where all files together are over the budget.
pub(crate) fn report(what: &str, sizes: &[Size], budget_gzip: u64) -> Result<()> {
    eprintln!("{:<40} {:>9} {:>9}", what, "raw", "gzip");
    for Size { name, raw, gzip } in sizes {
        eprintln!("{name:<40} {raw:>9} {gzip:>9}");
    }
    let raw: u64 = sizes.iter().map(|size| size.raw).sum();
    let gzip: u64 = sizes.iter().map(|size| size.gzip).sum();
    eprintln!("{:<40} {raw:>9} {gzip:>9}  of {budget_gzip} allowed", "in all");
    if gzip > budget_gzip {
        bail!(
            "{what}: JavaScript and wasm are {gzip} bytes after gzip, {} over the budget in wasm-pack.toml",
            gzip - budget_gzip
        );
    }
    Ok(())
}

/// Shows what a page loads before the first question, which is all of `scripts` but what it has in a bundle, and beside it
/// what comes with the first answer: the second part of the engine's wasm, and the scripts of the site's
/// bundle that shows what a reader opens. Fails where either is over its budget.
pub(crate) fn report_first_load(mut scripts: Vec<Size>, search: &WasmBuild, site: &Path) -> Result<()> {
    scripts.retain(|size| !size.is_bundled(site::BUNDLES));
    let second = search.second_stem();
    let (mut later, first): (Vec<Size>, Vec<Size>) =
        scripts.into_iter().partition(|size| second.as_ref().is_some_and(|stem| size.is_of(stem)));
    let name = format!("seealso/{}", site::WITH_ANSWERS);
    later.push(measure(name.clone(), &fs::read(site.join(&name)).with_context(|| format!("cannot read {name}"))?)?);
    let of_first = report("first load", &first, search.budget_gzip_bytes);
    let of_later =
        search.split.as_ref().map_or(Ok(()), |split| report("first answer", &later, split.budget_gzip_bytes));
    of_first.and(of_later)
}

/// Measures one file's bytes.
pub(crate) fn measure(name: String, bytes: &[u8]) -> Result<Size> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(Size { name, raw: bytes.len() as u64, gzip: encoder.finish()?.len() as u64 })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Size, measure, of_scripts, report, report_first_load};
    use crate::settings;
    use crate::site::WITH_ANSWERS;

    #[test]
    fn the_budget_is_the_most_that_passes() {
        let check = |gzip: u64, expected: bool| {
            let size = Size { name: "a.js".into(), raw: 9, gzip };
            assert_eq!(report("first load", &[size], 100).is_ok(), expected, "{gzip} bytes");
        };
        check(100, true);
        check(101, false);
    }

    #[test]
    fn files_belong_to_the_build_that_made_them() {
        let is_of = |name: &str| Size { name: name.into(), raw: 0, gzip: 0 }.is_of("seealso");
        assert!(
            is_of("seealso/seealso.js") && is_of("seealso/seealso_bg.wasm") && is_of("seealso/seealso_bg.wasm.deflate")
        );
        assert!(!is_of("seealso/seealso_languages.js") && !is_of("seealso/worker.js"));
        assert!(!is_of("seealso/seealso_answer_bg.wasm.deflate"), "the second part is no part of the first load");
    }

    #[test]
    fn a_page_loads_bundles_and_what_stands_outside() {
        let is_bundled = |name: &str| Size { name: name.into(), raw: 0, gzip: 0 }.is_bundled(&["worker.js"]);
        assert!(is_bundled("seealso/engine.js"));
        assert!(!is_bundled("seealso/worker.js") && !is_bundled("seealso/seealso_bg.wasm") && !is_bundled("chat.js"));
    }

    #[test]
    fn the_second_part_has_a_budget_of_its_own() -> anyhow::Result<()> {
        let site = std::env::temp_dir().join(format!("seealso-xtask-parts-sizes-{}", std::process::id()));
        fs::create_dir_all(site.join("seealso/details"))?;
        fs::write(site.join("seealso").join(WITH_ANSWERS), "")?;
        let settings = settings::read()?;
        let search = &settings.build["search"];
        let most = search.split.as_ref().map_or(0, |split| split.budget_gzip_bytes);
        let check = |first: u64, second: u64, expected: bool| {
            let sizes = [("seealso_bg.wasm.deflate", first), ("seealso_answer_bg.wasm.deflate", second)]
                .map(|(name, gzip)| Size { name: format!("seealso/{name}"), raw: gzip, gzip });
            assert_eq!(report_first_load(sizes.into(), search, &site).is_ok(), expected, "{first} and {second}");
        };
        check(search.budget_gzip_bytes, most - 100, true);
        check(1000, most + 1, false);
        check(search.budget_gzip_bytes + 1, 1000, false);
        Ok(fs::remove_dir_all(site)?)
    }

    #[test]
    fn what_is_loaded_on_demand_is_not_measured() -> anyhow::Result<()> {
        let site = std::env::temp_dir().join(format!("seealso-xtask-sizes-{}", std::process::id()));
        fs::create_dir_all(site.join("seealso/model"))?;
        for name in ["chat.js", "model.js", "seealso/see-also.js", "seealso/model/client.js"] {
            fs::write(site.join(name), name)?;
        }
        let names: Vec<String> = of_scripts(&site, &["model.js"])?.into_iter().map(|size| size.name).collect();
        assert_eq!(names, ["chat.js", "seealso/see-also.js"]);
        Ok(fs::remove_dir_all(site)?)
    }

    #[test]
    fn both_sizes_are_measured() {
        let size = measure("a.js".into(), &[b'a'; 5000]).expect("memory can be written");
        assert_eq!(size.raw, 5000);
        assert!(size.gzip < 100, "{}", size.gzip);
    }
}
