//! Questions whose pages are known, from JSON Lines.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

/// A question with an answer.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Question {
    pub(crate) question: String,
    /// Ids of the pages that answer it, all of which it needs.
    pub(crate) gold: Vec<String>,
    kind: String,
}

/// The questions of `kind` that have an answer; every kind where it is `all`.
pub(crate) fn read(path: &Path, kind: &str) -> Result<Vec<Question>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let mut questions = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let question: Question =
            serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), at + 1))?;
        if !question.gold.is_empty() && (kind == "all" || question.kind == kind) {
            questions.push(question);
        }
    }
    Ok(questions)
}
