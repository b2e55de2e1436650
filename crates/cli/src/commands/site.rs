//! `seealso site`: makes a built documentation site answer questions. It reads the site's HTML, and writes packs, their
//! index and the engine to the folder `seealso` in it.

mod engine;
mod inject;
mod markdown;
mod output;
mod report;
mod state;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use seealso_import::{
    INVENTORY_FILE, Inventory, Listing, OUTPUT_FOLDER, Settings, SitePack, markdown_files, packs, read_listed,
};
use seealso_pack::{Layout, Plan, publish_in};

use crate::exit::{CommandResult, Completion};
use crate::stop_flag::StopFlag;
use crate::style::{ProgressLine, print_warning};
use markdown::{MarkdownPlan, Written};
use output::Output;
use report::{MarkdownReport, PhaseClock, Report};
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
    /// The folder of scripts that holds see-also.js, or a built site with it; its files are copied to DIR/seealso.
    #[arg(long, value_name = "FOLDER")]
    engine: Option<PathBuf>,
    /// Put the element into every page; a second run replaces what the first one put there.
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
        done => done.map(|()| Completion::Success),
    }
}

/// Takes out what earlier runs put into the site beside the folder `seealso`.
fn remove(arguments: &Arguments) -> anyhow::Result<()> {
    let dir = &arguments.dir;
    let _output = (!arguments.dry_run).then(|| Output::claim(dir)).transpose()?;
    let listing =
        Listing::of(dir, &|_, _| ControlFlow::Continue(())).with_context(|| format!("listing {}", dir.display()))?;
    let injection =
        inject::apply(dir, listing.addresses(), &BTreeMap::new(), inject::Change::Remove, arguments.dry_run)?;
    let out = dir.join(OUTPUT_FOLDER);
    let last = SiteState::read(&out).unwrap_or_default();
    let plan = MarkdownPlan::of(dir, BTreeMap::new(), &last.markdown);
    if !arguments.dry_run {
        plan.carry_out(dir)?;
        last.set_markdown(&out, Written::new())?;
    }
    report::print_removal(&injection, &MarkdownReport::of(&plan), arguments)
}

/// Makes the site answer.
fn make(arguments: &Arguments, stop: &StopFlag) -> anyhow::Result<()> {
    let dir = &arguments.dir;
    let settings = settings(arguments)?;
    // A dry run reads the last output, and claims nothing.
    let output = (!arguments.dry_run).then(|| Output::claim(dir)).transpose()?;
    let last_folder = dir.join(OUTPUT_FOLDER);
    let mut run =
        Run { dir, settings: &settings, stop, progress: ProgressLine::on_stderr(), clock: PhaseClock::start() };
    let listing = run.look()?;
    let addresses: Vec<String> = listing.addresses().map(str::to_owned).collect();
    let fingerprint = state::fingerprint(dir, &listing, &settings);
    let last = SiteState::read(&last_folder);
    let is_same = |last: &&SiteState| {
        let has_markdown = if arguments.markdown { !last.markdown.is_empty() } else { last.markdown.is_empty() };
        last.fingerprint == fingerprint
            && arguments.engine.is_none()
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
        report.injection = inject::apply(dir, addresses, &report.older, inject::Change::PutIn, arguments.dry_run)?;
    }
    let Run { progress, clock, .. } = run;
    drop(progress);
    report.print(arguments, &clock)
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let found =
        || [arguments.dir.join(SETTINGS_FILE), PathBuf::from(SETTINGS_FILE)].into_iter().find(|file| file.is_file());
    let Some(file) = arguments.config.clone().or_else(found) else { return Ok(Settings::default()) };
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    Settings::parse(&text).with_context(|| file.display().to_string())
}

/// A run over a site.
struct Run<'r> {
    dir: &'r Path,
    settings: &'r Settings,
    stop: &'r StopFlag,
    progress: ProgressLine,
    clock: PhaseClock,
}

/// What a site was made into.
struct SiteMaking {
    report: Report,
    packs: Vec<SitePack>,
    /// What the pages were read as.
    cache: Vec<u8>,
    /// The Markdown files beside the pages, by path; none where they are not wanted.
    markdown: BTreeMap<String, String>,
}

/// What a run is to write.
struct NextOutput<'n> {
    /// The folder of scripts to copy; those of the last output stay where it is none.
    engine: Option<&'n Path>,
    packs: Vec<SitePack>,
    /// What the pages were read as.
    cache: Vec<u8>,
    markdown: MarkdownPlan,
    fingerprint: String,
    report: Report,
}

impl Run<'_> {
    /// Lists the files of the site.
    fn look(&mut self) -> anyhow::Result<Listing> {
        self.progress.show("looking at the files of the site");
        let on_file = |_: usize, _: usize| self.goes_on();
        let listing = Listing::of(self.dir, &on_file).with_context(|| format!("listing {}", self.dir.display()))?;
        self.clock.end("look");
        Ok(listing)
    }

    /// Reads the site, and makes packs of it, and files of Markdown where they are wanted.
    fn read(&mut self, listing: Listing, wants_markdown: bool) -> anyhow::Result<SiteMaking> {
        let cache = state::cache(&self.dir.join(OUTPUT_FOLDER), self.settings);
        let on_file = |done: usize, of: usize| {
            if done.is_multiple_of(50) {
                self.progress.show(&format!("file {done} of {of} read"));
            }
            self.goes_on()
        };
        let reading = read_listed(self.dir, listing, self.settings, cache, &on_file)
            .with_context(|| format!("reading {}", self.dir.display()))?;
        self.clock.end("read");
        let inventory =
            fs::read(self.dir.join(INVENTORY_FILE)).map(|bytes| Inventory::parse(&bytes)).unwrap_or_default();
        let packs = packs(&reading.site, &inventory, self.settings, BASE);
        self.clock.end("divide");
        if packs.is_empty() {
            bail!(
                "{}: no page with text was found in {} HTML files; name the folder that the site generator wrote to",
                self.dir.display(),
                reading.site.skipped.len()
            );
        }
        self.ensure_wanted()?;
        let report = Report::of(&reading, &packs);
        let markdown = if wants_markdown { markdown_files(&reading.site, self.settings) } else { BTreeMap::new() };
        Ok(SiteMaking { report, packs, cache: reading.cache, markdown })
    }

    /// Writes the next output, and puts it in the place of the last one.
    fn write(&mut self, output: &Output, next: NextOutput<'_>, last: &SiteState) -> anyhow::Result<Report> {
        let NextOutput { engine, packs, cache, markdown, fingerprint, mut report } = next;
        let staging = output.stage()?;
        match engine {
            Some(folder) => engine::copy(folder, &staging.folder)?,
            None => staging.take_over(last.engine.iter().map(String::as_str))?,
        }
        let engine = staging.files()?;
        write::write_packs(&staging, &packs)?;
        staging.write(state::CACHE_FILE, &cache)?;
        drop((packs, cache));
        self.ensure_wanted()?;
        self.clock.end("write");
        report.index_bytes = self.build(&staging.folder, &report)?;
        self.clock.end("index");
        // What is the command's is known before it is written.
        let state = SiteState::write(&staging, fingerprint, report.clone(), engine, markdown.begun.clone())?;
        self.ensure_wanted()?;
        staging.commit(&last.own_files())?;
        markdown.carry_out(self.dir)?;
        state.set_markdown(&output.folder, markdown.done)?;
        self.clock.end("place");
        Ok(report)
    }

    /// Builds the index of the packs in `out`, and gives its bytes.
    fn build(&self, out: &Path, report: &Report) -> anyhow::Result<u64> {
        let packs = report.packs.iter().map(|path| (out.join(path), path.clone())).collect();
        let plan = Plan { packs, out: out.to_path_buf(), in_place: true, tsv: false, body_terms: SITE_BODY_TERMS };
        let published = publish_in(Layout::default(), &plan, &mut |_| self.progress.show("building the index"))?;
        Ok(published.catalog.index.total_bytes)
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn ensure_wanted(&self) -> anyhow::Result<()> {
        ensure!(!self.stop.is_set(), "Ctrl-C was pressed");
        Ok(())
    }
}
