//! The steps of a run: the site is looked at and read, and its next output written and put in place.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use seealso_import::{Inventory, Listing, OUTPUT_FOLDER, Settings, SitePack, Skip, markdown_files, packs, read_listed};
use seealso_pack::{Layout, Plan, PublishReport, Severity, carry_stages, page_of_site, publish_in};

use super::markdown::MarkdownPlan;
use super::output::Output;
use super::recognise::{BASE, CACHE_FILE};
use super::report::{PhaseClock, Report};
use super::state::{self, SiteState};
use super::{cost, engine, write};
use crate::commands::build::warn_of_lost_stages;
use crate::stop_flag::StopFlag;
use crate::style::{ProgressLine, pluralize};

/// How many terms of its body each page gets in the index: all of them. Pages of one topic are short, and nobody chose titles
/// and summaries for search, so that their bodies have to be found by (docs/decisions/splitting.md).
const SITE_BODY_TERMS: usize = 1000;

/// A run over a site.
pub(super) struct Run<'r> {
    pub(super) dir: &'r Path,
    pub(super) settings: &'r Settings,
    pub(super) stop: &'r StopFlag,
    pub(super) progress: ProgressLine,
    pub(super) clock: PhaseClock,
}

/// What a site was made into.
pub(super) struct SiteMaking {
    pub(super) report: Report,
    pub(super) packs: Vec<SitePack>,
    /// What the pages were read as.
    pub(super) cache: Vec<u8>,
    /// The Markdown files beside the pages, by path; none where they are not wanted.
    pub(super) markdown: BTreeMap<String, String>,
}

/// What a run is to write.
pub(super) struct NextOutput<'n> {
    /// The folder of scripts to copy; those of the last output stay where it is none.
    pub(super) engine: Option<&'n Path>,
    pub(super) packs: Vec<SitePack>,
    /// What the pages were read as.
    pub(super) cache: Vec<u8>,
    pub(super) markdown: MarkdownPlan,
    pub(super) fingerprint: String,
    pub(super) report: Report,
}

impl Run<'_> {
    /// Lists the files of the site.
    pub(super) fn look(&mut self) -> anyhow::Result<Listing> {
        self.progress.show("looking at the files of the site");
        let on_file = |_: usize, _: usize| self.goes_on();
        let listing = Listing::of(self.dir, &on_file).with_context(|| format!("listing {}", self.dir.display()))?;
        self.clock.end("look");
        Ok(listing)
    }

    /// Reads the site, and makes packs of it, and files of Markdown where they are wanted.
    pub(super) fn read(&mut self, listing: Listing, wants_markdown: bool) -> anyhow::Result<SiteMaking> {
        let mut inventory = Inventory::default();
        for address in listing.inventories() {
            let bytes = fs::read(self.dir.join(address)).unwrap_or_default();
            inventory.append(Inventory::parse(address, &bytes));
        }
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
        let packs = packs(&reading.site, &inventory, self.settings, BASE);
        self.clock.end("divide");
        if packs.is_empty() {
            bail!("{}: no page with text was found{}", self.dir.display(), reasons(&reading.site.skipped));
        }
        self.ensure_wanted()?;
        let report = Report::of(&reading, &packs);
        let markdown = if wants_markdown { markdown_files(&reading.site, self.settings) } else { BTreeMap::new() };
        Ok(SiteMaking { report, packs, cache: reading.cache, markdown })
    }

    /// Writes the next output, and puts it in the place of the last one.
    pub(super) fn write(&mut self, output: &Output, next: NextOutput<'_>, last: &SiteState) -> anyhow::Result<Report> {
        let NextOutput { engine, packs, cache, markdown, fingerprint, mut report } = next;
        let staging = output.stage()?;
        match engine {
            Some(folder) => engine::copy(folder, &staging.folder)?,
            None => staging.take_over(last.engine.iter().map(String::as_str))?,
        }
        let engine = staging.files()?;
        write::write_packs(&staging, &packs)?;
        staging.write(CACHE_FILE, &cache)?;
        let parts = parts_of_pages(&packs);
        drop((packs, cache));
        self.ensure_wanted()?;
        self.clock.end("write");
        let published = self.build(&staging.folder, &report)?;
        warn_of_lost_stages(&carry_stages(&output.folder, &staging.folder)?, &output.folder);
        report.index_bytes = published.catalog.index.total_bytes;
        let left_out = published.findings.iter().filter(|finding| finding.severity == Severity::Error);
        let left_out = left_out.map(|finding| (finding.file.clone(), finding.message.clone()));
        report.leave_out(left_out.collect(), parts);
        self.clock.end("index");
        report.question_cost = cost::measure(&staging.folder, &report.samples)?;
        self.clock.end("cost");
        // What is the command's is known before it is written.
        let state = SiteState::write(&staging, fingerprint, report.clone(), engine, markdown.begun.clone())?;
        self.ensure_wanted()?;
        let own = last.own_files(&staging.files()?);
        staging.commit(&own)?;
        markdown.carry_out(self.dir)?;
        state.set_markdown(&output.folder, markdown.done)?;
        self.clock.end("place");
        Ok(report)
    }

    /// Builds the index of the packs in `out`.
    fn build(&self, out: &Path, report: &Report) -> anyhow::Result<PublishReport> {
        let packs = report.packs.iter().map(|path| (out.join(path), path.clone())).collect();
        let plan = Plan { packs, out: out.to_path_buf(), in_place: true, tsv: false, body_terms: SITE_BODY_TERMS };
        Ok(publish_in(Layout::default(), &plan, &mut |_| self.progress.show("building the index"))?)
    }

    fn goes_on(&self) -> ControlFlow<()> {
        if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn ensure_wanted(&self) -> anyhow::Result<()> {
        ensure!(!self.stop.is_set(), "Ctrl-C was pressed");
        Ok(())
    }
}

/// How many parts each page has, by the path of its files without what tells parts apart.
fn parts_of_pages(packs: &[SitePack]) -> BTreeMap<String, usize> {
    let mut parts = BTreeMap::new();
    for pack in packs {
        for file in pack.pages.keys() {
            *parts.entry(page_of_site(&format!("{}/wiki/{file}", pack.path)).to_owned()).or_default() += 1;
        }
    }
    parts
}

/// Why files were skipped, each reason once with how many files have it, and what to do.
fn reasons(skipped: &BTreeMap<String, Skip>) -> String {
    if skipped.is_empty() {
        return "; name the folder that the site generator wrote to".to_owned();
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for skip in skipped.values() {
        *counts.entry(skip.to_string()).or_default() += 1;
    }
    let counts: Vec<String> =
        counts.iter().map(|(reason, count)| format!("{} {reason}", pluralize(*count, "file"))).collect();
    format!(": {}; name the folder that the site generator wrote to", counts.join(", "))
}
