//! What a run read, skipped and wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Instant;

use anyhow::Context as _;
use seealso_import::{OUTPUT_FOLDER, SitePack, SitePage, SiteReading, VERSIONS_FOLDER, inject};
use seealso_pack::page_of_site;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::cost::{QUESTIONS, QuestionCost};
use super::inject::Injection;
use super::markdown::MarkdownPlan;
use super::older_version::OlderVersion;
use super::{Arguments, engine};
use crate::shell_quoting::quote_path;
use crate::style::{FAINT, STRONG, pluralize, printable, say};

/// A report. What is not part of the file is of the run at hand.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Report {
    /// The paths of the packs.
    pub(super) packs: Vec<String>,
    /// How many pages of the site were taken.
    pages: usize,
    /// How many pages the packs have: those of the site, long ones divided.
    parts: usize,
    sections: usize,
    /// Each file that was skipped: the reason's code, and the reason.
    skipped: BTreeMap<String, (String, String)>,
    /// The older versions, by folder.
    pub(super) older: BTreeMap<String, OlderVersion>,
    /// The folder of its host that the site lies in, as its links tell.
    pub(super) prefix: String,
    pub(super) index_bytes: u64,
    /// What a question fetches of the index.
    pub(super) question_cost: Option<QuestionCost>,
    /// Titles of some pages, by which that is measured.
    #[serde(skip)]
    pub(super) samples: Vec<String>,
    /// Pages that are in no index, each with the reason.
    pub(super) left_out: Vec<String>,
    /// How many files were read; the others have not changed.
    #[serde(skip)]
    read_files: usize,
    #[serde(skip)]
    is_unchanged: bool,
    #[serde(skip)]
    pub(super) injection: Injection,
    #[serde(skip)]
    pub(super) markdown: MarkdownReport,
}

/// What became of the Markdown beside the pages.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkdownReport {
    written: usize,
    removed: usize,
    /// Files that are somebody else's, and so were left as they are.
    left: Vec<String>,
}

impl MarkdownReport {
    pub(super) fn of(plan: &MarkdownPlan) -> MarkdownReport {
        let (written, removed) = plan.counts();
        MarkdownReport { written, removed, left: plan.left.clone() }
    }

    fn print(&self, arguments: &Arguments) {
        let would = if arguments.dry_run { "would be " } else { "" };
        if self.written > 0 {
            say!("{} of Markdown {would}written", pluralize(self.written, "file"));
        }
        if self.removed > 0 {
            say!("{} of Markdown {would}removed", pluralize(self.removed, "file"));
        }
        if !self.left.is_empty() {
            say!("{} left as they are: not written by seealso site", pluralize(self.left.len(), "file"));
            self.left.iter().for_each(|path| say!("    {FAINT}{}{FAINT:#}", printable(path)));
        }
    }
}

/// The parts of a run, and how long each took.
#[derive(Debug)]
pub(super) struct PhaseClock {
    started: Instant,
    /// When the last part ended.
    last: Instant,
    /// Names and seconds.
    phases: Vec<(&'static str, f64)>,
}

impl PhaseClock {
    pub(super) fn start() -> PhaseClock {
        let now = Instant::now();
        PhaseClock { started: now, last: now, phases: Vec::new() }
    }

    /// Ends the part of that name.
    pub(super) fn end(&mut self, name: &'static str) {
        let now = Instant::now();
        self.phases.push((name, (now - self.last).as_secs_f64()));
        self.last = now;
    }
}

impl Report {
    pub(super) fn of(reading: &SiteReading, packs: &[SitePack]) -> Report {
        let site = &reading.site;
        let skipped =
            site.skipped.iter().map(|(address, skip)| (address.clone(), (skip.code().to_owned(), skip.to_string())));
        Report {
            packs: packs.iter().map(|pack| pack.path.clone()).collect(),
            pages: site.pages.len(),
            parts: packs.iter().map(|pack| pack.pages.len()).sum(),
            sections: packs.iter().map(|pack| pack.sections).sum(),
            skipped: skipped.collect(),
            older: site.older.iter().map(|(folder, older)| (folder.clone(), OlderVersion::of(folder, older))).collect(),
            read_files: reading.read_files,
            prefix: site.prefix.clone(),
            samples: samples(&site.pages),
            ..Report::default()
        }
    }

    /// Counts out what is not in the index: files of pages, each with the reason. `parts` are the parts of each page.
    pub(super) fn leave_out(&mut self, left_out: BTreeMap<String, String>, mut parts: BTreeMap<String, usize>) {
        for (file, reason) in left_out {
            if let Some(count) = parts.get_mut(page_of_site(&file)) {
                *count = count.saturating_sub(1);
                self.parts = self.parts.saturating_sub(1);
            }
            self.left_out.push(format!("{file}: {reason}"));
        }
        // Pages of older versions are counted with these.
        let is_of_newest = |file: &str| !file.starts_with(&format!("{VERSIONS_FOLDER}/"));
        let lost = parts.iter().filter(|(file, count)| **count == 0 && is_of_newest(file)).count();
        self.pages = self.pages.saturating_sub(lost);
    }

    /// The report of a run that found the site as this one left it.
    pub(super) fn unchanged(self) -> Report {
        Report { is_unchanged: true, ..self }
    }

    /// How many files were skipped for each reason.
    fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for (code, _) in self.skipped.values() {
            *reasons.entry(code.as_str()).or_default() += 1;
        }
        reasons
    }

    pub(super) fn print(&self, arguments: &Arguments, clock: &PhaseClock) -> anyhow::Result<()> {
        if arguments.json {
            say!("{}", serde_json::to_string_pretty(&self.as_json(clock)).context("writing JSON")?);
            return Ok(());
        }
        let read = pluralize(self.read_files, "file");
        let state = match (arguments.dry_run, self.is_unchanged) {
            (true, _) => "nothing written".to_owned(),
            (_, true) => "unchanged, not read again".to_owned(),
            _ => format!("{read} read, written"),
        };
        let kilobytes = self.index_bytes as f64 / 1000.0;
        say!(
            "{STRONG}{}{STRONG:#}: {} as {} of {}, {}, index {kilobytes:.1} KB, {state}",
            arguments.dir.join(OUTPUT_FOLDER).display(),
            pluralize(self.pages, "page"),
            pluralize(self.parts, "page"),
            pluralize(self.packs.len(), "pack"),
            pluralize(self.sections, "section"),
        );
        if let Some(QuestionCost { bytes, requests }) = self.question_cost {
            let requests = pluralize(usize::try_from(requests).unwrap_or(usize::MAX), "request");
            say!("  a question fetches {:.1} KB of the index in {requests}, the first time", bytes as f64 / 1000.0);
        }
        for (folder, older) in &self.older {
            let pages = pluralize(older.pages, "page");
            say!("  {pages} of the older version {}: searched with --pack {}", printable(folder), older.packs);
        }
        for page in &self.left_out {
            say!("  not in the index: {}", printable(page));
        }
        self.print_skipped(arguments.verbose);
        let phases: Vec<String> = clock.phases.iter().map(|(name, seconds)| format!("{name} {seconds:.1}")).collect();
        say!(
            "{FAINT}{:.1} s ({}), {} MB of memory{FAINT:#}",
            clock.started.elapsed().as_secs_f64(),
            phases.join(", "),
            peak_bytes() / 1_000_000
        );
        self.injection.print(arguments);
        self.markdown.print(arguments);
        if !arguments.dry_run && !arguments.inject {
            print_next(arguments);
        }
        Ok(())
    }

    fn print_skipped(&self, verbose: bool) {
        for (code, count) in self.reasons() {
            let reason = self.skipped.values().find(|(known, _)| known == code).map_or("", |(_, reason)| reason);
            say!("  {} skipped: {reason}", pluralize(count, "file"));
            if verbose {
                for (address, _) in self.skipped.iter().filter(|(_, (known, _))| known == code) {
                    say!("    {FAINT}{}{FAINT:#}", printable(address));
                }
            }
        }
        if !verbose && !self.skipped.is_empty() {
            say!("  {FAINT}--verbose lists them{FAINT:#}");
        }
    }

    fn as_json(&self, clock: &PhaseClock) -> serde_json::Value {
        let files: BTreeMap<&String, &String> =
            self.skipped.iter().map(|(address, (code, _))| (address, code)).collect();
        let phases: BTreeMap<&str, f64> = clock.phases.iter().copied().collect();
        json!({
            "pages": self.pages, "parts": self.parts, "sections": self.sections, "packs": self.packs,
            "older": self.older, "left_out": self.left_out, "skipped": self.reasons(), "skipped_files": files, "index_bytes": self.index_bytes,
            "question_cost": self.question_cost,
            "seconds": clock.started.elapsed().as_secs_f64(), "phases": phases, "peak_bytes": peak_bytes(),
            "read_files": self.read_files, "unchanged": self.is_unchanged,
            "changed_pages": self.injection.changed, "left_pages": self.injection.left, "failed_pages": self.injection.failed,
            "markdown_written": self.markdown.written, "markdown_removed": self.markdown.removed,
            "markdown_left": self.markdown.left,
        })
    }
}

impl Injection {
    fn print(&self, arguments: &Arguments) {
        let would = if arguments.dry_run { "would be " } else { "" };
        if self.changed > 0 {
            say!("{} {would}changed", pluralize(self.changed, "page"));
        }
        let reasons: BTreeSet<&str> = self.left.values().copied().collect();
        for reason in reasons {
            let pages = || self.left.iter().filter(|(_, known)| **known == reason).map(|(address, _)| address);
            say!("{} left without the element: {reason}", pluralize(pages().count(), "page"));
            for address in pages() {
                say!("    {FAINT}{}{FAINT:#}", printable(address));
            }
        }
        for (address, error) in &self.failed {
            say!("not changed: {}: {}", printable(address), printable(error));
        }
    }
}

/// Reports what was taken out of a site.
pub(super) fn print_removal(
    injection: &Injection,
    markdown: &MarkdownReport,
    arguments: &Arguments,
) -> anyhow::Result<()> {
    if arguments.json {
        let report = json!({
            "changed_pages": injection.changed, "left_pages": injection.left, "failed_pages": injection.failed,
            "markdown_removed": markdown.removed,
        });
        say!("{}", serde_json::to_string_pretty(&report).context("writing JSON")?);
    } else if injection.changed + injection.failed.len() + markdown.removed == 0 {
        say!("nothing to take out of {}", arguments.dir.display());
    } else {
        injection.print(arguments);
        markdown.print(arguments);
    }
    Ok(())
}

/// The titles of some pages, from all parts of the site.
fn samples(pages: &[SitePage]) -> Vec<String> {
    let step = pages.len().div_ceil(QUESTIONS).max(1);
    pages.iter().step_by(step).map(|page| page.title.clone()).collect()
}

/// The lines for the site's pages, and how to try the site out.
fn print_next(arguments: &Arguments) {
    let out = arguments.dir.join(OUTPUT_FOLDER);
    if !engine::is_there(&out) {
        say!("{FAINT}The element is not there yet: --engine FOLDER copies it from a folder of scripts.{FAINT:#}");
    }
    say!("Put these two lines into the site's pages, or run the command with --inject:\n");
    say!("{}\n", inject::lines(&format!("/{OUTPUT_FOLDER}/"), None));
    say!("Try it: seealso ask \"How do I …?\" --packs {}", quote_path(&out));
}

/// The most memory that the program held, in bytes; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes * 1024)
}
