//! The rows and questions: found beside the repository, unpacked once, cut to size, and turned into tokens.
//!
//! The peers get the tokens of seealso's own analysis, joined by spaces, stop words included, so that what is compared
//! is the index and not the analysis. The tokens are made before any clock runs, in the peers' favour: seealso's own
//! build time includes its analysis.

use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::tokens;

/// The pack that the rows make; a gold page is `packages/<id>`.
pub(crate) const PACK: &str = "packages";

/// A row, with the tokens that the peers index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) summary: String,
    pub(crate) title_tokens: String,
    pub(crate) summary_tokens: String,
}

/// A question in both forms, each as text and as the peers' tokens.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Question {
    /// Ids of the rows that answer it.
    pub(crate) gold: Vec<String>,
    pub(crate) as_asked: Form,
    pub(crate) content_words: Form,
}

/// One form of a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Form {
    pub(crate) text: String,
    /// Each token once.
    pub(crate) tokens: Vec<String>,
}

/// What was prepared.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct PreparedData {
    pub(crate) rows: usize,
    pub(crate) questions: usize,
}

/// A line of `queries.jsonl`.
#[derive(Deserialize)]
struct Line {
    question: String,
    gold: Vec<String>,
}

/// The folder for unpacked rows and built indexes, under cargo's target folder.
pub(crate) fn work_folder() -> Result<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let folder = target.join("bench-scale");
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// Writes the chosen rows with their tokens to `rows`, and the questions to `questions`.
pub(crate) fn prepare(rows: &Path, questions: &Path, row_limit: usize, question_limit: usize) -> Result<PreparedData> {
    let source = source()?;
    let asked = read_questions(&source.join("queries.jsonl"), question_limit)?;
    fs::write(questions, serde_json::to_vec(&asked)?)?;
    let all = unpacked(&source)?;
    let total = BufReader::new(File::open(&all)?).lines().count();
    let gold: HashSet<&str> = asked.iter().flat_map(|question| &question.gold).map(String::as_str).collect();
    eprintln!("  analysing {} of {total} rows", row_limit.min(total));
    let mut out = BufWriter::new(File::create(rows)?);
    let mut written = 0;
    for (at, line) in BufReader::new(File::open(&all)?).lines().enumerate() {
        let line = line?;
        let (id, rest) = line.split_once('\t').with_context(|| format!("row {}: no tab", at + 1))?;
        // Evenly spread: the row with which the share of rows passed reaches the next whole number.
        let spread = (at + 1) * row_limit / total > at * row_limit / total;
        if row_limit >= total || spread || gold.contains(id) {
            let (title, summary) = rest.split_once('\t').unwrap_or((rest, ""));
            let (title_tokens, summary_tokens) = (tokens::all_tokens(title), tokens::all_tokens(summary));
            writeln!(out, "{id}\t{title}\t{summary}\t{}\t{}", title_tokens.join(" "), summary_tokens.join(" "))?;
            written += 1;
        }
    }
    out.flush()?;
    Ok(PreparedData { rows: written, questions: asked.len() })
}

/// Calls `see` for each row of the file at `path`, with its number from 0.
pub(crate) fn for_each_row(path: &Path, mut see: impl FnMut(u32, Row) -> Result<()>) -> Result<()> {
    for (number, line) in (0..).zip(BufReader::new(File::open(path)?).lines()) {
        see(number, parse(&line?)?)?;
    }
    Ok(())
}

fn parse(line: &str) -> Result<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [id, title, summary, title_tokens, summary_tokens] = fields[..] else {
        bail!("a row with {} columns instead of 5", fields.len());
    };
    let owned = [id, title, summary, title_tokens, summary_tokens].map(String::from);
    let [id, title, summary, title_tokens, summary_tokens] = owned;
    Ok(Row { id, title, summary, title_tokens, summary_tokens })
}

/// The repository.
fn root() -> PathBuf {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent);
    bench.expect("this crate lies in bench/scale").to_path_buf()
}

/// The folder of the shared evaluation data that holds the rows.
fn source() -> Result<PathBuf> {
    let shared = env::var_os("SEEALSO_SHARED").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    let folder = shared.join("scale");
    ensure!(
        folder.join("packages-1m.tsv.xz").is_file() && folder.join("queries.jsonl").is_file(),
        "no rows at {}: this benchmark needs the shared evaluation data; SEEALSO_SHARED names the folder that holds scale/",
        folder.display()
    );
    Ok(folder)
}

/// The rows as plain text, unpacked by `xz` the first time.
fn unpacked(source: &Path) -> Result<PathBuf> {
    let plain = work_folder()?.join("packages-1m.tsv");
    if plain.is_file() {
        return Ok(plain);
    }
    eprintln!("  unpacking the rows");
    let partial = plain.with_extension("partial");
    let packed = source.join("packages-1m.tsv.xz");
    let status = Command::new("xz")
        .arg("-dc")
        .arg(&packed)
        .stdout(Stdio::from(File::create(&partial)?))
        .status()
        .context("cannot start `xz`; install it from your system's packages (xz-utils)")?;
    ensure!(status.success(), "xz could not unpack {} ({status})", packed.display());
    fs::rename(&partial, &plain)?;
    Ok(plain)
}

/// `limit` of the questions, evenly spread.
fn read_questions(path: &Path, limit: usize) -> Result<Vec<Question>> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let chosen = spread(lines.len(), limit);
    chosen.into_iter().map(|at| question(lines[at]).with_context(|| format!("question {}", at + 1))).collect()
}

fn question(line: &str) -> Result<Question> {
    let Line { question, gold } = serde_json::from_str(line)?;
    let prefix = format!("{PACK}/");
    let gold = gold.iter().map(|id| id.strip_prefix(&prefix).unwrap_or(id).to_owned()).collect();
    let content = tokens::content_places(&question).into_iter().map(|at| &question[at]).collect::<Vec<_>>().join(" ");
    let form = |text: String| Form { tokens: once(tokens::all_tokens(&text)), text };
    Ok(Question { gold, content_words: form(content), as_asked: form(question) })
}

fn once(tokens: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    tokens.into_iter().filter(|token| seen.insert(token.clone())).collect()
}

/// `count` numbers below `len`, evenly spread; all of them where there are no more.
pub(crate) fn spread(len: usize, count: usize) -> Vec<usize> {
    let count = count.min(len);
    (0..count).map(|at| at * len / count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly() {
        assert_eq!(spread(10, 5), [0, 2, 4, 6, 8]);
        assert_eq!(spread(3, 10), [0, 1, 2]);
        assert_eq!(spread(0, 4), [0usize; 0]);
    }

    #[test]
    fn a_question_has_both_forms() {
        let line = r#"{"question": "which tool is a tool for json", "gold": ["packages/npm/x"]}"#;
        let question = question(line).unwrap();
        assert_eq!(question.gold, ["npm/x"]);
        assert_eq!(question.as_asked.tokens, ["which", "tool", "is", "a", "for", "json"]);
        assert_eq!(question.content_words.text, "tool tool json");
        assert_eq!(question.content_words.tokens, ["tool", "json"]);
    }

    #[test]
    fn a_row_has_five_columns() {
        assert_eq!(parse("npm/x\tX\tA thing.\tx\ta thing").unwrap().summary_tokens, "a thing");
        assert!(parse("npm/x\tX").is_err());
    }
}
