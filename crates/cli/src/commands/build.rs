//! `seealso build`: the index and the catalog of packs, in place or in another folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use seealso_pack::{BODY_TERMS, Layout, Plan, Published, discover, publish_in};

use crate::exit::{Done, Outcome};
use crate::style::{FAINT, ProgressLine, STRONG, counted, say};

/// Build the index: writes catalog.json and index/ beside the packs, or copies the packs to another folder first.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A folder of packs to publish in place; with --out, packs or folders of packs to copy, or one file of rows
    /// (id, title and summary between tabs; its name ends in .tsv).
    #[arg(required = true, value_name = "DIR|ROWS.tsv")]
    from: Vec<PathBuf>,
    /// The folder to publish to; made anew in one step.
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write index/pages.tsv (id, title, summary) too.
    #[arg(long)]
    tsv: bool,
    /// Split the index into files of about BYTES each, however small it is, to see how a host copes with many.
    #[arg(long, value_name = "BYTES")]
    file_bytes: Option<usize>,
    #[command(flatten)]
    rows: super::rows::Options,
    /// Salient terms of its body that each page gets in the index at most; 0 for titles and summaries alone.
    #[arg(long, value_name = "N", default_value_t = BODY_TERMS)]
    body_terms: usize,
    /// Print what was done as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let [file] = arguments.from.as_slice()
        && is_rows(file)
    {
        return super::rows::run(file, arguments.out.as_deref(), &arguments.rows, arguments.json);
    }
    arguments.rows.ensure_unused()?;
    let plan = plan(arguments)?;
    let progress = ProgressLine::new();
    let total = plan.packs.len();
    let mut done = 0;
    let layout = arguments.file_bytes.map_or_else(Layout::default, Layout::in_files_of);
    let published = publish_in(layout, &plan, &mut |pack| {
        done += 1;
        progress.say(&format!("pack {done} of {total}: {pack}"));
    })?;
    drop(progress);
    report(arguments, &plan, &published)?;
    Ok(Done::Well)
}

fn is_rows(file: &Path) -> bool {
    file.is_file() && file.extension().is_some_and(|ending| ending == "tsv")
}

/// The packs of these folders, by path: each its folder and the path that it would have.
pub(super) fn packs_of(folders: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let mut packs = Vec::new();
    for from in folders {
        let found = discover(from)?;
        if found.is_empty() {
            bail!(
                "{}: no packs here; a pack is a folder with manifest.yaml and wiki/, or with index.md and pages",
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

fn plan(arguments: &Arguments) -> anyhow::Result<Plan> {
    let packs = packs_of(&arguments.from)?;
    match (&arguments.out, arguments.from.as_slice()) {
        (Some(out), _) => {
            Ok(Plan { packs, out: out.clone(), in_place: false, tsv: arguments.tsv, body_terms: arguments.body_terms })
        }
        (None, [root]) if packs.iter().all(|(dir, path)| *dir == root.join(path)) => {
            Ok(Plan { packs, out: root.clone(), in_place: true, tsv: arguments.tsv, body_terms: arguments.body_terms })
        }
        (None, [root]) => {
            bail!("{} is itself a pack; name its parent folder, or say with --out where to publish it", root.display())
        }
        (None, _) => bail!("several folders can't be published in place; say with --out where to publish them"),
    }
}

fn report(arguments: &Arguments, plan: &Plan, published: &Published) -> anyhow::Result<()> {
    let catalog = &published.catalog;
    let pages = published.pages;
    let packs = catalog.pack_count;
    let bytes = catalog.index.total_bytes;
    if arguments.json {
        let report = serde_json::json!({
            "out": plan.out, "packs": packs, "pages": pages, "index_bytes": bytes,
            "read": published.read, "taken_over": published.taken_over, "changed": published.changed,
            "findings": published.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        say!("{}", serde_json::to_string_pretty(&report).context("writing JSON")?);
        return Ok(());
    }
    let state = if published.changed { "written" } else { "up to date" };
    say!(
        "{STRONG}{}{STRONG:#}: {}, {}, index {:.1} KB, {state}",
        plan.out.display(),
        counted(packs, "pack"),
        counted(pages as usize, "page"),
        bytes as f64 / 1000.0
    );
    let from: Vec<String> = arguments.from.iter().map(|from| from.display().to_string()).collect();
    let (from, unchanged) = (from.join(" "), published.taken_over.len());
    if unchanged > 0 {
        let packs = counted(unchanged, "unchanged pack");
        let were = if unchanged == 1 { "was" } else { "were" };
        say!("{FAINT}{packs} {were} taken over, not read again; `seealso check {from}` lists findings{FAINT:#}");
    }
    if !published.findings.is_empty() {
        say!("{FAINT}{}; `seealso check {from}` lists them{FAINT:#}", counted(published.findings.len(), "finding"));
    }
    Ok(())
}
