//! `cargo xtask sites`: small sites built with real generators, read by `seealso site`, and what became of them compared with
//! what their sources say; then a citation is followed on each in Chromium. A generator that can't be had is named as skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{demo, npm, packages, paths, process, settings, setup};

/// Options of `sites`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The generators to run; all where none is named
    generators: Vec<String>,
}

/// A generator, and how its site is built in a copy of its folder in `bench/sites-content`.
struct Generator {
    name: &'static str,
    /// Builds the site in the folder, and gives the folder of its HTML; none where the generator can't be had.
    build: fn(&Path) -> Result<Option<PathBuf>>,
    has_tabs: bool,
    /// Whether warnings are marked as such; Hugo's Markdown has quotations alone.
    has_admonitions: bool,
}

const GENERATORS: [Generator; 7] = [
    Generator { name: "mdbook", build: mdbook, has_tabs: false, has_admonitions: true },
    Generator { name: "mkdocs-material", build: mkdocs, has_tabs: true, has_admonitions: true },
    Generator { name: "sphinx", build: sphinx, has_tabs: true, has_admonitions: true },
    Generator {
        name: "vitepress",
        build: |dir| npm(dir, &["vitepress", "build"], ".vitepress/dist"),
        has_tabs: true,
        has_admonitions: true,
    },
    Generator {
        name: "docusaurus",
        build: |dir| npm(dir, &["docusaurus", "build"], "build"),
        has_tabs: true,
        has_admonitions: true,
    },
    Generator {
        name: "starlight",
        build: |dir| npm(dir, &["astro", "build"], "dist"),
        has_tabs: true,
        has_admonitions: true,
    },
    Generator { name: "hugo", build: hugo, has_tabs: false, has_admonitions: false },
];

/// What the page of the teapot is to say, as Markdown.
const EXPECTED: [(&str, &str); 6] = [
    ("heading", "Brewing {#brewing}"),
    ("prose", "A teapot keeps tea warm while its leaves are steeped in hot water."),
    ("code", "```sh\nteapot --lid closed\n```"),
    ("table", "| green | 70 |"),
    ("table heading", "| tea | degrees |"),
    ("warning", "Mind the steam of the spout."),
];

/// Builds the sites and checks what `seealso site` makes of them.
pub(crate) fn run(options: &Options) -> Result<()> {
    let unknown = options.generators.iter().find(|name| GENERATORS.iter().all(|known| known.name != **name));
    if let Some(name) = unknown {
        bail!("there is no generator {name}; there are {}", GENERATORS.map(|known| known.name).join(", "));
    }
    setup::for_build()?;
    let command = demo::command(settings::QUICK_PROFILE)?;
    let engine = demo::search_package()?;
    let (mut flaws, mut built) = (0, Vec::new());
    for generator in GENERATORS
        .iter()
        .filter(|known| options.generators.is_empty() || options.generators.iter().any(|name| name == known.name))
    {
        match check(generator, &command, &engine) {
            Ok(None) => println!("{}: skipped, it is not here and can't be installed", generator.name),
            Ok(Some(SiteCheck { html, missing })) => {
                match missing.is_empty() {
                    true => println!("{}: all of it survives", generator.name),
                    false => println!("{}: missing: {}", generator.name, missing.join(", ")),
                }
                flaws += usize::from(!missing.is_empty());
                built.push(html);
            }
            Err(error) => {
                flaws += 1;
                println!("{}: {error:#}", generator.name);
            }
        }
    }
    follow_citations(&built)?;
    if flaws > 0 {
        bail!("{flaws} of the sites lost something");
    }
    Ok(())
}

/// Follows a citation on each site in Chromium, which must scroll to its heading.
fn follow_citations(sites: &[PathBuf]) -> Result<()> {
    let Some(chromium) = setup::find_chromium() else {
        println!("citations: not followed, since there is no Chromium");
        return Ok(());
    };
    npm::install(&paths::browser_tests())?;
    let mut node = process::command("node");
    node.arg(paths::browser_tests().join("citations.mjs")).args(sites).env("CHROME", chromium);
    let output = node.stderr(Stdio::inherit()).output().context("cannot start node")?;
    let mut lost = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).with_context(|| format!("{line} is no JSON"))?;
        let folder = line["folder"].as_str().unwrap_or_default();
        match line["problem"].as_str() {
            None => println!("{folder}: a citation scrolls to its heading"),
            Some(problem) => {
                lost += 1;
                println!("{folder}: {problem}");
            }
        }
    }
    if !output.status.success() || lost > 0 {
        bail!("citations of {lost} sites do not lead to their headings (`{}`)", process::line(&node));
    }
    Ok(())
}

/// A site after `seealso site`.
struct SiteCheck {
    /// The folder of its HTML.
    html: PathBuf,
    /// What its packs lack.
    missing: Vec<String>,
}

/// Builds the generator's site and makes it answer with the scripts in `engine`; none where the generator can't be had.
fn check(generator: &Generator, command: &Path, engine: &Path) -> Result<Option<SiteCheck>> {
    let dir = work_folder().join(generator.name);
    copy_content(&paths::root().join("bench/sites-content").join(generator.name), &dir)?;
    let Some(html) = (generator.build)(&dir)? else { return Ok(None) };
    process::run(process::command(command).arg("site").arg(&html).arg("--engine").arg(engine).arg("--inject"))?;
    let page = page_of(&html.join("seealso/en/wiki"))?;
    let mut missing: Vec<String> =
        EXPECTED.iter().filter(|(_, text)| !page.contains(text)).map(|(what, _)| (*what).to_owned()).collect();
    if generator.has_admonitions && !page.contains("> [!WARNING]") && !page.contains("> [!CAUTION]") {
        missing.push("admonition".to_owned());
    }
    if generator.has_tabs {
        let tabs = [("Linux", "apt install teapot"), ("macOS", "brew install teapot")];
        let lost = tabs.iter().filter(|(label, text)| !stands_before(&page, label, text));
        missing.extend(lost.map(|(label, _)| format!("tab {label}")));
    }
    Ok(Some(SiteCheck { html, missing }))
}

/// Whether the label of a tab stands before its text, with nothing of another tab between.
fn stands_before(page: &str, label: &str, text: &str) -> bool {
    let Some(at) = page.find(text) else { return false };
    page[..at].rfind(label).is_some_and(|label| !page[label..at].contains("install teapot"))
}

/// The text of the teapot's page, of all its parts.
fn page_of(wiki: &Path) -> Result<String> {
    let mut text = String::new();
    let mut waiting = vec![wiki.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.to_string_lossy().contains("teapot") {
                text.push_str(&fs::read_to_string(&path)?);
            }
        }
    }
    Ok(text)
}

fn work_folder() -> PathBuf {
    paths::target_dir().join("sites")
}

/// Copies the sources over those of the last run; what was installed beside them stays.
fn copy_content(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("cannot list {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy_content(&entry.path(), &target)?,
            false => drop(fs::copy(entry.path(), &target)?),
        }
    }
    Ok(())
}

/// mdBook as it is on the path, else as cargo installs it once into the target folder.
fn mdbook(dir: &Path) -> Result<Option<PathBuf>> {
    let root = work_folder().join("mdbook-tool");
    let installed = root.join("bin/mdbook");
    let mdbook = match paths::find_on_path("mdbook") {
        Some(mdbook) => mdbook,
        None if installed.is_file() => installed,
        None => {
            let mut install = process::cargo();
            install.args(["install", "mdbook", "--locked", "--no-default-features", "--root"]).arg(&root);
            match succeeds(&mut install) {
                Some(()) => installed,
                None => return Ok(None),
            }
        }
    };
    process::run(process::command(mdbook).arg("build").arg(dir))?;
    Ok(Some(dir.join("book")))
}

fn mkdocs(dir: &Path) -> Result<Option<PathBuf>> {
    let Some(bin) = python(dir) else { return Ok(None) };
    process::run(process::command(bin.join("mkdocs")).current_dir(dir).args(["build", "--quiet"]))?;
    Ok(Some(dir.join("site")))
}

fn sphinx(dir: &Path) -> Result<Option<PathBuf>> {
    let Some(bin) = python(dir) else { return Ok(None) };
    let html = dir.join("html");
    process::run(process::command(bin.join("sphinx-build")).arg("-q").arg(dir).arg(&html))?;
    Ok(Some(html))
}

/// The programs of a virtual environment with what `requirements.txt` names; none where it can't be made.
fn python(dir: &Path) -> Option<PathBuf> {
    let venv = work_folder().join("venv");
    let python = paths::find_on_path("python3")?;
    let bin = venv.join("bin");
    if !bin.join("pip").is_file() {
        succeeds(process::command(python).args(["-m", "venv"]).arg(&venv))?;
    }
    succeeds(process::command(bin.join("pip")).args(["install", "--quiet", "-r"]).arg(dir.join("requirements.txt")))?;
    Some(bin)
}

/// Builds with a program of the folder's npm packages, which are installed once.
fn npm(dir: &Path, program: &[&str], html: &str) -> Result<Option<PathBuf>> {
    if paths::find_on_path("npm").is_none() {
        return Ok(None);
    }
    let is_installed = dir.join("node_modules").is_dir();
    if !is_installed
        && succeeds(process::command("npm").current_dir(dir).args(["install", "--no-audit", "--no-fund"])).is_none()
    {
        return Ok(None);
    }
    process::run(process::command("npx").current_dir(dir).arg("--no-install").args(program))?;
    Ok(Some(dir.join(html)))
}

fn hugo(dir: &Path) -> Result<Option<PathBuf>> {
    let mut command = match paths::find_on_path("hugo") {
        Some(hugo) => process::command(hugo),
        None => match debian_hugo()? {
            Some(hugo) => hugo,
            None => return Ok(None),
        },
    };
    process::run(command.arg("--quiet").arg("--source").arg(dir))?;
    Ok(Some(dir.join("public")))
}

/// Hugo as Debian has it, with the library that it needs, from where both were unpacked.
fn debian_hugo() -> Result<Option<Command>> {
    let root = work_folder().join("debian-hugo");
    if !packages::unpack(&["hugo", "libsass1"], &root)? {
        return Ok(None);
    }
    let libraries: Vec<PathBuf> = fs::read_dir(root.join("usr/lib"))?.flatten().map(|entry| entry.path()).collect();
    let mut hugo = process::command(root.join("usr/bin/hugo"));
    hugo.env("LD_LIBRARY_PATH", std::env::join_paths(libraries)?);
    Ok(Some(hugo))
}

/// Some where the command ends well. That it does not is no error: the generator is skipped.
fn succeeds(command: &mut Command) -> Option<()> {
    process::run(command).inspect_err(|error| eprintln!("{error:#}")).ok()
}
