//! What a child process is to do, what it reports, and starting one.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ours::Cut;
use crate::stats::Times;

/// What a child does.
#[derive(Serialize, Deserialize)]
pub(crate) enum Task {
    Build { engine: String, rows: PathBuf, index: PathBuf, cut: Cut },
    Ask { engine: String, questions: PathBuf, index: PathBuf, timed: usize },
    ColdFigures { questions: PathBuf, index: PathBuf },
}

/// What a build took.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct BuildFigures {
    pub(crate) build_s: f64,
    pub(crate) build_peak_rss_mb: f64,
    pub(crate) index_bytes: u64,
}

/// What the questions took, in both forms.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct QuestionFigures {
    pub(crate) open_ms: f64,
    pub(crate) ask_peak_rss_mb: f64,
    pub(crate) as_asked: Figures,
    pub(crate) content_words: Figures,
}

/// One form's figures.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// Questions that were timed; the ranking is of all.
    pub(crate) timed: usize,
    /// To the ranked rows.
    pub(crate) rank: Times,
    /// To a list with titles and summaries.
    pub(crate) list: Times,
    pub(crate) hit_at_1: f64,
    pub(crate) hit_at_5: f64,
    /// Of the first eight.
    pub(crate) mrr: f64,
}

/// Runs `task` in a new process and returns what it prints.
pub(crate) fn spawn<T: DeserializeOwned>(task: &Task) -> Result<T> {
    let output = Command::new(env::current_exe()?)
        .args(["--task", &serde_json::to_string(task)?])
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("starting a process of its own")?;
    ensure!(output.status.success(), "the process of its own failed ({})", output.status);
    serde_json::from_slice(&output.stdout).context("reading what the process printed")
}
