//! `seealso build ROWS.tsv`: builds an index over rows without pages.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::Args;
use seealso_pack::{RowsBuilt, RowsPlan, Titles, publish_rows};

use crate::exit::{CommandResult, Completion};
use crate::style::{ProgressLine, STRONG, pluralize, say};

/// The arguments for a file of rows.
#[derive(Args)]
pub(super) struct RowArguments {
    /// For a file of rows: the pack's path; by default the file's name without its ending.
    #[arg(long, value_name = "PATH")]
    name: Option<String>,
    /// For a file of rows: share the rows evenly among so many packs, whose paths are the name and a number.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    packs: Option<u32>,
    /// For a file of rows: their language, as a BCP 47 tag; by default English.
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
}

impl RowArguments {
    /// Refuses these options where there is no file of rows.
    pub(super) fn ensure_unused(&self) -> anyhow::Result<()> {
        let options = [
            ("--name", self.name.is_some()),
            ("--packs", self.packs.is_some()),
            ("--language", self.language.is_some()),
        ];
        match options.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                bail!("{option} is for a file of rows; packs say it in manifest.yaml and by their folder")
            }
            None => Ok(()),
        }
    }
}

pub(super) fn run(file: &Path, out: Option<&Path>, options: &RowArguments, json: bool) -> CommandResult {
    let out = out.context("say with --out where to write the index of the rows")?;
    let stem = || file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let plan = RowsPlan {
        file: file.to_path_buf(),
        name: options.name.clone().unwrap_or_else(stem),
        packs: options.packs.unwrap_or(1),
        titles: Titles::Paths,
        language: options.language.clone().unwrap_or_else(|| "en".to_owned()),
        out: PathBuf::from(out),
    };
    let start = Instant::now();
    let progress = ProgressLine::on_stderr();
    let built = publish_rows(&plan, &mut |done, of| match done == of {
        true => progress.show(&format!("{of} rows read; sorting their words")),
        false => progress.show(&format!("row {done} of {of}, {} %", done * 100 / of)),
    })?;
    drop(progress);
    report(&plan, &built, start.elapsed().as_secs_f64(), json)?;
    Ok(Completion::Success)
}

fn report(plan: &RowsPlan, built: &RowsBuilt, seconds: f64, json: bool) -> anyhow::Result<()> {
    let index = &built.catalog.index;
    let (packs, bytes) = (built.catalog.pack_count, index.total_bytes);
    if json {
        let report = serde_json::json!({
            "out": plan.out, "packs": packs, "pages": built.rows, "index_bytes": bytes, "index_files": index.files + 1,
            "seconds": seconds,
        });
        say!("{}", serde_json::to_string_pretty(&report)?);
        return Ok(());
    }
    say!(
        "{STRONG}{}{STRONG:#}: {}, {}, index {:.1} KB in {}, {seconds:.1} s",
        plan.out.display(),
        pluralize(packs, "pack"),
        pluralize(usize::try_from(built.rows).unwrap_or(usize::MAX), "row"),
        bytes as f64 / 1000.0,
        pluralize(index.files as usize + 1, "file"),
    );
    Ok(())
}
