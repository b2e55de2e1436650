//! What a run read, skipped and wrote.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use anyhow::Context as _;
use seealso_import::{OUTPUT_FOLDER, Site, SitePack, inject};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Arguments, engine};
use crate::shell_quoting::quote_path;
use crate::style::{FAINT, STRONG, pluralize, printable, say};

/// A report; of times and memory it has those of the run at hand.
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
    #[serde(skip)]
    pub(super) is_unchanged: bool,
    #[serde(skip)]
    pub(super) index_bytes: u64,
    #[serde(skip)]
    pub(super) changed_pages: usize,
    #[serde(skip)]
    phases: Vec<Phase>,
    #[serde(skip)]
    seconds: f64,
}

/// A part of a run, and how long it took.
#[derive(Debug, Clone)]
pub(super) struct Phase {
    name: &'static str,
    seconds: f64,
}

impl Phase {
    /// A phase that ends now.
    pub(super) fn new(name: &'static str, started: Instant) -> Phase {
        Phase { name, seconds: started.elapsed().as_secs_f64() }
    }
}

impl Report {
    pub(super) fn of(site: &Site, packs: &[SitePack]) -> Report {
        let skipped =
            site.skipped.iter().map(|(address, skip)| (address.clone(), (skip.code().to_owned(), skip.to_string())));
        Report {
            packs: packs.iter().map(|pack| pack.path.clone()).collect(),
            pages: site.pages.len(),
            parts: packs.iter().map(|pack| pack.pages.len()).sum(),
            sections: packs.iter().map(|pack| pack.sections).sum(),
            skipped: skipped.collect(),
            ..Report::default()
        }
    }

    /// The report of a run that found the site as this one left it.
    pub(super) fn unchanged(self) -> Report {
        Report { is_unchanged: true, ..self }
    }

    pub(super) fn finish(&mut self, phases: Vec<Phase>, started: Instant) {
        self.phases = phases;
        self.seconds = started.elapsed().as_secs_f64();
    }

    /// How many files were skipped for each reason.
    fn reasons(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for (code, _) in self.skipped.values() {
            *reasons.entry(code.as_str()).or_default() += 1;
        }
        reasons
    }

    pub(super) fn print(&self, arguments: &Arguments) -> anyhow::Result<()> {
        if arguments.json {
            say!("{}", serde_json::to_string_pretty(&self.as_json()).context("writing JSON")?);
            return Ok(());
        }
        let state = match (arguments.dry_run, self.is_unchanged) {
            (true, _) => "nothing written",
            (_, true) => "unchanged, not read again",
            _ => "written",
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
        self.print_skipped(arguments.verbose);
        let phases: Vec<String> =
            self.phases.iter().map(|phase| format!("{} {:.1}", phase.name, phase.seconds)).collect();
        say!(
            "{FAINT}{:.1} s ({}), {} MB of memory{FAINT:#}",
            self.seconds,
            phases.join(", "),
            peak_bytes() / 1_000_000
        );
        if self.changed_pages > 0 {
            say!("{} changed", pluralize(self.changed_pages, "page"));
        }
        if !arguments.dry_run && !arguments.inject && !arguments.remove {
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

    fn as_json(&self) -> serde_json::Value {
        let files: BTreeMap<&String, &String> =
            self.skipped.iter().map(|(address, (code, _))| (address, code)).collect();
        let phases: BTreeMap<&str, f64> = self.phases.iter().map(|phase| (phase.name, phase.seconds)).collect();
        json!({
            "pages": self.pages, "parts": self.parts, "sections": self.sections, "packs": self.packs,
            "skipped": self.reasons(), "skipped_files": files, "index_bytes": self.index_bytes,
            "seconds": self.seconds, "phases": phases, "peak_bytes": peak_bytes(), "unchanged": self.is_unchanged,
            "changed_pages": self.changed_pages,
        })
    }
}

/// The lines for the site's pages, and how to try the site out.
fn print_next(arguments: &Arguments) {
    let out = arguments.dir.join(OUTPUT_FOLDER);
    if !engine::is_there(&out) {
        say!("{FAINT}The element is not there yet: --engine FOLDER copies it from a folder of scripts.{FAINT:#}");
    }
    say!("Put these two lines into the site's pages, or run the command with --inject:\n");
    say!("{}\n", inject::lines(&format!("/{OUTPUT_FOLDER}/")));
    say!("Try it: seealso ask \"How do I …?\" --packs {}", quote_path(&out));
}

/// The most memory that the program held, in bytes; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kilobytes| kilobytes * 1024)
}
