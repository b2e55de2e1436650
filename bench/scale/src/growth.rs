//! `--growth`: what a question costs from an empty cache as rows and packs grow, counted natively: files from a folder,
//! without a network. Each question opens the index anew; the same questions follow with one word misspelt.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::data::{self, Question};
use crate::ours::{self, Cut, Ours};
use crate::stats::{self, percentile};
use crate::task::{QuestionFigures, BuildFigures, Task, spawn};
use crate::typo::misspelt;

/// How many times the number of rows is divided by ten.
const SMALLER: u32 = 3;
/// Into how many packs all rows are cut.
const PACKS: [u32; 4] = [3, 30, 300, 3000];

/// What one question cost, or a percentile of each part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Of all files, as they lie on the server.
    pub(crate) bytes: f64,
    pub(crate) requests: f64,
    /// How many times the reader waited for files; the catalog is the first.
    pub(crate) rounds: f64,
    /// Of opening and answering, files read from disk.
    pub(crate) ms: f64,
}

/// Percentiles over the questions.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Spread {
    pub(crate) p50: Cost,
    pub(crate) p95: Cost,
    max: Cost,
}

/// What the questions cost from an empty cache.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct ColdFigures {
    /// The catalog, and the root where it is a file of its own: what every question costs.
    opening: Cost,
    pub(crate) as_asked: Spread,
    pub(crate) misspelt: Spread,
    /// What each misspelt question cost more than the same question as asked.
    pub(crate) extra: Spread,
    mrr: f64,
    mrr_misspelt: f64,
}

/// One size, measured.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Point {
    pub(crate) rows: usize,
    pub(crate) packs: u32,
    files: usize,
    #[serde(flatten)]
    built: BuildFigures,
    pub(crate) cold: ColdFigures,
    pub(crate) warm: QuestionFigures,
}

/// All sizes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Growth {
    questions: usize,
    pub(crate) by_rows: Vec<Point>,
    pub(crate) by_packs: Vec<Point>,
    /// The same where each pack has its first row's title and summary; none as an earlier version measured.
    #[serde(default)]
    by_titled_packs: Vec<Point>,
    load_average: String,
}

/// Measures `rows` rows, and a tenth, a hundredth, a thousandth of them, in one pack; then all rows in several packs,
/// with their paths for titles, and again with titles and summaries.
pub(crate) fn measure(rows: usize, question_limit: usize) -> Result<Growth> {
    let work = data::work_folder()?;
    let (file, questions) = (work.join("rows.tsv"), work.join("questions.json"));
    let (mut by_rows, mut by_packs, mut by_titled_packs) = (Vec::new(), Vec::new(), Vec::new());
    let mut asked = 0;
    for tenths in (0..=SMALLER).rev() {
        let prepared = data::prepare(&file, &questions, rows / 10_usize.pow(tenths), question_limit)?;
        asked = prepared.questions;
        by_rows.push(point(prepared.rows, Cut::WHOLE, &file, &questions)?);
        if tenths == 0 {
            let points = |titled| {
                let point = |packs| point(prepared.rows, Cut { packs, titled }, &file, &questions);
                PACKS.into_iter().map(point).collect::<Result<_>>()
            };
            (by_packs, by_titled_packs) = (points(false)?, points(true)?);
        }
    }
    let load_average = std::fs::read_to_string("/proc/loadavg").unwrap_or_default().trim().to_owned();
    Ok(Growth { questions: asked, by_rows, by_packs, by_titled_packs, load_average })
}

fn point(rows: usize, cut: Cut, file: &Path, questions: &Path) -> Result<Point> {
    let saying = if cut.titled { " with titles and summaries" } else { "" };
    eprintln!("  {rows} rows in {} packs{saying}", cut.packs);
    let index: PathBuf = data::work_folder()?.join("growth");
    let engine = || ours::NAME.to_owned();
    let built = spawn(&Task::Build { engine: engine(), rows: file.into(), index: index.clone(), cut })?;
    let files = std::fs::read_dir(index.join("index"))?.count();
    let cold = spawn(&Task::ColdFigures { questions: questions.into(), index: index.clone() })?;
    let ask = Task::Ask { engine: engine(), questions: questions.into(), index: index.clone(), timed: usize::MAX };
    let warm = spawn(&ask)?;
    std::fs::remove_dir_all(&index).with_context(|| format!("removing {}", index.display()))?;
    let point = Point { rows, packs: cut.packs, files, built, cold, warm };
    eprint!("{}", point.line());
    Ok(point)
}

/// In a child: asks all questions, each of a newly opened index.
pub(crate) fn ask(questions: &Path, index: &Path) -> Result<ColdFigures> {
    let questions: Vec<Question> = serde_json::from_slice(&std::fs::read(questions)?)?;
    let visits = |text: fn(&str) -> String| -> Result<Vec<(Cost, Option<usize>)>> {
        questions.iter().map(|question| visit(index, &text(&question.as_asked.text), &question.gold)).collect()
    };
    let (right, wrong) = (visits(str::to_owned)?, visits(misspelt)?);
    let costs = |visits: &[(Cost, Option<usize>)]| visits.iter().map(|(cost, _)| *cost).collect::<Vec<_>>();
    let mrr =
        |visits: &[(Cost, Option<usize>)]| stats::mrr(&visits.iter().map(|(_, place)| *place).collect::<Vec<_>>());
    let extra: Vec<Cost> = right.iter().zip(&wrong).map(|((right, _), (wrong, _))| wrong.less(right)).collect();
    let start = Instant::now();
    let opening = cost(&Ours::open(index)?, start);
    Ok(ColdFigures {
        opening,
        as_asked: Spread::of(&costs(&right)),
        misspelt: Spread::of(&costs(&wrong)),
        extra: Spread::of(&extra),
        mrr: mrr(&right),
        mrr_misspelt: mrr(&wrong),
    })
}

/// One question from nothing to its list, and the place of the first row that answers it.
fn visit(index: &Path, question: &str, gold: &[String]) -> Result<(Cost, Option<usize>)> {
    let start = Instant::now();
    let ours = Ours::open(index)?;
    let list = ours.list(question)?;
    let cost = cost(&ours, start);
    Ok((cost, list.iter().position(|entry| gold.contains(&entry.id)).map(|at| at + 1)))
}

fn cost(ours: &Ours, start: Instant) -> Cost {
    let ms = start.elapsed().as_secs_f64() * 1000.0;
    let fetched = ours.fetched();
    let (requests, rounds) = (fetched.requests.into(), fetched.rounds.into());
    Cost { bytes: fetched.bytes as f64, requests, rounds, ms }
}

impl Cost {
    fn less(&self, other: &Cost) -> Cost {
        Cost {
            bytes: self.bytes - other.bytes,
            requests: self.requests - other.requests,
            rounds: self.rounds - other.rounds,
            ms: self.ms - other.ms,
        }
    }
}

impl Spread {
    fn of(costs: &[Cost]) -> Spread {
        let at = |share: f64| {
            let of = |part: fn(&Cost) -> f64| percentile(costs.iter().map(part).collect(), share);
            Cost { bytes: of(|c| c.bytes), requests: of(|c| c.requests), rounds: of(|c| c.rounds), ms: of(|c| c.ms) }
        };
        Spread { p50: at(0.5), p95: at(0.95), max: at(1.0) }
    }
}

const HEAD: &str = "| rows | packs | index MB | catalog KB | KB p50 | p95 | requests p50 | p95 | rounds p50 | p95 | \
    cold ms p50 | p95 | warm ms p50 | p95 | MRR |\n";
const HEAD_MISSPELT: &str = "| rows | packs | KB p50 | p95 | requests p50 | p95 | rounds p50 | p95 | more KB p50 | p95 | \
    more requests p50 | p95 | more rounds p50 | p95 | MRR |\n";

impl Point {
    /// A line of the table of questions as asked.
    fn line(&self) -> String {
        let Point { rows, packs, built, cold, warm, .. } = self;
        let (Spread { p50, p95, .. }, list) = (&cold.as_asked, &warm.as_asked.list);
        format!(
            "| {rows} | {packs} | {:.2} | {:.1} | {} | {:.1} | {:.1} | {:.2} | {:.2} | {:.3} |\n",
            built.index_bytes as f64 / 1e6,
            cold.opening.bytes / 1e3,
            cold.as_asked.cells(),
            p50.ms,
            p95.ms,
            list.p50_ms,
            list.p95_ms,
            cold.mrr,
        )
    }

    /// A line of the table of misspelt questions.
    fn misspelt_line(&self) -> String {
        let Point { rows, packs, cold, .. } = self;
        let (all, more) = (cold.misspelt.cells(), cold.extra.cells());
        format!("| {rows} | {packs} | {all} | {more} | {:.3} |\n", cold.mrr_misspelt)
    }
}

impl Spread {
    /// Kilobytes, requests and rounds, each p50 and p95.
    fn cells(&self) -> String {
        let Spread { p50, p95, .. } = self;
        let (kb50, kb95) = (p50.bytes / 1e3, p95.bytes / 1e3);
        format!("{kb50:.1} | {kb95:.1} | {} | {} | {} | {}", p50.requests, p95.requests, p50.rounds, p95.rounds)
    }
}

impl Growth {
    /// Markdown tables: by rows, by packs, and by packs with titles, as asked and misspelt.
    pub(crate) fn table(&self) -> String {
        let table = |head: &str, points: &[Point], line: fn(&Point) -> String| {
            let rule = format!("|{}\n", "---:|".repeat(head.matches('|').count() - 1));
            format!("{head}{rule}{}\n", points.iter().map(line).collect::<String>())
        };
        let tables = |head: &str, line: fn(&Point) -> String| {
            let parts = [
                ("In one pack", &self.by_rows),
                ("In packs", &self.by_packs),
                ("In packs with titles and summaries", &self.by_titled_packs),
            ];
            parts.map(|(name, points)| format!("{name}:\n\n{}", table(head, points, line))).concat()
        };
        let load = &self.load_average;
        tables(HEAD, Point::line)
            + &tables(HEAD_MISSPELT, Point::misspelt_line)
            + &format!("Load average {load} at the end.\n")
    }
}
