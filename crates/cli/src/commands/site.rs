//! `seealso site`: makes a built documentation site answer questions. It reads the site's HTML, and writes packs, their
//! index and the engine to the folder `seealso` in it.

mod cost;
mod engine;
mod inject;
mod markdown;
mod older_version;
mod output;
mod recognise;
mod report;
mod run;
mod state;
mod write;
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use seealso_import::{Listing, OUTPUT_FOLDER, Settings};

use crate::exit::{CommandResult, Completion};
use crate::stop_flag::StopFlag;
use crate::style::{ProgressLine, print_warning};
use inject::Injection;
use markdown::MarkdownPlan;
use output::Output;
use report::{MarkdownReport, PhaseClock};
use run::{NextOutput, Run, SiteMaking};
use state::SiteState;
use written::Written;

/// The settings' file, in the site's folder or in the one that the command is run in.
const SETTINGS_FILE: &str = "seealso.toml";

/// Make a built documentation site answer questions: reads its HTML and writes packs, index and engine to DIR/seealso.
///
/// DIR is what a site generator wrote. Nothing in it is changed but the folder `seealso`, and with --inject its pages. A file
/// that the command did not write is never replaced.
/// Settings may stand in a file `seealso.toml` in DIR or in the folder that the command is run in.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the built site.
    dir: PathBuf,
    /// The file of settings; by default seealso.toml in DIR or here, where there is one.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder of a built package that holds see-also.js and the engine, or a built site with one; the files that pages
    /// load are copied to DIR/seealso.
    #[arg(long, value_name = "FOLDER")]
    engine: Option<PathBuf>,
    /// Put the element into every page; a second run replaces what the first one put there. The engine has to be in
    /// DIR/seealso, or be named with --engine.
    #[arg(long, conflicts_with = "remove")]
    inject: bool,
    /// Write the Markdown of each page beside it (a/b.md for a/b.html), and llms.txt, the list of these files.
    #[arg(long, conflicts_with = "remove")]
    markdown: bool,
    /// Take the element out of every page, and remove the Markdown; the folder seealso stays.
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
    let stop = StopFlag::on_interrupt();
    let done = if arguments.remove { remove(arguments) } else { make(arguments, &stop) };
    match done {
        Err(error) if stop.is_set() => {
            let shown = dir.join(OUTPUT_FOLDER);
            print_warning(&format!("stopped; {} is as it was ({error:#})", shown.display()));
            Ok(Completion::Interrupted)
        }
        done => done,
    }
}

/// Takes out what earlier runs put into the site beside the folder `seealso`.
fn remove(arguments: &Arguments) -> CommandResult {
    let dir = &arguments.dir;
    let _output = (!arguments.dry_run).then(|| Output::claim(dir)).transpose()?;
    let listing =
        Listing::of(dir, &|_, _| ControlFlow::Continue(())).with_context(|| format!("listing {}", dir.display()))?;
    let injection = inject::apply(dir, listing.addresses(), inject::Change::Remove, arguments.dry_run)?;
    let out = dir.join(OUTPUT_FOLDER);
    let last = SiteState::read(&out).unwrap_or_default();
    let plan = MarkdownPlan::of(dir, BTreeMap::new(), &last.markdown);
    if !arguments.dry_run {
        plan.carry_out(dir)?;
        last.set_markdown(&out, Written::new())?;
    }
    report::print_removal(&injection, &MarkdownReport::of(&plan), arguments)?;
    Ok(completion(&injection))
}

/// A page that could not be changed is a finding.
fn completion(injection: &Injection) -> Completion {
    if injection.failed.is_empty() { Completion::Success } else { Completion::FindingsFound }
}

/// Makes the site answer.
fn make(arguments: &Arguments, stop: &StopFlag) -> CommandResult {
    let dir = &arguments.dir;
    let settings = settings(arguments)?;
    output::ensure_folder(dir)?;
    if arguments.inject {
        engine::ensure_element(arguments.engine.as_deref(), &dir.join(OUTPUT_FOLDER))?;
    }
    // A dry run reads the last output, and claims nothing.
    let output = (!arguments.dry_run).then(|| Output::claim(dir)).transpose()?;
    let last_folder = dir.join(OUTPUT_FOLDER);
    let mut run =
        Run { dir, settings: &settings, stop, progress: ProgressLine::on_stderr(), clock: PhaseClock::start() };
    let listing = run.look()?;
    let addresses: Vec<String> = listing.addresses().map(str::to_owned).collect();
    let fingerprint = state::fingerprint(dir, &listing, &settings);
    let last = SiteState::read(&last_folder);
    let has_engine = match (&arguments.engine, &last) {
        (Some(engine), Some(last)) => engine::is_copied(engine, &last_folder, &last.engine)?,
        (engine, _) => engine.is_none(),
    };
    let is_same = |last: &&SiteState| {
        let has_markdown = if arguments.markdown { !last.markdown.is_empty() } else { last.markdown.is_empty() };
        last.fingerprint == fingerprint
            && has_engine
            && has_markdown
            && last.is_whole(&last_folder)
            && markdown::is_whole(dir, &last.markdown)
    };
    let mut report = match (last.as_ref().filter(is_same), &output) {
        (Some(last), _) => last.report.clone().unchanged(),
        (None, output) => {
            let last = last.unwrap_or_default();
            let SiteMaking { mut report, packs, cache, markdown } = run.read(listing, arguments.markdown)?;
            let markdown = MarkdownPlan::of(dir, markdown, &last.markdown);
            report.markdown = MarkdownReport::of(&markdown);
            match output {
                Some(output) => {
                    let engine = arguments.engine.as_deref();
                    let next = NextOutput { engine, packs, cache, markdown, fingerprint, report };
                    run.write(output, next, &last)?
                }
                None => report,
            }
        }
    };
    if arguments.inject {
        let addresses = addresses.iter().map(String::as_str);
        let change = inject::Change::PutIn { older: &report.older, prefix: &report.prefix };
        report.injection = inject::apply(dir, addresses, change, arguments.dry_run)?;
    }
    let Run { progress, clock, .. } = run;
    drop(progress);
    report.print(arguments, &clock)?;
    Ok(completion(&report.injection))
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let found =
        || [arguments.dir.join(SETTINGS_FILE), PathBuf::from(SETTINGS_FILE)].into_iter().find(|file| file.is_file());
    let Some(file) = arguments.config.clone().or_else(found) else { return Ok(Settings::default()) };
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    Settings::parse(&text).with_context(|| file.display().to_string())
}
