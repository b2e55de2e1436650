//! The laboratory of `seealso`: what fits the parts that judge claims, and what measures checks on errors that are planted.
//!
//! It is for the people who develop `seealso`, and is not published. Four programs, each in a file of its own:
//!
//! - `claim-errors` plants errors in supported claims and counts how many the checks flag;
//! - `draft-errors` plants errors in drafts over the packs and follows them to the final text;
//! - `probe` fits a probe of a model's state to claims whose truth is known, or writes what
//!   `bench/claims/adapters.py` teaches adapters by;
//! - `rule` fits the weights that checks, words and a probe have in a verdict.
//!
//! The last two need a model that runs in this process, so they are there with the cargo feature `model` alone.
//!
//! The laboratory depends on the command's library, `seealso-cli`, for what both need: files of claims, judges with a
//! cache on disk, measures, and how packs are opened and figures printed. A third crate for these would be published with
//! the command, since the command depends on it, and would hold most of what the command is made of. The command knows
//! nothing of this crate.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod claim_errors;
#[cfg(feature = "model")]
mod closure_judge;
mod draft_errors;
#[cfg(feature = "model")]
mod fit;
#[cfg(feature = "model")]
mod probe;
#[cfg(feature = "model")]
mod rule;
mod random;
mod swap;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use seealso_cli::exit_code;

/// Fit what judges claims, and measure checks on planted errors.
#[derive(Parser)]
#[command(name = "seealso-lab", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    ClaimErrors(claim_errors::Arguments),
    DraftErrors(draft_errors::Arguments),
    #[cfg(feature = "model")]
    Probe(probe::Arguments),
    #[cfg(feature = "model")]
    Rule(rule::Arguments),
}

fn main() -> ExitCode {
    exit_code(match &Arguments::parse().command {
        Command::ClaimErrors(arguments) => claim_errors::run(arguments),
        Command::DraftErrors(arguments) => draft_errors::run(arguments),
        #[cfg(feature = "model")]
        Command::Probe(arguments) => probe::run(arguments),
        #[cfg(feature = "model")]
        Command::Rule(arguments) => rule::run(arguments),
    })
}
