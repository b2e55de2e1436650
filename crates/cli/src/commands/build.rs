//! `seealso build`: builds the index and the catalog of packs, in place or in another folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso_pack::{
    BODY_TERMS, Discovery, Layout, LostStages, Plan, Progress, PublishReport, discover_all, publish_in,
};

use crate::exit::{CommandResult, Completion};
use crate::shell_quoting::{quote_path, quote_paths};
use crate::style::{FAINT, ProgressLine, STRONG, pluralize, print_warning, say};

/// Build the index: writes catalog.json and index/ beside the packs, or copies the packs to another folder first.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A folder of packs to publish in place; with --out, packs or folders of packs to copy, or one file of rows
    /// (id, title and summary between tabs; its name ends in .tsv).
    #[arg(required = true, value_name = "DIR|ROWS.tsv")]
    from: Vec<PathBuf>,
    /// The folder to publish to; it is replaced in one step.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write index/pages.tsv (id, title, summary).
    #[arg(long)]
    tsv: bool,
    /// Split the index into files of about BYTES each, however small it is, to see how a host copes with many.
    #[arg(long, value_name = "BYTES")]
    file_bytes: Option<usize>,
    #[command(flatten)]
    rows: super::rows::RowArguments,
    /// How many of its body terms each page gets in the index at most, by default 64; 0 for titles and summaries alone.
    #[arg(long, value_name = "N")]
    body_terms: Option<usize>,
    /// Print a report as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    if let [file] = arguments.from.as_slice()
        && is_row_file(file)
    {
        arguments.ensure_fit_for_rows()?;
        return super::rows::run(file, arguments.out.as_deref(), &arguments.rows, arguments.json);
    }
    arguments.rows.ensure_unused()?;
    let plan = plan(arguments)?;
    let line = ProgressLine::on_stderr();
    let mut build_progress = BuildProgress { packs: plan.packs.len(), pack: String::new(), pack_number: 0 };
    let layout = arguments.file_bytes.map_or_else(Layout::default, Layout::in_files_of);
    let published = publish_in(layout, &plan, &mut |progress| {
        if let Some(text) = build_progress.text(progress) {
            line.show(&text);
        }
    })?;
    drop(line);
    report(arguments, &plan, &published)?;
    Ok(Completion::Success)
}

impl Arguments {
    /// Refuses options that are for pages, or for an index of packs.
    fn ensure_fit_for_rows(&self) -> anyhow::Result<()> {
        let options = [
            ("--tsv", self.tsv, "the file of rows is one already"),
            ("--body-terms", self.body_terms.is_some(), "rows have no bodies"),
            ("--file-bytes", self.file_bytes.is_some(), "an index of rows is divided by its size"),
        ];
        match options.iter().find(|(_, is_given, _)| *is_given) {
            Some((option, _, why)) => bail!("{option} is for packs, and {why}; leave it out"),
            None => Ok(()),
        }
    }
}

/// The progress of a build, as lines of text.
struct BuildProgress {
    packs: usize,
    /// The pack that is built, and its number, from 1.
    pack: String,
    pack_number: usize,
}

impl BuildProgress {
    /// The line for `progress`; none for steps that are not shown.
    fn text(&mut self, progress: Progress<'_>) -> Option<String> {
        let what = match progress {
            Progress::Pack(path) => {
                self.pack_number += 1;
                path.clone_into(&mut self.pack);
                String::new()
            }
            Progress::PagesRead { done, of } => format!(", page {done} of {of} read"),
            Progress::PagesCounted { done, of } => format!(", words of page {done} of {of} counted"),
            Progress::TermsWritten { done, of } => {
                return Some(format!("writing the index, {} %", done * 100 / of.max(1)));
            }
            _ => return None,
        };
        Some(format!("pack {} of {}: {}{what}", self.pack_number, self.packs, self.pack))
    }
}

fn is_row_file(file: &Path) -> bool {
    file.is_file() && file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tsv"))
}

/// The packs of these folders, by path: the folder of each, and the path that it would have.
pub(super) fn collect_packs(folders: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut packs = Vec::new();
    for from in folders {
        let found = discover_with_warnings(from)?;
        if found.is_empty() {
            bail!(
                "{}: no packs here; a pack is a folder with manifest.yaml and wiki/, or one of markdown pages",
                from.display()
            );
        }
        packs.extend(found);
    }
    packs.sort_by(|a, b| a.1.cmp(&b.1));
    if let Some(pair) = packs.windows(2).find(|pair| pair[0].1 == pair[1].1) {
        bail!("two packs would have the path {}: {} and {}", pair[0].1, pair[0].0.display(), pair[1].0.display());
    }
    Ok(packs)
}

/// The packs below a folder. Warns of pages that are in none.
pub(super) fn discover_with_warnings(from: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let Discovery { packs, outside } = discover_all(from)?;
    if let Some(first) = outside.first().filter(|_| !packs.is_empty()) {
        let (more, are) = match outside.len() - 1 {
            0 => (String::new(), "lies in no pack and is"),
            more => (format!(" and {} more", pluralize(more, "page")), "lie in no pack and are"),
        };
        print_warning(&format!(
            "{}{more} {are} left out; an index.md beside it makes that folder a pack",
            from.join(first).display()
        ));
    }
    Ok(packs)
}

fn plan(arguments: &Arguments) -> anyhow::Result<Plan> {
    let packs = collect_packs(&arguments.from)?;
    let body_terms = arguments.body_terms.unwrap_or(BODY_TERMS);
    match (&arguments.out, arguments.from.as_slice()) {
        (Some(out), _) => Ok(Plan { packs, out: out.clone(), in_place: false, tsv: arguments.tsv, body_terms }),
        (None, [root]) if packs.iter().all(|(dir, path)| *dir == root.join(path)) => {
            Ok(Plan { packs, out: root.clone(), in_place: true, tsv: arguments.tsv, body_terms })
        }
        (None, [root]) => {
            bail!("{} is itself a pack; name its parent folder, or say with --out where to publish it", root.display())
        }
        (None, _) => bail!("several folders can't be published in place; say with --out where to publish them"),
    }
}

/// Says which stages of the packs under `root` are no longer published, and why.
pub(super) fn warn_of_lost_stages(lost: &LostStages, root: &Path) {
    let setup = quote_path(root);
    if let Some(entries) = &lost.outdated_entries {
        let threshold = entries.threshold.map(|least| format!(" --strong-match {least}")).unwrap_or_default();
        print_warning(&format!(
            "packs have changed, so their entries are left out; `seealso setup {setup}{threshold}` makes them"
        ));
    }
    for stage in &lost.incomplete {
        print_warning(&format!(
            "a file of the {stage} was missing, so they are left out; `seealso setup {setup}` makes them"
        ));
    }
}

fn report(arguments: &Arguments, plan: &Plan, published: &PublishReport) -> anyhow::Result<()> {
    let catalog = &published.catalog;
    let pages = published.pages;
    let packs = catalog.pack_count;
    let bytes = catalog.index.total_bytes;
    if arguments.json {
        let report = serde_json::json!({
            "out": plan.out, "packs": packs, "pages": pages, "index_bytes": bytes,
            "read": published.read, "taken_over": published.reused, "changed": published.changed,
            "lost_stages": published.lost_stages.names(),
            "findings": published.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        say!("{}", serde_json::to_string_pretty(&report).context("writing JSON")?);
        return Ok(());
    }
    warn_of_lost_stages(&published.lost_stages, &plan.out);
    let state = if published.changed { "written" } else { "up to date" };
    say!(
        "{STRONG}{}{STRONG:#}: {}, {}, index {:.1} KB, {state}",
        plan.out.display(),
        pluralize(packs, "pack"),
        pluralize(pages as usize, "page"),
        bytes as f64 / 1000.0
    );
    let (from, unchanged) = (quote_paths(&arguments.from), published.reused.len());
    if unchanged > 0 {
        let packs = pluralize(unchanged, "unchanged pack");
        let were = if unchanged == 1 { "was" } else { "were" };
        say!("{FAINT}{packs} {were} taken over, not read again; `seealso check {from}` lists findings{FAINT:#}");
    }
    if !published.findings.is_empty() {
        say!("{FAINT}{}; `seealso check {from}` lists them{FAINT:#}", pluralize(published.findings.len(), "finding"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_of_a_build_is_a_line() {
        let mut build_progress = BuildProgress { packs: 2, pack: String::new(), pack_number: 0 };
        for (progress, expected) in [
            (Progress::Pack("tea"), "pack 1 of 2: tea"),
            (Progress::Pack("bread"), "pack 2 of 2: bread"),
            (Progress::PagesRead { done: 1000, of: 1200 }, "pack 2 of 2: bread, page 1000 of 1200 read"),
            (Progress::PagesCounted { done: 1000, of: 1200 }, "pack 2 of 2: bread, words of page 1000 of 1200 counted"),
            (Progress::TermsWritten { done: 10_000, of: 40_000 }, "writing the index, 25 %"),
            (Progress::TermsWritten { done: 0, of: 0 }, "writing the index, 0 %"),
        ] {
            assert_eq!(build_progress.text(progress).as_deref(), Some(expected));
        }
    }
}
