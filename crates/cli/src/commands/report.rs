//! `seealso report`: what a server, or a page in a browser, was asked in a day, and what came of it.

use std::path::PathBuf;

use clap::Args;

use crate::exit::{CommandResult, Completion};
use crate::interactions::{DailyReport, default_folder};
use crate::style::say;
use crate::utc;

/// Report what a server was asked in a day: strong matches, gaps, feedback, the slowest questions.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The folder of the log of interactions, by default that of `serve --api`; or a file that a browser saved.
    #[arg(long, value_name = "PATH")]
    log: Option<PathBuf>,
    /// The day in UTC, such as 2026-11-20; by default today.
    #[arg(long, value_name = "DATE", value_parser = parse_day)]
    day: Option<String>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// Parses a day. It names a file, so it has no other characters than a date has.
fn parse_day(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    match parts.iter().map(|part| part.len()).collect::<Vec<_>>() == [4, 2, 2] && parts.iter().all(is_number) {
        true => Ok(text.to_owned()),
        false => Err("give a day as YYYY-MM-DD".to_owned()),
    }
}

pub(crate) fn run(arguments: &Arguments) -> CommandResult {
    let log = arguments.log.clone().map_or_else(default_folder, Ok)?;
    anyhow::ensure!(
        log.exists(),
        "{}: there is no log of interactions; `seealso serve --api` writes one, or name its folder with --log",
        log.display()
    );
    let report = DailyReport::read(&log, &arguments.day.clone().unwrap_or_else(utc::today))?;
    match arguments.json {
        true => say!("{}", serde_json::to_string_pretty(&report)?),
        false => say!("{}", report.to_string().trim_end()),
    }
    Ok(Completion::Success)
}

#[cfg(test)]
mod tests {
    use super::parse_day;

    #[test]
    fn a_day_is_a_date() {
        for (text, expected) in [("2026-11-20", true), ("2026-1-20", false), ("../../x", false), ("20261120", false)] {
            assert_eq!(parse_day(text).is_ok(), expected, "{text}");
        }
    }
}
