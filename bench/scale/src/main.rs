//! `cargo xtask bench scale [--json] [--rows N] [--queries N] [--fts5-queries N] [--engines a,b]`: seealso's index beside
//! tantivy and SQLite FTS5 on a million rows; with `--growth [--draw DIR]`, what a question costs as rows and packs grow.
//!
//! The parent prepares the rows, runs each engine's build and its questions in a child process of its own, one after
//! the other, and prints the report. Standard output is the report alone; progress goes to standard error.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod tokens;
mod data;
mod engine;
mod ours;
mod tantivy_engine;
mod fts5;
mod engines;
mod stats;
mod task;
mod child;
mod report;
mod typo;
mod growth;
mod plot;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Parser;

use crate::engines::ENGINES;
use crate::ours::Cut;
use crate::report::{EngineReport, Report};
use crate::task::Task;

/// Measures seealso's index beside tantivy and SQLite FTS5.
#[derive(Parser)]
#[command(name = "cargo xtask bench scale")]
struct Options {
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
    /// Rows to index: those that answer a question, and others spread over the file
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    rows: usize,
    /// Questions to ask, spread over the file
    #[arg(long, default_value_t = 200, value_name = "N")]
    queries: usize,
    /// Questions that SQLite FTS5 is timed with, spread over those asked; it is slow
    #[arg(long, default_value_t = 40, value_name = "N")]
    fts5_queries: usize,
    /// Only these, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = ENGINES.map(String::from))]
    engines: Vec<String>,
    /// Measure what a question costs from an empty cache instead, as rows and packs grow, and only of seealso
    #[arg(long)]
    growth: bool,
    /// Draw the growth into this folder too, as SVG
    #[arg(long, value_name = "DIR", requires = "growth")]
    draw: Option<PathBuf>,
    /// Take the growth from what --json printed before instead of measuring it
    #[arg(long, value_name = "FILE", requires = "growth")]
    from: Option<PathBuf>,
    /// What a child process does: set by this program itself
    #[arg(long, hide = true)]
    task: Option<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    if let Some(task) = &options.task {
        return child::run(&serde_json::from_str(task).context("reading the task")?);
    }
    for name in &options.engines {
        anyhow::ensure!(ENGINES.contains(&name.as_str()), "no engine {name:?}; there are: {}", ENGINES.join(", "));
    }
    if options.growth {
        return grow(&options);
    }
    let report = measure(&options)?;
    if options.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", report.table());
    }
    Ok(())
}

fn grow(options: &Options) -> Result<()> {
    let growth = match &options.from {
        Some(file) => serde_json::from_slice(&std::fs::read(file)?).with_context(|| file.display().to_string())?,
        None => growth::measure(options.rows, options.queries)?,
    };
    if let Some(folder) = &options.draw {
        plot::draw(&growth, folder)?;
    }
    match options.json {
        true => println!("{}", serde_json::to_string_pretty(&growth)?),
        false => print!("{}", growth.table()),
    }
    Ok(())
}

fn measure(options: &Options) -> Result<Report> {
    let work = data::work_folder()?;
    let rows = work.join("rows.tsv");
    let questions = work.join("questions.json");
    let prepared = data::prepare(&rows, &questions, options.rows, options.queries)?;
    let mut report = Report::new(prepared);
    for name in &options.engines {
        report.engines.insert(name.clone(), measure_engine(name, &work, &rows, &questions, options)?);
    }
    report.compare();
    Ok(report)
}

fn measure_engine(name: &str, work: &Path, rows: &Path, questions: &Path, options: &Options) -> Result<EngineReport> {
    let index: PathBuf = work.join(name);
    eprintln!("  {name}: building");
    let build =
        task::spawn(&Task::Build { engine: name.into(), rows: rows.into(), index: index.clone(), cut: Cut::WHOLE })?;
    let timed = if name == fts5::NAME { options.fts5_queries } else { usize::MAX };
    eprintln!("  {name}: asking");
    let asked =
        task::spawn(&Task::Ask { engine: name.into(), questions: questions.into(), index: index.clone(), timed })?;
    let report = EngineReport::new(build, asked);
    eprintln!("{}", report.lines(name));
    std::fs::remove_dir_all(&index).with_context(|| format!("removing {}", index.display()))?;
    Ok(report)
}
