//! `seealso check`: what the authors of packs should mend, each finding with file and line.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso_pack::{Dialect, Finding, Pack, Severity, lint};
use serde_json::{Value, json};

use super::build::discover_telling;
use crate::exit::{Done, Outcome};
use crate::style::{DOUBTFUL, FAINT, LINK, REMARK, STRONG, WRONG, counted, plain, say};

/// Check packs: list what should be mended as `file:line: code: message`.
#[derive(Args)]
#[command(after_help = CODES)]
pub(crate) struct Arguments {
    /// Packs, or folders of packs.
    #[arg(required = true, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// Write wiki/index.md anew from the pages first, where it differs from them.
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

/// A pack that was checked.
struct Checked {
    pack: Pack,
    /// Its findings; files are paths from the current folder.
    findings: Vec<Finding>,
    /// The files that `--fix` wrote.
    written: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut checked = Vec::new();
    for from in &arguments.from {
        let packs = discover_telling(from)?;
        if packs.is_empty() {
            bail!(
                "{}: no packs here; a pack is a folder with manifest.yaml and wiki/, or one of markdown pages",
                from.display()
            );
        }
        for (dir, path) in packs {
            checked.push(check(&dir, &path, arguments.fix)?);
        }
    }
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&as_json(&checked))?),
        false => checked.iter().for_each(print),
    }
    let broken = checked.iter().any(|checked| checked.count(Severity::Error) > 0);
    Ok(if broken { Done::WithErrors } else { Done::Well })
}

fn check(dir: &Path, path: &str, fix: bool) -> anyhow::Result<Checked> {
    let mut pack = Pack::read(dir, path)?;
    let mut written = Vec::new();
    if fix && let Some(index) = mend_index(&pack)? {
        written.push(shown(&index));
        pack = Pack::read(dir, path)?;
    }
    let mut findings = lint(&pack);
    for finding in &mut findings {
        finding.file = shown(&dir.join(&finding.file));
    }
    Ok(Checked { pack, findings, written })
}

/// Writes a wiki pack's index.md from its pages, unless it says the same already. Returns its path where it was written.
fn mend_index(pack: &Pack) -> anyhow::Result<Option<PathBuf>> {
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

/// A path as seen from the current folder, where it lies below it.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    path.strip_prefix(".").unwrap_or(path).display().to_string()
}

impl Checked {
    fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Whether `--fix` would mend it.
fn can_be_fixed(finding: &Finding) -> bool {
    match finding.code {
        "C3" | "Q4" => true,
        "C1" => finding.file.ends_with("wiki/index.md"),
        _ => false,
    }
}

fn as_json(checked: &[Checked]) -> Value {
    let total = |severity| checked.iter().map(|checked| checked.count(severity)).sum::<usize>();
    let pack = |checked: &Checked| {
        json!({
            "path": checked.pack.path, "dir": shown(&checked.pack.dir), "dialect": checked.pack.dialect,
            "pages": checked.pack.pages.len(), "errors": checked.count(Severity::Error),
            "warnings": checked.count(Severity::Warning), "notes": checked.count(Severity::Note), "written": checked.written,
        })
    };
    json!({
        "errors": total(Severity::Error), "warnings": total(Severity::Warning), "notes": total(Severity::Note),
        "packs": checked.iter().map(pack).collect::<Vec<_>>(),
        "findings": checked.iter().flat_map(|checked| &checked.findings).collect::<Vec<_>>(),
    })
}

fn print(checked: &Checked) {
    for file in &checked.written {
        say!("{file}: written from the pages");
    }
    for finding in &checked.findings {
        let colour = match finding.severity {
            Severity::Error => WRONG,
            Severity::Warning => DOUBTFUL,
            Severity::Note => REMARK,
        };
        let (file, message) = (plain(&finding.file), plain(&finding.message));
        say!("{LINK}{file}:{}{LINK:#}: {colour}{}{colour:#}: {message}", finding.line, finding.code);
    }
    summarize(checked);
}

fn summarize(checked: &Checked) {
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts =
        counts.map(|(severity, name)| (checked.count(severity), name)).into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, name)| counted(count, name)).collect();
    let found = if counts.is_empty() { "nothing to mend".to_owned() } else { counts.join(", ") };
    let pages = counted(checked.pack.pages.len(), "page");
    say!(
        "{STRONG}{}{STRONG:#}: {pages}, {found} {FAINT}({}){FAINT:#}",
        plain(checked.pack.title()),
        shown(&checked.pack.dir)
    );
    if checked.findings.iter().any(can_be_fixed) {
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
