//! `seealso site`: makes a built documentation site answer questions. It reads the site's HTML, and writes packs, their
//! index and the engine to the folder `seealso` in it.

mod engine;
mod inject;
mod report;
mod state;
mod write;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use seealso_import::{INVENTORY_FILE, Inventory, OUTPUT_FOLDER, Settings, SitePack, packs, read_site};
use seealso_pack::{Layout, Plan, publish_in};

use crate::exit::{CommandResult, Completion};
use crate::style::ProgressLine;
use report::{Phase, Report};
use state::SiteState;

/// The settings' file, in the site's folder or in the one that the command is run in.
const SETTINGS_FILE: &str = "seealso.toml";

/// How many terms of its body each page gets in the index: all of them. Pages of one topic are short, and nobody chose titles
/// and summaries for search, so that their bodies have to be found by (docs/decisions/splitting.md).
const SITE_BODY_TERMS: usize = 1000;

/// Where the site lies as seen from the packs root.
const BASE: &str = "../";

/// Make a built documentation site answer questions: reads its HTML and writes packs, index and engine to DIR/seealso.
///
/// DIR is what a site generator wrote. Nothing in it is changed but the folder `seealso`, and with --inject its pages.
/// Settings may stand in a file `seealso.toml` in DIR or in the folder that the command is run in.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the built site.
    dir: PathBuf,
    /// The file of settings; by default seealso.toml in DIR or here, where there is one.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of scripts that holds see-also.js, or a built site with it; its files are copied to DIR/seealso.
    #[arg(long, value_name = "FOLDER")]
    engine: Option<PathBuf>,
    /// Put the element into every page; a second run replaces what the first one put there.
    #[arg(long, conflicts_with = "remove")]
    inject: bool,
    /// Take the element out of every page.
    #[arg(long)]
    remove: bool,
    /// Read the site and report, but write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
    /// List every file that is skipped, with the reason.
    #[arg(long)]
    verbose: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let dir = &arguments.dir;
    ensure!(dir.is_dir(), "{}: there is no such folder; name the one that the site generator wrote to", dir.display());
    let settings = settings(arguments)?;
    let out = dir.join(OUTPUT_FOLDER);
    let started = Instant::now();
    let progress = ProgressLine::on_stderr();
    progress.show("looking at the files of the site");
    let fingerprint = state::fingerprint(dir, &settings)?;
    let last = SiteState::read(&out).filter(|last| last.fingerprint == fingerprint && last.is_whole(&out));
    let mut phases = vec![Phase::new("look", started)];
    let mut report = match last {
        Some(last) => last.report.unchanged(),
        None => {
            let (report, packs) = read(dir, &settings, &progress, &mut phases)?;
            if !arguments.dry_run {
                let _lock = write::lock(&out)?;
                write::write_packs(&out, &packs)?;
                SiteState { fingerprint, report: report.clone() }.write(&out)?;
            }
            report
        }
    };
    if !arguments.dry_run {
        let building = Instant::now();
        report.index_bytes = build(&out, &report, &progress)?;
        phases.push(Phase::new("index", building));
        engine::copy(arguments.engine.as_deref(), &out)?;
        report.changed_pages = inject::apply(dir, arguments.inject, arguments.remove)?;
    }
    drop(progress);
    report.finish(phases, started);
    report.print(arguments)?;
    Ok(Completion::Success)
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let found =
        || [arguments.dir.join(SETTINGS_FILE), PathBuf::from(SETTINGS_FILE)].into_iter().find(|file| file.is_file());
    let Some(file) = arguments.config.clone().or_else(found) else { return Ok(Settings::default()) };
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    Settings::parse(&text).with_context(|| file.display().to_string())
}

/// Reads the site, and makes packs of it.
fn read(
    dir: &Path,
    settings: &Settings,
    progress: &ProgressLine,
    phases: &mut Vec<Phase>,
) -> anyhow::Result<(Report, Vec<SitePack>)> {
    let reading = Instant::now();
    let site = read_site(dir, settings, &|done, of| {
        if done % 50 == 0 {
            progress.show(&format!("file {done} of {of} read"));
        }
    })
    .with_context(|| format!("reading {}", dir.display()))?;
    phases.push(Phase::new("read", reading));
    let dividing = Instant::now();
    let inventory = fs::read(dir.join(INVENTORY_FILE)).map(|bytes| Inventory::parse(&bytes)).unwrap_or_default();
    let packs = packs(&site, &inventory, settings, BASE);
    phases.push(Phase::new("divide", dividing));
    if packs.is_empty() {
        bail!(
            "{}: no page with text was found in {} HTML files; name the folder that the site generator wrote to",
            dir.display(),
            site.skipped.len()
        );
    }
    Ok((Report::of(&site, &packs), packs))
}

/// Builds the index of the packs, and gives its bytes.
fn build(out: &Path, report: &Report, progress: &ProgressLine) -> anyhow::Result<u64> {
    let packs = report.packs.iter().map(|path| (out.join(path), path.clone())).collect();
    let plan = Plan { packs, out: out.to_path_buf(), in_place: true, tsv: false, body_terms: SITE_BODY_TERMS };
    let published = publish_in(Layout::default(), &plan, &mut |_| progress.show("building the index"))?;
    Ok(published.catalog.index.total_bytes)
}
