//! `seealso check`: lists what the authors of packs should fix, each finding with file and line.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso_pack::{Dialect, Finding, Pack, Severity, lint};
use serde_json::{Value, json};

use super::build::discover_with_warnings;
use crate::exit::{CommandResult, Completion};
use crate::style::{ERROR, FAINT, LINK, NOTE, STRONG, WARNING, pluralize, printable, say};

/// Check packs: list what should be fixed as `file:line: code: message`.
#[derive(Args)]
#[command(after_help = CODES)]
pub(crate) struct Arguments {
    /// Packs, or folders of packs.
    #[arg(required = true, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// First write wiki/index.md anew from the pages, where it differs from them.
    #[arg(long)]
    fix: bool,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

const CODES: &str = "\
Codes:
  C1       a file or section that is missing
  C2       front matter that is missing
  C3       index.md and the pages disagree
  C4, C4b  links that lead nowhere, may mean two pages, or lead one way; sources missing or unused
  C5       tags that differ only in spelling
  C11      a page or slug out of place
  M1, M2   the manifest's fields and summary
  S1, S2   text that speaks to a model; commands that destroy
  S3, S5   suspicious links; invisible characters
  Q1       a page with too little to answer from
  Q2, Q3   placeholders and template text that are left
  Q4       summaries that differ from index.md
  R1-R9    what the readers came across, such as a file that is left out

Errors end with exit code 3; warnings and notes do not.";

/// The findings of one pack.
struct PackReport {
    pack: Pack,
    /// The findings; their files are paths from the current folder.
    findings: Vec<Finding>,
    /// The files that `--fix` wrote.
    written: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let mut reports = Vec::new();
    for from in &arguments.from {
        let packs = discover_with_warnings(from)?;
        if packs.is_empty() {
            bail!(
                "{}: no packs here; a pack is a folder with manifest.yaml and wiki/, or one of markdown pages",
                from.display()
            );
        }
        for (dir, path) in packs {
            reports.push(check(&dir, &path, arguments.fix)?);
        }
    }
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&as_json(&reports))?),
        false => reports.iter().for_each(print),
    }
    let broken = reports.iter().any(|report| report.count(Severity::Error) > 0);
    Ok(if broken { Completion::FindingsFound } else { Completion::Success })
}

fn check(dir: &Path, path: &str, fix: bool) -> anyhow::Result<PackReport> {
    let mut pack = Pack::read(dir, path)?;
    let mut written = Vec::new();
    if fix && let Some(index) = fix_index(&pack)? {
        written.push(relative_path(&index));
        pack = Pack::read(dir, path)?;
    }
    let mut findings = lint(&pack);
    for finding in &mut findings {
        finding.file = relative_path(&dir.join(&finding.file));
    }
    Ok(PackReport { pack, findings, written })
}

/// Writes a wiki pack's index.md from its pages, unless it is up to date. Returns its path where it was written.
fn fix_index(pack: &Pack) -> anyhow::Result<Option<PathBuf>> {
    if pack.dialect != Dialect::Wiki || pack.pages.is_empty() {
        return Ok(None);
    }
    let path = pack.dir.join("wiki/index.md");
    let text = seealso_pack::write_index(&pack.pages, &last_updated(pack));
    if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(None);
    }
    let part = path.with_file_name(format!(".index.md.{}.part", std::process::id()));
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, &path))
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(Some(path))
}

/// The newest date of the pages, so that the same pages always give the same index.
fn last_updated(pack: &Pack) -> String {
    let dates = pack.pages.iter().filter_map(|page| page.field("updated").or_else(|| page.field("created")));
    dates.filter(|date| is_date(date)).max().unwrap_or_else(|| "unknown".to_owned())
}

/// Whether the text has the form `YYYY-MM-DD`, which sorts by time.
fn is_date(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}

/// A path relative to the current folder, if it is below that.
fn relative_path(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

impl PackReport {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Whether `--fix` fixes it.
fn is_fixable(finding: &Finding) -> bool {
    match finding.code {
        "C3" | "Q4" => true,
        "C1" => finding.file.ends_with("wiki/index.md"),
        _ => false,
    }
}

fn as_json(reports: &[PackReport]) -> Value {
    let total = |severity| reports.iter().map(|report| report.count(severity)).sum::<usize>();
    let pack = |report: &PackReport| {
        json!({
            "path": report.pack.path, "dir": relative_path(&report.pack.dir), "dialect": report.pack.dialect,
            "pages": report.pack.pages.len(), "errors": report.count(Severity::Error),
            "warnings": report.count(Severity::Warning), "notes": report.count(Severity::Note), "written": report.written,
        })
    };
    json!({
        "errors": total(Severity::Error), "warnings": total(Severity::Warning), "notes": total(Severity::Note),
        "packs": reports.iter().map(pack).collect::<Vec<_>>(),
        "findings": reports.iter().flat_map(|report| &report.findings).collect::<Vec<_>>(),
    })
}

fn print(report: &PackReport) {
    for file in &report.written {
        say!("{file}: written from the pages");
    }
    for finding in &report.findings {
        let colour = match finding.severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
            Severity::Note => NOTE,
        };
        let (file, message) = (printable(&finding.file), printable(&finding.message));
        say!("{LINK}{file}:{}{LINK:#}: {colour}{}{colour:#}: {message}", finding.line, finding.code);
    }
    summarize(report);
}

fn summarize(report: &PackReport) {
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts =
        counts.map(|(severity, name)| (report.count(severity), name)).into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| pluralize(count, name)).collect();
    let found = if counts.is_empty() { "nothing to mend".to_owned() } else { counts.join(", ") };
    let pages = pluralize(report.pack.pages.len(), "page");
    say!(
        "{STRONG}{}{STRONG:#}: {pages}, {found} {FAINT}({}){FAINT:#}",
        printable(report.pack.title()),
        relative_path(&report.pack.dir)
    );
    if report.findings.iter().any(is_fixable) {
        say!("{FAINT}--fix writes wiki/index.md anew{FAINT:#}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_date_counts() {
        let page = |updated: &str| format!("---\ntitle: T\nupdated: {updated}\n---\n");
        let check = |dates: &[&str], expected: &str| {
            let texts: Vec<String> = dates.iter().map(|date| page(date)).collect();
            let files: Vec<String> = (0..texts.len()).map(|at| format!("concepts/{at}.md")).collect();
            let pages: Vec<(&str, &str)> = files.iter().zip(&texts).map(|(file, text)| (&**file, &**text)).collect();
            assert_eq!(last_updated(&Pack::of_pages("p", &pages)), expected);
        };
        check(&["2026-11-20", "2026-11-21", "2025-12-31"], "2026-11-21");
        check(&["yesterday", "2026-11-20", "9999"], "2026-11-20");
        check(&["soon"], "unknown");
    }
}
