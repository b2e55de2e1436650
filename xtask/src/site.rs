//! The npm package's folder and the static site, put together from what was built and written.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::settings::WasmBuild;
use crate::stamp::Stamp;
use crate::{model, paths, process};

/// What in the npm package's folder is written by hand and must survive a build.
const WRITTEN_BY_HAND: &[&str] = &["package.json", "README.md"];

/// Fills a package's folder: generated files, the scripts of `www/seealso`, the licences.
pub(crate) fn fill_package(folder: &Path, generated: &[PathBuf]) -> Result<()> {
    fs::create_dir_all(folder)?;
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default();
        if !WRITTEN_BY_HAND.iter().any(|kept| *kept == name) {
            remove(&path)?;
        }
    }
    for files in generated {
        copy(files, folder, &|_| true)?;
    }
    let scripts = paths::root().join("www/seealso");
    if !scripts.is_dir() {
        bail!("{} is missing", paths::shown(&scripts));
    }
    copy(&scripts, folder, &|path| path.is_dir() || has_extension(path, &["js"]))?;
    minify(folder)?;
    for name in ON_DEMAND_FOLDERS {
        minify(&folder.join(name))?;
    }
    for licence in entries(&paths::root())? {
        let name = licence.file_name().unwrap_or_default();
        if name.to_string_lossy().starts_with("LICENSE") {
            copy(&licence, &folder.join(name), &|_| true)?;
        }
    }
    Ok(())
}

/// The package's folders of scripts that are not loaded with the page: they come with the first answer (`details`), or when a
/// reader wants a model to answer, greets, goes on from a question, asks where a page comes from, has pages found by more than
/// their words, or a script wants entries.
pub(crate) const ON_DEMAND_FOLDERS: &[&str] =
    &["deliberation", "details", "entries", "model", "node", "origins", "stages", "talk"];

/// The site's own scripts that are loaded only then, too. A service worker must lie where the pages lie.
pub(crate) const ON_DEMAND: &[&str] = &["model.js", "service-worker.js"];

/// Run by Node: a folder and its scripts follow. esbuild's own command is a script or a program, as it was installed. Named a
/// module, a script without imports has its own names made shorter, too.
const MINIFY: &str = "const [outdir, ...entryPoints] = process.argv.slice(1); \
    require('esbuild').buildSync({ entryPoints, outdir, minify: true, format: 'esm', target: 'es2022', allowOverwrite: true });";

/// Makes each script of `folder` smaller, in place: comments and long names are for those who read the source.
fn minify(folder: &Path) -> Result<()> {
    let scripts: Vec<PathBuf> = entries(folder)?.into_iter().filter(|path| has_extension(path, &["js"])).collect();
    let mut node = process::command("node");
    node.current_dir(paths::browser_tests()).args(["-e", MINIFY]).arg(folder).args(&scripts);
    process::run(&mut node).context("the scripts can't be minified; `cargo xtask setup` installs what it takes")
}

/// The scripts that a page and its worker load, and those of what a reader opens. The site has each in one file with all
/// that it imports; the modules stand beside them for pages that import one by its name.
pub(crate) const BUNDLES: &[&str] = &["see-also.js", "worker.js", WITH_ANSWERS];

/// The one of them that comes with the first answer.
pub(crate) const WITH_ANSWERS: &str = "details/details.js";

/// Run by Node: a folder, where the bundles go, and their scripts follow. What is seldom loaded stays
/// apart: other languages, stages, entries, talk, and what a reader opens.
const BUNDLE: &str = "const [outdir, ...entryPoints] = process.argv.slice(1); \
    require('esbuild').buildSync({ entryPoints, outdir, bundle: true, format: 'esm', minify: true, target: 'es2022', \
    allowOverwrite: true, external: ['./languages.js', './stages/*', './entries/*', './talk/*', './details/*', '../origins/*'] });";

/// Puts the bundles of a package's scripts into `folder`.
fn bundle(package: &Path, folder: &Path) -> Result<()> {
    let mut node = process::command("node");
    node.current_dir(paths::browser_tests()).args(["-e", BUNDLE]).arg(folder);
    node.args(BUNDLES.iter().map(|name| package.join(name)));
    process::run(&mut node).context("the scripts can't be bundled; `cargo xtask setup` installs what it takes")
}

/// Puts a build's wasm, deflated (RFC 1951), beside itself, each part of it. Plain hosts don't compress what they send, and
/// Zopfli makes it a twentieth smaller than those that do; the worker inflates it.
pub(crate) fn deflate_wasm(package: &Path, build: &WasmBuild) -> Result<()> {
    [build.stem()].into_iter().chain(build.second_stem()).try_for_each(|stem| deflate(package, &stem))
}

fn deflate(package: &Path, stem: &str) -> Result<()> {
    let wasm = package.join(format!("{stem}_bg.wasm"));
    let raw = fs::read(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let mut deflated = Vec::new();
    // More blocks than the default of fifteen: some two hundred bytes less.
    let options = zopfli::Options { maximum_block_splits: 60, ..zopfli::Options::default() };
    zopfli::compress(options, zopfli::Format::Deflate, raw.as_slice(), &mut deflated)?;
    let path = package.join(format!("{stem}_bg.wasm.deflate"));
    fs::write(&path, deflated).with_context(|| format!("cannot write {}", path.display()))
}

/// Does the same to a wasm in one part, at once and to a file that is larger.
pub(crate) fn deflate_engine_quickly(package: &Path, stem: &str) -> Result<()> {
    let wasm = package.join(format!("{stem}_bg.wasm"));
    let mut raw = fs::File::open(&wasm).with_context(|| format!("cannot read {}", wasm.display()))?;
    let path = package.join(format!("{stem}_bg.wasm.deflate"));
    let file = fs::File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut deflated = DeflateEncoder::new(file, Compression::fast());
    io::copy(&mut raw, &mut deflated)?;
    deflated.finish()?;
    Ok(())
}

/// Tells the scripts of models which wasm they stand beside, by its content: what was measured of another one no longer
/// holds.
pub(crate) fn name_models_wasm(folder: &Path, wasm: &[PathBuf]) -> Result<()> {
    let mut stamp = Stamp::new();
    for file in wasm {
        stamp.add_file(file)?;
    }
    replace(&folder.join("built.js"), format!("export const BUILT=\"{:.16}\";\n", stamp.hex()).as_bytes())
}

/// Writes a file beside its place and moves it there, so that a server never reads half of it.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let partial = path.with_extension("partial");
    fs::write(&partial, bytes)
        .and_then(|()| fs::rename(&partial, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Assembles a site in a folder `beside` it, on the same file system, and then moves it to its place, so that a build that
/// fails leaves the last site whole.
pub(crate) fn assemble(package: &Path, site: &Path, beside: &Path) -> Result<()> {
    let root = paths::root();
    let staging = beside.join(format!("site-staging-{}", std::process::id()));
    let (next, last) = (staging.join("next"), staging.join("last"));
    remove(&next)?;
    fs::create_dir_all(&next)?;
    let www = root.join("www");
    if !www.join("index.html").is_file() {
        bail!("www/index.html is missing");
    }
    let models = www.join("models");
    copy(&www, &next, &|path| path != www.join("seealso") && path != models)?;
    minify(&next)?;
    offer_models(&models, &next.join("models"))?;
    copy(package, &next.join("seealso"), &|path| path.is_dir() || has_extension(path, &["js", "wasm", "deflate"]))?;
    bundle(package, &next.join("seealso"))?;
    copy(&root.join("packs-static"), &next.join("packs-static"), &|_| true)?;
    remove(&last)?;
    if site.exists() {
        fs::rename(site, &last).with_context(|| format!("cannot move {}", site.display()))?;
    }
    fs::rename(&next, site).with_context(|| format!("cannot write {}", site.display()))?;
    remove(&staging)
}

/// Copies a file or a folder's whole content; hidden files and what `wanted` refuses stay behind.
fn copy(from: &Path, to: &Path, wanted: &dyn Fn(&Path) -> bool) -> Result<()> {
    if !from.is_dir() {
        fs::copy(from, to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        return Ok(());
    }
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    for path in entries(from)? {
        let name = path.file_name().unwrap_or_default();
        if !name.to_string_lossy().starts_with('.') && wanted(&path) {
            copy(&path, &to.join(name), wanted)?;
        }
    }
    Ok(())
}

/// What the site offers of models: those that were fetched, or a list that says that there are none, since a list that is
/// missing would be an error in the console of every reader who opens the settings.
pub(crate) fn offer_models(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let list = from.join(model::LIST);
    if !list.is_file() {
        return replace(&to.join(model::LIST), model::EMPTY_LIST.as_bytes());
    }
    for path in entries(from)?.iter().filter(|path| path.is_file() && **path != list) {
        link(path, &to.join(path.file_name().unwrap_or_default()))?;
    }
    // The list last: what it names is there.
    replace(&to.join(model::LIST), &fs::read(&list).with_context(|| format!("cannot read {}", list.display()))?)
}

/// Puts a file into another place, without copying it where the file system can.
fn link(from: &Path, to: &Path) -> Result<()> {
    if to.exists() || fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    copy(from, to, &|_| true)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listing = fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    let mut paths = listing.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

fn remove(path: &Path) -> Result<()> {
    let removed = if path.is_dir() {
        fs::remove_dir_all(path)
    } else if path.exists() {
        fs::remove_file(path)
    } else {
        Ok(())
    };
    removed.with_context(|| format!("cannot remove {}", path.display()))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| extensions.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_without_models_says_so_in_its_list() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("seealso-xtask-models-{}", std::process::id()));
        remove(&folder)?;
        offer_models(&folder.join("none"), &folder.join("models"))?;
        assert_eq!(fs::read_to_string(folder.join("models/models.json"))?, "{ \"version\": 1, \"models\": [] }\n");
        offer_models(&folder.join("models"), &folder.join("next"))?;
        assert_eq!(entries(&folder.join("next"))?, [folder.join("next/models.json")]);
        remove(&folder)
    }

    #[test]
    fn the_scripts_of_models_know_their_wasm() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("seealso-xtask-built-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let wasm = folder.join("kernels-simd128.wasm");
        let mut written = Vec::new();
        for bytes in ["one", "one", "two"] {
            fs::write(&wasm, bytes)?;
            name_models_wasm(&folder, std::slice::from_ref(&wasm))?;
            written.push(fs::read_to_string(folder.join("built.js"))?);
        }
        assert_eq!(written[0], written[1]);
        assert_ne!(written[1], written[2]);
        assert_eq!(written[0].len(), "export const BUILT=\"\";\n".len() + 16);
        remove(&folder)
    }

    #[test]
    fn hidden_and_unwanted_files_stay_behind() -> Result<()> {
        let folder = std::env::temp_dir().join(format!("seealso-xtask-copy-{}", std::process::id()));
        remove(&folder)?;
        fs::create_dir_all(folder.join("from/deep"))?;
        for name in ["a.js", "b.md", ".cache", "deep/c.js"] {
            fs::write(folder.join("from").join(name), name)?;
        }
        copy(&folder.join("from"), &folder.join("to"), &|path| path.is_dir() || has_extension(path, &["js"]))?;
        assert_eq!(entries(&folder.join("to"))?, [folder.join("to/a.js"), folder.join("to/deep")]);
        assert_eq!(fs::read_to_string(folder.join("to/deep/c.js"))?, "deep/c.js");
        remove(&folder)
    }
}
