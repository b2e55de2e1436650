//! `cargo xtask bench fanout [--json] [--kind KIND] [--packs DIR] [--questions FILE]`: does it pay to search for each subject
//! of a question apart, and to merge round-robin?
//!
//! Every way ranks twelve pages for the same questions over the same packs: round-robin over the sub-queries, the undivided
//! question, the sub-queries' hits by score, and the pages of the best chunks of text. Standard output is the report.
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod questions;
mod ours;
mod chunks;
mod measures;

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Parser;
use serde_json::json;

use crate::chunks::{Chunks, Prefix};
use crate::measures::{Figures, table};
use crate::ours::{RankingBasis, Library};
use crate::questions::Question;

/// Pages of each ranking.
const RANKED: usize = 12;

/// Measures the fan-out of a question's subjects beside other ways to search.
#[derive(Parser)]
#[command(name = "cargo xtask bench fanout")]
struct Options {
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
    /// Questions of this kind; `all` takes every one with an answer
    #[arg(long, default_value = "multi")]
    kind: String,
    /// The packs; the shared evaluation data's if not given
    #[arg(long, value_name = "DIR")]
    packs: Option<PathBuf>,
    /// The questions, JSON Lines; the shared evaluation data's natural.jsonl if not given
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let packs = options.packs.clone().unwrap_or_else(|| shared().join("packs"));
    let file = options.questions.clone().unwrap_or_else(|| shared().join("questions/natural.jsonl"));
    ensure!(
        packs.is_dir() && file.is_file(),
        "no {} or no {}: this benchmark needs the shared evaluation data; SEEALSO_SHARED names its folder",
        packs.display(),
        file.display()
    );
    let library = Library::read(&packs)?;
    let questions = questions::read(&file, &options.kind)?;
    ensure!(!questions.is_empty(), "{} has no questions of the kind {:?}", file.display(), options.kind);
    eprintln!("  {} pages, {} questions", library.page_count(), questions.len());
    let ways = measure(&library, &questions)?;
    if options.json {
        let ways: serde_json::Map<_, _> =
            ways.iter().map(|(name, figures)| (name.to_string(), json!(figures))).collect();
        let report = json!({
            "kind": options.kind, "questions": questions.len(), "pages": library.page_count(),
            "split": library.split_share(&questions)?, "ways": ways,
        });
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{}", table(&ways));
    }
    Ok(())
}

/// The figures of each way, in the order of the table.
fn measure(library: &Library, questions: &[Question]) -> Result<Vec<(&'static str, Figures)>> {
    let bodies = Chunks::of(library.pages(), Prefix::None);
    let titled = Chunks::of(library.pages(), Prefix::TitleAndSummary);
    type Way<'w> = (&'static str, Box<dyn Fn(&str) -> Result<Vec<String>> + 'w>);
    let ways: [Way<'_>; 8] = [
        ("round-robin over sub-queries", Box::new(|question| library.round_robin(question, RankingBasis::Texts))),
        ("one undivided query", Box::new(|question| library.undivided(question, RankingBasis::Texts))),
        ("sub-queries merged by score", Box::new(|question| library.by_score(question, RankingBasis::Texts))),
        ("round-robin, by the index alone", Box::new(|question| library.round_robin(question, RankingBasis::Index))),
        ("undivided, by the index alone", Box::new(|question| library.undivided(question, RankingBasis::Index))),
        ("merged by score, by the index alone", Box::new(|question| library.by_score(question, RankingBasis::Index))),
        ("chunk top-K, bodies", Box::new(|question| Ok(bodies.best_pages(question, RANKED)))),
        ("chunk top-K, with title and summary", Box::new(|question| Ok(titled.best_pages(question, RANKED)))),
    ];
    let mut measured = Vec::new();
    for (name, rank) in ways {
        let rankings = questions.iter().map(|question| rank(&question.question)).collect::<Result<Vec<_>>>()?;
        measured.push((name, Figures::of(questions, &rankings)));
    }
    Ok(measured)
}

/// The folder of the shared evaluation data.
fn shared() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate lies in bench/fanout");
    env::var_os("SEEALSO_SHARED").map_or_else(|| root.join("../shared/data"), PathBuf::from)
}
