//! In a child: one engine's build, or its questions, in a process of its own, so that memory is counted apart.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde_json::Value;

use crate::data::{self, Form, Question};
use crate::engine::{Engine, Entry};
use crate::ours::Cut;
use crate::stats::{self, Times};
use crate::task::{QuestionFigures, BuildFigures, Figures, Task};
use crate::{engines, growth};

/// Rounds over all timed questions; a question's time is its median over them.
const ROUNDS: usize = 5;

/// Does the task and prints what it found.
pub(crate) fn run(task: &Task) -> Result<()> {
    let found: Value = match task {
        Task::Build { engine, rows, index, cut } => serde_json::to_value(build(engine, rows, index, *cut)?)?,
        Task::Ask { engine, questions, index, timed } => serde_json::to_value(ask(engine, questions, index, *timed)?)?,
        Task::ColdFigures { questions, index } => serde_json::to_value(growth::ask(questions, index)?)?,
    };
    println!("{found}");
    Ok(())
}

fn build(engine: &str, rows: &Path, index: &Path, cut: Cut) -> Result<BuildFigures> {
    if index.exists() {
        fs::remove_dir_all(index)?;
    }
    fs::create_dir_all(index)?;
    let start = Instant::now();
    engines::build(engine, rows, index, cut)?;
    let build_s = start.elapsed().as_secs_f64();
    Ok(BuildFigures { build_s, build_peak_rss_mb: stats::peak_rss_mb()?, index_bytes: bytes_in(index)? })
}

fn bytes_in(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { bytes_in(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

fn ask(name: &str, questions: &Path, index: &Path, timed: usize) -> Result<QuestionFigures> {
    let questions: Vec<Question> = serde_json::from_slice(&fs::read(questions)?)?;
    let start = Instant::now();
    let engine = engines::open(name, index)?;
    let open_ms = start.elapsed().as_secs_f64() * 1000.0;
    let figures = |form: fn(&Question) -> &Form| figures(engine.as_ref(), &questions, form, timed);
    let (as_asked, content_words) = (figures(|q| &q.as_asked)?, figures(|q| &q.content_words)?);
    Ok(QuestionFigures { open_ms, ask_peak_rss_mb: stats::peak_rss_mb()?, as_asked, content_words })
}

/// All questions are ranked once, which also warms what they need; then those that are timed are asked in rounds.
fn figures(engine: &dyn Engine, questions: &[Question], form: fn(&Question) -> &Form, timed: usize) -> Result<Figures> {
    let mut places = Vec::new();
    for question in questions {
        let ids = read(engine, engine.rank(form(question))?)?;
        places.push(ids.iter().position(|id| question.gold.contains(id)).map(|at| at + 1));
    }
    let chosen: Vec<&Form> = data::spread(questions.len(), timed).into_iter().map(|at| form(&questions[at])).collect();
    let (rank, list) = time(engine, &chosen)?;
    let share = |within: usize| stats::share(&places, |place| place.is_some_and(|place| place <= within));
    let (hit_at_1, hit_at_5, mrr) = (share(1), share(5), stats::mrr(&places));
    Ok(Figures { timed: chosen.len(), rank, list, hit_at_1, hit_at_5, mrr })
}

/// The ids of a result list, of which titles and summaries are read too.
fn read(engine: &dyn Engine, rows: Vec<u64>) -> Result<Vec<String>> {
    let entry = |row| {
        let Entry { id, title, summary } = engine.read(row)?;
        std::hint::black_box((title, summary));
        Ok(id)
    };
    rows.into_iter().map(entry).collect()
}

/// Times each question once a round: to its ranking, and to its list.
fn time(engine: &dyn Engine, questions: &[&Form]) -> Result<(Times, Times)> {
    let (mut ranks, mut lists) = (vec![Vec::new(); questions.len()], vec![Vec::new(); questions.len()]);
    for _ in 0..ROUNDS {
        for (at, question) in questions.iter().enumerate() {
            let start = Instant::now();
            let rows = engine.rank(question)?;
            ranks[at].push(start.elapsed().as_secs_f64() * 1000.0);
            read(engine, rows)?;
            lists[at].push(start.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Ok((Times::of(ranks), Times::of(lists)))
}
