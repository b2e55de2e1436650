//! The `seealso` command, as a library that its binary runs. Each subcommand has a file of its own under `commands`.
//!
//! [`run`] is all that the binary needs. What else is public is here for `seealso-lab`, which fits and measures what judges
//! claims: files of claims, judges with a cache on disk, measures, and how a command opens packs, prints and ends. The
//! laboratory depends on the command and never the other way round, so nothing of it reaches the binary that people
//! install. It is no interface for others, and changes with the two.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "printing is what a command is for")]

mod commands;
mod deliberation;
mod exit;
#[cfg(feature = "model")]
mod server;
#[cfg(feature = "model")]
mod judge_record;
#[cfg(feature = "model")]
mod local_model;
#[cfg(feature = "model")]
mod model_file;
mod node_client;
mod shell_quoting;
mod source;
mod stop_flag;
mod style;
mod unusable_model;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use commands::Packs;
#[cfg(feature = "model")]
pub use commands::eval::load;
pub use commands::eval::{
    AnswerMemory, Bounds, JudgeArguments, Line, Pair, Remembering, Scored, bounds, cell, does_not_write, hash, key,
    memory, pairs, read, record, share, share_of_words, weighed, words,
};
pub use exit::{Done, Outcome, code};
#[cfg(feature = "model")]
pub use judge_record::{MOST_WEIGHTS, Rounded, told};
#[cfg(feature = "model")]
pub use local_model::LocalModel;
pub use source::{FolderLibrary, FolderSource, SystemClock, block_on, open};
pub use style::{FAINT, ProgressLine, STRONG, line, plain};

/// Ask curated wikis: build their index, search it, and answer from whole pages with sources.
#[derive(Parser)]
#[command(name = "seealso", version, after_help = exit::HELP)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(commands::new::Arguments),
    Build(commands::build::Arguments),
    Check(commands::check::Arguments),
    Search(commands::search::Arguments),
    Explain(commands::explain::Arguments),
    Ask(commands::ask::Arguments),
    Stats(commands::stats::Arguments),
    Eval(commands::eval::Arguments),
    Bench(commands::bench::Arguments),
    Serve(commands::serve::Arguments),
    Node(commands::node::Arguments),
}

/// Runs the command that the process's arguments name, and gives the exit code.
pub fn run() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Build(arguments) => commands::build::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Search(arguments) => commands::search::run(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Ask(arguments) => commands::ask::run(&arguments),
        Command::Stats(arguments) => commands::stats::run(&arguments),
        Command::Eval(arguments) => commands::eval::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Node(arguments) => commands::node::run(&arguments),
    };
    exit::code(result)
}
