//! A draft of the answer by a model on this machine: what is asked for, what comes of it, and what keeps it from coming.
//!
//! The draft is the model's own wording. Nothing here checks it against the pages, and whoever shows it must say so.
#![cfg_attr(not(feature = "model"), allow(dead_code, reason = "without models no draft is made"))]

#[cfg(feature = "model")]
mod prompt;
#[cfg(feature = "model")]
mod local;
#[cfg(not(feature = "model"))]
mod absent;
mod show;
mod stop;

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args;
use seealso::{Manifest, Tier};
use serde_json::{Value, json};

#[cfg(not(feature = "model"))]
pub(crate) use absent::write;
#[cfg(feature = "model")]
pub(crate) use local::write;
pub(crate) use show::show;
pub(crate) use stop::{INTERRUPTED, Stop};

/// Which model drafts, and how.
#[derive(Args)]
pub(crate) struct ModelArguments {
    /// Let the model in this GGUF file draft an answer, after the quoted one.
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Threads that the model runs on; as many as there are processors where not given.
    #[arg(long, value_name = "N", requires = "model", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The most tokens of the draft.
    #[arg(long, value_name = "N", requires = "model", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    tokens: u32,
    /// How freely the model draws its words, from 0, which always takes the likeliest, to 2.
    #[arg(long, value_name = "T", requires = "model", default_value_t = 0.0, value_parser = temperature)]
    temperature: f32,
    /// Where the drawing begins: the same seed draws the same words.
    #[arg(long, value_name = "N", requires = "model", default_value_t = 0)]
    seed: u64,
}

fn temperature(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(value) if (0.0..=2.0).contains(&value) => Ok(value),
        _ => Err(format!("{text} is not in 0..=2")),
    }
}

/// What a draft is made of.
pub(crate) struct Brief<'a> {
    /// The model's file.
    pub(crate) file: &'a Path,
    /// How it drafts.
    pub(crate) arguments: &'a ModelArguments,
    /// The question.
    pub(crate) question: &'a str,
    /// The pages behind the answer, in the order of its sources.
    pub(crate) manifest: &'a Manifest,
    /// Whose budget the sources keep to.
    pub(crate) tier: Tier,
    /// Whether to stop.
    pub(crate) stop: &'a Stop,
}

/// What happens while a draft is made.
pub(crate) enum Step<'a> {
    /// The model is being loaded: bytes done, and bytes in all.
    Loading(u64, u64),
    /// The model reads the prompt: tokens done, and tokens in all.
    Reading(usize, usize),
    /// The model of this name begins to write.
    Begins(&'a str),
    /// The draft goes on.
    Text(&'a str),
}

/// Why a draft ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The model was done.
    Done,
    /// `--tokens` came.
    Tokens,
    /// It was stopped.
    Stopped,
}

/// A draft.
pub(crate) struct Draft {
    /// The model's name.
    pub(crate) model: String,
    /// The text.
    pub(crate) text: String,
    /// Why it ended.
    pub(crate) end: End,
    /// How many tokens the text has.
    pub(crate) tokens: usize,
    /// How many the prompt has.
    pub(crate) prompt_tokens: usize,
    /// Numbers of the sources that the model read, and whether whole.
    pub(crate) sources: Vec<(usize, bool)>,
    /// How many threads worked.
    pub(crate) threads: usize,
    /// Seconds that loading, reading the prompt and writing took.
    pub(crate) seconds: [f64; 3],
}

impl Draft {
    /// Tokens a second while writing. The first token comes of the prompt's last pass.
    pub(crate) fn speed(&self) -> f64 {
        per_second(self.tokens.saturating_sub(1), self.seconds[2])
    }

    /// Tokens a second while reading the prompt.
    pub(crate) fn reading_speed(&self) -> f64 {
        per_second(self.prompt_tokens, self.seconds[1])
    }

    /// Numbers in square brackets in the text, in the order of their first mention: of sources that the model read, and
    /// of others.
    pub(crate) fn citations(&self) -> (Vec<usize>, Vec<usize>) {
        let mut found = Vec::new();
        for (at, _) in self.text.match_indices('[') {
            let inside = self.text[at + 1..].split(']').next().unwrap_or_default();
            for number in inside.split(',').map_while(|number| number.trim().parse::<usize>().ok()) {
                if !found.contains(&number) {
                    found.push(number);
                }
            }
        }
        found.into_iter().partition(|number| self.sources.iter().any(|(read, _)| read == number))
    }

    /// The draft as scripts read it.
    pub(crate) fn as_json(&self) -> Value {
        let (citations, unknown) = self.citations();
        let rounded = |number: f64| (number * 1000.0).round() / 1000.0;
        json!({
            "model": self.model,
            "text": self.text,
            "checked": false,
            "end": match self.end { End::Done => "done", End::Tokens => "tokens", End::Stopped => "stopped" },
            "tokens": self.tokens,
            "tokens_per_second": rounded(self.speed()),
            "prompt_tokens": self.prompt_tokens,
            "prompt_tokens_per_second": rounded(self.reading_speed()),
            "sources": self.sources.iter().map(|(number, whole)| json!({ "number": number, "whole": whole })).collect::<Vec<_>>(),
            "citations": citations,
            "unknown_citations": unknown,
            "threads": self.threads,
            "seconds": { "load": rounded(self.seconds[0]), "prompt": rounded(self.seconds[1]), "text": rounded(self.seconds[2]) },
        })
    }
}

/// 0 where no time passed.
fn per_second(count: usize, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}

/// A model that can't be used: the message says why, and what to do.
#[derive(Debug)]
pub(crate) struct Unusable {
    /// The file.
    pub(crate) file: String,
    /// What is wrong with it, and what to do.
    pub(crate) reason: String,
}

impl Unusable {
    pub(crate) fn new(file: &Path, reason: impl fmt::Display) -> Unusable {
        Unusable { file: file.display().to_string(), reason: reason.to_string() }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.reason)
    }
}

impl std::error::Error for Unusable {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_of_sources_that_were_read_or_unknown() {
        let check = |text: &str, known: &[usize], unknown: &[usize]| {
            let draft = Draft {
                model: String::new(),
                text: text.to_owned(),
                end: End::Done,
                tokens: 0,
                prompt_tokens: 0,
                sources: vec![(1, true), (3, false)],
                threads: 1,
                seconds: [0.0; 3],
            };
            assert_eq!(draft.citations(), (known.to_vec(), unknown.to_vec()), "{text}");
        };
        check("Tea [1]. Bread [3][1], and [2].", &[1, 3], &[2]);
        check("Both [1, 3] and [a], [, []] and [3", &[1, 3], &[]);
        check("", &[], &[]);
    }

    #[test]
    fn speed_needs_time() {
        assert_eq!(per_second(10, 2.0), 5.0);
        assert_eq!(per_second(10, 0.0), 0.0);
    }
}
